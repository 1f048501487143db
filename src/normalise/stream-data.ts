/** What the fields `data` and `event` of server-sent events may hold, as schemas describe them. */
import { type Address, childAddress } from '../diagnostics.js';
import type { StreamEvent } from '../ir/api.js';
import type { JsonValue, SchemaId } from '../ir/schema.js';
import { type JsonObject, own } from '../json-object.js';
import type { Located } from './follow.js';
import { type Alternative, alternativesOf, conjunctsOf } from './schema-parts.js';

interface DataReading {
  schema(at: Address, value: JsonValue): SchemaId;
  followSchema(value: JsonValue | undefined, at: Address): Located | undefined;
}

export type EventData = Omit<StreamEvent, 'name'>;

/** What the data of an event may be, and what says that a stream is at its end. */
export interface DataSaid {
  readonly data: readonly EventData[];
  readonly sentinels: readonly string[];
}

/** Says nothing of a field but that it is text, if that. */
export const silentKeywords: ReadonlySet<string> = new Set([
  'type',
  'title',
  'description',
  'default',
  'example',
  'examples',
  'deprecated',
  'nullable',
]);
/** What only texts have. */
const textKeywords = ['minLength', 'maxLength', 'pattern'];

/**
 * `data` as text, as JSON in text (`contentSchema`), or, as many write it, as the payload itself; as several of these where
 * it has such alternatives. A constant text that is no JSON ends the stream where the event has no name of its own.
 */
export function readData(reading: DataReading, field: Located | undefined, isNameless: boolean): DataSaid {
  if (!field) return { data: [{ data: 'text' }], sentinels: [] };
  const all = alternativesOf(reading, field.value, field.at);
  const isEnumeration = all.length > 1 && all.every(({ found }) => isText(found.value));
  const sentinels = all.map(({ found }) => (isNameless && !isEnumeration ? endOf(found.value) : undefined));
  const rest = all.filter((_, index) => sentinels[index] === undefined);
  const kinds = rest.map((alternative) => dataOf(reading, alternative));
  const isWhole = rest.length === all.length && all.length > 1;
  const said = isWhole ? (ofWhole(reading, field, kinds) ?? kinds.flat()) : kinds.flat();
  const ends = sentinels.flatMap((sentinel) => sentinel ?? []);
  return { data: all.length === 0 ? [{ data: 'text' }] : said, sentinels: ends };
}

/** Alternatives of one kind are that of the schema around them, which may say more. */
function ofWhole(
  reading: DataReading,
  field: Located,
  kinds: readonly (readonly Kind[])[],
): readonly EventData[] | undefined {
  const [first] = kinds.flat();
  const isAlike = kinds.flat().every((one) => one.isOwn && one.data === first?.data);
  return first && isAlike ? [{ data: first.data, schema: reading.schema(field.at, field.value) }] : undefined;
}

/** `isOwn`: the schema is that of the field, and not of what its text holds. */
type Kind = EventData & { readonly isOwn?: boolean };

function dataOf(reading: DataReading, { value, at, found }: Alternative): readonly Kind[] {
  const parts = conjunctsOf(reading, found);
  // Nobody decodes it, so that it is no JSON yet.
  if (parts.some((part) => own(part.value, 'contentEncoding') !== undefined))
    return [{ data: 'text', schema: reading.schema(at, value), isOwn: true }];
  for (const part of parts) {
    const content = own(part.value, 'contentSchema');
    if (content === undefined) continue;
    return [{ data: 'json', schema: reading.schema(childAddress(part.at, 'contentSchema'), content) }];
  }
  const isJsonText = parts.some((part) => {
    const media = own(part.value, 'contentMediaType');
    return typeof media === 'string' && /[/+]json$/i.test(media);
  });
  if (isJsonText) return [{ data: 'json' }];
  const types = parts.map((part) => typesOf(part.value)).find((one) => one.length > 0) ?? [];
  const described = { schema: reading.schema(at, value), isOwn: true };
  if (types.length > 1 && types.includes('string')) {
    return [
      { data: 'json', ...described },
      { data: 'text', ...described },
    ];
  }
  const isSilent = parts.every((part) =>
    Object.keys(part.value).every(
      (keyword) => keyword === 'allOf' || silentKeywords.has(keyword) || keyword.startsWith('x-'),
    ),
  );
  // Nothing is said of it: it may be either.
  if (isSilent && types.length === 0) return [{ data: 'json' }, { data: 'text' }];
  if (!parts.some((part) => isText(part.value))) return [{ data: 'json', ...described }];
  return [isSilent ? { data: 'text' } : { data: 'text', ...described }];
}

/** The types that a schema admits beside null. */
function typesOf(value: JsonObject): readonly JsonValue[] {
  const type = own(value, 'type');
  return (Array.isArray(type) ? type : [type ?? null]).filter((one) => one !== 'null' && one !== null);
}

/** Whether a schema describes a text. */
export function isText(value: JsonObject): boolean {
  const types = typesOf(value);
  if (types.length > 0) return types.every((type) => type === 'string');
  const values = own(value, 'enum') ?? [own(value, 'const')];
  return (
    (Array.isArray(values) && values.length > 0 && values.every((one) => typeof one === 'string')) ||
    textKeywords.some((keyword) => own(value, keyword) !== undefined)
  );
}

/** The constant text that ends a stream, as it arrives: every line end inside of data is LF then. */
function endOf(value: JsonObject): string | undefined {
  const values = own(value, 'enum');
  // OpenAPI 3.0 has no `const`.
  const constant = own(value, 'const') ?? (Array.isArray(values) && values.length === 1 ? values[0] : undefined);
  if (typeof constant !== 'string' || own(value, 'contentSchema') !== undefined || isJson(constant)) return undefined;
  return constant.replace(/\r\n?/g, '\n');
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The names that `event` may have; none where it may have any. */
export function namesOf(reading: DataReading, field: Located | undefined): readonly string[] {
  if (!field) return [];
  const all = alternativesOf(reading, field.value, field.at).map(({ found }) => {
    const parts = conjunctsOf(reading, found).map((part) => wordsOf(part.value));
    return parts.find((words) => words.length > 0) ?? [];
  });
  // On the wire an empty name is none.
  return all.some((words) => words.length === 0) ? [] : [...new Set(all.flat().map((name) => name || 'message'))];
}

function wordsOf(value: JsonObject): readonly string[] {
  const constant = own(value, 'const');
  if (typeof constant === 'string') return [constant];
  const values = own(value, 'enum');
  return Array.isArray(values) ? values.filter((name) => typeof name === 'string') : [];
}
