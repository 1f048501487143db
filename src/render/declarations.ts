/**
 * Declarations by json-schema-to-typescript, whose only home this is. The library is heavy and read only where it is
 * needed. It gets what plan made harmless, and may reach for nothing.
 */
import type { JsonObject } from '../json-object.js';

/** The text of one exported declaration, flush left; its name must be one that the library leaves as it is. */
export async function printDeclaration(name: string, schema: JsonObject): Promise<string> {
  const { compile } = await import('json-schema-to-typescript');
  const text = await compile({ ...schema }, name, {
    bannerComment: '',
    format: false,
    $refOptions: { resolve: { external: false } },
  });
  // References are names already: a declaration under another one would leave them dangling.
  if (!new RegExp(`^export (?:interface|type) ${name} `, 'm').test(text)) throw new Error('a name was respelt');
  return text;
}
