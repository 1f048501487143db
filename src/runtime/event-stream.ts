// SPDX-License-Identifier: 0BSD
/// <reference lib="esnext.disposable" />
import { CallError } from './errors.js';
import type { Connection, EventSpec } from './operation.js';
import { type RawEvent, SseDecoder } from './sse-decode.js';
import type { EventStream, InvalidSseEvent, SseEvent, UnknownSseEvent } from './sse-events.js';
import type { Issue } from './validation.js';

type AnyEvent = SseEvent<string, unknown> | UnknownSseEvent | InvalidSseEvent;

/** The reader of `text/event-stream` answers. */
export function readEvents(connection: Connection): EventStream<AnyEvent> {
  const { response, answer, options, deadline } = connection;
  const decoder = new SseDecoder(options.maxEventLength ?? 2 ** 20);
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
  try {
    if (!issues && spec.codec) value = spec.codec.decode(value);
  } catch {
    issues = [noDate];
  }
  if (!issues) return { event: name, data: value, ...shared };
  if (onInvalid === 'throw')
    throw new CallError('stream', `an event "${name}" is not what the contract declares`, { issues });
  return onInvalid === 'skip' ? undefined : { event: '$invalid', name, data, ...shared, issues };
}

const noDate: Issue = {
  pointer: '',
  path: [],
  schemaPointer: '',
  keyword: 'format',
  params: {},
  message: 'holds a date that is none',
};

const notJson: Issue = {
  pointer: '',
  path: [],
  schemaPointer: '',
  keyword: 'contentMediaType',
  params: { contentMediaType: 'application/json' },
  message: 'the data is not JSON',
};
