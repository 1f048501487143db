/** The IR as JSON, for people, tools and tests. The version changes when the form does; `ir.schema.json` describes it. */
import type { Api } from './api.js';
import type { Schema, SchemaId } from './schema.js';
import type { Shape } from './shape.js';

export const irVersion = 1;

/** What `oasmith ir` prints: maps become objects keyed by address, sets become lists. */
export interface PrintedApi extends Omit<Api, 'schemas' | 'shapes' | 'referenced' | 'directional'> {
  readonly oasmithIr: typeof irVersion;
  readonly schemas: Readonly<Record<SchemaId, Schema>>;
  readonly shapes: Readonly<Record<SchemaId, Shape>>;
  readonly referenced: readonly SchemaId[];
  readonly directional: readonly SchemaId[];
}

export function printApi(api: Api): string {
  const { schemas, shapes, referenced, directional, ...rest } = api;
  const printed: PrintedApi = {
    oasmithIr: irVersion,
    ...rest,
    schemas: Object.fromEntries(schemas),
    shapes: Object.fromEntries(shapes),
    referenced: [...referenced],
    directional: [...directional],
  };
  return JSON.stringify(printed, null, 2);
}
