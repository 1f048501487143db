/** Schemas with hundreds of members or branches: the compiler's analysis of one function has a bound that they must not meet. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { generate } from '../../src/generate.js';
import { memoryHost } from '../../src/memory-host.js';
import { repository } from '../support/paths.js';
import { faultLines, typecheck } from '../support/typecheck.js';

const count = 800;
const many = Array.from({ length: 2000 }, (_, index) => ({ type: 'object', required: [`k${index}`] }));
const numbers = Array.from({ length: count }, (_, index) => index);
const members = Object.fromEntries(numbers.map((index) => [`p${index}`, { type: 'string', minLength: 1 }]));

test.each([
  ['an object with many members', { type: 'object', properties: members, required: ['p0'] }],
  [
    // Each takes several statements, of which the later ones build on what the first has told: no cut may part them.
    'an object with many required arrays',
    {
      properties: Object.fromEntries(numbers.map((index) => [`a${index}`, { type: 'array', items: { minimum: 1 } }])),
      required: numbers.map((index) => `a${index}`),
    },
  ],
  ['a choice of one among many branches', { oneOf: many }],
  ['a union of many branches', { anyOf: many }],
  [
    'an intersection of many objects',
    { allOf: numbers.map((index) => ({ properties: { [`q${index}`]: { minimum: index } } })) },
  ],
])('%s compiles', async (_, schema) => {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Large', version: '1' },
    paths: {},
    components: { schemas: { Large: schema } },
  };
  const host = memoryHost({ '/project/api.json': JSON.stringify(document) }, { cwd: '/project' });
  const { ok, files } = await generate({ input: 'api.json', targets: ['validators'] }, host);
  expect(ok).toBe(true);
  const faults = typecheck(new Map(files.map(({ path, text }) => [join(repository, 'large', path), text])));
  expect(faultLines(faults, repository)).toBe('');
});
