/** The items of a stream that a mock answers with, from the examples of the document. */

import type { StreamEvent, StreamSpec } from '../ir/api.js';
import type { Example } from '../ir/details.js';
import type { JsonValue, SchemaId } from '../ir/schema.js';
import { isObject, type JsonObject, own } from '../json-object.js';

/** The value as a server sends it, where it is valid by a schema. */
export type Valid = (schema: SchemaId, value: JsonValue) => JsonValue | undefined;

type WrittenItems = Pick<Example, 'value' | 'serializedValue'>;

/** Items as handlers give them, from one example of a stream; `undefined` where one of them is not as the contract says. */
export function itemsFrom(example: WrittenItems, stream: StreamSpec, valid: Valid): readonly JsonValue[] | undefined {
  const { value, serializedValue } = example;
  const text = typeof value?.value === 'string' ? value.value : serializedValue;
  const given = text === undefined ? listOf(value?.value) : parsed(text, stream.framing);
  return given && readAll(given, stream, valid);
}

/** The same from the examples of single events. */
export function itemsFromEvents(stream: StreamSpec, valid: Valid): readonly JsonValue[] | undefined {
  const { examples = [] } = stream;
  const items = examples.flatMap((one) => readAll([one], stream, valid) ?? []);
  return items.length === 0 ? undefined : items;
}

/** Who describes one item only, or writes one event, means a stream of it. */
function listOf(value: JsonValue | undefined): readonly JsonValue[] | undefined {
  if (value === undefined) return undefined;
  return Array.isArray(value) ? value : [value];
}

function readAll(given: readonly JsonValue[], stream: StreamSpec, valid: Valid): readonly JsonValue[] | undefined {
  const items: JsonValue[] = [];
  for (const one of given) {
    if (stream.sentinels.includes(String(isObject(one) ? own(one, 'data') : one))) break;
    const item = stream.framing === 'sse' ? eventFrom(one, stream, valid) : itemFrom(one, stream, valid);
    if (item === undefined) return undefined;
    items.push(item.value);
  }
  return items;
}

type Found = { readonly value: JsonValue } | undefined;

function itemFrom(value: JsonValue, { events }: StreamSpec, valid: Valid): Found {
  const [item] = events;
  if (item?.schema === undefined) return { value };
  const found = valid(item.schema, value);
  return found === undefined ? undefined : { value: found };
}

function eventFrom(one: JsonValue, stream: StreamSpec, valid: Valid): Found {
  const whole: JsonObject = isObject(one) && own(one, 'data') !== undefined ? one : { data: one };
  const { event: name = 'message', data = null, id, retry } = whole;
  for (const event of stream.events) {
    if (event.name !== name && (stream.closed || event.name !== 'message')) continue;
    const found = dataFrom(data, event, valid);
    const said = { ...(id !== undefined && { id }), ...(retry !== undefined && { retry }) };
    if (found === undefined || !isSendable(said)) continue;
    if (event.fields !== undefined && valid(event.fields, said) === undefined) continue;
    return { value: { event: name, data: found.value, ...said } };
  }
  return undefined;
}

/** JSON may stand there as what it is, or as the text that is sent. */
function dataFrom(data: JsonValue, { data: kind, schema }: StreamEvent, valid: Valid): Found {
  const candidates = kind === 'text' ? [data] : [...(typeof data === 'string' ? jsonOf(data) : []), data];
  for (const value of candidates) {
    if (kind === 'text' && typeof value !== 'string') continue;
    const found = schema === undefined ? value : valid(schema, value);
    if (found !== undefined) return { value: found };
  }
  return undefined;
}

/** An id and a reconnection time that can stand in a stream. */
export function isSendable({ id, retry }: JsonObject): boolean {
  const isId = id === undefined || (typeof id === 'string' && !/[\0\r\n]/.test(id));
  return isId && (retry === undefined || (typeof retry === 'number' && /^\d+$/.test(String(retry))));
}

function jsonOf(text: string): readonly JsonValue[] {
  try {
    return [JSON.parse(text) as JsonValue];
  } catch {
    return [];
  }
}

/** The items of a stream as it travels; `undefined` where it is none. */
function parsed(text: string, framing: StreamSpec['framing']): readonly JsonValue[] | undefined {
  if (framing === 'sse') return eventsIn(text);
  if (framing === 'multipart') return undefined;
  const texts = text.split(framing === 'jsonl' ? '\n' : '\u001e').filter((one) => one.trim() !== '');
  const values = texts.map(jsonOf);
  return values.some((one) => one.length === 0) ? undefined : values.flat();
}

/** HTML Standard, "Server-sent events", interpreting an event stream. */
function eventsIn(text: string): readonly JsonObject[] {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);
  const events: JsonObject[] = [];
  let event: { [field: string]: JsonValue } = {};
  // What an author has not ended with a blank line is meant to be an event all the same.
  for (const line of [...lines, '']) {
    if (line === '') {
      if (event['data'] !== undefined) events.push(event);
      event = {};
      continue;
    }
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === 'data')
      event = { ...event, data: event['data'] === undefined ? value : `${event['data']}\n${value}` };
    else if (field === 'retry' && /^\d+$/.test(value)) event = { ...event, retry: Number(value) };
    else if (field === 'event' || field === 'id') event = { ...event, [field]: value };
  }
  return events;
}
