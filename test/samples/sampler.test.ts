/** Sample values of the schemas of an API: which are found, that validators accept them, and that they stay the same. */
import { afterAll, describe, expect, test } from 'vitest';
import type { JsonValue, SchemaId } from '../../src/ir/schema.js';
import { Sampler } from '../../src/plan/samples/sampler.js';
import { apiOf, description } from '../support/api-of.js';
import { listFixtures, runFixture } from '../support/fixtures.js';
import { loadValidators, removeModules } from '../support/generated-validators.js';

afterAll(removeModules);

const id = (name: string): SchemaId => `api.json#/components/schemas/${name}` as SchemaId;

async function samplerOf(schemas: Readonly<Record<string, unknown>>, version = '3.1.0'): Promise<Sampler> {
  const { api } = await apiOf({ 'api.json': description(schemas, {}, version) });
  return new Sampler(api, { assertFormats: true });
}

const string = { type: 'string' };
const integer = { type: 'integer' };
const toPet = { $ref: '#/components/schemas/Pet' };

/** Schemas that a careless sampler makes a wrong value of. */
const schemas: Readonly<Record<string, object | boolean>> = {
  Anything: {},
  Words: { type: 'string', minLength: 12, maxLength: 13 },
  Emoji: { type: 'string', minLength: 3, maxLength: 3, pattern: '^\\p{Emoji_Presentation}+$' },
  Code: { type: 'string', pattern: '^[A-Z]{2}-\\d{4}(?:/[a-f0-9]{2,})?$', minLength: 9 },
  Ahead: { type: 'string', pattern: '^(?=.*\\d)(?=.*[a-z])\\w{8,}$' },
  Twice: { type: 'string', pattern: '^(\\w)(?<second>\\w)\\k<second>\\1$' },
  Anywhere: { type: 'string', pattern: 'ab+c', minLength: 10 },
  NotStarting: { type: 'string', pattern: '^(?!x)[xy]{3}$' },
  Both: { allOf: [{ type: 'string', pattern: 'a' }, { pattern: '^.b' }, { minLength: 3 }] },
  ...Object.fromEntries(
    ['date-time', 'date', 'time', 'duration', 'email', 'hostname', 'uuid', 'uri', 'ipv4', 'ipv6', 'byte'].map(
      (format) => [`Format-${format}`, { type: 'string', format }],
    ),
  ),
  Cents: { type: 'number', minimum: 0.05, exclusiveMaximum: 0.12, multipleOf: 0.01 },
  Sevens: { type: 'integer', multipleOf: 7, exclusiveMinimum: 700 },
  Halves: { allOf: [integer, { multipleOf: 2.5 }, { minimum: 1 }] },
  Small: { type: 'integer', format: 'int32', minimum: 2147483647 },
  Between: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 0.001 },
  NotOne: { type: 'integer', minimum: 1, not: { const: 1 } },
  Set: { type: 'array', items: { enum: ['a', 'b', 'c'] }, uniqueItems: true, minItems: 3 },
  Contains: { type: 'array', items: { type: 'number' }, contains: { minimum: 50 }, minContains: 2 },
  Tuple: { type: 'array', prefixItems: [string, integer], items: false, minItems: 2 },
  Behind: { type: 'array', prefixItems: [string], contains: { type: 'number' }, unevaluatedItems: false },
  Closed: { type: 'object', properties: { a: string }, required: ['a'], additionalProperties: false },
  Map: { type: 'object', additionalProperties: integer, propertyNames: { pattern: '^x-' }, minProperties: 2 },
  Patterned: {
    type: 'object',
    patternProperties: { '^n\\d$': integer },
    additionalProperties: false,
    minProperties: 1,
  },
  Hidden: { type: 'object', required: ['__proto__', 'constructor'], properties: { ['__proto__']: integer } },
  Dependent: {
    type: 'object',
    required: ['card'],
    properties: { card: string },
    dependentRequired: { card: ['address'] },
    dependentSchemas: { address: { properties: { address: { type: 'array', minItems: 1 } }, required: ['zip'] } },
  },
  Merged: { allOf: [{ properties: { a: { minimum: 5 } } }, { properties: { a: integer }, required: ['a'] }] },
  Exactly: { oneOf: [{ required: ['a'] }, { required: ['b'] }], properties: { a: string, b: string }, type: 'object' },
  Untagged: {
    oneOf: [
      { type: 'object', properties: { a: string } },
      { type: 'object', properties: { b: integer } },
    ],
  },
  Numbers: { oneOf: [integer, { type: 'number' }] },
  Neither: {
    type: 'object',
    properties: { a: string, b: string },
    not: { anyOf: [{ required: ['a'] }, { required: ['b'] }] },
  },
  If: {
    type: 'object',
    properties: { kind: { enum: ['x', 'y'] } },
    required: ['kind'],
    if: { properties: { kind: { const: 'x' } } },
    then: { required: ['x'], properties: { x: { const: 1 } } },
    else: { required: ['y'] },
  },
  Left: { allOf: [{ properties: { a: string } }], unevaluatedProperties: false, minProperties: 1 },
  Tree: {
    type: 'object',
    required: ['value', 'next'],
    properties: { value: integer, next: { oneOf: [{ $ref: '#/components/schemas/Tree' }, { type: 'null' }] } },
  },
  Even: { anyOf: [{ $ref: '#/components/schemas/Odd' }, { type: 'integer' }] },
  Odd: { type: 'object', required: ['even'], properties: { even: { $ref: '#/components/schemas/Even' } } },
  Pet: {
    type: 'object',
    required: ['id', 'name', 'password'],
    properties: {
      id: { type: 'integer', readOnly: true },
      name: { type: 'string', example: 'Rex' },
      password: { type: 'string', writeOnly: true },
    },
  },
  Pets: { type: 'array', items: toPet, examples: [[{ id: 7, name: 'Minka', password: 'secret' }]] },
  Wrong: { type: 'object', required: ['n'], properties: { n: integer }, example: { n: 'one' }, default: { n: 2 } },
  Animal: {
    oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
    discriminator: { propertyName: 'kind', mapping: { puppy: '#/components/schemas/Dog' } },
  },
  Cat: { type: 'object', required: ['kind', 'lives'], properties: { kind: string, lives: integer } },
  Dog: { type: 'object', required: ['kind', 'bark'], properties: { kind: string, bark: string } },
};

