// SPDX-License-Identifier: 0BSD
import { refuse } from './parameters.js';
import { encodeSse, type SseFrame } from './sse-encode.js';
import type { BodySpec } from './write-body.js';
import { writeSequence } from './write-items.js';

/** Sends server-sent events, and behind the last one the event that ends the stream, where the contract has one. */
export function writeEvents(spec: BodySpec, headers: Headers, input: unknown): BodyInit {
  const { events = [], anyName, sentinel } = spec;
  const text = (item: unknown): string => {
    const { event = 'message', data, ...rest } = item as SseFrame & { readonly data: unknown };
    const contract = events.find(({ name }) => name === (anyName ? 'message' : event));
    if (!contract) return refuse(`holds an event "${event}", which the contract does not declare`);
    const value = contract.codec ? contract.codec.encode(data) : data;
    const sent = contract.data === 'json' ? JSON.stringify(value) : value;
    return encodeSse({ ...rest, event, data: typeof sent === 'string' ? sent : refuse('holds an event without data') });
  };
  const last = sentinel === undefined ? '' : encodeSse({ data: sentinel });
  return writeSequence(spec, headers, input, text, last);
}
