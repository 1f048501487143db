/** Standard JSON Schema beside Standard Schema: what a validator checks, for those who do not run it. */
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, expect, test } from 'vitest';
import type { StandardJsonSchema } from '../../src/runtime/json-schema.js';
import { description } from '../support/api-of.js';
import { loadValidators, removeModules } from '../support/generated-validators.js';

afterAll(removeModules);

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const schemas = {
  Pet: {
    type: 'object',
    required: ['name', 'id'],
    properties: {
      id: { type: 'string', readOnly: true },
      name: { type: 'string', maxLength: 5 },
      owner: reference('Owner'),
      friends: { type: 'array', items: reference('Pet') },
      place: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }], items: false },
    },
    dependentRequired: { owner: ['friends'] },
  },
  Owner: {
    type: 'object',
    properties: { mail: { type: 'string' }, born: { ...reference('Day'), description: 'their birthday' } },
  },
  Day: { type: 'string', pattern: '^\\d+$' },
  Strict: { type: 'object', unevaluatedProperties: false },
  Lone: { type: ['string', 'null'] },
};

async function load(options = {}) {
  const paths = {
    '/pets': {
      post: { requestBody: { content: { 'application/json': { schema: reference('Pet') } } }, responses: {} },
    },
  };
  const documents = { 'api.json': { ...description(schemas), paths } };
  return loadValidators({ documents, standardJsonSchema: true, ...options });
}

test('gives what the validator checks, in the newest draft and in draft 07', async () => {
  const { module, is } = await load();
  const standard = (name: string) => (module[`${name}Schema`] as StandardJsonSchema<unknown>)['~standard'];
  expect(standard('Lone').jsonSchema.input({ target: 'draft-2020-12' })).toEqual({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: ['string', 'null'],
  });
  const pet = standard('Pet').jsonSchema.output({ target: 'draft-2020-12' });
  expect(pet).toMatchObject({ type: 'object', properties: { owner: { $ref: '#/$defs/Owner' } } });
  expect(Object.keys(pet['$defs'] as object).sort()).toEqual(['Day', 'Owner', 'Pet']);
  const judges = [
    new Ajv2020({ strict: false }).compile(pet),
    new Ajv({ strict: false }).compile(standard('Pet').jsonSchema.input({ target: 'draft-07' })),
  ];
  const id = '1';
  const right = { id, name: 'a', owner: { mail: 'x', born: '1' }, friends: [{ id, name: 'b' }], place: [1, 2] };
  for (const value of [
    right,
    { ...right, name: 'too long' },
    { id, name: 'a', owner: {} },
    { ...right, place: [1, 2, 3] },
    { ...right, owner: { born: 'x' } },
    { ...right, friends: [{}] },
  ])
    expect(judges.map((judge) => judge(value))).toEqual([is('Pet', value), is('Pet', value)]);
  expect(await standard('Pet').validate(right)).toEqual({ value: right });
});

test('refuses what cannot be said', async () => {
  const { module } = await load();
  const { jsonSchema } = (module['StrictSchema'] as StandardJsonSchema<unknown>)['~standard'];
  expect(() => jsonSchema.input({ target: 'draft-07' })).toThrow('draft-07 has no unevaluatedProperties');
  expect(() => jsonSchema.input({ target: 'openapi-3.0' })).toThrow(RangeError);
  // A view of a request is another one, for which JSON Schema has no words.
  expect(module['PetWriteSchema']).toBeDefined();
  expect((module['PetWriteSchema'] as StandardJsonSchema<unknown>)['~standard'].jsonSchema).toBeUndefined();
});

test('is not there by default', async () => {
  const { result, module } = await load({ standardJsonSchema: false });
  expect(result.files.filter(({ path }) => path.includes('json-schema'))).toEqual([]);
  expect((module['PetSchema'] as StandardJsonSchema<unknown>)['~standard'].jsonSchema).toBeUndefined();
});
