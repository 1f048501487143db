// SPDX-License-Identifier: 0BSD
import type { Validator, ValueCodec } from './validation.js';

/** An event of a stream, the one `item` of a sequence, or a part by its position. */
export interface EventSpec {
  readonly name: string;
  /** Parts may be `binary`, or `any` of the three, which each says itself. */
  readonly data: 'json' | 'text' | 'binary' | 'any';
  /** The media types and ranges that a part may be of; without them every one that `data` allows. */
  readonly types?: readonly string[];
  /** Headers of a part that are always the same, by their names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The part is one of a form, so it must say its name (RFC 7578 section 4.2). */
  readonly named?: true;
  readonly validate?: Validator<unknown>;
  readonly codec?: ValueCodec;
}

type SomeEvent = Pick<EventSpec, 'name' | 'data'>;

/** What a contract says of the events of a stream. */
export interface EventsSpec<E extends SomeEvent = EventSpec> {
  readonly events?: readonly E[];
  /** The event `message` stands for those of every name that has none of its own. */
  readonly anyName?: boolean;
  /** Data that says that the stream is at its end. */
  readonly sentinels?: readonly string[];
  /** Whatever the name of the event that has such data. */
  readonly anyEnd?: boolean;
}

/** What is declared of the events of a name: the one rule of all that reads and writes events. */
export function eventOf<E extends SomeEvent>({ events, anyName }: EventsSpec<E>, name: string): E | undefined {
  const named = (wanted: string): E | undefined => events?.find((event) => event.name === wanted);
  return named(name) ?? (anyName ? named('message') : undefined);
}

/**
 * Whether the data of an event `name` ends a stream. One of JSON whose contract names no sentinel often ends with `[DONE]`,
 * which is no JSON. The end has no name: what is declared under a name of its own is never the end.
 */
export function isEnd<E extends SomeEvent>(
  { events, sentinels, anyEnd }: EventsSpec<E>,
  data: unknown,
  name?: string,
): boolean {
  const isData = sentinels
    ? sentinels.includes(data as string)
    : data === '[DONE]' && events?.some((event) => event.data === 'json');
  return !!isData && (anyEnd || name === 'message' || !events?.some((event) => event.name === name));
}
