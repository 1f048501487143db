/** Values for a stand-alone JSON Schema, valid ones and ones that nearly are; the same for the same seed. */
import type { JsonValue, SchemaId } from '../../src/ir/schema.js';
import { changedValue } from '../../src/plan/samples/neighbours.js';
import { Random } from '../../src/plan/samples/random.js';
import { Sampler } from '../../src/plan/samples/sampler.js';
import { apiOf } from './api-of.js';

/** Half of the values have something changed, somewhere; where the schema has no valid value, all are changed ones of null. */
export async function valuesOf(schema: object, count: number, seed: number): Promise<readonly JsonValue[]> {
  const { api } = await apiOf({ 'values.schema.json': schema });
  const sampler = new Sampler(api, { assertFormats: false });
  const random = new Random(seed);
  return Array.from({ length: count }, (_, index) => {
    const fullness = (['some', 'all', 'least'] as const)[index % 3] ?? 'some';
    const direction = index % 4 < 2 ? 'read' : 'write';
    const options = { seed: seed * 1000 + index, fullness };
    const value = sampler.sample('values.schema.json#' as SchemaId, direction, options) ?? null;
    return index % 2 === 0 ? value : changedValue(value, random);
  });
}
