import { describe, expect, it } from 'vitest';
import { apiOf, description, resultOf } from '../support/api-of.js';

const ok = { 200: { description: 'ok' } };
const codesOf = async (document: object): Promise<string[]> =>
  (await resultOf({ 'api.json': document })).diagnostics.map((entry) => `${entry.code} ${entry.at?.pointer ?? ''}`);

describe('operations', () => {
  it('keep statuses, media types, headers and parameters of path item and operation', async () => {
    const { api } = await apiOf({
      'api.json': description(
        {},
        {
          '/pets/{id}': {
            parameters: [
              { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
              { name: 'limit', in: 'query', schema: { type: 'integer' } },
            ],
            get: {
              operationId: 'getPet',
              parameters: [{ name: 'limit', in: 'query', required: true, schema: { type: 'string' } }],
              responses: {
                200: {
                  description: 'ok',
                  headers: { ETag: { schema: { type: 'string' } }, 'Content-Type': {} },
                  content: { 'application/json; charset=utf-8': { schema: {} }, 'text/plain': {} },
                },
                '4XX': { description: 'no' },
                default: { description: 'else' },
                'x-note': 1,
              },
            },
          },
        },
      ),
    });
    const [operation] = api.operations;
    expect(operation?.parameters.map(({ name, in: place, required }) => [name, place, required])).toEqual([
      ['id', 'path', true],
      ['limit', 'query', true],
    ]);
    expect(operation?.path.parts).toEqual([
      { kind: 'literal', text: '/pets/' },
      { kind: 'variable', name: 'id' },
    ]);
    expect(operation?.responses.map((response) => response.status)).toEqual([
      { kind: 'exact', code: 200 },
      { kind: 'range', hundred: 4 },
      { kind: 'default' },
    ]);
    expect(operation?.responses[0]?.content.map(({ essence, kind }) => [essence, kind])).toEqual([
      ['application/json', 'json'],
      ['text/plain', 'text'],
    ]);
    expect(operation?.responses[0]?.headers.map((header) => header.name)).toEqual(['ETag']);
  });

  it('inherit the root security, replace it, or ask for none', async () => {
    const base = {
      ...description(
        {},
        {
          '/a': { get: { responses: ok } },
          '/b': { get: { responses: ok, security: [] } },
          '/c': { get: { responses: ok, security: [{ key: [] }, {}] } },
        },
      ),
      security: [{ token: [] }],
    };
    const securitySchemes = {
      token: { type: 'http', scheme: 'Bearer' },
      key: { type: 'apiKey', in: 'query', name: 'k' },
    };
    const { api } = await apiOf({ 'api.json': { ...base, components: { securitySchemes } } });
    expect(api.operations.map((operation) => operation.security)).toEqual([
      [[{ scheme: 'token', scopes: [] }]],
      [],
      [[{ scheme: 'key', scopes: [] }], []],
    ]);
    expect(api.securitySchemes.map(({ name, kind }) => [name, kind])).toEqual([
      ['token', 'bearer'],
      ['key', 'apiKey'],
    ]);
  });

  it('type an untyped stream by its JSON sibling', async () => {
    const content = {
      'application/json': { schema: { type: 'object' } },
      'text/event-stream': { schema: { type: 'string' } },
    };
    const { api, diagnostics } = await apiOf({
      'api.json': description({}, { '/a': { post: { responses: { 200: { description: 'ok', content } } } } }),
    });
    const [json, stream] = api.operations[0]?.responses[0]?.content ?? [];
    expect(stream?.stream?.events).toEqual([{ name: 'message', data: 'json', schema: json?.schema }]);
    expect(diagnostics.map((entry) => entry.code)).toContain('stream-inherited');
  });

  it('resolve server variables by their defaults and drop what is no usable URL', async () => {
    const servers = [
      { url: 'https://{env}.example.com/{v}', variables: { env: { default: 'a' }, v: { default: 'v1' } } },
      { url: '/relative' },
      { url: 'javascript:alert(1)' },
      { url: 'https://{x}.example' },
      { url: 'https://a.example/`+x+`' },
    ];
    const { api, diagnostics } = await apiOf({ 'api.json': { ...description({}), servers } });
    expect(api.servers.map((server) => server.resolved)).toEqual(['https://a.example.com/v1', '/relative']);
    expect(diagnostics.filter((entry) => entry.code === 'server-url-ignored')).toHaveLength(3);
  });
});

describe('faults', () => {
  const cases: readonly (readonly [string, Record<string, unknown>, string])[] = [
    [
      'a path variable that nothing binds',
      { '/a/{id}': { get: { responses: ok } } },
      'path-parameter-unbound /paths/~1a~1{id}/get',
    ],
    ['a path without a slash', { a: { get: { responses: ok } } }, 'path-invalid /paths/a'],
    ['a variable twice', { '/{a}/{a}': { get: { responses: ok } } }, 'path-invalid /paths/~1{a}~1{a}'],
    ['unbalanced braces', { '/a/{b': { get: { responses: ok } } }, 'path-invalid /paths/~1a~1{b'],
    [
      'a status that is none',
      { '/a': { get: { responses: { 2000: {} } } } },
      'status-invalid /paths/~1a/get/responses/2000',
    ],
    [
      'a header that is no token',
      { '/a': { get: { parameters: [{ name: 'a b', in: 'header' }], responses: ok } } },
      'header-name-invalid /paths/~1a/get/parameters/0',
    ],
    [
      'an unknown security scheme',
      { '/a': { get: { responses: ok, security: [{ nobody: [] }] } } },
      'security-scheme-unknown /paths/~1a/get/security/0/nobody',
    ],
    [
      'a parameter twice',
      {
        '/a': {
          get: {
            parameters: [
              { name: 'q', in: 'query' },
              { name: 'q', in: 'query' },
            ],
            responses: ok,
          },
        },
      },
      'parameter-duplicate /paths/~1a/get/parameters/1',
    ],
    [
      'a parameter without a name',
      { '/a': { get: { parameters: [{ in: 'query' }], responses: ok } } },
      'keyword-missing /paths/~1a/get/parameters/0',
    ],
  ];

  it.each(cases)('%s', async (_, paths, expected) => {
    const result = await resultOf({ 'api.json': description({}, paths) });
    expect(result.ok).toBe(false);
    expect(result.diagnostics.map((entry) => `${entry.code} ${entry.at?.pointer ?? ''}`)).toContain(expected);
  });

  it('are all reported in one run', async () => {
    const codes = await codesOf(
      description({
        A: { maxLength: 'x', minimum: '1', type: 'text' },
        B: { required: 'a', enum: 1 },
        C: { pattern: '(' },
      }),
    );
    expect(codes).toEqual(
      expect.arrayContaining([
        'type-mismatch /components/schemas/A/maxLength',
        'type-mismatch /components/schemas/A/minimum',
        'type-mismatch /components/schemas/A/type',
        'type-mismatch /components/schemas/B/required',
        'type-mismatch /components/schemas/B/enum',
        'pattern-invalid /components/schemas/C/pattern',
      ]),
    );
  });

  it('refuse compositions that never end, and allow recursion through members and items', async () => {
    const loop = await codesOf(
      description({
        A: { allOf: [{ $ref: '#/components/schemas/B' }] },
        B: { anyOf: [{ $ref: '#/components/schemas/A' }] },
      }),
    );
    expect(loop.some((code) => code.startsWith('ref-circular'))).toBe(true);
    const tree = await resultOf({
      'api.json': description({
        Tree: {
          type: 'object',
          properties: { children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } },
        },
      }),
    });
    expect(tree.ok).toBe(true);
  });

  it('refuse schemas that are nested too deep', async () => {
    let schema: object = { type: 'string' };
    for (let level = 0; level < 300; level++) schema = { type: 'array', items: schema };
    expect((await codesOf(description({ Deep: schema }))).some((code) => code.startsWith('too-deep'))).toBe(true);
  });

  it('say what this version leaves out', async () => {
    const codes = await codesOf(
      description(
        { A: {} },
        {
          '/a': {
            get: {
              responses: { '200': { description: 'ok', content: { 'multipart/related': {} } } },
            },
          },
        },
      ),
    );
    expect(codes).toEqual(
      expect.arrayContaining(['not-yet-media-type /paths/~1a/get/responses/200/content/multipart~1related']),
    );
  });
});