describe('values', () => {
  test('are found for every keyword, in many forms, and validators accept them', async () => {
    const sampler = await samplerOf(schemas);
    const loaded = await loadValidators({ documents: { 'api.json': description(schemas) }, assertFormats: true });
    const wrong: string[] = [];
    for (const name of Object.keys(schemas)) {
      const type = name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
      const plain = sampler.sample(id(name), 'read');
      const values = plain === undefined ? [] : [plain, ...sampler.samples(id(name), 'read', 8)];
      if (values.length < 2) wrong.push(`${name}: none`);
      for (const value of values) if (!loaded.is(type, value)) wrong.push(`${name}: ${JSON.stringify(value)}`);
      const bad = sampler.neighbours(id(name), 'read', plain ?? null, 8);
      if (bad.length === 0 && !['Anything', 'Neither'].includes(name)) wrong.push(`${name}: no neighbour`);
      for (const value of bad) if (loaded.is(type, value)) wrong.push(`${name}: accepted ${JSON.stringify(value)}`);
    }
    expect(wrong).toEqual([]);
  });

  test('are those of the document where they are valid, each in its direction', async () => {
    const sampler = await samplerOf(schemas);
    const values = (direction: 'read' | 'write') =>
      ['Pet', 'Pets', 'Wrong', 'Animal'].map((name) => sampler.sample(id(name), direction));
    expect(values('read')).toEqual([
      { id: 1, name: 'Rex' },
      [{ id: 7, name: 'Minka' }],
      { n: 2 },
      { kind: 'Cat', lives: 1 },
    ]);
    expect(values('write').slice(0, 2)).toEqual([
      { name: 'Rex', password: 'text' },
      [{ name: 'Minka', password: 'secret' }],
    ]);
    expect(sampler.sample(id('Dog'), 'read', { documented: false })).toEqual({ kind: 'text', bark: 'text' });
    const dogs = sampler.samples(id('Animal'), 'read', 12).filter((value) => Object.hasOwn(Object(value), 'bark'));
    expect(dogs).toContainEqual(expect.objectContaining({ kind: 'puppy' }));
  });

  test('are the same for the same seed, whatever was asked before, and others for another seed', async () => {
    const [one, other] = [await samplerOf(schemas), await samplerOf(schemas)];
    const names = Object.keys(schemas);
    const values = (sampler: Sampler, list: readonly string[], seed: number): Map<string, JsonValue | undefined> =>
      new Map(list.map((name) => [name, sampler.sample(id(name), 'read', { seed, fullness: 'some' })]));
    const first = values(one, names, 5);
    const again = values(other, [...names].reverse(), 5);
    for (const name of names) expect(again.get(name), name).toEqual(first.get(name));
    const different = values(one, names, 6);
    expect(
      names.filter((name) => JSON.stringify(different.get(name)) !== JSON.stringify(first.get(name))).length,
    ).toBeGreaterThan(20);
  });

  test('hold the least that is demanded, or all that may be there', async () => {
    const sampler = await samplerOf({
      Case: {
        type: 'object',
        required: ['a'],
        properties: { a: string, b: integer, c: { type: 'array', items: string } },
      },
    });
    expect(sampler.sample(id('Case'), 'read', { fullness: 'least' })).toEqual({ a: 'text' });
    expect(sampler.sample(id('Case'), 'read')).toEqual({ a: 'text', b: 1, c: ['text'] });
  });
});

