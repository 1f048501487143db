/** Walks over what a schema is made of, for readers that look for what it says and do not keep it. */
import { type Address, childAddress } from '../diagnostics.js';
import type { JsonValue } from '../ir/schema.js';
import { isObject, type JsonObject, own } from '../json-object.js';
import type { Located } from './follow.js';

interface Following {
  followSchema(value: JsonValue | undefined, at: Address): Located | undefined;
}

/** A schema and what its `allOf` adds, each once. */
export function conjunctsOf(reading: Following, start: Located): readonly Located[] {
  const parts = [start];
  const seen = new Set<JsonObject>([start.value]);
  // The list grows while it is walked.
  for (const part of parts) {
    const list = own(part.value, 'allOf');
    for (const [index, entry] of (Array.isArray(list) ? list : []).entries()) {
      const found = reading.followSchema(entry, childAddress(part.at, 'allOf', index));
      if (!found || seen.has(found.value)) continue;
      seen.add(found.value);
      parts.push(found);
    }
  }
  return parts;
}

/** An alternative, as it stands and where its references lead to. */
export interface Alternative {
  readonly value: JsonValue;
  readonly at: Address;
  readonly found: Located;
}

/** The alternatives of a schema through `oneOf` and `anyOf`, but for null; the schema itself where it has none. */
export function alternativesOf(reading: Following, value: JsonValue, at: Address): readonly Alternative[] {
  const alternatives: Alternative[] = [];
  const seen = new Set<JsonObject>();
  const pending = [{ value, at }];
  // The list grows while it is walked.
  for (const next of pending) {
    const found = isObject(next.value) ? reading.followSchema(next.value, next.at) : undefined;
    if (!found || seen.has(found.value)) continue;
    seen.add(found.value);
    const inside = ['oneOf', 'anyOf'].flatMap((keyword) => {
      const list = own(found.value, keyword);
      return Array.isArray(list)
        ? list.map((entry, index) => ({ value: entry, at: childAddress(found.at, keyword, index) }))
        : [];
    });
    if (inside.length > 0) pending.push(...inside);
    else if (!isNull(found.value)) alternatives.push({ ...next, found });
  }
  return alternatives;
}

/** Whether a schema admits null alone. */
export function isNull(value: JsonObject): boolean {
  const values = own(value, 'enum');
  return (
    own(value, 'type') === 'null' ||
    own(value, 'const') === null ||
    (Array.isArray(values) && values.length > 0 && values.every((one) => one === null))
  );
}
