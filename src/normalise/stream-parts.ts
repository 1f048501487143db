/**
 * The parts of multipart bodies that are sequences (OpenAPI 3.2, sections 4.14.3 and 4.15): what each part holds is said by
 * its schema, by position or for all alike, and by the encoding in the same place.
 */
import { type Address, type Collector, childAddress } from '../diagnostics.js';
import type { Encoding, MediaType, StreamEvent, StreamSpec } from '../ir/api.js';
import type { JsonValue, SchemaId } from '../ir/schema.js';
import { isObject, type JsonObject, own } from '../json-object.js';
import type { Located } from './follow.js';
import type { Members } from './json.js';
import { mediaTypeKind } from './media-types.js';
import { wholeOf } from './stream-whole.js';

interface PartReading {
  readonly report: Collector;
  schema(at: Address, value: JsonValue): SchemaId;
  followSchema(value: JsonValue | undefined, at: Address): Located | undefined;
}

type Encodings = Pick<MediaType, 'prefixEncoding' | 'itemEncoding'>;

interface PartSchema {
  readonly value: JsonValue;
  readonly at: Address;
}

/** Whether a multipart body is a sequence. A form is one only where its parts are told by position, not by name. */
export function hasParts(reading: PartReading, essence: string, media: Members): boolean {
  if (!essence.startsWith('multipart/')) return false;
  if (['itemSchema', 'prefixEncoding', 'itemEncoding'].some((name) => media.has(name))) return true;
  return arrayOf(reading, media) !== undefined;
}

/** `isOpaque`: the configuration says that the schema describes nothing. */
export function partsOf(reading: PartReading, media: Members, encodings: Encodings, isOpaque: boolean): StreamSpec {
  const { prefixEncoding = [], itemEncoding } = encodings;
  const array = isOpaque ? undefined : arrayOf(reading, media);
  const prefix = array ? prefixOf(array) : [];
  const item = isOpaque
    ? undefined
    : (memberOf(media, 'itemSchema') ?? (array ? restOf(array) : onlySchema(reading, media)));
  const length = Math.max(prefix.length, prefixEncoding.length);
  const positions = Array.from({ length }, (_, index) =>
    partOf(reading, prefix[index] ?? item, prefixEncoding[index] ?? itemEncoding),
  );
  const schema = array && isCounted(array) ? memberOf(media, 'schema') : undefined;
  const counted = schema && reading.schema(schema.at, schema.value);
  const whole = !isOpaque && media.has('itemSchema') ? wholeOf(reading, media) : counted;
  return {
    framing: 'multipart',
    events: [...positions, partOf(reading, item, itemEncoding)],
    sentinels: [],
    closed: true,
    ...(whole !== undefined && { whole }),
  };
}

/** Whether the array says anything of all its items together. */
function isCounted({ value }: Located): boolean {
  return (
    own(value, 'minItems') !== undefined ||
    own(value, 'maxItems') !== undefined ||
    own(value, 'uniqueItems') === true ||
    own(value, 'items') === false
  );
}

function memberOf(media: Members, name: string): PartSchema | undefined {
  const value = media.raw(name);
  return value === undefined ? undefined : { value, at: childAddress(media.at, name) };
}

/** The schema of the whole, where it is that of an array. */
function arrayOf(reading: PartReading, media: Members): Located | undefined {
  const whole = memberOf(media, 'schema');
  const found = whole && isObject(whole.value) ? reading.followSchema(whole.value, whole.at) : undefined;
  if (!found) return undefined;
  const isArray = own(found.value, 'type') === 'array' || Array.isArray(own(found.value, 'prefixItems'));
  return isArray ? found : undefined;
}

function prefixOf({ value, at }: Located): readonly PartSchema[] {
  const list = own(value, 'prefixItems');
  return Array.isArray(list)
    ? list.map((one, index) => ({ value: one, at: childAddress(at, 'prefixItems', index) }))
    : [];
}

/** A schema that is not that of an array can only be meant for each part. */
function onlySchema(reading: PartReading, media: Members): PartSchema | undefined {
  const whole = memberOf(media, 'schema');
  if (whole) reading.report.report('stream-read', 'the schema of this stream is read as that of each part', media.at);
  return whole;
}

/** Where `items` is false there are no further parts; what comes all the same is whatever it is. */
function restOf(array: Located): PartSchema | undefined {
  const value = own(array.value, 'items');
  return value === undefined || typeof value === 'boolean' ? undefined : { value, at: childAddress(array.at, 'items') };
}

function partOf(reading: PartReading, part: PartSchema | undefined, encoding: Encoding | undefined): StreamEvent {
  const found = part && isObject(part.value) ? reading.followSchema(part.value, part.at) : undefined;
  const types = (encoding?.contentType ?? '').split(',').flatMap((type) => type.trim() || []);
  const kinds = new Set(types.map(dataOf));
  const [only] = kinds;
  const data = kinds.size === 1 && only !== undefined ? only : kinds.size > 1 ? 'any' : usualData(found);
  return {
    name: 'item',
    data,
    ...(part && found && data !== 'binary' && { schema: reading.schema(part.at, part.value) }),
    ...(types.length > 0 && { contentTypes: types }),
    ...(encoding && encoding.headers.length > 0 && { headers: encoding.headers }),
  };
}

function dataOf(type: string): 'json' | 'text' | 'binary' | 'any' {
  if (type === '*/*' || type === 'application/*') return 'any';
  const kind = mediaTypeKind(type);
  if (kind === 'xml') return 'text';
  return kind === 'json' || kind === 'text' ? kind : 'binary';
}

/** What a part is that nothing is said of but its schema (OpenAPI 3.2, section 4.15.1.1, default media types). */
function usualData(found: Located | undefined): 'json' | 'text' | 'binary' | 'any' {
  if (!found) return 'any';
  const { value } = found;
  const type = own(value, 'type');
  if (type !== 'string') return type === undefined && !describes(value) ? 'any' : 'json';
  if (own(value, 'contentEncoding') !== undefined) return 'text';
  const media = own(value, 'contentMediaType');
  if (typeof media === 'string') return own(value, 'contentSchema') === undefined ? dataOf(media) : 'text';
  return own(value, 'format') === 'binary' ? 'binary' : 'text';
}

/** Whether a schema says anything of values, and not only of itself. */
function describes(value: JsonObject): boolean {
  return ['oneOf', 'anyOf', 'allOf', 'properties', 'const', 'enum', 'items', 'additionalProperties', '$ref'].some(
    (keyword) => own(value, keyword) !== undefined,
  );
}
