import { describe, expect, it } from 'vitest';
import { Collector } from '../../src/diagnostics.js';
import { planNames } from '../../src/plan/names.js';
import { TypePrinter } from '../../src/plan/type-text.js';
import { layout } from '../../src/render/layout.js';
import { apiOf, description } from '../support/api-of.js';

/** The printed type of the component `T`, on one line and without comments. */
async function typeOf(
  schemas: Record<string, unknown>,
  version?: string,
  direction?: 'read' | 'write',
): Promise<string> {
  return (await printed(schemas, version, direction)).type;
}

/** The same, with the names of other types that the text needs. */
async function printed(
  schemas: Record<string, unknown>,
  version = '3.1.0',
  direction: 'read' | 'write' = 'read',
): Promise<{ readonly type: string; readonly imports: readonly string[] }> {
  const { api } = await apiOf({ 'api.json': description(schemas, {}, version) });
  const names = planNames(api, new Map(), new Collector());
  const printer = new TypePrinter(api, names);
  const component = api.components.find((entry) => entry.name === 'T');
  if (!component) throw new Error('no T');
  const type = layout(printer.bodyOf(component.schema, direction))
    .replace(/\/\*\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/(^|\() ?\| /g, '$1')
    .trim();
  return { type, imports: [...printer.used] };
}

const A = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
const B = { type: 'object', properties: { b: { type: 'integer' } } };
const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

describe('types', () => {
  it('gives the lines of a long union to the one around it', async () => {
    const long = {
      anyOf: [
        { ...A, description: 'x' },
        { type: 'object', properties: { [`b${'b'.repeat(90)}`]: {} } },
      ],
    };
    const { api } = await apiOf({
      'api.json': description({
        T: { anyOf: [{ type: 'number' }, { $ref: '#/components/schemas/T/$defs/U' }], $defs: { U: long } },
      }),
    });
    const printer = new TypePrinter(api, { ...planNames(api, new Map(), new Collector()), typeOf: () => undefined });
    const component = api.components.find((entry) => entry.name === 'T');
    const text = component && printer.bodyOf(component.schema, 'read');
    expect(text).toMatch(/^\n {2}\| number\n {2}\| \{ a: string \}\n {2}\| \{/);
  });

  it('needs no name of a text that unknown takes the place of', async () => {
    const map = { type: 'object', required: ['any'], additionalProperties: ref('A') };
    const T = { type: 'object', properties: { map, either: { anyOf: [ref('B'), {}] }, kept: ref('C') } };
    const { type, imports } = await printed({ A, B, C: A, T });
    expect(type).toBe('{ map?: { any: unknown; [key: string]: unknown }; either?: unknown; kept?: C; }');
    expect(imports).toEqual(['C']);
  });

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
      '"" | -1 | "<=" | true | "a\\"b" | null',
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
    ['null stands last', { T: { type: ['null', 'string'] } }, 'string | null'],
    ['lists of values that apply together', { T: { allOf: [{ enum: ['a', 'b'] }, { enum: ['b', 'c'] }] } }, '"b"'],
    ['a type and values that apply together', { T: { allOf: [{ type: 'string' }, { enum: ['a', 1] }] } }, '"a"'],
    [
      'types that apply together',
      { T: { allOf: [{ type: ['string', 'integer'] }, { type: ['number', 'null'] }] } },
      'number',
    ],
    ['a type excludes branches', { A, T: { type: 'object', anyOf: [{ type: 'string' }, A] } }, '{ a: string }'],
    [
      'branches that only require, beside members of allOf',
      {
        T: { allOf: [A, { anyOf: [{ required: ['a'] }, { required: ['b'] }] }], properties: { b: { type: 'number' } } },
      },
      '{ a: string; b?: number } & ({ a: string } | { b: number })',
    ],
    ['not of a type', { T: { type: ['string', 'number', 'null'], not: { type: 'string' } } }, 'number | null'],
    ['not of values', { T: { enum: ['a', 'b'], not: { const: 'a' } } }, '"b"'],
    [
      'not of several types',
      { T: { type: ['string', 'number', 'null'], not: { anyOf: [{ type: 'null' }, { enum: [1] }] } } },
      'string | number',
    ],
    ['not of a part of the values takes nothing away', { T: { type: 'string', not: { pattern: 'x' } } }, 'string'],
    ['not of anything', { T: { not: {} } }, 'never'],
    ['not of true', { T: { type: 'boolean', not: { const: true } } }, 'false'],
    [
      'if, then and else',
      {
        T: {
          type: 'object',
          required: ['kind'],
          properties: { kind: { enum: ['a', 'b'] } },
          if: { properties: { kind: { const: 'a' } } },
          then: { required: ['x'], properties: { x: { type: 'string' } } },
          else: { required: ['y'] },
        },
      },
      '{ kind: "a" | "b" } & ({ kind: "a"; x: string } | { kind: "b"; y: unknown })',
    ],
    [
      'conditions on one member are one union',
      {
        T: {
          type: 'object',
          required: ['kind'],
          properties: { kind: { enum: ['a', 'b', 'c'] } },
          allOf: ['a', 'b'].map((kind) => ({
            if: { properties: { kind: { const: kind } } },
            then: { required: [kind], properties: { [kind]: { type: 'number' } } },
          })),
        },
      },
      '{ kind: "a" | "b" | "c" } & ({ kind: "a"; a: number } | { kind: "b"; b: number } | { kind: "c" })',
    ],
    [
      'a condition that a type cannot express',
      {
        T: {
          ...A,
          if: { properties: { a: { pattern: '^x' } } },
          then: { required: ['b'] },
        },
      },
      '{ a: string }',
    ],
    [
      'a condition where the value may be no object',
      {
        T: {
          type: ['string', 'object'],
          if: { required: ['a'] },
          then: { required: ['b'] },
          else: { required: ['c'] },
        },
      },
      'string | { [key: string]: unknown }',
    ],
    [
      'dependent schemas',
      { T: { ...B, dependentSchemas: { b: { required: ['c'], properties: { c: { type: 'string' } } } } } },
      '{ b?: number } & ({ b: number; c: string } | { b?: never })',
    ],
    ['dependent members are left to the validator', { T: { ...B, dependentRequired: { b: ['c'] } } }, '{ b?: number }'],
    [
      'names of members that are listed',
      {
        Key: { enum: ['a', 'b'] },
        T: { propertyNames: ref('Key'), additionalProperties: { type: 'number' }, required: ['a'] },
      },
      '{ a: number; b?: number }',
    ],
    ['bounds of a list', { T: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 3 } }, 'string[]'],
    ['a list without items', { T: { type: 'array', maxItems: 0 } }, '[]'],
    [
      'bounds of a tuple',
      { T: { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'number' }, minItems: 2, maxItems: 3 } },
      '[string, number, number?]',
    ],
    [
      'a tuple shorter than it describes',
      { T: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], maxItems: 1 } },
      '[string?]',
    ],
    [
      'tags by inheritance, those of heirs included',
      {
        A: { ...A, discriminator: { propertyName: 'a', mapping: { t: '#/components/schemas/T', u: 'U', v: 'U' } } },
        T: { allOf: [ref('A'), { type: 'object', properties: { x: {} } }] },
        U: { allOf: [ref('T')] },
      },
      'A & { a: "t" | "u" | "v"; x?: unknown }',
    ],
    [
      'a tag of its own instead of the inherited one',
      {
        A: { ...A, discriminator: { propertyName: 'a' } },
        T: { allOf: [ref('A'), { type: 'object', properties: { a: { const: 'own' } } }] },
      },
      'A & { a?: "own" }',
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
