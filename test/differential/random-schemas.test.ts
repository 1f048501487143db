/**
 * Random schemas and values, judged by generated validators, both passes, and by ajv. The seeds are fixed: a failure comes
 * again. Where ajv is known to be wrong the grammar does not go (`required` of inherited names, decimal `multipleOf`).
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, expect, test } from 'vitest';
import type { JsonValue, SchemaId } from '../../src/ir/schema.js';
import { changedValue } from '../../src/plan/samples/neighbours.js';
import { Random } from '../../src/plan/samples/random.js';
import { Sampler } from '../../src/plan/samples/sampler.js';
import { description } from '../support/api-of.js';
import { loadValidators, removeModules } from '../support/generated-validators.js';
import { SchemaGrammar } from './random-schemas.js';

afterAll(removeModules);

const rounds = 5;
const schemasPerRound = 100;
const randomValues = 24;
const sampledValues = 4;

test.each(Array.from({ length: rounds }, (_, round) => round + 1))(
  'round %d',
  async (round) => {
    const random = new Random(round);
    const named = Array.from({ length: schemasPerRound }, (_, index) => `S${index}`);
    const place = '#/components/schemas/';
    const schemas: Record<string, JsonValue> = {};
    for (const [index, name] of named.entries()) {
      // References lead back, so that none leads round in place.
      const before = named.slice(0, Math.max(index, 1)).map((other) => `${place}${other}`);
      schemas[name] = index === 0 ? { type: 'string' } : new SchemaGrammar(random, before).schema(3);
    }
    const documents = { 'api.json': description(schemas) };
    const loaded = await loadValidators({ documents });
    const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: false, logger: false });
    ajv.addSchema({ $id: 'urn:all', components: { schemas } });
    const [api] = loaded.result.apis;
    const sampler = api && new Sampler(api.api, { assertFormats: false });
    const wrong: string[] = [];
    let [pairs, accepted] = [0, 0];
    for (const name of named) {
      const judge = ajv.compile({ $ref: `urn:all${place}${name}` });
      const values = Array.from({ length: randomValues }, () => new SchemaGrammar(random, []).value(3));
      for (let seed = 1; seed <= sampledValues; seed += 1) {
        const schema = `api.json#/components/schemas/${name}` as SchemaId;
        const value = sampler?.sample(schema, 'read', { seed, fullness: 'some', documented: false });
        if (value !== undefined)
          values.push(value, changedValue(value, random), changedValue(value, random), changedValue(value, random));
      }
      for (const value of values) {
        pairs += 1;
        const right = judge(value) === true;
        if (right) accepted += 1;
        const both = [loaded.is(name, value), loaded.validate(name, value).ok];
        if (both[0] !== right || both[1] !== right)
          wrong.push(
            `${name} ${JSON.stringify(schemas[name])} ${JSON.stringify(value)} ajv says ${right}, we say ${both}`,
          );
      }
    }
    expect(wrong.slice(0, 5)).toEqual([]);
    expect(pairs).toBeGreaterThan(3000);
    // Both answers are worth something only where both are frequent.
    expect(accepted / pairs).toBeGreaterThan(0.2);
    expect(accepted / pairs).toBeLessThan(0.8);
  },
  120_000,
);
