// SPDX-License-Identifier: 0BSD
import { CallError } from './errors.js';
import { eventOf } from './event-spec.js';
import { invalid, readValue } from './item-value.js';
import type { Answer, Connection } from './operation.js';
import { type RawEvent, SseDecoder } from './sse-decode.js';
import type { EventStream } from './sse-events.js';
import { type Interpret, type StreamValue, streamFrom } from './stream-values.js';

/** The reader of `text/event-stream` answers. */
export function readEvents(
  connection: Connection,
  interpret: Interpret<RawEvent> = interpretEvent,
): EventStream<StreamValue> {
  const { answer, options } = connection;
  const decoder = new SseDecoder(options.maxEventLength ?? 2 ** 20);
  const again = options.reconnect?.(connection);
  return streamFrom(connection, decoder, interpret, {
    arrived: () => again?.arrived(),
    async next(fault) {
      if (again && (!fault || fault.fault === 'network')) {
        const response = await again.next(fault, decoder);
        decoder.restart();
        return response;
      }
      if (fault) throw fault;
      if (answer?.sentinels?.length) throw new CallError('truncated', 'the stream was cut short');
      return undefined;
    },
    close: () => again?.close(),
  });
}

/** An event in its declared form. */
export function interpretEvent(
  { name, data, id, retry }: RawEvent,
  answer: Partial<Answer>,
  onInvalid: string,
): StreamValue | undefined {
  const spec = eventOf(answer, name);
  const shared = { id, ...(retry !== undefined && { retry }) };
  if (!spec) return { event: '$unknown', name, data, ...shared };
  // Servers prime a stream with an empty event to give it an id; that is no JSON and no fault.
  if (spec.data === 'json' && data === '') return undefined;
  const { value, issues } = readValue(spec, data, onInvalid);
  if (issues) return invalid(`an event "${name}"`, { event: '$invalid', name, data, ...shared, issues }, onInvalid);
  const isAny = answer.anyName && spec.name === 'message';
  return { event: spec.name, data: value, ...(isAny && { name }), ...shared } as StreamValue;
}
