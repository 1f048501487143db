// SPDX-License-Identifier: 0BSD
/// <reference lib="esnext.disposable" />
import { CallError } from './errors.js';
import type { Connection, EventSpec } from './operation.js';
import { createSseDecoder, type RawEvent } from './sse-decode.js';
import type { Issue } from './validation.js';

/** An event that the contract declares. */
export interface SseEvent<N extends string, D> {
  readonly event: N;
  readonly data: D;
  /** The last event id at this event, `""` where there is none. */
  readonly id: string;
  /** Milliseconds, where the event sets the reconnection time. */
  readonly retry?: number;
}

/** An event whose name the contract does not declare. */
export interface UnknownSseEvent {
  readonly event: '$unknown';
  readonly name: string;
  readonly data: string;
  readonly id: string;
  readonly retry?: number;
}

/** A declared event whose data is no JSON or is refused by its schema; see `onInvalid`. */
export interface InvalidSseEvent {
  readonly event: '$invalid';
  readonly name: string;
  readonly data: string;
  readonly id: string;
  readonly retry?: number;
  readonly issues: readonly Issue[];
}

/** What the declared events carry. */
export type EventData<E> =
  E extends SseEvent<infer N, infer D> ? (N extends '$unknown' | '$invalid' ? never : D) : never;

/**
 * The events of an answer, as they arrive. Single use. Leaving the loop, by `break`, `return` or a throw, closes the
 * connection, and so does `await using`. A stream that nobody reads keeps its connection: read it or `close()` it.
 */
export interface EventStream<E> extends AsyncIterable<E>, AsyncDisposable {
  readonly response: Response;
  /** The id to resume from. */
  readonly lastEventId: string;
  /** The reconnection time that the server asks for, in milliseconds. */
  readonly retryMs: number | undefined;
  /** The data of the declared events alone. Counts as the single use. */
  data(): AsyncIterable<EventData<E>>;
  close(): Promise<void>;
}

type AnyEvent = SseEvent<string, unknown> | UnknownSseEvent | InvalidSseEvent;

/** The reader of `text/event-stream` answers. */
export function readEvents(connection: Connection): EventStream<AnyEvent> {
  const { response, answer, options, deadline } = connection;
  const decoder = createSseDecoder(options.maxEventLength ?? 2 ** 20);
  const reader = response.body?.getReader();
  const release = deadline.handOver();
  let used = false;

  const close = async (): Promise<void> => {
    used = true;
    release();
    // A connection that is broken already cannot be closed; that is no fault.
    await reader?.cancel().catch(() => undefined);
  };

  async function* events(): AsyncGenerator<AnyEvent, void, undefined> {
    try {
      for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
        for (const raw of decoder.push(part.value)) {
          const event = interpret(raw, answer?.events, options.onInvalid);
          if (event) yield event;
        }
      }
    } catch (error) {
      throw deadline.explain(error);
    } finally {
      await close();
    }
  }

  async function* data(iterator: AsyncIterable<AnyEvent>): AsyncGenerator<unknown, void, undefined> {
    for await (const event of iterator) {
      if (event.event !== '$unknown' && event.event !== '$invalid') yield event.data;
    }
  }

  const start = (): AsyncGenerator<AnyEvent, void, undefined> => {
    if (used) throw new CallError('stream', 'the stream was read or closed already');
    used = true;
    return events();
  };

  const stream = {
    response,
    get lastEventId() {
      return decoder.lastEventId;
    },
    get retryMs() {
      return decoder.retryMs;
    },
    data: () => data(start()),
    close,
    [Symbol.asyncIterator]: start,
  };
  // Older platforms lack the symbol; there `await using` brings its own or is not used.
  if (Symbol.asyncDispose) Object.defineProperty(stream, Symbol.asyncDispose, { value: close });
  return stream as object as EventStream<AnyEvent>;
}

/** Gives the event its declared form; `undefined` leaves it out. */
function interpret(
  { name, data, id, retry }: RawEvent,
  declared: readonly EventSpec[] = [],
  onInvalid = 'yield',
): AnyEvent | undefined {
  const shared = { id, ...(retry === undefined ? {} : { retry }) };
  const spec = declared.find((event) => event.name === name);
  if (!spec) return { event: '$unknown', name, data, ...shared };
  // Servers prime a stream with an empty event to give it an id; that is no JSON and no fault.
  if (spec.data === 'json' && data === '') return undefined;
  let value: unknown = data;
  let issues: readonly Issue[] | undefined;
  try {
    if (spec.data === 'json') value = JSON.parse(data);
    const verdict = onInvalid === 'off' ? undefined : spec.validate?.(value);
    if (verdict && !verdict.ok) issues = verdict.issues;
  } catch {
    issues = [notJson];
  }
  if (!issues) return { event: name, data: value, ...shared };
  if (onInvalid === 'throw')
    throw new CallError('stream', `an event "${name}" is not what the contract declares`, { issues });
  return onInvalid === 'skip' ? undefined : { event: '$invalid', name, data, ...shared, issues };
}

const notJson: Issue = {
  pointer: '',
  path: [],
  schemaPointer: '',
  keyword: 'contentMediaType',
  params: { contentMediaType: 'application/json' },
  message: 'the data is not JSON',
};
