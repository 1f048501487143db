/**
 * Declarations of a stand-alone JSON Schema by json-schema-to-typescript, whose only home this is. The library is heavy and
 * read only where it is needed. It gets what plan made harmless, and may reach for nothing.
 */
import type { JsonObject } from '../plan/derive-schema.js';
import { layout } from './layout.js';

/** The text of a declaration file below `header`, or `undefined` where the library gave up. */
export async function printDeclarations(name: string, schema: JsonObject, header: string): Promise<string | undefined> {
  const { compile } = await import('json-schema-to-typescript');
  try {
    const text = await compile({ ...schema }, name, {
      bannerComment: header,
      format: false,
      $refOptions: { resolve: { external: false } },
    });
    return layout(text);
  } catch (error) {
    // A chain of aliases that is longer than its stack. Whatever else it throws is a bug of ours.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