describe('schemas', () => {
  it('read the drafts into one form', async () => {
    const draft04 = {
      $schema: 'http://json-schema.org/draft-04/schema#',
      title: 'Old',
      type: 'object',
      properties: {
        n: { type: 'number', minimum: 1, exclusiveMinimum: true },
        t: { type: 'array', items: [{ type: 'string' }], additionalItems: false },
      },
      dependencies: { n: ['t'], t: { required: ['n'] } },
    };
    const { api } = await apiOf({ 'old.json': draft04 });
    const schema = (pointer: string) => [...api.schemas.values()].find((entry) => entry.at.pointer === pointer);
    expect(schema('/properties/n')).toMatchObject({ number: { exclusiveMinimum: 1 } });
    expect(schema('/properties/t')).toMatchObject({
      array: { prefixItems: [expect.any(String)], items: expect.any(String) },
    });
    expect(schema('')).toMatchObject({
      object: { dependentRequired: [{ name: 'n', required: ['t'] }], dependentSchemas: [{ name: 't' }] },
    });
    expect(api.components.map((component) => component.name)).toEqual(['Old']);
  });

  it('keep one identity over files', async () => {
    const { api } = await apiOf({
      'api.yaml':
        'openapi: 3.1.0\ninfo: {title: t, version: "1"}\npaths: {}\ncomponents:\n  schemas:\n    A: {type: object, properties: {o: {$ref: "models.json#/Owner"}}}\n    B: {$ref: "models.json#/Owner"}\n',
      'models.json': { Owner: { type: 'object', properties: { friend: { $ref: '#/Owner' } } } },
    });
    expect([...api.referenced]).toEqual(['models.json#/Owner']);
  });

  it('know which schemas have two views, through references and circles', async () => {
    const schemas = {
      A: { properties: { b: { $ref: '#/components/schemas/B' } } },
      B: { properties: { a: { $ref: '#/components/schemas/A' }, id: { type: 'string', readOnly: true } } },
      C: { properties: { c: { type: 'string' } } },
    };
    const { api } = await apiOf({ 'api.json': description(schemas) });
    const directional = api.components
      .filter((component) => api.directional.has(component.schema))
      .map((component) => component.name);
    expect(directional).toEqual(['A', 'B']);
  });
});
