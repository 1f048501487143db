/** A description twice over: every path, operation and component stands in it once more, under a suffixed name. */

import type { JsonValue } from '../../src/ir/schema.js';
import { isObject, type JsonObject } from '../support/component-schemas.js';

const suffix = 'Copy';

/** What a reference can lead to. Security schemes stay as they are: requirements name them. */
const sections = [
  ...['schemas', 'responses', 'parameters', 'examples', 'requestBodies', 'headers', 'links', 'callbacks', 'pathItems'],
];
const local = new RegExp(`^#/(?:components/(?:${sections.join('|')})|definitions|parameters|responses)/[^/]+`);

export function doubled(description: JsonObject): JsonObject {
  const { components, paths } = description;
  const made: Record<string, JsonValue> = { ...description, paths: withCopies(paths, (path) => `${path}/${suffix}`) };
  for (const name of ['definitions', 'parameters', 'responses']) {
    if (description[name] !== undefined) made[name] = withCopies(description[name], (key) => `${key}${suffix}`);
  }
  if (!isObject(components)) return made;
  const copied = Object.entries(components).map(([section, entries]) => [
    section,
    sections.includes(section) ? withCopies(entries, (key) => `${key}${suffix}`) : entries,
  ]);
  made['components'] = Object.fromEntries(copied) as JsonObject;
  return made;
}

/** The entries of a map, and a copy of each under another name. */
function withCopies(entries: JsonValue | undefined, rename: (key: string) => string): JsonObject {
  if (!isObject(entries)) return {};
  const copies = Object.entries(entries).map(([key, value]) => [rename(key), copyOf(value)]);
  return { ...entries, ...Object.fromEntries(copies) };
}

function copyOf(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.replace(local, (target) => `${target}${suffix}`);
  if (Array.isArray(value)) return value.map(copyOf);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      key === 'operationId' && typeof member === 'string' ? `${member}${suffix}` : copyOf(member),
    ]),
  );
}
