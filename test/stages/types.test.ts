import { describe, expect, it } from 'vitest';
import { Collector } from '../../src/diagnostics.js';
import { planNames } from '../../src/plan/names.js';
import { requestSchemas } from '../../src/plan/targets/types.js';
import { TypePrinter } from '../../src/plan/type-text.js';
import { layout } from '../../src/render/layout.js';
import { apiOf, description } from '../support/api-of.js';

/** The printed type of the component `T`, on one line and without comments. */
async function typeOf(
  schemas: Record<string, unknown>,
  version = '3.1.0',
  direction: 'read' | 'write' = 'read',
): Promise<string> {
  const { api } = await apiOf({ 'api.json': description(schemas, {}, version) });
  const names = planNames(api, new Map(), new Collector());
  const printer = new TypePrinter(api, names, requestSchemas(api));
  const component = api.components.find((entry) => entry.name === 'T');
  if (!component) throw new Error('no T');
  return layout(printer.bodyOf(component.schema, direction))
    .replace(/\/\*\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/(^|\() ?\| /g, '$1')
    .trim();
}

const A = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
const B = { type: 'object', properties: { b: { type: 'integer' } } };
const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

describe('types', () => {
  const cases: readonly (readonly [string, Record<string, unknown>, string])[] = [
    ['the empty schema is any JSON value', { T: {} }, 'unknown'],
    ['true and false', { T: { type: 'array', prefixItems: [true, false] } }, '[unknown?, never?, ...unknown[]]'],
    ['a plain object', { T: A }, '{ a: string }'],
    ['an object without members', { T: { type: 'object' } }, '{ [key: string]: unknown }'],
    [
      'a closed object without members',
      { T: { type: 'object', additionalProperties: false } },
      '{ [key: string]: never }',
    ],
    ['properties without type', { T: { properties: { a: { type: 'string' } } } }, '{ a?: string }'],
    ['required but not described', { T: { type: 'object', required: ['x'] } }, '{ x: unknown }'],
    ['a map', { T: { type: 'object', additionalProperties: { type: 'number' } } }, '{ [key: string]: number }'],
    [
      'a map beside members can be written as a literal',
      { T: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'number' } } },
      '{ a?: string; [key: string]: number | string | undefined }',
    ],
    [
      'pattern properties',
      { T: { type: 'object', patternProperties: { '^x': { type: 'number' } }, additionalProperties: false } },
      '{ [key: string]: number }',
    ],
    ['a type list', { T: { type: ['string', 'null'] } }, 'string | null'],
    ['null beside a reference', { A, T: { anyOf: [ref('A'), { type: 'null' }] } }, 'A | null'],
    ['a union in an array', { T: { type: 'array', items: { type: ['string', 'null'] } } }, '(string | null)[]'],
    [
      'a tuple',
      { T: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], minItems: 1, items: false } },
      '[string, number?]',
    ],
    [
      'enum with odd values',
      { T: { enum: ['', -1, null, '<=', true, 'a"b'] } },
      '"" | -1 | null | "<=" | true | "a\\"b"',
    ],
    ['enum values that type refuses', { T: { type: 'string', enum: ['a', 1] } }, '"a"'],
    ['an empty enum', { T: { enum: [] } }, 'never'],
    ['const without type', { T: { const: '2.0' } }, '"2.0"'],
    ['const of an object', { T: { const: { a: [1] } } }, '{ a: [1] }'],
    ['allOf of references', { A, B, T: { allOf: [ref('A'), ref('B')] } }, 'A & B'],
    [
      'allOf merges inline objects',
      { T: { allOf: [A, B], properties: { c: { type: 'boolean' } } } },
      '{ a: string; b?: number; c?: boolean }',
    ],
    ['required speaks of an inherited member', { B, T: { allOf: [ref('B')], required: ['b'] } }, 'B & { b: number }'],
    [
      'branches that only require',
      { T: { ...B, anyOf: [{ required: ['b'] }, { required: ['c'] }] } },
      '{ b?: number } & ({ b: number } | { c: unknown })',
    ],
    [
      'a discriminator tags branches that have no tag of their own',
      {
        A: { type: 'object', properties: { kind: { type: 'string' } } },
        B: { type: 'object', properties: { kind: { const: 'bee' } } },
        C: { allOf: [ref('A')] },
        T: {
          oneOf: [ref('A'), ref('B'), ref('C')],
          discriminator: { propertyName: 'kind', mapping: { a: '#/components/schemas/A', alpha: 'A', bee: 'B' } },
        },
      },
      '(A & { kind: "a" | "alpha" }) | B | (C & { kind: "C" })',
    ],
    ['type: object beside oneOf adds nothing', { A, B, T: { type: 'object', oneOf: [ref('A'), ref('B')] } }, 'A | B'],
    ['a self reference', { T: { type: 'object', properties: { next: ref('T') } } }, '{ next?: T }'],
    [
      'odd member names',
      { T: { type: 'object', properties: { 'a-b': {}, '': {}, __proto__x: {}, '1': {} }, required: ['a-b', '', '1'] } },
      '{ "1": unknown; "a-b": unknown; "": unknown; __proto__x?: unknown; }',
    ],
    ['a name like a global is printed as it is', { Error: A, T: ref('Error') }, 'Error'],
  ];

  it.each(cases)('%s', async (_, schemas, expected) => {
    const printed = await typeOf(schemas);
    expect(printed).toBe(expected);
  });

  it('reads the spellings of null of OpenAPI 3.0', async () => {
    expect(await typeOf({ T: { type: 'string', nullable: true } }, '3.0.3')).toBe('string | null');
    expect(await typeOf({ A, T: { nullable: true, allOf: [ref('A')] } }, '3.0.3')).toBe('A | null');
    expect(await typeOf({ A, T: { ...ref('A'), nullable: true } }, '3.0.3')).toBe('A | null');
    expect(await typeOf({ T: { type: 'string', nullable: true, enum: ['a', null] } }, '3.0.3')).toBe('"a" | null');
  });

  it('shows a member only in the direction in which it travels', async () => {
    const schemas = {
      T: {
        type: 'object',
        properties: {
          id: { type: 'string', readOnly: true },
          secret: { type: 'string', writeOnly: true },
          name: { type: 'string' },
        },
        required: ['id', 'secret'],
      },
    };
    expect(await typeOf(schemas)).toBe('{ id: string; name?: string }');
    expect(await typeOf(schemas, '3.1.0', 'write')).toBe('{ secret: string; name?: string | undefined }');
  });
});
