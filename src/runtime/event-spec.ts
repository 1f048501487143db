// SPDX-License-Identifier: 0BSD
import type { Validator, ValueCodec } from './validation.js';

/** An event of a stream, the one `item` of a sequence, or a part by its position. */
export interface EventSpec {
  readonly name: string;
  /** Parts may be `binary`, or `any` of the three, which each says itself. */
  readonly data: 'json' | 'text' | 'binary' | 'any';
  /** The media types and ranges that a part may be of; without them every one that `data` allows. */
  readonly types?: readonly string[];
  readonly validate?: Validator<unknown>;
  readonly codec?: ValueCodec;
  /** It is never the end of the stream, whatever it says. */
  readonly verbatim?: true;
}

type SomeEvent = Pick<EventSpec, 'name' | 'data' | 'verbatim'>;

/** What a contract says of the events of a stream. */
export interface EventsSpec<E extends SomeEvent = EventSpec> {
  readonly events?: readonly E[];
  /** The event `message` stands for those of every name that has none of its own. */
  readonly anyName?: boolean;
  /** Data that says that the stream is at its end. */
  readonly sentinels?: readonly string[];
}

/** What is declared of the events of a name: the one rule of all that reads and writes events. */
export function eventOf<E extends SomeEvent>({ events, anyName }: EventsSpec<E>, name: string): E | undefined {
  const named = (wanted: string): E | undefined => events?.find((event) => event.name === wanted);
  return named(name) ?? (anyName ? named('message') : undefined);
}

/** Whether the data of an event `name` ends a stream. One of JSON whose contract names no sentinel often ends with `[DONE]`, which is no JSON. */
export function isEnd<E extends SomeEvent>(
  { events, sentinels }: EventsSpec<E>,
  data: unknown,
  name?: string,
): boolean {
  return sentinels
    ? sentinels.includes(data as string) && !events?.some((event) => event.verbatim && event.name === name)
    : data === '[DONE]' && !!events?.some((event) => event.data === 'json');
}
