/**
 * Documents that everybody has: the meta-schemas of JSON Schema. A reference to one of them needs neither network nor
 * permission; their text is only read where there is such a reference.
 */
import type { JsonValue } from '../ir/schema.js';

/** The document at a URL without fragment, or nothing where it is none of them. */
export async function knownDocument(url: string): Promise<Uint8Array | undefined> {
  const schemas = await schemasNear(url);
  if (schemas === undefined || !Object.hasOwn(schemas, url)) return undefined;
  return new TextEncoder().encode(JSON.stringify(schemas[url], null, 2));
}

async function schemasNear(url: string): Promise<Readonly<Record<string, JsonValue>> | undefined> {
  if (url.startsWith('https://json-schema.org/draft/2020-12/')) {
    return (await import('./meta-schemas-2020-12.js')).schemas;
  }
  if (url.startsWith('https://json-schema.org/draft/2019-09/')) {
    return (await import('./meta-schemas-2019-09.js')).schemas;
  }
  return url.startsWith('http://json-schema.org/draft-0')
    ? (await import('./meta-schemas-older.js')).schemas
    : undefined;
}
