/** The fields of server-sent events, as schemas describe them: names, data, and what says that a stream is at its end. */
import { type Address, type Collector, childAddress, quote } from '../diagnostics.js';
import type { StreamEvent, StreamSpec } from '../ir/api.js';
import type { JsonValue, ObjectAssertions, SchemaId } from '../ir/schema.js';
import { isObject, type JsonObject, own } from '../json-object.js';
import type { Located } from './follow.js';
import { conjunctsOf, isNull } from './schema-parts.js';
import { type DataSaid, type EventData, namesOf, readData, silentKeywords } from './stream-data.js';
import { readFields } from './stream-fields.js';

export interface EventReading {
  readonly report: Collector;
  schema(at: Address, value: JsonValue): SchemaId;
  followSchema(value: JsonValue | undefined, at: Address): Located | undefined;
  anyOf(at: Address, suffix: string, schemas: readonly SchemaId[]): SchemaId;
  objectOf(at: Address, suffix: string, members: Pick<ObjectAssertions, 'properties' | 'required'>): SchemaId;
}

/** A schema that one event may follow, and what applies to it from around. */
interface Variant {
  readonly value: JsonObject;
  readonly at: Address;
  readonly around: readonly Located[];
  /** What a discriminator around it calls it. */
  readonly called: readonly string[];
}

/** What the fields of an event say: `data` and `event` of the first schema that describes them. */
interface Found extends DataSaid {
  readonly names: readonly string[];
  /** The event has a name, and the schema does not say which. */
  readonly anyName: boolean;
  /** What is said of its `id` and `retry`. */
  readonly fields: SchemaId | undefined;
}

/** What readers call events that they cannot give a name of the contract. */
const reservedNames: ReadonlySet<string> = new Set(['$unknown', '$invalid']);

function isUsable(name: string): boolean {
  return !reservedNames.has(name) && !/[\r\n]/.test(name);
}

const fields: ReadonlySet<string> = new Set(['data', 'event', 'id', 'retry', 'comment']);

/**
 * The item of an event stream is the parsed event: an object with `data`, `event`, `id` and `retry` (OpenAPI 3.2, section
 * 4.14.4), often a union of such. Nothing where its members are others: then the schema is that of each event's data.
 */
export function eventsOf(reading: EventReading, item: JsonValue, at: Address): StreamSpec | undefined {
  const variants = variantsOf(reading, item, at);
  const found = variants.map((variant) => readVariant(reading, variant));
  if (found.length === 0 || found.some((variant) => variant === undefined)) return undefined;
  const byName = new Map<string, EventData[]>();
  const fieldsByName = new Map<string, (SchemaId | undefined)[]>();
  const sentinels: string[] = [];
  let closed = true;
  for (const variant of found) {
    if (!variant) continue;
    sentinels.push(...variant.sentinels);
    if (variant.data.length === 0) continue;
    if (variant.anyName) closed = false;
    for (const name of variant.names) {
      byName.set(name, [...(byName.get(name) ?? []), ...variant.data]);
      fieldsByName.set(name, [...(fieldsByName.get(name) ?? []), variant.fields]);
    }
  }
  const events = [...byName].flatMap(([name, data]): readonly StreamEvent[] => {
    const said = fieldsByName.get(name)?.filter((one) => one !== undefined) ?? [];
    // Where one of several says nothing, an event may be that one.
    const isSaid = said.length > 0 && said.length === fieldsByName.get(name)?.length;
    const fields = isSaid ? { fields: reading.anyOf(at, `event=${name}:fields`, [...new Set(said)]) } : {};
    return (['json', 'text'] as const).flatMap((kind) => {
      const alike = data.filter((one) => one.data === kind);
      if (alike.length === 0) return [];
      const suffix = alike.length < data.length ? `event=${name}:${kind}` : `event=${name}`;
      return { name, ...merge(reading, at, suffix, kind, alike), ...fields };
    });
  });
  return {
    framing: 'sse',
    events: events.length > 0 ? events : [{ name: 'message', data: 'text' }],
    sentinels: [...new Set(sentinels)],
    closed,
    ...examplesOf(variants),
  };
}

/** Examples of whole events, from the schemas of one and from what is around these. */
function examplesOf(variants: readonly Variant[]): Pick<StreamSpec, 'examples'> {
  const schemas = new Set(variants.flatMap(({ value, around }) => [...around.map((one) => one.value), value]));
  const examples = [...schemas].flatMap((schema) => {
    const [one, several] = [own(schema, 'example'), own(schema, 'examples')];
    return [...(one === undefined ? [] : [one]), ...(Array.isArray(several) ? several : [])];
  });
  return examples.length === 0 ? {} : { examples };
}

