/** Documents of the shared directory for tests that compare the generator with other tools. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { isObject, type JsonObject } from './component-schemas.js';

export interface SampleDocument {
  /** The file's name without its endings. */
  readonly name: string;
  readonly description: JsonObject;
}

const perProvider = 3;
const fewestSchemas = 5;

/** Of each provider the first three documents (by name) that have at least five component schemas. */
export function sampleDocuments(directory: string): readonly SampleDocument[] {
  const counts = new Map<string, number>();
  const found: SampleDocument[] = [];
  for (const file of readdirSync(directory).sort()) {
    if (!file.endsWith('.json.gz')) continue;
    const name = file.slice(0, -'.json.gz'.length);
    const provider = name.split('__')[0] ?? name;
    if ((counts.get(provider) ?? 0) >= perProvider) continue;
    const description = JSON.parse(gunzipSync(readFileSync(join(directory, file))).toString('utf8')) as JsonObject;
    const { components } = description;
    const schemas = isObject(components) ? components['schemas'] : undefined;
    if (!isObject(schemas) || Object.keys(schemas).length < fewestSchemas) continue;
    counts.set(provider, (counts.get(provider) ?? 0) + 1);
    found.push({ name, description });
  }
  return found;
}
