/** Which inline schemas get names of their own, and the context that those names come from. */
import type { Api, ApiRequest, MediaType, OutgoingRequest, Status } from '../ir/api.js';
import type { SchemaId } from '../ir/schema.js';
import type { Shape } from '../ir/shape.js';
import { shapeChildren } from '../ir/visit.js';
import { isCheckedForm } from './form-answers.js';
import { pascalCase } from './identifiers.js';
import type { Direction } from './target.js';
import { isValue } from './xml-values.js';

export interface InlineSchema {
  readonly schema: SchemaId;
  readonly direction: Direction;
  readonly name: string;
  /** Whether the schema is declared as a type; a plain string or a reference is not, but has a validator. */
  readonly wantsType: boolean;
}

/** The schemas of an operation's parameters, body, answers and events, with the names that they would have. */
export function inlineSchemas(api: Api, operation: ApiRequest, base: string): InlineSchema[] {
  const found: InlineSchema[] = [];
  const add = (schema: SchemaId | undefined, direction: Direction, name: string, mayBeType: boolean): void => {
    if (schema !== undefined)
      found.push({ schema, direction, name, wantsType: mayBeType && isComposite(api.shapes.get(schema)) });
  };
  for (const parameter of operation.parameters) {
    const value = parameter.schema ?? (parameter.content?.kind === 'json' ? parameter.content.schema : undefined);
    if (parameter.in !== 'querystring')
      add(value, 'write', pascalCase(`${base} ${parameter.in} ${parameter.name}`), false);
    if (parameter.in === 'querystring') add(parameter.content?.schema, 'write', `${base}Query`, true);
  }
  for (const media of operation.body?.content ?? []) {
    const name = `${base}${mediaSuffix(media, operation.body?.content ?? [])}`;
    if (isChecked(media)) add(media.schema, 'write', `${name}Body`, true);
    else if (!isCounted(media)) add(media.stream?.whole, 'write', `${name}Body`, false);
    if (media.stream?.framing === 'sse') {
      for (const event of media.stream.events)
        add(event.schema, 'write', pascalCase(`${name} ${event.name} data`), true);
    } else {
      const items = media.stream?.events.map(({ schema }) => schema) ?? sentItems(media);
      for (const [index, item] of items.entries()) {
        add(item, 'write', `${name}Item${positionSuffix(media, index)}`, true);
      }
    }
  }
  for (const response of operation.responses) {
    const status = `${base}${statusSuffix(response.status)}`;
    for (const media of response.content) {
      const suffix = mediaSuffix(media, response.content);
      if (isChecked(media) || isCheckedForm(api, media)) add(media.schema, 'read', `${status}${suffix}Body`, true);
      if (!media.stream) add(media.itemSchema, 'read', `${status}${suffix}Item`, true);
      const isSse = media.stream?.framing === 'sse';
      for (const [index, event] of (media.stream?.events ?? []).entries()) {
        const what = isSse ? `${event.name} data` : `${event.name}${positionSuffix(media, index)}`;
        add(event.schema, 'read', pascalCase(`${status}${suffix} ${what}`), true);
      }
    }
  }
  return found;
}

/** The schemas of what the service sends in a webhook or callback, which travel as answers do: from the service to the caller. */
export function payloadSchemas(api: Api, { body }: OutgoingRequest, base: string): InlineSchema[] {
  const content = body?.content ?? [];
  return content.filter(isChecked).flatMap((media): readonly InlineSchema[] => {
    const { schema } = media;
    if (schema === undefined) return [];
    const name = `${base}${mediaSuffix(media, content)}Body`;
    return [{ schema, direction: 'read', name, wantsType: isComposite(api.shapes.get(schema)) }];
  });
}

/** All of a webhook or callback that is checked. The service sends it and gets the answers, so directions are the other way round. */
export function receivedSchemas(api: Api, request: OutgoingRequest, base: string): InlineSchema[] {
  return inlineSchemas(api, request, base).map((entry) => ({ ...entry, direction: otherSide(entry.direction) }));
}

export function otherSide(direction: Direction): Direction {
  return direction === 'read' ? 'write' : 'read';
}

/** Parts are described by position: the first ones have a number, the last stands for all others. */
function positionSuffix({ stream }: MediaType, index: number): string {
  return index < (stream?.events.length ?? 0) - 1 ? String(index + 1) : '';
}

/** The schemas of what a request sends item by item. */
export function sentItems({ stream, itemSchema }: MediaType): readonly SchemaId[] {
  if (stream) return stream.events.flatMap(({ schema }) => schema ?? []);
  return itemSchema === undefined ? [] : [itemSchema];
}

/** A stream is checked event by event, and bytes are not checked at all. */
function isChecked(media: MediaType): boolean {
  return isValue(media) || media.kind === 'text';
}

/** Everything but references, primitives and arrays of those. */
function isComposite(shape: Shape | undefined): boolean {
  if (!shape) return false;
  if (shape.kind === 'object' || shape.kind === 'intersection' || shape.kind === 'array' || shape.kind === 'tuple')
    return true;
  return shape.kind === 'union' && shape.members.some((member) => member.kind !== 'null');
}

