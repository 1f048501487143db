/** What is said where no alternative of a union holds: which one was meant, and why it does not. */
import { afterAll, describe, expect, test } from 'vitest';
import { description } from '../support/api-of.js';
import { loadValidators, removeModules } from '../support/generated-validators.js';

afterAll(removeModules);

const string = { type: 'string' };
const integer = { type: 'integer' };

const load = (schemas: Readonly<Record<string, unknown>>) =>
  loadValidators({ documents: { 'api.json': description(schemas) } });

const messages = async (schema: object, value: unknown): Promise<readonly string[]> =>
  (await load({ Case: schema })).issues('Case', value).map((issue) => `${issue.pointer} ${issue.message}`);

describe('issues', () => {
  test('of a union come from the branch that the tag names', async () => {
    const branch = (kind: string) => ({
      type: 'object',
      required: ['kind', kind],
      properties: { kind: { const: kind }, [kind]: integer },
    });
    const schema = { oneOf: [branch('circle'), branch('square')] };
    expect(await messages(schema, { kind: 'square', square: 'x' })).toEqual(['/square must be an integer']);
    expect(await messages(schema, { kind: 'line' })).toEqual(['/kind must be one of "circle", "square"']);
    expect(await messages(schema, 5)).toEqual([' must be an object']);
  });

  test('of a union without a tag come from the closest branch', async () => {
    const schema = {
      anyOf: [
        { type: 'object', required: ['a', 'b', 'c'] },
        { type: 'object', required: ['x'], properties: { x: integer } },
      ],
    };
    expect(await messages(schema, { x: 'no' })).toEqual([
      ' must be of one of 2 alternatives; the closest is number 2',
      '/x must be an integer',
    ]);
  });

  test('of a union are those of the branch whose constants the value has, before those of the one with fewest issues', async () => {
    const far = { type: 'object', required: ['kind', 'a', 'b'], properties: { kind: { const: 'far' } } };
    const near = { type: 'object', required: ['id'], properties: { id: string } };
    const closestTo = async (value: unknown, ...branches: readonly object[]): Promise<number> => {
      const [first] = (await load({ Case: { anyOf: branches } })).issues('Case', value);
      return Number(first?.params['closest']);
    };
    expect(await closestTo({ kind: 'far' }, near, far)).toBe(1);
    expect(await closestTo({ kind: 'far' }, far, near)).toBe(0);
    expect(await closestTo({ kind: 'other', a: 1, b: 1 }, far, near)).toBe(1);
    expect(await closestTo({}, far, near)).toBe(1);
    const version = (kind: string, number: number) => ({
      type: 'object',
      required: ['kind', 'version', 'x', 'y'],
      properties: { kind: { enum: [kind, `${kind}s`] }, version: { const: number }, y: integer },
    });
    const plain = { type: 'object', required: ['p', 'q', 'r', 's', 't'] };
    expect(await closestTo({ kind: 'bs', version: 2, y: 'no' }, plain, version('a', 2), version('b', 2))).toBe(2);
  });

  test('of a union are those of the branch that goes wrong deepest, where nothing else tells', async () => {
    const holding = (schema: object) => ({ type: 'object', required: ['m'], properties: { m: schema } });
    const deep = holding({ type: 'object', properties: { n: { type: 'object', properties: { o: integer } } } });
    const union = { anyOf: [holding(string), deep] };
    expect((await messages(union, { m: { n: { o: 'x' } } })).at(-1)).toBe('/m/n/o must be an integer');
  });

  test('of a member that is called like a member of every object come from the right branch', async () => {
    const branch = (name: string, value: string) => ({
      type: 'object',
      required: [name, 'z'],
      properties: JSON.parse(`{${JSON.stringify(name)}: {"const": ${JSON.stringify(value)}}}`) as object,
    });
    const schema = { anyOf: [branch('constructor', 'a'), branch('__proto__', 'b')] };
    const [first] = (await load({ Case: schema })).issues('Case', JSON.parse('{"__proto__": "b"}'));
    expect(first?.params['closest']).toBe(1);
  });

  test('of a nullable union name the place in the document, also where its function speaks for several', async () => {
    const union = () => ({
      nullable: true,
      oneOf: ['a', 'b', 'c'].map((name) => ({
        type: 'object',
        required: [name, `${name}2`],
        properties: { [name]: { type: 'string', minLength: 2 }, [`${name}2`]: integer, [`${name}3`]: integer },
      })),
    });
    const odd = { 'left~value': union(), 'left?value': union(), left: union(), right: union() };
    const document = { ...description({ One: { type: 'object', properties: odd }, Two: union() }), openapi: '3.0.3' };
    const validators = await loadValidators({ documents: { 'api.json': document } });
    for (const name of Object.keys(odd)) {
      const place = `api.json#/components/schemas/One/properties/${name.replace('~', '~0')}/oneOf`;
      const found = validators.issues('One', { [name]: { b: 'x', b2: 1 } }).map(({ schemaPointer }) => schemaPointer);
      expect(found).toEqual([place, `${place}/1/properties/b/minLength`]);
    }
    expect(validators.issues('Two', {})[0]?.schemaPointer).toBe('api.json#/components/schemas/Two/oneOf');
    expect(validators.is('Two', null)).toBe(true);
  });

  test('say so where several branches of oneOf hold', async () => {
    const schema = { oneOf: [{ minimum: 1 }, { maximum: 5 }] };
    expect(await messages(schema, 3)).toEqual([' must be of exactly one of the alternatives, but is of several']);
  });
});