/** Events of one name and one kind are told apart by their data alone: any of the schemas. */
function merge(
  reading: EventReading,
  at: Address,
  suffix: string,
  kind: 'json' | 'text',
  data: readonly EventData[],
): EventData {
  const schemas = data.flatMap(({ schema }) => schema ?? []);
  if (schemas.length < data.length) return { data: kind };
  return { data: kind, schema: reading.anyOf(at, suffix, [...new Set(schemas)]) };
}

/** The alternatives of a schema, through `$ref`, `oneOf` and `anyOf`, each with the schemas that apply around it. */
function variantsOf(reading: EventReading, item: JsonValue, start: Address): readonly Variant[] {
  const variants: Variant[] = [];
  const seen = new Set<JsonObject>();
  const pending: (Omit<Variant, 'value'> & { readonly value: JsonValue })[] = [
    { value: item, at: start, around: [], called: [] },
  ];
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    const found = isObject(next.value) ? reading.followSchema(next.value, next.at) : undefined;
    if (!found || seen.has(found.value)) continue;
    seen.add(found.value);
    const { value, at } = found;
    const alternatives = ['oneOf', 'anyOf'].flatMap((keyword) => {
      const list = own(value, keyword);
      return Array.isArray(list)
        ? list.map((entry, index) => ({ value: entry, at: childAddress(at, keyword, index) }))
        : [];
    });
    const { around, called } = next;
    // An event is an object: null is none.
    if (alternatives.length === 0 && !isNull(value)) variants.push({ value, at, around, called });
    else {
      const names = discriminated(value);
      for (const entry of alternatives)
        pending.push({ ...entry, around: [...around, found], called: names(entry.value) ?? called });
    }
  }
  return variants;
}

/** The names that a `discriminator` gives the alternatives, where it tells events by their names: by its mapping, else those of the components. */
function discriminated(value: JsonObject): (alternative: JsonValue) => readonly string[] | undefined {
  const discriminator = own(value, 'discriminator');
  if (!isObject(discriminator) || own(discriminator, 'propertyName') !== 'event') return () => undefined;
  const mapping = own(discriminator, 'mapping');
  const entries = Object.entries(isObject(mapping) ? mapping : {});
  return (alternative) => {
    const target = isObject(alternative) ? own(alternative, '$ref') : undefined;
    if (typeof target !== 'string') return undefined;
    const names = entries.filter(([, to]) => to === target || `#/components/schemas/${to}` === target);
    if (names.length > 0) return names.map(([name]) => name);
    const [, component] = /\/components\/schemas\/([\w.-]+)$/.exec(target) ?? [];
    return component === undefined ? undefined : [component];
  };
}

/** `undefined` where the schema does not describe the fields of an event. */
function readVariant(reading: EventReading, { value, at, around, called }: Variant): Found | undefined {
  // The nearest word on a field counts: the variant's own, then that of what surrounds it.
  const parts = [{ value, at }, ...[...around].reverse()].flatMap((part) => conjunctsOf(reading, part));
  const properties = parts.flatMap((part): readonly Located[] => {
    const map = own(part.value, 'properties');
    return isObject(map) ? [{ value: map, at: childAddress(part.at, 'properties') }] : [];
  });
  const names = new Set(properties.flatMap((map) => Object.keys(map.value)));
  const isEvent = (names.has('data') || names.has('event')) && [...names].every((name) => fields.has(name));
  if (!isEvent) return undefined;
  const field = (name: string): Located | undefined => {
    const described = properties.flatMap((map): readonly Located[] => {
      const value = own(map.value, name);
      return isObject(value) ? [{ value, at: childAddress(map.at, name) }] : [];
    });
    // A base says that there is such a field, and what extends it, or is extended, says what it holds.
    return (
      described.find(({ value }) => Object.keys(value).some((keyword) => !silentKeywords.has(keyword))) ?? described[0]
    );
  };
  const event = field('event');
  const said = event && namesOf(reading, event);
  const named = !said?.length && called.length > 0 ? called : said;
  const taken = named?.find((name) => !isUsable(name));
  if (event && taken !== undefined) {
    const what = reservedNames.has(taken) ? 'arrive as "$unknown"' : 'cannot be sent: a name is one line';
    reading.report.report('event-name-reserved', `events ${quote(taken)} ${what}`, event.at);
  }
  const anyName = named?.length === 0;
  const data = field('data');
  const told = { parts, event: anyName ? event : undefined, data, id: field('id'), retry: field('retry') };
  return {
    fields: readFields(reading, at, told),
    names: named && named.length > 0 ? named.filter(isUsable) : ['message'],
    anyName,
    ...readData(reading, data, named === undefined || named.length === 0),
  };
}