/** `200`, `4XX`, `Default` as they stand in names. */
export function statusSuffix(status: Status): string {
  if (status.kind === 'exact') return String(status.code);
  return status.kind === 'range' ? `${status.hundred}XX` : 'Default';
}

const shortNames: ReadonlyMap<string, string> = new Map([
  ['application/json', 'Json'],
  ['text/event-stream', 'Stream'],
  ['application/jsonl', 'Lines'],
  ['application/x-ndjson', 'Lines'],
  ['application/json-seq', 'Records'],
  ['text/plain', 'Text'],
  ['application/x-www-form-urlencoded', 'Form'],
  ['multipart/form-data', 'Multipart'],
  ['application/octet-stream', 'Binary'],
  ['*/*', 'Any'],
]);

/** What tells the media types of one body apart: nothing where there is one, a short name, or the whole type. */
export function mediaSuffix(media: MediaType, siblings: readonly MediaType[]): string {
  if (siblings.length < 2) return '';
  const short = shortNames.get(media.essence) ?? pascalCase(media.essence.split('/')[1] ?? media.essence);
  const taken = siblings.filter(
    (other) => (shortNames.get(other.essence) ?? pascalCase(other.essence.split('/')[1] ?? '')) === short,
  );
  return taken.length > 1 ? pascalCase(media.text) : short;
}

/** Objects with more members than this are declared on their own wherever they stand. */
const largestInline = 6;

/** One step of the way from a schema to a part of it. */
interface Way {
  readonly step: string;
  readonly before: Way | undefined;
}

/** The inline schemas around a part, the innermost first. */
interface Inside {
  readonly schema: SchemaId;
  readonly way: Way | undefined;
  readonly around: Inside | undefined;
}

/** The steps as words: most ways lead to nothing that needs a name, so they are written out only at their end. */
function wordsOf(way: Way | undefined): string {
  const steps: string[] = [];
  for (let at = way; at; at = at.before) steps.push(at.step);
  return steps.reverse().join(' ');
}

interface PartPending {
  readonly shape: Shape;
  readonly way: Way | undefined;
  readonly inside: Inside | undefined;
}

/**
 * The large inline objects inside a schema, with the way to each as words, its enumerations where they are to be declared,
 * and what contains itself (a member that is required beside a reference may). Does not look inside what has a name already.
 */
export function largeParts(
  api: Api,
  owner: SchemaId,
  nameEnums = false,
): { readonly schema: SchemaId; readonly way: string }[] {
  const found: { schema: SchemaId; way: string }[] = [];
  const start = api.shapes.get(owner);
  const pending: PartPending[] = start ? [{ shape: start, way: undefined, inside: undefined }] : [];
  const entered = new Set([owner]);
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { shape, way, inside } = next;
    if (shape.kind !== 'ref') {
      addParts(next, pending);
      continue;
    }
    if (api.referenced.has(shape.target)) continue;
    const target = api.shapes.get(shape.target);
    if (!target) continue;
    if (way && (weight(target) > largestInline || (nameEnums && isEnum(api, shape.target))))
      found.push({ schema: shape.target, way: wordsOf(way) });
    else if (entered.has(shape.target)) {
      const own = enclosing(shape.target, inside);
      if (own !== undefined) found.push({ schema: shape.target, way: wordsOf(own.way) });
    } else if (hasParts(target)) {
      entered.add(shape.target);
      pending.push({ shape: target, way, inside: { schema: shape.target, way, around: inside } });
    }
  }
  return found;
}

function enclosing(schema: SchemaId, inside: Inside | undefined): Inside | undefined {
  let at = inside;
  while (at !== undefined && at.schema !== schema) at = at.around;
  return at;
}

/** Whether a schema lists values to choose from. */
function isEnum(api: Api, id: SchemaId): boolean {
  const schema = api.schemas.get(id);
  return schema?.kind === 'schema' && (schema.enum?.length ?? 0) > 1;
}

function addParts({ shape, way, inside }: PartPending, pending: PartPending[]): void {
  if (shape.kind === 'object') {
    for (const { name, shape: part } of shape.properties) {
      if (hasParts(part)) pending.push({ shape: part, way: { step: name, before: way }, inside });
    }
    if (shape.additional) pending.push({ shape: shape.additional, way: { step: 'value', before: way }, inside });
    return;
  }
  const further = shape.kind === 'array' || shape.kind === 'tuple' ? { step: 'item', before: way } : way;
  for (const child of shapeChildren(shape)) if (hasParts(child)) pending.push({ shape: child, way: further, inside });
}

/** Whether anything can be inside that deserves a name. */
function hasParts({ kind }: Shape): boolean {
  switch (kind) {
    case 'ref':
    case 'object':
    case 'array':
    case 'tuple':
    case 'union':
    case 'intersection':
      return true;
    default:
      return false;
  }
}

function weight(shape: Shape): number {
  if (shape.kind === 'object') return shape.properties.length;
  return shape.kind === 'union' || shape.kind === 'intersection'
    ? shape.members.reduce((sum, member) => sum + weight(member), 0)
    : 0;
}

/** Whether only the number of items is told by the schema of them all: they are more than the values that it describes. */
function isCounted({ stream }: MediaType): boolean {
  return stream?.framing === 'sse' || stream?.framing === 'multipart';
}
