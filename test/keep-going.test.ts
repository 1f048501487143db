/** `--keep-going`: what a fault concerns is left out, nothing else is, and every fault is said in one run. */
import { describe, expect, test } from 'vitest';
import { runCheck, runGenerate, runValidate } from '../src/commands.js';
import { generate } from '../src/generate.js';
import { memoryHost } from '../src/memory-host.js';
import { runCommand } from './support/command-line.js';

const ok = { 200: { description: 'ok' } };
const pet = { type: 'object', properties: { name: { type: 'string' } } };

function answer(ref: string) {
  return { 200: { description: 'ok', content: { 'application/json': { schema: { $ref: ref } } } } };
}

async function run(paths: object, more: object = {}, files: Record<string, string> = {}) {
  const document = { openapi: '3.1.0', info: { title: 'x', version: '1' }, paths, ...more };
  const host = memoryHost({ 'api.json': JSON.stringify(document), ...files });
  const result = await generate({ input: 'api.json', keepGoing: true, targets: ['types', 'client'] }, host);
  const text = result.files.map((file) => file.text).join('\n');
  const client = result.files.find((file) => file.path === 'client.ts')?.text ?? '';
  const functions = [...client.matchAll(/^export function (\w+)\(/gm)].map(([, name]) => name);
  return {
    ...result,
    text,
    functions: functions.filter((name) => /^(?:get|list|add)/.test(name ?? '')),
    errors: result.diagnostics.filter(({ severity }) => severity === 'error'),
    notes: result.diagnostics.flatMap(({ related = [] }) => related.map(({ message }) => message)),
  };
}

describe('an operation is left out where a part of it is broken', () => {
  const sound = { '/sound': { get: { operationId: 'getSound', responses: answer('#/components/schemas/Pet') } } };
  const schemas = { Pet: pet };
  const cases: readonly [string, object, object, Record<string, string>?][] = [
    ['itself', { get: { operationId: 'getBad', responses: { '20X': { description: 'x' } } } }, {}],
    [
      'a shared parameter',
      { get: { operationId: 'getBad', parameters: [{ $ref: '#/components/parameters/P' }], responses: ok } },
      { parameters: { P: { name: 'p' } } },
    ],
    [
      'a parameter of the path',
      { parameters: [{ $ref: '#/components/parameters/None' }], get: { operationId: 'getBad', responses: ok } },
      {},
    ],
    [
      'a shared answer',
      { get: { operationId: 'getBad', responses: { 200: { $ref: '#/components/responses/R' } } } },
      { responses: { R: { description: 'x', content: { 'application/json': { schema: { type: 5 } } } } } },
    ],
    [
      'a schema that it reaches',
      { get: { operationId: 'getBad', responses: answer('#/components/schemas/A') } },
      {
        schemas: {
          ...schemas,
          A: { properties: { b: { $ref: '#/components/schemas/B' } } },
          B: { items: { pattern: '[' } },
        },
      },
    ],
    [
      'a circle',
      { get: { operationId: 'getBad', responses: answer('#/components/schemas/A') } },
      {
        schemas: {
          ...schemas,
          A: { allOf: [{ $ref: '#/components/schemas/B' }] },
          B: { anyOf: [{ $ref: '#/components/schemas/A' }] },
        },
      },
    ],
    ['its security', { get: { operationId: 'getBad', security: [{ None: [] }], responses: ok } }, {}],
    [
      'a security scheme',
      { get: { operationId: 'getBad', security: [{ S: [] }], responses: ok } },
      { securitySchemes: { S: { type: 'none' } } },
    ],
    ['a file that is not there', { get: { operationId: 'getBad', responses: answer('none.json#/A') } }, {}],
    [
      'a file that is none',
      { get: { operationId: 'getBad', responses: answer('bad.json#/A') } },
      {},
      { 'bad.json': '{' },
    ],
    [
      'a branch of a mapping',
      { get: { operationId: 'getBad', responses: answer('#/components/schemas/A') } },
      {
        schemas: {
          ...schemas,
          A: {
            oneOf: [{ $ref: '#/components/schemas/Pet' }],
            discriminator: { propertyName: 'k', mapping: { b: 'B' } },
          },
          B: { pattern: '[' },
        },
      },
    ],
  ];
  test.each(cases)('%s', async (_, item, components, files = {}) => {
    const done = await run({ ...sound, '/bad': item }, { components: { schemas, ...components } }, files);
    expect(done.errors.length).toBeGreaterThan(0);
    expect([done.ok, done.functions]).toEqual([true, ['getSound']]);
    expect(done.notes).toContain('left out: GET "/bad"');
    expect(done.notes.join()).not.toContain('/sound');
    expect(done.text).not.toMatch(/getBad/i);
  });

  test('the security of the root concerns those that have none of their own', async () => {
    const done = await run(
      {
        '/bad': { get: { operationId: 'getBad', responses: ok } },
        '/open': { get: { operationId: 'getOpen', security: [], responses: ok } },
      },
      { security: [{ None: [] }] },
    );
    expect([done.ok, done.functions, done.errors.length]).toEqual([true, ['getOpen'], 1]);
  });

  test('named schemas too, with all that reach them; others stay', async () => {
    const A = { properties: { b: { $ref: '#/components/schemas/B' } } };
    const done = await run({}, { components: { schemas: { Pet: pet, A, B: { pattern: '[' } } } });
    expect(done.text).toContain('interface Pet');
    expect(done.text).not.toMatch(/\b(?:A|B)\b =|interface [AB]\b/);
    expect(done.notes).toEqual(['left out: the schema "A"', 'left out: the schema "B"']);
  });

  test('a fault that concerns nothing that is generated is an error all the same', async () => {
    const host = memoryHost({
      'api.json': JSON.stringify({ openapi: '3.1.0', paths: sound, components: { schemas } }),
    });
    const options = { input: 'api.json', output: 'out', targets: ['types'], keepGoing: true } as const;
    const { exit, out } = await runCommand(runGenerate, host, options);
    expect([exit, host.text('out/types.ts')]).toEqual([1, expect.stringContaining('interface Pet')]);
    expect(out.stderr).toMatch(/^error\[keyword-missing\]: a description needs "info"/);
  });
});

describe('all faults are said in one run, and what is written is said to be incomplete', () => {
  const document = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'x', version: '1' },
    paths: {
      '/one/{id}': { get: { operationId: 'getOne', responses: ok } },
      '/two': { get: { operationId: 'getTwo', responses: answer('#/components/schemas/None') } },
      '/three': { get: { operationId: 'getThree', responses: ok } },
    },
  });
  const options = { input: 'api.json', output: 'out', targets: ['types', 'client'], keepGoing: true } as const;

  test('generate writes the rest with exit 1; check agrees with what it wrote', async () => {
    const host = memoryHost({ 'api.json': document });
    const { exit, out } = await runCommand(runGenerate, host, options);
    expect(exit).toBe(1);
    expect(out.stderr.match(/^error\[[\w-]+\]/gm)?.sort()).toEqual([
      'error[path-parameter-unbound]',
      'error[ref-not-found]',
    ]);
    expect(out.stderr.trimEnd().split('\n').at(-1)).toBe('2 errors; what they concern was left out');
    expect(host.text('out/client.ts')).toContain('export function getThree');
    expect(host.text('out/client.ts')).not.toContain('getOne');
    expect((await runCommand(runCheck, host, options)).out.stdout).toBe('');
  });

  test('without it nothing is written', async () => {
    const host = memoryHost({ 'api.json': document });
    const { exit, out } = await runCommand(runGenerate, host, { ...options, keepGoing: false });
    expect([exit, host.written]).toEqual([1, []]);
    expect(out.stderr).toContain('nothing was written');
  });

  test('validate names the faults, and does not call the document sound', async () => {
    const host = memoryHost({ 'api.json': document });
    const { exit, out } = await runCommand(
      runValidate,
      host,
      { input: 'api.json', keepGoing: true },
      { terminal: true },
    );
    expect([exit, out.stdout]).toEqual([1, '']);
  });

  test('an entry that cannot be read stops the job: its last output stays', async () => {
    const host = memoryHost({ 'api.json': document, 'other.json': '{' });
    const { exit } = await runCommand(runGenerate, host, { ...options, input: ['api.json', 'other.json'] });
    expect([exit, host.written]).toEqual([1, []]);
  });

  test('the report for machines has line and column at every place', async () => {
    const host = memoryHost({ 'api.json': document });
    const { out } = await runCommand(runGenerate, host, options, { report: 'json' });
    const { ok: good, diagnostics } = JSON.parse(out.stdout) as {
      readonly ok: boolean;
      readonly diagnostics: readonly { code: string; at: object; related?: readonly object[] }[];
    };
    expect(good).toBe(false);
    const unbound = diagnostics.find(({ code }) => code === 'path-parameter-unbound');
    const pointer = '/paths/~1one~1{id}/get';
    const at = { document: 'api.json', pointer, line: 1, column: document.indexOf('"get"') + 1 };
    expect(unbound).toMatchObject({ at, related: [{ message: 'left out: GET "/one/{id}"', at }] });
  });
});

test('where nothing is left, what was left out is named', async () => {
  const bad = { 200: { $ref: '#/components/responses/None' } };
  const paths = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`/${name}`, { get: { responses: bad } }]));
  const { diagnostics } = await run(paths);
  const said = diagnostics.flatMap(({ code, message }) => (code === 'nothing-to-generate' ? [message] : []));
  expect(said).toEqual([
    'a fault concerns every operation, so nothing is left: without GET "/a", GET "/b", GET "/c" and 1 more',
  ]);
});
