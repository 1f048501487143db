import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultLimits } from '../../src/load/limits.js';
import { load } from '../../src/load/load.js';
import { nodeHost } from '../../src/node-host.js';
import { defaultNormaliseOptions, normalise } from '../../src/normalise/normalise.js';
import { resultOf, swagger } from '../support/api-of.js';
import { shared, sharedTitle } from '../support/paths.js';

const ok = { 200: { description: 'ok' } };

async function codesOf(files: Readonly<Record<string, unknown>>): Promise<string[]> {
  const { diagnostics } = await resultOf(files);
  return diagnostics.map(({ code, at }) => `${code} ${at?.document ?? ''}#${at?.pointer ?? ''}`);
}

describe('faults', () => {
  const faults: readonly (readonly [string, object, object, string])[] = [
    [
      'a keyword of a parameter',
      { parameters: [{ name: 'q', in: 'query', type: 'string', maxLength: 'x' }] },
      {},
      'type-mismatch api.json#/paths/~1a/post/parameters/0/maxLength',
    ],
    [
      'a keyword of a form field',
      { parameters: [{ name: 'q', in: 'formData', type: 'string', pattern: '(' }] },
      {},
      'pattern-invalid api.json#/paths/~1a/post/parameters/0/pattern',
    ],
    [
      'the schema of a body',
      { parameters: [{ name: 'b', in: 'body', schema: { type: 'text' } }] },
      {},
      'type-mismatch api.json#/paths/~1a/post/parameters/0/schema/type',
    ],
    [
      'the schema of a shared answer',
      { responses: { 200: { $ref: '#/responses/r' } } },
      { responses: { r: { description: '', schema: { required: 'a' } } } },
      'type-mismatch api.json#/responses/r/schema/required',
    ],
    [
      'a header',
      { responses: { 200: { description: '', headers: { 'a b': { type: 'string' } } } } },
      {},
      'header-name-invalid api.json#/paths/~1a/post/responses/200/headers/a b',
    ],
    ['a status', { responses: { 2000: {} } }, {}, 'status-invalid api.json#/paths/~1a/post/responses/2000'],
    ['a media type', { consumes: ['json'] }, {}, 'media-type-invalid api.json#/paths/~1a/post/consumes/0'],
    ['a media type of the root', {}, { produces: ['a/b', 'json'] }, 'media-type-invalid api.json#/produces/1'],
    ['a list that is none', { parameters: {} }, {}, 'type-mismatch api.json#/paths/~1a/post/parameters'],
    [
      'an unknown scheme',
      { security: [{ x: [] }] },
      {},
      'security-scheme-unknown api.json#/paths/~1a/post/security/0/x',
    ],
    [
      'a scheme of no type',
      {},
      { securityDefinitions: { x: { type: 'magic' } } },
      'type-mismatch api.json#/securityDefinitions/x',
    ],
    [
      'a parameter without a name',
      { parameters: [{ in: 'formData', type: 'string' }] },
      {},
      'keyword-missing api.json#/paths/~1a/post/parameters/0',
    ],
    [
      'two bodies',
      {
        parameters: [
          { in: 'body', name: 'a' },
          { in: 'body', name: { toString: 1 } },
        ],
      },
      {},
      'parameter-duplicate api.json#/paths/~1a/post/parameters/1',
    ],
    [
      'a body and a form',
      {
        parameters: [
          { in: 'body', name: 'a' },
          { in: 'formData', name: 'b', type: 'string' },
        ],
      },
      {},
      'parameter-duplicate api.json#/paths/~1a/post/parameters/1',
    ],
    [
      'a parameter twice',
      { parameters: ['a', 'b'].map((description) => ({ in: 'query', name: 'q', type: 'string', description })) },
      {},
      'parameter-duplicate api.json#/paths/~1a/post/parameters/1',
    ],
  ];

  it.each(faults)('in %s are reported where the document has them', async (_, operation, rest, expected) => {
    const document = swagger({ '/a': { post: { responses: ok, ...operation } } }, rest);
    expect(await codesOf({ 'api.json': document })).toContain(expected);
  });

  it('of references are reported once', async () => {
    const rest = { responses: { r: { $ref: '#/responses/r' } } };
    const circular = { get: { responses: { 200: { $ref: '#/responses/r' } } } };
    expect(await codesOf({ 'api.json': swagger({ '/a': circular }, rest) })).toEqual([
      'ref-circular api.json#/responses/r',
    ]);
    const missing = { get: { parameters: [{ $ref: '#/parameters/none' }], responses: ok } };
    expect(await codesOf({ 'api.json': swagger({ '/a': missing }) })).toEqual([
      'ref-not-found api.json#/paths/~1a/get/parameters/0',
    ]);
  });

  it('of paths are those of every version', async () => {
    const item = { get: { responses: ok } };
    expect(await codesOf({ 'api.json': swagger({ '/a/{id}': item, b: item, '/c': 1 }) })).toEqual([
      'type-mismatch api.json#/paths/~1c',
      'path-parameter-unbound api.json#/paths/~1a~1{id}/get',
      'path-invalid api.json#/paths/b',
    ]);
  });
});

/** Documents of the shared material that are OpenAPI 2.0 and refused, each with its reason; all others pass. */
const refused: Readonly<Record<string, string>> = {};

describe.skipIf(shared === undefined)(sharedTitle('the documents of others'), () => {
  const corpus = join(shared ?? '', 'corpus');
  const documents =
    shared === undefined ? [] : ['learn/v2.0', 'oas-examples/2.0'].flatMap((area) => swaggerBelow(area));

  function swaggerBelow(area: string): string[] {
    return readdirSync(join(corpus, area), { recursive: true, encoding: 'utf8' })
      .map((name) => join(corpus, area, name))
      .filter((path) => /\.(?:json|yaml)$/.test(path) && statSync(path).isFile())
      .filter((path) => /^\s*"?swagger"?\s*:/m.test(readFileSync(path, 'utf8')))
      .map((path) => relative(corpus, path));
  }

  it('are there', () => {
    expect(documents.length).toBeGreaterThan(20);
    expect(documents).toEqual(expect.arrayContaining(Object.keys(refused)));
  });

  it.each(documents)('%s', async (name) => {
    const folder = dirname(join(corpus, name));
    const refRoot = basename(dirname(folder)) === 'petstore-separate' ? dirname(folder) : folder;
    const request = { entries: [join(corpus, name)], refRoot, allowRemote: [], limits: defaultLimits };
    const sources = await load(request, nodeHost(folder));
    const result = sources.ok ? normalise(sources.value, defaultNormaliseOptions) : sources;
    const errors = result.diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code);
    expect(errors.join()).toBe(refused[name] ?? '');
    expect(result.ok && result.value.operations.length).toBeGreaterThan(0);
  });
});
