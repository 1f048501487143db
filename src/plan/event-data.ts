/** The type of what an event, an item or a part holds, for all that print it. */
import { type Code, code } from '../encode.js';
import type { Operation, StreamEvent, StreamSpec } from '../ir/api.js';
import type { Direction } from './target.js';
import type { TypePrinter } from './type-text.js';

/** What a stream says of the events of one name: one of two kinds, or both. */
export interface NamedEvents {
  readonly event: StreamEvent;
  /** Where some are JSON, as `event` says, and others text. */
  readonly text?: StreamEvent;
}

/** The events of a stream by their names; parts and items are told by position, each for itself. */
export function namedEvents({ events, framing }: Pick<StreamSpec, 'events' | 'framing'>): readonly NamedEvents[] {
  if (framing !== 'sse') return events.map((event) => ({ event }));
  return events.flatMap((event): readonly NamedEvents[] => {
    const twins = events.filter(({ name }) => name === event.name);
    const text = twins.find(({ data }) => data === 'text');
    if (twins.length < 2 || !text) return [{ event }];
    return event === text ? [] : [{ event, text }];
  });
}

/** Whether the data that ends a stream does so under the names of its events, too; sequences have none. */
export function endsUnderNames({ events, framing, sentinels, configuredEnd }: StreamSpec): boolean {
  const isNamed = framing === 'sse' && events.some(({ name }) => name !== 'message');
  return configuredEnd === true && sentinels.length > 0 && isNamed;
}

/** Whether a client needs to tell JSON from text for itself. */
export function tellsJsonFromText(operations: readonly Pick<Operation, 'body' | 'responses'>[]): boolean {
  return operations.some(({ body, responses }) =>
    [...(body?.content ?? []), ...responses.flatMap(({ content }) => content)].some(
      ({ stream }) => stream !== undefined && namedEvents(stream).some(({ text }) => text !== undefined),
    ),
  );
}

/** On a line that is indented so many steps. */
export function eventDataType(
  { data, schema }: StreamEvent,
  printer: Pick<TypePrinter, 'typeOf' | 'textOf'>,
  direction: Direction,
  level: number,
): Code {
  const print = data === 'text' ? 'textOf' : 'typeOf';
  const described = schema === undefined ? undefined : printer[print](schema, direction, level);
  switch (data) {
    case 'json':
      return described ?? code`unknown`;
    case 'text':
      return described ?? code`string`;
    case 'binary':
      return code`globalThis.Uint8Array`;
    case 'any':
      // A part of another kind than its schema says is text or bytes.
      return described === undefined ? code`unknown` : code`${described} | string | globalThis.Uint8Array`;
  }
}
