/** The type of what an event, an item or a part holds, for all that print it. */
import { type Code, code, joinCode } from '../encode.js';
import type { Api, MediaType, Operation, StreamEvent, StreamSpec } from '../ir/api.js';
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

/** Whether anything is said of the events of a body beside their data. */
export function hasFields({ stream }: Pick<MediaType, 'stream'>): boolean {
  return stream?.events.some(({ fields }) => fields !== undefined) ?? false;
}

/** The types of the fields that an event must have beside its data. */
const fieldTypes: ReadonlyMap<string, Code> = new Map([
  ['id', code`string`],
  ['retry', code`number`],
]);

/** ` & { readonly id: string }` behind the type of an event that must have one; nothing where it need not have any field. */
export function demandedFields(
  { schemas }: Pick<Api, 'schemas'>,
  events: readonly StreamEvent[],
  among: readonly string[] = ['id', 'retry'],
): Code {
  const demanded = events.map(({ fields }) => requiredOf(fields, schemas));
  const members = [...fieldTypes].flatMap(([name, type]) =>
    demanded.every((names) => names.has(name)) && among.includes(name)
      ? [code`readonly ${name as string as Code}: ${type}`]
      : [],
  );
  return members.length === 0 ? code`` : code` & { ${joinCode(members, '; ')} }`;
}

/** The members that a schema of fields demands, itself or in each of its alternatives. */
function requiredOf(fields: StreamEvent['fields'], schemas: Api['schemas']): ReadonlySet<string> {
  const schema = fields && schemas.get(fields);
  if (schema?.kind !== 'schema') return new Set();
  const [first, ...rest] = (schema.anyOf ?? []).map((one) => requiredOf(one, schemas));
  const shared = [...(first ?? [])].filter((name) => rest.every((names) => names.has(name)));
  return new Set([...(schema.object?.required ?? []), ...shared]);
}

/** What a client needs of the runtime where its events want more than most: to tell JSON from text, or to check their fields. */
export function eventFiles(operations: readonly Pick<Operation, 'body' | 'responses'>[]): readonly string[] {
  const all = operations.flatMap(({ body, responses }) => [
    ...(body?.content ?? []),
    ...responses.flatMap(({ content }) => content),
  ]);
  const isEither = all.some(
    ({ stream }) => stream !== undefined && namedEvents(stream).some(({ text }) => text !== undefined),
  );
  return [
    ...(isEither ? ['json-or-text.ts'] : []),
    ...(all.some(hasFields) ? ['checked-events.ts', 'event-fields.ts'] : []),
  ];
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
