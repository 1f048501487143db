/** One run tells every fault that can be told: those of one stage do not hide those of the next, and none is said twice. */
import { describe, expect, test } from 'vitest';
import { runGenerate, runValidate } from '../src/commands.js';
import type { Options } from '../src/config.js';
import { generate } from '../src/generate.js';
import { memoryHost } from '../src/memory-host.js';
import { runCommand } from './support/command-line.js';

const info = { title: 'x', version: '1' };
const ok = { 200: { description: 'ok' } };

async function faults(
  document: object,
  files: Record<string, string> = {},
  options: Options = {},
): Promise<readonly string[]> {
  const host = memoryHost({ 'api.json': JSON.stringify({ openapi: '3.1.0', info, paths: {}, ...document }), ...files });
  const result = await generate({ input: 'api.json', ...options }, host);
  expect(result.files.length > 0).toBe(result.ok);
  return result.diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ code, at }) => `${code} ${at?.document ?? ''}#${at?.pointer ?? ''}`);
}

function get(operationId: string, rest: object = {}) {
  return { get: { operationId, responses: ok, ...rest } };
}

describe('a fault of one stage does not hide those of the next', () => {
  test('references, then what documents mean, then names', async () => {
    const found = await faults(
      {
        paths: {
          '/a': get('a', { parameters: [{ $ref: '#/components/parameters/None' }] }),
          '/b/{id}': get('b'),
        },
        components: { schemas: { C: { pattern: '[' } } },
      },
      {},
      { names: { None: 'Never' } },
    );
    expect(found).toEqual([
      'ref-not-found api.json#/paths/~1a/get/parameters/0',
      'path-parameter-unbound api.json#/paths/~1b~1{id}/get',
      'pattern-invalid api.json#/components/schemas/C/pattern',
      'pin-unusable #',
    ]);
  });

  test('what a broken document leaves of the others', async () => {
    const found = await faults(
      { paths: { '/a': get('a', { responses: { 200: { $ref: 'none.json' }, '20X': ok[200] } }), '/b/{id}': get('b') } },
      { 'other.json': '{' },
      { input: ['api.json', 'other.json'] },
    );
    expect(found).toEqual([
      'syntax-error other.json#',
      'file-not-found api.json#/paths/~1a/get/responses/200',
      'status-invalid api.json#/paths/~1a/get/responses/20X',
      'path-parameter-unbound api.json#/paths/~1b~1{id}/get',
    ]);
  });

  test('a circle beside a reference that leads nowhere', async () => {
    const schemas = {
      A: { allOf: [{ $ref: '#/components/schemas/B' }] },
      B: { allOf: [{ $ref: '#/components/schemas/A' }] },
      C: { items: { $ref: '#/components/schemas/None' } },
    };
    expect(await faults({ components: { schemas } })).toEqual([
      'ref-not-found api.json#/components/schemas/C/items',
      expect.stringMatching(/^ref-circular /),
    ]);
  });

  test('validate tells them too, and nothing is written', async () => {
    const document = {
      openapi: '3.1.0',
      info,
      paths: { '/b/{id}': get('b'), '/c': get('c', { parameters: [{ $ref: '#/x' }] }) },
    };
    for (const command of [runGenerate, runValidate]) {
      const host = memoryHost({ 'api.json': JSON.stringify(document) });
      const { exit, out } = await runCommand(command, host, { input: 'api.json', output: 'out' });
      expect([exit, host.written]).toEqual([1, []]);
      expect(out.stderr.match(/^error\[[\w-]+\]/gm)).toEqual(['error[ref-not-found]', 'error[path-parameter-unbound]']);
      expect(out.stderr).not.toContain('left out');
    }
  });
});

describe('what only follows from a fault is not said', () => {
  const schemas = { Pet: { type: 'object' } };
  const cases: readonly [string, object, Record<string, string>, Options, readonly string[]][] = [
    [
      'a reference to something of another kind',
      {
        paths: { '/a': get('a', { responses: { 200: { $ref: '#/components/schemas/Pet' } } }) },
        components: { schemas },
      },
      {},
      {},
      ['ref-invalid api.json#/paths/~1a/get/responses/200'],
    ],
    [
      'a parameter that may be the one of the path',
      { paths: { '/a/{id}': get('a', { parameters: [{ $ref: '#/components/parameters/Id' }] }) } },
      {},
      {},
      ['ref-not-found api.json#/paths/~1a~1{id}/get/parameters/0'],
    ],
    [
      'references to a document that is none',
      {
        paths: {
          '/a': get('a', { responses: { 200: { $ref: 'bad.json#/A' } } }),
          '/b': get('b', { responses: { 200: { $ref: 'bad.json#/B' } } }),
        },
      },
      { 'bad.json': '{"a": 1,,}' },
      {},
      ['syntax-error bad.json#/a'],
    ],
    [
      'a $ref that is no text',
      { components: { schemas: { A: { $ref: 7 } } } },
      {},
      {},
      ['ref-invalid api.json#/components/schemas/A'],
    ],
    [
      'a name or a mirror in the configuration for what is broken',
      { paths: { '/a': get('a', { parameters: [{ $ref: '#/x' }] }) }, components: { schemas: { B: { $ref: '#/x' } } } },
      {},
      { names: { a: 'other', B: 'Other' }, headersFromBody: { 'GET /a': { h: '$request.body#/x' } } },
      ['ref-not-found api.json#/paths/~1a/get/parameters/0', 'ref-not-found api.json#/components/schemas/B'],
    ],
    [
      'what an overlay would have mended',
      { paths: { '/a/{id}': get('a') } },
      { 'o.json': JSON.stringify({ overlay: '1.0.0', info, actions: [{ target: '$[', update: {} }] }) },
      { overlays: ['o.json'] },
      ['overlay-invalid o.json#/actions/0/target'],
    ],
  ];
  test.each(cases)('%s', async (_, document, files, options, expected) => {
    expect(await faults(document, files, options)).toEqual(expected);
  });
});

