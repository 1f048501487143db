// SPDX-License-Identifier: 0BSD
import type { Deadline } from './deadline.js';
import { CallError } from './errors.js';
import { naming, own, refuse } from './parameters.js';
import type { BodySpec } from './write-body.js';

/** Sends one JSON text in each line. */
export function writeLines(spec: BodySpec, headers: Headers, input: unknown, deadline: Deadline): BodyInit {
  return writeTexts('', spec, headers, input, deadline);
}

/** Sends JSON texts behind record separators (RFC 7464). */
export function writeRecords(spec: BodySpec, headers: Headers, input: unknown, deadline: Deadline): BodyInit {
  return writeTexts('\u001e', spec, headers, input, deadline);
}

function writeTexts(before: string, spec: BodySpec, headers: Headers, input: unknown, deadline: Deadline): BodyInit {
  const [{ codec } = {}] = spec.events ?? [];
  const text = (item: unknown): string =>
    `${before}${JSON.stringify(codec ? codec.encode(item) : item) ?? refuse('holds an item that is no JSON value')}\n`;
  return writeSequence(spec, headers, input, deadline, text, '');
}

type Piece = (item: unknown) => string | Uint8Array<ArrayBuffer>;

/**
 * What is at hand is sent as one text; what comes by and by as a stream, an item each time that the connection takes more.
 * `first` goes before the items, `last` behind them.
 */
export function writeSequence(
  { type }: BodySpec,
  headers: Headers,
  input: unknown,
  deadline: Deadline,
  piece: Piece,
  last: string,
  first = '',
): BodyInit {
  const items = own(input, 'body') as Iterable<unknown> | AsyncIterable<unknown>;
  headers.set('content-type', type);
  if (typeof items !== 'object' || items === null) return refuse('is not a sequence of items');
  if (Symbol.iterator in items) {
    const pieces = [first, ...allOf(items).map(piece), last];
    return pieces.some((one) => typeof one !== 'string') ? new Blob(pieces) : pieces.join('');
  }
  if (!(Symbol.asyncIterator in items)) return refuse('is not a sequence of items');
  return streamOf(items[Symbol.asyncIterator](), deadline, piece, last, first);
}

function allOf(items: Iterable<unknown>): readonly unknown[] {
  try {
    return [...items];
  } catch (cause) {
    throw new CallError('request', failed, { cause });
  }
}

const failed = 'the sequence that was given failed';

function streamOf(
  iterator: AsyncIterator<unknown>,
  deadline: Deadline,
  piece: Piece,
  last: string,
  first: string,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let isOver = false;
  const stop = (): void => {
    if (isOver) return;
    isOver = true;
    // A generator answers only after its pending item, and nobody is left to be told what it throws.
    Promise.resolve(iterator.return?.()).catch(() => undefined);
  };
  // Platforms report the failure of a body as one of the connection, and do not let go of it where the call ends early.
  const fail = (error: CallError): CallError => {
    if (!deadline.signal.aborted) deadline.explain = () => error;
    return error;
  };
  stopWith(deadline, stop);
  return new ReadableStream<Uint8Array>({
    start(controller) {
      if (first !== '') controller.enqueue(encoder.encode(first));
    },
    async pull(controller) {
      const step = await Promise.resolve(iterator.next()).catch((cause: unknown) => {
        isOver = true;
        throw fail(new CallError('request', `body: ${failed}`, { cause }));
      });
      // What was cut short must not look as if it were whole.
      if (isOver) throw new CallError('abort', 'the call is over');
      if (step.done) {
        isOver = true;
        if (last !== '') controller.enqueue(encoder.encode(last));
        controller.close();
        return;
      }
      try {
        const one = naming('body', () => piece(step.value));
        controller.enqueue(typeof one === 'string' ? encoder.encode(one) : one);
      } catch (error) {
        stop();
        throw fail(error as CallError);
      }
    },
    cancel: stop,
  });
}

/** Stops a sequence when its call ends, however it does; where the answer is a stream, when that does. */
function stopWith(deadline: Deadline, stop: () => void): void {
  const { end } = deadline;
  const handOver = deadline.handOver.bind(deadline);
  deadline.end = () => {
    end();
    stop();
  };
  deadline.handOver = () => {
    const release = handOver();
    return () => {
      release();
      stop();
    };
  };
}
