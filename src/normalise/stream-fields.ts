/** What schemas say of the fields of server-sent events that nobody checks. */
import { type Address, type Collector, childAddress, quote } from '../diagnostics.js';
import type { JsonValue } from '../ir/schema.js';
import { isObject, type JsonObject, own } from '../json-object.js';
import type { Located } from './follow.js';
import { alternativesOf, conjunctsOf, isNull } from './schema-parts.js';
import { isText } from './stream-data.js';

interface FieldReading {
  readonly report: Collector;
  follow(value: JsonValue | undefined, at: Address): Located | undefined;
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

export function sayUnchecked(reading: FieldReading, { parts, event, data, id, retry }: EventFields): void {
  const say = (message: string, at: Address): void => reading.report.report('stream-field-unchecked', message, at);
  for (const { value, at } of parts) {
    const list = own(value, 'required');
    const wanted = ['id', 'retry'].filter((name) => Array.isArray(list) && list.includes(name));
    for (const name of wanted) say(`an event may lack ${quote(name)} all the same`, childAddress(at, 'required'));
  }
  for (const [name, field] of Object.entries({ event, id, retry })) {
    const keyword = field && constraintOf(reading, name, field);
    if (keyword !== undefined)
      say(`${quote(keyword)} of the field ${quote(name)} is not checked`, field?.at as Address);
  }
  if (data && admitsNull(reading, data)) say('the data of an event cannot be null: it is text, or absent', data.at);
  if (data && isEncodedJson(reading, data)) say('the data is given as the text that it is, and not decoded', data.at);
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
  const found = inside.flatMap((one) => (isObject(one.entry) ? (reading.follow(one.entry, one.at) ?? []) : []));
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
