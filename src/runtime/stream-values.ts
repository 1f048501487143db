// SPDX-License-Identifier: 0BSD
/// <reference lib="esnext.disposable" preserve="true" />
import { CallError } from './errors.js';
import { isEnd } from './event-spec.js';
import type { Answer, Connection } from './operation.js';
import type {
  EventStream,
  InvalidSseEvent,
  InvalidStreamItem,
  SseEvent,
  StreamItem,
  UnknownSseEvent,
} from './sse-events.js';
import type { InvalidStreamPart, StreamPart } from './stream-part.js';

export type StreamValue =
  | SseEvent<string, unknown>
  | UnknownSseEvent
  | InvalidSseEvent
  | StreamItem<unknown>
  | InvalidStreamItem
  | StreamPart<unknown>
  | InvalidStreamPart;

/** What stands in a stream, before it is known what the contract says of it. */
export interface Raw {
  /** Of an event. */
  readonly name?: string;
  readonly data: unknown;
}

/** Takes the bytes of a stream apart. */
export interface Decoder<R extends Raw> {
  readonly lastEventId: string;
  readonly retryMs: number | undefined;
  push(chunk: Uint8Array): readonly R[];
  /** What the end of the bytes completes; without it, nothing. */
  end?(): readonly R[];
}

/** Gives what was read its declared form; nothing where it is left out. Throws where the caller wants to be told so. */
export type Interpret<R extends Raw> = (raw: R, answer: Partial<Answer>, onInvalid: string) => StreamValue | undefined;

export interface Continuation {
  /** Is told of each event that came. */
  arrived(): void;
  /** What to go on with after the bytes ended or the connection broke; nothing where that was the end. */
  next(fault: CallError | undefined): Promise<Response | undefined>;
  /** Ends a wait in `next`. */
  close(): void;
}

/** The stream of a connection: reads on demand, gives every event its declared form, and is used once. */
export function streamFrom<R extends Raw>(
  connection: Connection,
  decoder: Decoder<R>,
  interpret: Interpret<R>,
  continuation: Continuation,
): EventStream<StreamValue> {
  const source: Source = { response: connection.response, reader: connection.response.body?.getReader() };
  const release = connection.deadline.handOver();
  let used = false;

  const close = async (): Promise<void> => {
    used = true;
    release();
    continuation.close();
    // A connection that is broken already cannot be closed; that is no fault.
    await source.reader?.cancel().catch(() => undefined);
  };

  const start = (): AsyncGenerator<StreamValue, void, undefined> => {
    if (used) throw new CallError('stream', 'the stream was read already');
    used = true;
    return valuesOf(source, connection, decoder, interpret, continuation, close);
  };

  const stream = {
    get response() {
      return source.response;
    },
    get lastEventId() {
      return decoder.lastEventId;
    },
    get retryMs() {
      return decoder.retryMs;
    },
    data: () => dataOf(start()),
    async collect() {
      const all: unknown[] = [];
      for await (const one of dataOf(start())) all.push(one);
      return all;
    },
    close,
    [Symbol.asyncIterator]: start,
  };
  // Older platforms lack the symbol; there `await using` brings its own or is not used.
  if (Symbol.asyncDispose) Object.defineProperty(stream, Symbol.asyncDispose, { value: close });
  return stream as object as EventStream<StreamValue>;
}

/** The answer that is being read; another one after a reconnection. */
interface Source {
  response: Response;
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
}

async function* valuesOf<R extends Raw>(
  source: Source,
  { answer, deadline, options: { onInvalid = 'yield' } }: Connection,
  decoder: Decoder<R>,
  interpret: Interpret<R>,
  continuation: Continuation,
  close: () => Promise<void>,
): AsyncGenerator<StreamValue, void, undefined> {
  const declared: Partial<Answer> = answer ?? {};
  const { limit } = deadline;
  // Whatever the transport makes of the signal.
  limit?.addEventListener('abort', close);
  try {
    for (;;) {
      let bytes: Uint8Array | undefined;
      let fault: CallError | undefined;
      try {
        bytes = (await source.reader?.read())?.value;
        if (limit?.aborted) throw limit.reason;
      } catch (error) {
        fault = deadline.explain(error);
      }
      for (const raw of (bytes ? decoder.push(bytes) : fault ? undefined : decoder.end?.()) ?? []) {
        continuation.arrived();
        if (isEnd(declared, raw.data, raw.name)) return;
        const value = interpret(raw, declared, onInvalid);
        if (value) yield value;
        // What came before is not read any more.
        if (limit?.aborted) break;
      }
      if (bytes || (limit?.aborted && !fault)) continue;
      const response = await continuation.next(fault);
      if (!response) return;
      source.response = response;
      source.reader = response.body?.getReader();
    }
  } finally {
    await close();
  }
}

async function* dataOf(values: AsyncIterable<StreamValue>): AsyncGenerator<unknown, void, undefined> {
  for await (const value of values) {
    if (value.event !== '$unknown' && value.event !== '$invalid') yield value.data;
  }
}
