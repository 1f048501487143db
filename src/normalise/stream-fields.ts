/** What schemas say of the fields of server-sent events beside their data, and what of it nobody checks. */
import { type Address, type Collector, childAddress, quote } from '../diagnostics.js';
import type { JsonValue, ObjectAssertions, SchemaId } from '../ir/schema.js';
import { isObject, type JsonObject, own } from '../json-object.js';
import type { Located } from './follow.js';
import { alternativesOf, conjunctsOf, isNull } from './schema-parts.js';
import { isText } from './stream-data.js';

interface FieldReading {
  readonly report: Collector;
  followSchema(value: JsonValue | undefined, at: Address): Located | undefined;
  schema(at: Address, value: JsonValue): SchemaId;
  objectOf(at: Address, suffix: string, members: Pick<ObjectAssertions, 'properties' | 'required'>): SchemaId;
}

export interface EventFields {
  /** The schemas that describe the event. */
  readonly parts: readonly Located[];
  /** Where the name may be any. */
  readonly event: Located | undefined;
  readonly data: Located | undefined;
  readonly id: Located | undefined;
  readonly retry: Located | undefined;
}

const asserted =
  'const enum minLength maxLength pattern minimum maximum exclusiveMinimum exclusiveMaximum multipleOf'.split(' ');

/** The schema of `id` and `retry` as members of an object, where anything is said of them that they can be held to. */
export function readFields(reading: FieldReading, at: Address, fields: EventFields): SchemaId | undefined {
  const { parts, event, data, id, retry } = fields;
  const say = (message: string, place: Address): void =>
    reading.report.report('stream-field-unchecked', message, place);
  const required = ['id', 'retry'].filter((name) => parts.some(({ value }) => isRequired(value, name)));
  const properties: { readonly name: string; readonly schema: SchemaId }[] = [];
  for (const [name, field] of Object.entries({ event, id, retry })) {
    const keyword = field && constraintOf(reading, name, field);
    if (field === undefined || keyword === undefined) continue;
    if (name !== 'event' && isOfItsType(reading, name, field))
      properties.push({ name, schema: reading.schema(field.at, field.value) });
    else say(`${quote(keyword)} of the field ${quote(name)} is not checked`, field.at);
  }
  if (data && admitsNull(reading, data)) say('the data of an event cannot be null: it is text, or absent', data.at);
  if (data && isEncodedJson(reading, data)) say('the data is given as the text that it is, and not decoded', data.at);
  const isSilent = properties.length === 0 && required.length === 0;
  return isSilent ? undefined : reading.objectOf(at, 'fields', { properties, required });
}

function isRequired(value: JsonObject, name: string): boolean {
  const list = own(value, 'required');
  return Array.isArray(list) && list.includes(name);
}

/** An id is text and a reconnection time a number of milliseconds: a schema of something else would refuse every event. */
function isOfItsType(reading: FieldReading, name: string, { value, at }: Located): boolean {
  const wanted = name === 'id' ? ['string'] : ['integer', 'number'];
  return alternativesOf(reading, value, at).every(({ found }) =>
    conjunctsOf(reading, found).every((part) => {
      const type = own(part.value, 'type');
      return type === undefined || [type].flat().some((one) => wanted.includes(String(one)));
    }),
  );
}

function constraintOf(reading: FieldReading, name: string, field: Located): string | undefined {
  for (const { found } of alternativesOf(reading, field.value, field.at)) {
    for (const { value } of conjunctsOf(reading, found)) {
      const keyword = asserted.find((one) => own(value, one) !== undefined && !isKept(name, one, value));
      if (keyword !== undefined) return keyword;
    }
  }
  return undefined;
}

/** A `retry` on the wire is digits alone. */
function isKept(name: string, keyword: string, value: JsonObject): boolean {
  return name === 'retry' && keyword === 'minimum' && Number(own(value, keyword)) <= 0;
}

/** Whether null is an alternative to what else the field may be. Of a payload null is one value more. */
function admitsNull(reading: FieldReading, { value, at }: Located): boolean {
  const inside = ['anyOf', 'oneOf'].flatMap((keyword) => {
    const list = own(value, keyword);
    return Array.isArray(list) ? list.map((entry, index) => ({ entry, at: childAddress(at, keyword, index) })) : [];
  });
  const found = inside.flatMap((one) => (isObject(one.entry) ? (reading.followSchema(one.entry, one.at) ?? []) : []));
  if (found.some((one) => isNull(one.value))) return true;
  return [{ value }, ...found].some((one) => {
    const type = own(one.value, 'type');
    const isNullable = own(one.value, 'nullable') === true || (Array.isArray(type) && type.includes('null'));
    return isNullable && isText(one.value);
  });
}

function isEncodedJson(reading: FieldReading, { value, at }: Located): boolean {
  return alternativesOf(reading, value, at).some(({ found }) => {
    const parts = conjunctsOf(reading, found);
    const says = (keyword: string): boolean => parts.some((part) => own(part.value, keyword) !== undefined);
    return says('contentEncoding') && (says('contentSchema') || says('contentMediaType'));
  });
}
