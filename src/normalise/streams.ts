/**
 * What the body of a sequential media type carries, read from the forms that documents use. OpenAPI 3.2 has `itemSchema`
 * for one item, and `schema` for the whole as an array (section 4.14.3); older documents describe an event, or its data,
 * by `schema`. Whatever is not the form of 3.2 is said.
 */
import { type Address, type Collector, childAddress } from '../diagnostics.js';
import type { Framing, MediaType, StreamEvent, StreamSpec } from '../ir/api.js';
import type { JsonValue } from '../ir/schema.js';
import { isObject, own } from '../json-object.js';
import type { Located } from './follow.js';
import type { Members } from './json.js';
import { type EventReading, eventsOf } from './stream-events.js';
import { silentKeywords, wholeOf } from './stream-whole.js';

/** What the configuration says of the streams of an operation, against what its description seems to say. */
export interface StreamOptions {
  /** How the items are told apart, whatever the media type says. */
  readonly framing?: Framing;
  /** What the schema describes: an event with its fields, the data of each event (or each item), or nothing that is JSON. */
  readonly schema?: 'event' | 'data' | 'text';
  /** The data that ends the stream. */
  readonly sentinels?: readonly string[];
}

export function streamOf(
  reading: EventReading,
  media: Members,
  framing: Framing,
  options: StreamOptions = {},
): StreamSpec {
  const { schema, sentinels } = options;
  const whole = schema && !media.has('itemSchema') ? undefined : wholeOf(reading, media);
  const read = schema ? configured(reading, media, framing, schema) : described(reading, media, framing);
  const spec = whole === undefined ? read : { ...read, whole };
  if (sentinels) return { ...spec, sentinels, configuredEnd: true };
  const sentinel = media.raw('x-speakeasy-sse-sentinel');
  return typeof sentinel === 'string' ? { ...spec, sentinels: [...new Set([...spec.sentinels, sentinel])] } : spec;
}

function configured(
  reading: EventReading,
  media: Members,
  framing: Framing,
  kind: NonNullable<StreamOptions['schema']>,
): StreamSpec {
  const name = media.has('itemSchema') ? 'itemSchema' : 'schema';
  const value = media.raw(name);
  const at = childAddress(media.at, name);
  const found = isObject(value) ? reading.followSchema(value, at) : undefined;
  if (kind === 'text' || value === undefined || !found) return untyped(framing);
  const one = contentOf(found) ?? { value, at };
  if (framing !== 'sse') return sequence(reading, framing, one.value, one.at);
  return (kind === 'event' ? eventsOf(reading, one.value, one.at) : undefined) ?? payload(reading, one.value, one.at);
}

function described(reading: EventReading, media: Members, framing: Framing): StreamSpec {
  const say = (how: string): void => {
    reading.report.report('stream-read', `the schema of this stream is read as that of ${how}`, media.at);
  };
  const item = media.raw('itemSchema');
  if (item !== undefined && framing === 'sse' && isSilent(item)) return untyped(framing);
  if (item !== undefined) {
    const at = childAddress(media.at, 'itemSchema');
    if (framing !== 'sse') return sequence(reading, framing, item, at);
    const events = eventsOf(reading, item, at);
    if (events) return events;
    say("each event's data");
    return payload(reading, item, at);
  }
  const at = childAddress(media.at, 'schema');
  const whole = media.raw('schema');
  const found = isObject(whole) ? reading.followSchema(whole, at) : undefined;
  if (whole === undefined || !found || (framing === 'sse' && isSilent(whole))) return untyped(framing);
  const content = contentOf(found);
  if (own(found.value, 'type') === 'string' && !content) return untyped(framing);
  const one = content ?? { value: whole, at };
  const items = itemsOf(reading, one);
  if (items) {
    say('an array of all items');
    return items.value === undefined ? untyped(framing) : ofItem(reading, framing, items.value, items.at);
  }
  const events = framing === 'sse' ? eventsOf(reading, one.value, one.at) : undefined;
  say(framing !== 'sse' ? 'each item' : events ? 'one event' : "each event's data");
  return events ?? ofItem(reading, framing, one.value, one.at);
}

function ofItem(reading: EventReading, framing: Framing, value: JsonValue, at: Address): StreamSpec {
  if (framing !== 'sse') return sequence(reading, framing, value, at);
  return eventsOf(reading, value, at) ?? payload(reading, value, at);
}

/** The events of a stream of which nothing is described, told by identity from those that are described as such. */
const undescribed: readonly StreamEvent[] = [{ name: 'message', data: 'text' }];

/** Whether a schema says nothing of values. */
function isSilent(schema: JsonValue): boolean {
  if (!isObject(schema)) return schema === true;
  return Object.keys(schema).every(
    (keyword) => (keyword !== 'type' && silentKeywords.has(keyword)) || keyword.startsWith('x-'),
  );
}

/** Nothing is known of the items: the data of an event is text, and an item is any JSON value. */
function untyped(framing: Framing): StreamSpec {
  return framing === 'sse'
    ? { framing, events: undescribed, sentinels: [], closed: true }
    : { framing, events: [{ name: 'item', data: 'json' }], sentinels: [], closed: true };
}

function sequence(reading: EventReading, framing: Framing, value: JsonValue, at: Address): StreamSpec {
  return {
    framing,
    events: [{ name: 'item', data: 'json', schema: reading.schema(at, value) }],
    sentinels: [],
    closed: true,
  };
}

/** A schema of the data says nothing of the names: OpenAI's events have some, for example, and repeat them in the data. */
function payload(reading: EventReading, value: JsonValue, at: Address): StreamSpec {
  return {
    framing: 'sse',
    events: [{ name: 'message', data: 'json', schema: reading.schema(at, value) }],
    sentinels: [],
    closed: false,
  };
}

interface Part {
  readonly value: JsonValue;
  readonly at: Address;
}

/** A text whose content is described: `contentSchema` (JSON Schema 2020-12, section 8.5 of the validation vocabulary). */
function contentOf({ value, at }: Located): Part | undefined {
  const content = own(value, 'contentSchema');
  return content === undefined || own(value, 'type') !== 'string'
    ? undefined
    : { value: content, at: childAddress(at, 'contentSchema') };
}

/** The items of an array; without a value where the array says nothing of them. */
function itemsOf(
  reading: EventReading,
  { value, at }: Part,
): { value: JsonValue | undefined; at: Address } | undefined {
  const found = isObject(value) ? reading.followSchema(value, at) : undefined;
  if (!found || own(found.value, 'type') !== 'array') return undefined;
  return { value: own(found.value, 'items'), at: childAddress(found.at, 'items') };
}

/** Types the events of an untyped stream by the JSON media type beside it. */
export function inheritEventSchema(content: readonly MediaType[], report: Collector): readonly MediaType[] {
  const json = content.find((media) => media.kind === 'json' && media.schema !== undefined);
  if (!json?.schema) return content;
  const { schema } = json;
  return content.map((media): MediaType => {
    if (media.stream?.events !== undescribed) return media;
    report.report(
      'stream-inherited',
      `the events of this stream are typed by "${json.essence}" of the same response`,
      media.at,
    );
    return { ...media, stream: { ...media.stream, events: [{ name: 'message', data: 'json', schema }] } };
  });
}
