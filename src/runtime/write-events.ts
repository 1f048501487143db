// SPDX-License-Identifier: 0BSD
import type { Deadline } from './deadline.js';
import { eventOf } from './event-spec.js';
import { refuse } from './parameters.js';
import { encodeSse, endsStream, type SseFrame } from './sse-encode.js';
import type { BodySpec } from './write-body.js';
import { writeSequence } from './write-items.js';

/** Sends server-sent events, and behind the last one the event that ends the stream, where the contract has one. */
export function writeEvents(spec: BodySpec, headers: Headers, input: unknown, deadline: Deadline): BodyInit {
  const [sentinel] = spec.sentinels ?? [];
  const text = (item: unknown): string => {
    const { event = 'message', data, ...rest } = item as SseFrame & { readonly data: unknown };
    const contract = eventOf(spec, event);
    if (!contract) return refuse(`holds an event "${event}", which the contract does not declare`);
    const value = contract.codec ? contract.codec.encode(data) : data;
    const written = contract.data === 'json' ? JSON.stringify(value) : value;
    const sent = typeof written === 'string' ? written : refuse('holds an event without data');
    if (endsStream(spec, sent, event)) refuse('holds an event whose data would end the stream');
    return encodeSse({ ...rest, event, data: sent });
  };
  const last = sentinel === undefined ? '' : encodeSse({ data: sentinel });
  return writeSequence(spec, headers, input, deadline, text, last);
}
