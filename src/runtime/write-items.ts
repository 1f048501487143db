// SPDX-License-Identifier: 0BSD
import { own, refuse } from './parameters.js';
import type { BodySpec } from './write-body.js';

/** Sends one JSON text in each line. */
export function writeLines(spec: BodySpec, headers: Headers, input: unknown): BodyInit {
  return writeTexts('', spec, headers, input);
}

/** Sends JSON texts behind record separators (RFC 7464). */
export function writeRecords(spec: BodySpec, headers: Headers, input: unknown): BodyInit {
  return writeTexts('\u001e', spec, headers, input);
}

function writeTexts(before: string, spec: BodySpec, headers: Headers, input: unknown): BodyInit {
  const [{ codec } = {}] = spec.events ?? [];
  const text = (item: unknown): string =>
    `${before}${JSON.stringify(codec ? codec.encode(item) : item) ?? refuse('holds an item that is no JSON value')}\n`;
  return writeSequence(spec, headers, input, text, '');
}

/**
 * What is at hand is sent as one text; what comes by and by as a stream, an item each time that the connection takes more.
 * `first` goes before the items, `last` behind them.
 */
export function writeSequence(
  { type }: BodySpec,
  headers: Headers,
  input: unknown,
  piece: (item: unknown) => string | Uint8Array<ArrayBuffer>,
  last: string,
  first = '',
): BodyInit {
  const items = own(input, 'body') as Iterable<unknown> | AsyncIterable<unknown>;
  headers.set('content-type', type);
  if (typeof items !== 'object' || items === null) return refuse('is not a sequence of items');
  if (Symbol.iterator in items) {
    const pieces = [first, ...Array.from(items, piece), last];
    return pieces.some((one) => typeof one !== 'string') ? new Blob(pieces) : pieces.join('');
  }
  if (!(Symbol.asyncIterator in items)) return refuse('is not a sequence of items');
  const iterator = items[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    start(controller) {
      if (first !== '') controller.enqueue(encoder.encode(first));
    },
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (!done) {
        const one = piece(value);
        controller.enqueue(typeof one === 'string' ? encoder.encode(one) : one);
      } else {
        if (last !== '') controller.enqueue(encoder.encode(last));
        controller.close();
      }
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
