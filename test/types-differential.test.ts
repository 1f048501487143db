/**
 * Our types against those of json-schema-to-typescript, where both say the same thing in different words: each is
 * assignable to the other.
 */
import { join } from 'node:path';
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { describe, expect, test } from 'vitest';
import { generate } from '../src/generate.js';
import { memoryHost } from '../src/memory-host.js';
import { repository } from './support/paths.js';
import { faultLines, typecheck } from './support/typecheck.js';

const schemas: Readonly<Record<string, JSONSchema>> = {
  'plain members': {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'string' }, size: { type: 'integer' }, ok: { type: 'boolean' }, none: { type: 'null' } },
    additionalProperties: false,
  },
  'enumerations and constants': {
    type: 'object',
    required: ['mode', 'fixed'],
    properties: {
      mode: { enum: ['date', '-date', '', 0, null, false] },
      fixed: { const: 'yes' },
      level: { type: 'integer', enum: [-1, 0, 1] },
    },
    additionalProperties: false,
  },
  'types in a list': {
    type: 'object',
    properties: { a: { type: ['string', 'null'] }, b: { type: ['integer', 'boolean'] } },
    additionalProperties: false,
  },
  arrays: {
    type: 'object',
    properties: {
      words: { type: 'array', items: { type: 'string' } },
      grid: { type: 'array', items: { type: 'array', items: { type: 'number' } } },
      mixed: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
    },
    additionalProperties: false,
  },
  tuples: {
    type: 'object',
    properties: {
      pair: { type: 'array', items: [{ type: 'string' }, { type: 'number' }], minItems: 2, additionalItems: false },
    },
    additionalProperties: false,
  },
  'unions of objects': {
    oneOf: [
      { type: 'object', required: ['radius'], properties: { radius: { type: 'number' } }, additionalProperties: false },
      { type: 'object', required: ['side'], properties: { side: { type: 'number' } }, additionalProperties: false },
    ],
  },
  'members of several branches': {
    allOf: [
      { type: 'object', required: ['a'], properties: { a: { type: 'string' } }, additionalProperties: false },
      { type: 'object', required: ['b'], properties: { b: { type: 'integer' } }, additionalProperties: false },
    ],
  },
  maps: { type: 'object', additionalProperties: { type: 'number' } },
  'odd names': {
    type: 'object',
    required: ['a b', '"', '1e3'],
    properties: {
      'a b': { type: 'string' },
      '"': { type: 'string' },
      '1e3': { type: 'integer' },
    },
    additionalProperties: false,
  },
  recursion: {
    type: 'object',
    required: ['label'],
    properties: { label: { type: 'string' }, children: { type: 'array', items: { $ref: '#' } } },
    additionalProperties: false,
  },
  definitions: {
    type: 'object',
    required: ['first'],
    properties: {
      first: { $ref: '#/definitions/Item' },
      rest: { type: 'array', items: { $ref: '#/definitions/Item' } },
    },
    definitions: {
      Item: { type: 'object', required: ['sku'], properties: { sku: { type: 'string' } }, additionalProperties: false },
    },
    additionalProperties: false,
  },
};

const draft = 'http://json-schema.org/draft-07/schema#';

async function ourTypes(schema: JSONSchema): Promise<string> {
  const text = JSON.stringify({ $schema: draft, ...schema, title: 'Root' });
  const host = memoryHost({ '/project/root.schema.json': text }, { cwd: '/project' });
  const { files, diagnostics } = await generate({ input: 'root.schema.json', targets: ['types'] }, host);
  const types = files.find(({ path }) => path === 'types.ts');
  if (!types) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return types.text;
}

function theirTypes(schema: JSONSchema): Promise<string> {
  return compile(JSON.parse(JSON.stringify({ ...schema, title: 'Root' })), 'Root', {
    bannerComment: '',
    format: false,
  });
}

const comparison = `import type { Root as Ours } from './ours.js';
import type { Root as Theirs } from './theirs.js';
export const forth = (value: Ours): Theirs => value;
export const back = (value: Theirs): Ours => value;
`;

describe('our types and those of json-schema-to-typescript are assignable to each other', () => {
  const root = join(repository, 'node_modules/.oasmith-differential');

  test.each(Object.entries(schemas))('%s', async (name, schema) => {
    const folder = join(root, name.replaceAll(' ', '-'));
    const files = new Map([
      [join(folder, 'package.json'), '{ "type": "module" }'],
      [join(folder, 'ours.ts'), await ourTypes(schema)],
      [join(folder, 'theirs.ts'), await theirTypes(schema)],
      [join(folder, 'compare.ts'), comparison],
    ]);
    expect(faultLines(typecheck(files), folder)).toBe('');
  });

  test('the comparison sees a difference', () => {
    const files = new Map([
      [join(root, 'package.json'), '{ "type": "module" }'],
      [join(root, 'ours.ts'), 'export interface Root { a: string }'],
      [join(root, 'theirs.ts'), 'export interface Root { a: string | null }'],
      [join(root, 'compare.ts'), comparison],
    ]);
    expect(typecheck(files).map(({ line }) => line)).toEqual([4]);
  });
});
