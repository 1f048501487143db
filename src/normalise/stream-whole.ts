/** What a media type says of all the items of its sequence together: `schema` beside `itemSchema` (OpenAPI 3.2, section 4.14.3). */
import { type Address, childAddress } from '../diagnostics.js';
import type { JsonValue, SchemaId } from '../ir/schema.js';
import { isObject, type JsonObject, own } from '../json-object.js';
import type { Located } from './follow.js';
import type { Members } from './json.js';

interface WholeReading {
  schema(at: Address, value: JsonValue): SchemaId;
  followSchema(value: JsonValue | undefined, at: Address): Located | undefined;
}

/** What says nothing of a list but what each item is, or nothing at all. */
export const silentKeywords: ReadonlySet<string> = new Set(
  (
    'type title description default example examples deprecated readOnly writeOnly nullable $comment externalDocs xml ' +
    '$id $schema $anchor $defs definitions'
  ).split(' '),
);

/** The schema of the whole as an array, where it says more than what its items are. */
export function wholeOf(reading: WholeReading, media: Members): SchemaId | undefined {
  const value = media.raw('schema');
  const at = childAddress(media.at, 'schema');
  const found = isObject(value) ? reading.followSchema(value, at) : undefined;
  if (!isObject(value) || !found || !isOfArrays(found.value, media)) return undefined;
  const saysNothing = (keyword: string): boolean =>
    silentKeywords.has(keyword) || keyword.startsWith('x-') || (keyword === 'items' && !media.has('itemSchema'));
  const isPlain = Object.keys(found.value).every(saysNothing);
  // What stands beside a reference counts, too.
  const isAlone = Object.keys(value).every((keyword) => keyword === '$ref' || saysNothing(keyword));
  return isPlain && isAlone ? undefined : reading.schema(at, value);
}

/** Beside `itemSchema` a schema is that of the array of all items (OpenAPI 3.2), unless it says that it is of something else. */
function isOfArrays(schema: JsonObject, media: Members): boolean {
  const types = own(schema, 'type');
  if (types === undefined) return media.has('itemSchema');
  return types === 'array' || (Array.isArray(types) && types.includes('array') && media.has('itemSchema'));
}