describe('where there is no value', () => {
  test.each<[string, object | boolean]>([
    ['false', false],
    ['bounds that cross', { type: 'integer', minimum: 2, maximum: 1 }],
    ['types that exclude each other', { allOf: [string, integer] }],
    ['a member that is demanded and closed', { type: 'object', required: ['a'], additionalProperties: false }],
    [
      'recursion without an end',
      { type: 'object', required: ['a'], properties: { a: { $ref: '#/components/schemas/Case' } } },
    ],
    ['a set of more than there are', { type: 'array', items: { type: 'boolean' }, uniqueItems: true, minItems: 3 }],
    ['a pattern without a text', { type: 'string', pattern: 'a^b' }],
    ['a length that nobody has', { type: 'string', minLength: 100_000_000 }],
    ['its own opposite', { type: 'object', not: { type: 'object' } }],
  ])('none is made up: %s', async (_, schema) => {
    const started = performance.now();
    const sampler = await samplerOf({ Case: schema });
    expect(sampler.sample(id('Case'), 'read')).toBeUndefined();
    expect(sampler.samples(id('Case'), 'read', 3)).toEqual([]);
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});

describe('the fixtures', () => {
  /** What no value satisfies, and nothing else. */
  const empty = [
    'features/schemas/odd-names Nothing',
    'features/targets/zod RegExp',
    'features/unions/contradiction Nobody',
    'features/values/anything Never',
    'features/warnings/schemas Never',
  ];

  test('every component has a value in each direction', { timeout: 120_000 }, async () => {
    const without = new Set<string>();
    let count = 0;
    for (const fixture of [...listFixtures('features'), ...listFixtures('documents')]) {
      const { result } = await runFixture(fixture);
      for (const { api } of result?.apis ?? []) {
        const sampler = new Sampler(api, { assertFormats: true });
        for (const { name, schema } of api.components) {
          count++;
          for (const direction of ['read', 'write'] as const)
            if (sampler.sample(schema, direction) === undefined) without.add(`${fixture.name} ${name}`);
        }
      }
    }
    expect(count).toBeGreaterThan(400);
    expect([...without].sort()).toEqual(empty);
  });
});

describe('what is asked for beyond the usual', () => {
  async function sampled(schema: object, options: object): Promise<JsonValue | undefined> {
    const { api } = await apiOf({ 'api.json': description({ Subject: schema }) });
    return new Sampler(api, { assertFormats: false, ...options }).sample(id('Subject'), 'read');
  }

  test.each([
    ['base64', (text: string) => Buffer.from(text, 'base64').toString()],
    ['base64url', (text: string) => Buffer.from(text, 'base64url').toString()],
    ['base16', (text: string) => Buffer.from(text, 'hex').toString()],
  ])('texts hold what they must: %s', async (contentEncoding, decode) => {
    const contentSchema = { type: 'object', required: ['n'], properties: { n: { type: 'integer', minimum: 3 } } };
    const content = { contentMediaType: 'application/json', contentSchema };
    const schema = {
      type: 'object',
      required: ['t'],
      properties: { t: { type: 'string', contentEncoding, ...content } },
    };
    const value = (await sampled(schema, { assertContent: true })) as { readonly t: string };
    expect(JSON.parse(decode(value.t))).toEqual({ n: 3 });
  });

  test.each(['base32', 'base32hex'])('texts hold what they must: %s', async (contentEncoding) => {
    expect(await sampled({ type: 'string', contentEncoding, minLength: 8 }, { assertContent: true })).toMatch(
      /^[0-9A-Z]+=*$/,
    );
  });

  test('where a format of the user decides, only what the document gives', async () => {
    const formats = new Map([['sku', { from: './sku.js', name: 'isSku' }]]);
    const of = (sku: object, required: readonly string[] = []): object => ({
      type: 'object',
      required: ['name', ...required],
      properties: { name: { type: 'string' }, sku: { format: 'sku', ...sku } },
    });
    expect(await sampled(of(string), { formats })).toEqual({ name: 'text' });
    expect(await sampled(of({ ...string, examples: ['A-1'] }), { formats })).toEqual({ name: 'text', sku: 'A-1' });
    expect(await sampled(of({ enum: ['B-2'] }, ['sku']), { formats })).toEqual({ name: 'text', sku: 'B-2' });
    expect(await sampled(of({ ...integer, default: 7 }, ['sku']), { formats })).toEqual({ name: 'text', sku: 7 });
    expect(await sampled(of(string, ['sku']), { formats })).toBeUndefined();
  });
});