describe('a fault that concerns only what is left out by choice is none', () => {
  const schemas = { Pet: { type: 'object' }, Bad: { properties: { a: { $ref: '#/components/schemas/None' } } } };
  const answer = (ref: string) => ({ responses: { 200: { $ref: ref } } });
  const document = {
    paths: {
      '/good': get('good', { tags: ['good'] }),
      '/bad': get('bad', { tags: ['bad'], parameters: [{ $ref: '#/components/parameters/None' }] }),
      '/shared': get('shared', { tags: ['shared'], ...answer('#/components/responses/Bad') }),
      '/file': get('file', { tags: ['file'], ...answer('broken.json#/R') }),
    },
    components: { responses: { Bad: { $ref: 'none.json' } } },
  };
  const files = { 'broken.json': '{' };

  test('in the operation, in what it refers to, and in the files that it refers to', async () => {
    expect(await faults(document, files, { include: ['tag:good'] })).toEqual([]);
    expect(await faults(document, files, { exclude: ['tag:bad', 'tag:shared', 'tag:file'] })).toEqual([]);
  });

  test('what is read counts as ever', async () => {
    expect(await faults(document, files, { exclude: ['tag:bad', 'tag:file'] })).toEqual([
      'file-not-found api.json#/components/responses/Bad',
    ]);
    expect(await faults(document, files, { exclude: ['tag:bad', 'tag:shared'] })).toEqual([
      'syntax-error broken.json#',
    ]);
    expect(await faults(document, files, { include: ['tag:good', 'tag:bad'] })).toEqual([
      'ref-not-found api.json#/paths/~1bad/get/parameters/0',
    ]);
  });

  test('schemas likewise: excluded, or dropped because nothing reaches them', async () => {
    const place = 'ref-not-found api.json#/components/schemas/Bad/properties/a';
    const components = { schemas };
    expect(await faults({ components }, {}, { exclude: ['schema:Bad'] })).toEqual([]);
    expect(await faults({ components }, {}, { exclude: ['schema:Pet'] })).toEqual([place]);
    const paths = {
      '/a': get('a', {
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Bad' } } } },
      }),
    };
    expect(await faults({ paths, components }, {}, { exclude: ['schema:Bad'] })).toEqual([place]);
    const reached = { dropUnreachable: true, include: ['operation:a'] };
    expect(await faults({ paths, components }, {}, reached)).toEqual([place]);
    const sound = { '/b': get('b', { tags: ['good'] }) };
    expect(await faults({ paths: sound, components }, {}, { dropUnreachable: true })).toEqual([]);
  });

  test('what belongs to nothing that can be left out is an error all the same', async () => {
    expect(
      await faults({ ...document, components: { responses: { Alone: { $ref: '#/x' } } } }, files, {
        include: ['tag:good'],
      }),
    ).toContain('ref-not-found api.json#/components/responses/Alone');
  });

  test('of several documents one may leave out what another one reads', async () => {
    const other = { openapi: '3.1.0', info, paths: { '/a': get('a', { tags: ['bad'], ...answer('broken.json#/R') }) } };
    const both = { input: ['api.json', 'other.json'] };
    const all = { ...files, 'other.json': JSON.stringify(other) };
    expect(await faults(document, all, { ...both, exclude: ['tag:bad', 'tag:shared', 'tag:file'] })).toEqual([]);
    expect(await faults(document, all, { ...both, exclude: ['path:/bad', 'tag:shared', 'tag:file'] })).toEqual([
      'syntax-error broken.json#',
    ]);
  });

  test('with --keep-going the run is as complete as any', async () => {
    const host = memoryHost({ 'api.json': JSON.stringify({ openapi: '3.1.0', info, ...document }), ...files });
    const options = { input: 'api.json', output: 'out', include: ['tag:good'], keepGoing: true };
    const { exit, out } = await runCommand(runGenerate, host, options);
    expect([exit, out.stderr]).toEqual([0, '']);
  });
});
