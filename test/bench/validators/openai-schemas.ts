/**
 * The schemas of OpenAI's description that are measured, by a fixed rule: the components in the order of the document, each
 * together with all that it refers to, until there are as many as wanted; a component that would bring too many is passed over.
 * Descriptions, examples and formats other than `uuid`, `email`, `date-time` and `uri` are left out.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { readYamlFast } from '../../../src/load/yaml-fast.js';
import type { Collection, Schema } from './payloads.js';

interface Tools {
  stripSchema(schema: unknown): Schema;
  sample(schema: Schema, definitions: Readonly<Record<string, Schema>>, depth?: number): unknown;
}

export function chosenSchemas(path: string, count: number, { stripSchema, sample }: Tools): Collection {
  const document = readYamlFast(gunzipSync(readFileSync(path)).toString(), 200) as unknown as {
    readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
  };
  const all = new Map(Object.entries(document.components.schemas).map(([name, schema]) => [name, stripSchema(schema)]));
  const chosen = new Set<string>();
  for (const name of all.keys()) {
    const missing = [...reachable(name, all)].filter((entry) => !chosen.has(entry));
    if (chosen.size + missing.length > count) continue;
    for (const entry of missing) chosen.add(entry);
  }
  const schemas = Object.fromEntries([...chosen].map((name) => [name, understoodByAll(all.get(name) ?? {})]));
  const samples = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      JSON.parse(JSON.stringify(sample(schema, schemas) ?? null)),
    ]),
  );
  return { schemas, samples };
}

function reachable(name: string, all: ReadonlyMap<string, Schema>): ReadonlySet<string> {
  const found = new Set([name]);
  // The set grows while it is walked.
  for (const entry of found) for (const target of references(all.get(entry))) found.add(target);
  return found;
}

function references(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { $ref } = value as { readonly $ref?: unknown };
  const own = typeof $ref === 'string' ? [$ref.slice($ref.lastIndexOf('/') + 1)] : [];
  return [...own, ...Object.values(value).flatMap(references)];
}

/** What OpenAPI 3.1 has no meaning for, or ajv takes in another form than the document has it. */
function understoodByAll(schema: Schema): Schema {
  const text = JSON.stringify(schema, (key, value: unknown) => {
    if (key === 'nullable' && typeof value === 'boolean') return undefined;
    const isDiscriminator = typeof value === 'object' && value !== null && 'propertyName' in value;
    return key === 'discriminator' && isDiscriminator ? undefined : value;
  });
  return JSON.parse(text) as Schema;
}
