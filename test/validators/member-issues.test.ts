/** What the second pass says of members that the runtime explains: bounded numbers, arrays, and objects inside. */
import { afterAll, describe, expect, test } from 'vitest';
import { description } from '../support/api-of.js';
import { loadValidators, removeModules } from '../support/generated-validators.js';

afterAll(removeModules);

const place = 'api.json#/components/schemas/Case';
const ref = { $ref: '#/components/schemas/Part' };
const part = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };

const found = async (schema: object, value: unknown): Promise<readonly string[]> => {
  const { issues } = await loadValidators({ documents: { 'api.json': description({ Case: schema, Part: part }) } });
  return issues('Case', value).map(
    ({ pointer, schemaPointer, message }) => `${pointer} ${schemaPointer.replace(place, '')} ${message}`,
  );
};

const object = (properties: object, required: readonly string[] = []) => ({ type: 'object', properties, required });

describe('bounded numbers', () => {
  const schema = object(
    {
      a: { type: 'integer', minimum: 1, maximum: 3 },
      b: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
      c: { type: ['integer', 'null'], minimum: 1 },
    },
    ['a'],
  );

  test('are refused below, above and at their bounds', async () => {
    expect(await found(schema, { a: 0, b: 1 })).toEqual([
      '/a /properties/a/minimum must be at least 1',
      '/b /properties/b/exclusiveMaximum must be less than 1',
    ]);
    expect(await found(schema, { a: 4, b: 0, c: 0 })).toEqual([
      '/a /properties/a/maximum must be at most 3',
      '/b /properties/b/exclusiveMinimum must be greater than 0',
      '/c /properties/c/minimum must be at least 1',
    ]);
  });

  test('are missed and told from other types', async () => {
    expect(await found(schema, { b: 'x', c: 'x' })).toEqual([
      ' /required must have the property "a"',
      '/b /properties/b/type must be a number',
      '/c /properties/c/type must be an integer or null',
    ]);
    expect(await found(schema, { a: 1.5 })).toEqual(['/a /properties/a/type must be an integer']);
  });
});

describe('arrays', () => {
  const list = (items: object) => ({ type: 'array', items });
  const schema = object({ texts: list({ type: 'string' }), parts: list(ref) }, ['parts']);

  test('name the item that is wrong', async () => {
    expect(await found(schema, { texts: ['a', 1, null], parts: [{ id: 1 }, {}, 5] })).toEqual([
      '/parts/1 api.json#/components/schemas/Part/required must have the property "id"',
      '/parts/2 api.json#/components/schemas/Part/type must be an object',
      '/texts/1 /properties/texts/items/type must be a string',
      '/texts/2 /properties/texts/items/type must be a string',
    ]);
  });

  test('are missed and told from other types', async () => {
    expect(await found(schema, { texts: {} })).toEqual([
      ' /required must have the property "parts"',
      '/texts /properties/texts/type must be an array',
    ]);
  });
});

describe('objects inside', () => {
  const schema = object(
    {
      'a/b': object({ x: { type: 'string' }, 'c~d': object({ y: { type: 'integer' } }, ['y']) }, ['x']),
      e: object({ f: { type: 'string', pattern: '^a' }, g: ref }),
    },
    ['a/b'],
  );

  test('are explained where they are', async () => {
    expect(await found(schema, { 'a/b': { 'c~d': { y: 'no' } }, e: { f: 'b', g: {} } })).toEqual([
      '/a~1b /properties/a~1b/required must have the property "x"',
      '/a~1b/c~0d/y /properties/a~1b/properties/c~0d/properties/y/type must be an integer',
      '/e/f /properties/e/properties/f/pattern must match the pattern "^a"',
      '/e/g api.json#/components/schemas/Part/required must have the property "id"',
    ]);
  });

  test('are missed and told from other types', async () => {
    expect(await found(schema, { e: [] })).toEqual([
      ' /required must have the property "a/b"',
      '/e /properties/e/type must be an object',
    ]);
    expect(await found(schema, { 'a/b': { x: '', 'c~d': null } })).toEqual([
      '/a~1b/c~0d /properties/a~1b/properties/c~0d/type must be an object',
    ]);
  });

  test('are told apart in the branches of a union', async () => {
    const branch = (type: string) => object({ z: object({ v: { type } }, ['v']) }, ['z']);
    expect(await found({ anyOf: [branch('integer'), branch('boolean')] }, { z: { v: 'x' } })).toEqual([
      ' /anyOf must be of one of 2 alternatives; the closest is number 1',
      '/z/v /anyOf/0/properties/z/properties/v/type must be an integer',
    ]);
  });
});
