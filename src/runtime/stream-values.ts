// SPDX-License-Identifier: 0BSD
/// <reference lib="esnext.disposable" preserve="true" />
import { CallError } from './errors.js';
import type { EventSpec } from './event-spec.js';
import type { Answer, Connection } from './operation.js';
import type { RawEvent } from './sse-decode.js';
import type {
  EventStream,
  InvalidSseEvent,
  InvalidStreamItem,
  SseEvent,
  StreamItem,
  UnknownSseEvent,
} from './sse-events.js';
import type { Issue } from './validation.js';

export type StreamValue =
  | SseEvent<string, unknown>
  | UnknownSseEvent
  | InvalidSseEvent
  | StreamItem<unknown>
  | InvalidStreamItem;

/** Takes the bytes of a stream apart. */
export interface Decoder {
  readonly lastEventId: string;
  readonly retryMs: number | undefined;
  push(chunk: Uint8Array): readonly RawEvent[];
  /** What the end of the bytes completes; without it, nothing. */
  end?(): readonly RawEvent[];
}

export interface Continuation {
  /** Is told of each event that came. */
  arrived(): void;
  /** What to go on with after the bytes ended or the connection broke; nothing where that was the end. */
  next(fault: CallError | undefined): Promise<Response | undefined>;
  /** Ends a wait in `next`. */
  close(): void;
}

/** The stream of a connection: reads on demand, gives every event its declared form, and is used once. */
export function streamFrom(
  connection: Connection,
  decoder: Decoder,
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
    if (used) throw new CallError('stream', 'the stream was read or closed already');
    used = true;
    return valuesOf(source, connection, decoder, continuation, close);
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

async function* valuesOf(
  source: Source,
  { answer, deadline, options }: Connection,
  decoder: Decoder,
  continuation: Continuation,
  close: () => Promise<void>,
): AsyncGenerator<StreamValue, void, undefined> {
  try {
    for (;;) {
      let bytes: Uint8Array | undefined;
      let fault: CallError | undefined;
      try {
        bytes = (await source.reader?.read())?.value;
      } catch (error) {
        fault = deadline.explain(error);
      }
      for (const raw of (bytes ? decoder.push(bytes) : fault ? undefined : decoder.end?.()) ?? []) {
        continuation.arrived();
        if (isEnd(raw, answer)) return;
        const value = interpret(raw, answer, options.onInvalid);
        if (value) yield value;
      }
      if (bytes) continue;
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

/** A stream of JSON whose contract names no sentinel often ends with `[DONE]`, which is no JSON. */
function isEnd({ data }: RawEvent, { sentinels, events = [] }: Partial<Answer> = {}): boolean {
  return sentinels?.includes(data) ?? (data === '[DONE]' && events.some((event) => event.data === 'json'));
}

/** Gives the event its declared form; `undefined` leaves it out. */
function interpret(
  { name, data, id, retry }: RawEvent,
  answer: Answer | undefined,
  onInvalid = 'yield',
): StreamValue | undefined {
  const { events: declared = [], anyName = false } = answer ?? {};
  const named = declared.find((event) => event.name === name);
  const spec = named ?? (anyName ? declared.find((event) => event.name === 'message') : undefined);
  const isItem = spec?.name === 'item';
  const shared = isItem ? {} : { id, ...(retry !== undefined && { retry }) };
  if (!spec) return { event: '$unknown', name, data, ...shared } as UnknownSseEvent;
  // Servers prime a stream with an empty event to give it an id; that is no JSON and no fault.
  if (spec.data === 'json' && data === '') return undefined;
  const { value, issues } = readValue(spec, data, onInvalid);
  if (!issues) {
    return {
      event: spec.name,
      data: value,
      ...(anyName && spec.name === 'message' && { name }),
      ...shared,
    } as StreamValue;
  }
  if (onInvalid === 'throw')
    throw new CallError('stream', `an event "${name}" is not what the contract declares`, { issues });
  return onInvalid === 'skip'
    ? undefined
    : ({ event: '$invalid', data, ...(!isItem && { name }), ...shared, issues } as StreamValue);
}

interface Value {
  readonly value: unknown;
  readonly issues?: readonly Issue[];
}

function readValue({ data: kind, validate, codec }: EventSpec, text: string, onInvalid: string): Value {
  let value: unknown = text;
  try {
    if (kind === 'json') value = JSON.parse(text);
  } catch {
    return refused(value, 'contentMediaType', 'the data is not JSON', { contentMediaType: 'application/json' });
  }
  const verdict = onInvalid === 'off' ? undefined : validate?.(value);
  if (verdict && !verdict.ok) return { value, issues: verdict.issues };
  try {
    return { value: codec ? codec.decode(value) : value };
  } catch {
    return refused(value, 'format', 'holds a date that is none');
  }
}

function refused(value: unknown, keyword: string, message: string, params: Issue['params'] = {}): Value {
  return { value, issues: [{ pointer: '', path: [], schemaPointer: '', keyword, params, message }] };
}
