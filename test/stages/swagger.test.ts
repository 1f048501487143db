import { describe, expect, it } from 'vitest';
import type { Api, Operation } from '../../src/ir/api.js';
import type { Schema, SchemaId } from '../../src/ir/schema.js';
import { apiOf, swagger } from '../support/api-of.js';

const ok = { 200: { description: 'ok' } };

async function operationOf(operation: object, rest: object = {}): Promise<{ api: Api; operation: Operation }> {
  const { api } = await apiOf({ 'api.json': swagger({ '/a': { post: { responses: ok, ...operation } } }, rest) });
  const [first] = api.operations;
  if (!first) throw new Error('there is no operation');
  return { api, operation: first };
}

function schemaAt(api: Api, place: string): Schema | undefined {
  return api.schemas.get(place as SchemaId);
}

describe('the place of a service', () => {
  const serversOf = async (rest: object): Promise<readonly string[]> => {
    const { api } = await apiOf({ 'api.json': swagger({}, rest) });
    return api.servers.map((server) => server.resolved);
  };

  it('is made of schemes, host and base path, https first', async () => {
    const host = 'a.example:8080';
    expect(await serversOf({ host, basePath: '/v1/', schemes: ['http', 'https'] })).toEqual([
      'https://a.example:8080/v1',
      'http://a.example:8080/v1',
    ]);
    expect(await serversOf({ host, basePath: 'v1' })).toEqual(['https://a.example:8080/v1']);
    expect(await serversOf({ basePath: '/v1', schemes: ['https'] })).toEqual(['/v1']);
    expect(await serversOf({ basePath: '/' })).toEqual([]);
    expect(await serversOf({})).toEqual([]);
  });

  it('is dropped with a warning at the host where it is no name or the scheme is not HTTP', async () => {
    for (const [host, schemes] of [
      ['https://a.example', ['https']],
      ['user@a.example', ['https']],
      ['{where}', ['https']],
      ['a.example', ['wss']],
    ] as const) {
      const { api, diagnostics } = await apiOf({ 'api.json': swagger({}, { host, schemes }) });
      expect(api.servers).toEqual([]);
      expect(diagnostics.map(({ code, at }) => [code, at?.pointer])).toEqual([['server-url-ignored', '/host']]);
    }
  });

  it('differs for an operation that has schemes of its own', async () => {
    const rest = { host: 'a.example', schemes: ['https'] };
    const other = await operationOf({ schemes: ['http'] }, rest);
    expect(other.operation.servers?.map((server) => server.resolved)).toEqual(['http://a.example']);
    expect((await operationOf({ schemes: ['https'] }, rest)).operation.servers).toBeUndefined();
  });
});

describe('answers', () => {
  const contentOf = async (response: object, operation: object = {}, rest: object = {}) => {
    const found = await operationOf({ ...operation, responses: { 200: { description: 'ok', ...response } } }, rest);
    return found.operation.responses[0]?.content ?? [];
  };
  const typesOf = async (...parameters: Parameters<typeof contentOf>): Promise<readonly string[]> =>
    (await contentOf(...parameters)).map((media) => media.text);
  const schema = { type: 'string' };

  it('have the media types of the operation, else of the root, else JSON', async () => {
    const root = { produces: ['application/json', 'application/xml'] };
    expect(await typesOf({ schema }, {}, root)).toEqual(['application/json', 'application/xml']);
    expect(await typesOf({ schema }, { produces: ['text/plain'] }, root)).toEqual(['text/plain']);
    expect(await typesOf({ schema }, { produces: [] }, root)).toEqual(['application/json']);
    expect(await typesOf({ schema })).toEqual(['application/json']);
    expect(await typesOf({}, {}, root)).toEqual([]);
  });

  it('share one schema, which keeps its address', async () => {
    const content = await contentOf({ schema }, { produces: ['application/json', 'application/xml'] });
    expect(new Set(content.map((media) => media.schema))).toEqual(
      new Set(['api.json#/paths/~1a/post/responses/200/schema']),
    );
  });

  it('keep their examples, which tell the media type where nothing else does', async () => {
    const examples = { 'application/problem+json': { a: 1 }, 'application/json': [2] };
    const content = await contentOf({ schema, examples }, { produces: ['application/json'] });
    expect(content.map((media) => [media.text, media.examples.map(({ value }) => value?.value)])).toEqual([
      ['application/json', [[2]]],
    ]);
    expect(await typesOf({ schema, examples })).toEqual(['application/problem+json', 'application/json']);
    const shown = await contentOf({ examples });
    expect(shown.map((media) => [media.text, media.schema])).toEqual([
      ['application/problem+json', undefined],
      ['application/json', undefined],
    ]);
  });

  it('of the type "file" are bytes', async () => {
    const file = { schema: { type: 'file' } };
    const json = { produces: ['application/json'] };
    expect((await contentOf(file, {}, json)).map(({ text, kind }) => [text, kind])).toEqual([
      ['application/octet-stream', 'binary'],
    ]);
    expect(await typesOf(file, { produces: ['image/png'] }, json)).toEqual(['image/png']);
    expect((await contentOf(file, { produces: ['image/png'] }))[0]?.schema).toBeUndefined();
  });

  it('have headers that describe their values themselves', async () => {
    const headers = { 'x-count': { type: 'integer', description: 'How many.' }, 'X-Words': { $ref: '#/x-words' } };
    const rest = { 'x-words': { type: 'array', items: { type: 'string' }, collectionFormat: 'tsv' } };
    const { api, operation } = await operationOf({ responses: { 200: { description: 'ok', headers } } }, rest);
    expect(operation.responses[0]?.headers).toMatchObject([
      { name: 'x-count', docs: { description: 'How many.' }, schema: expect.stringMatching(/\/headers\/x-count$/) },
      { name: 'X-Words', at: { pointer: '/x-words' } },
    ]);
    expect(operation.responses[0]?.headers[1]?.schema).toBeUndefined();
    expect(schemaAt(api, 'api.json#/paths/~1a/post/responses/200/headers/x-count')).toMatchObject({
      types: ['integer'],
      docs: {},
    });
  });
});

describe('bodies', () => {
  const body = { name: 'pet', in: 'body', required: true, description: 'A pet.', schema: { type: 'object' } };

  it('have the media types of the operation, else of the root, else JSON', async () => {
    const typesOf = async (operation: object, rest: object = {}) =>
      (await operationOf({ parameters: [body], ...operation }, rest)).operation.body?.content.map(({ text }) => text);
    const consumes = ['application/json', 'application/xml', 'multipart/form-data'];
    expect(await typesOf({}, { consumes })).toEqual(['application/json', 'application/xml']);
    expect(await typesOf({ consumes: ['text/plain'] }, { consumes })).toEqual(['text/plain']);
    expect(await typesOf({ consumes: [] })).toEqual(['application/json']);
    expect(await typesOf({})).toEqual(['application/json']);
  });

  it('keep what the parameter says, and its address', async () => {
    const { operation } = await operationOf({ parameters: [{ name: 'q', in: 'query', type: 'string' }, body] });
    expect(operation.parameters.map(({ name }) => name)).toEqual(['q']);
    expect(operation.body).toMatchObject({
      required: true,
      description: 'A pet.',
      at: { pointer: '/paths/~1a/post/parameters/1' },
      content: [{ schema: 'api.json#/paths/~1a/post/parameters/1/schema' }],
    });
  });

  it('of a path item serve each operation that has none of its own', async () => {
    const own = { ...body, name: 'other', required: false };
    const item = { parameters: [body], put: { responses: ok }, post: { parameters: [own], responses: ok } };
    const { api } = await apiOf({ 'api.json': swagger({ '/a': item }) });
    expect(api.operations.map((operation) => operation.body?.at.pointer)).toEqual([
      '/paths/~1a/parameters/0',
      '/paths/~1a/post/parameters/0',
    ]);
  });

  it('made of form fields are an object whose members are the parameters', async () => {
    const parameters = [
      { name: 'name', in: 'formData', type: 'string', required: true, description: 'Whose.', maxLength: 9 },
      { name: '__proto__', in: 'formData', type: 'array', items: { type: 'integer' }, collectionFormat: 'multi' },
    ];
    const { api, operation } = await operationOf({ parameters });
    expect(operation.parameters).toEqual([]);
    const place = 'api.json#/paths/~1a/post/parameters';
    expect(operation.body).toMatchObject({ required: true, content: [{ kind: 'form', schema: place }] });
    expect(schemaAt(api, place)).toMatchObject({
      types: ['object'],
      object: {
        required: ['name'],
        properties: [
          { name: 'name', schema: `${place}/0` },
          { name: '__proto__', schema: `${place}/1` },
        ],
      },
    });
    expect(schemaAt(api, `${place}/0`)).toMatchObject({
      types: ['string'],
      string: { maxLength: 9 },
      docs: { description: 'Whose.' },
    });
    expect(schemaAt(api, `${place}/1/items`)).toMatchObject({ types: ['integer'] });
  });

  it('with a file are multipart', async () => {
    const parameters = [{ name: 'scan', in: 'formData', type: 'file' }];
    const consumes = ['application/x-www-form-urlencoded', 'application/json'];
    const { api, operation } = await operationOf({ parameters, consumes });
    expect(operation.body?.content.map(({ kind, text }) => [kind, text])).toEqual([
      ['multipart', 'multipart/form-data'],
    ]);
    expect(schemaAt(api, 'api.json#/paths/~1a/post/parameters/0')).toMatchObject({ types: ['string'] });
  });
});

describe('parameters', () => {
  it('describe their values themselves, at their own address', async () => {
    const parameter = {
      ...{ name: 'n', in: 'query', required: true, description: 'Bounded.', type: 'integer', format: 'int32' },
      ...{ minimum: 1, exclusiveMinimum: true, default: 3, enum: [2, 3], 'x-nullable': true },
    };
    const { api, operation } = await operationOf(
      { parameters: [{ $ref: '#/parameters/n' }] },
      { parameters: { n: parameter } },
    );
    expect(operation.parameters).toMatchObject([
      { name: 'n', required: true, docs: { description: 'Bounded.' }, schema: 'api.json#/parameters/n' },
    ]);
    expect(schemaAt(api, 'api.json#/parameters/n')).toMatchObject({
      types: ['integer', 'null'],
      format: 'int32',
      enum: [2, 3, null],
      number: { exclusiveMinimum: 1 },
      docs: { default: { value: 3 } },
    });
    expect(schemaAt(api, 'api.json#/parameters/n')).not.toHaveProperty('object', expect.anything());
  });

  it('that write "schema" as OpenAPI 3 does are understood', async () => {
    const { operation } = await operationOf({ parameters: [{ name: 'n', in: 'query', schema: { type: 'integer' } }] });
    expect(operation.parameters[0]?.schema).toBe('api.json#/paths/~1a/post/parameters/0/schema');
  });

  it.each([
    ['query', undefined, 'form', false],
    ['query', 'csv', 'form', false],
    ['query', 'multi', 'form', true],
    ['query', 'ssv', 'spaceDelimited', false],
    ['query', 'pipes', 'pipeDelimited', false],
    ['header', undefined, 'simple', false],
    ['header', 'csv', 'simple', false],
  ])('of lists in the %s by %s have the style %s', async (place, collectionFormat, style, explode) => {
    const list = { name: 'n', in: place, type: 'array', items: { type: 'string' } };
    const { operation } = await operationOf({
      parameters: [{ ...list, ...(collectionFormat && { collectionFormat }) }],
    });
    expect(operation.parameters[0]).toMatchObject({ style, explode, schema: expect.any(String) });
  });

  it.each([
    ['query', { collectionFormat: 'tsv', items: { type: 'string' } }],
    ['header', { collectionFormat: 'pipes', items: { type: 'string' } }],
    ['query', { collectionFormat: 'multi', items: { type: 'array', items: { type: 'string' } } }],
  ])('of lists in the %s that no style writes are said to be unsupported: %j', async (place, list) => {
    const document = swagger({
      '/a': { get: { parameters: [{ name: 'n', in: place, type: 'array', ...list }], responses: ok } },
    });
    const { api, diagnostics } = await apiOf({ 'api.json': document });
    expect(api.operations[0]?.parameters[0]).toMatchObject({ supported: false, content: { text: 'text/plain' } });
    expect(diagnostics.map(({ code, at }) => [code, at?.pointer])).toEqual([
      ['not-yet-parameter', '/paths/~1a/get/parameters/0'],
    ]);
  });
});

describe('operations', () => {
  it('keep their documentation, tags, security and extensions', async () => {
    const { api, operation } = await operationOf(
      {
        ...{ operationId: 'doIt', summary: 'Does it.', description: 'At length.', tags: ['t'], deprecated: true },
        ...{ security: [{ key: [], oauth: ['read'] }, {}], 'x-note': 1 },
      },
      {
        security: [{ basic: [] }],
        securityDefinitions: {
          basic: { type: 'basic', description: 'By name.' },
          key: { type: 'apiKey', in: 'query', name: 'k' },
          oauth: {
            type: 'oauth2',
            flow: 'accessCode',
            authorizationUrl: 'https://a',
            tokenUrl: 'https://b',
            scopes: {},
          },
        },
      },
    );
    expect(operation).toMatchObject({
      ...{ operationId: 'doIt', summary: 'Does it.', description: 'At length.', tags: ['t'], deprecated: true },
      at: { pointer: '/paths/~1a/post' },
      security: [
        [
          { scheme: 'key', scopes: [] },
          { scheme: 'oauth', scopes: ['read'] },
        ],
        [],
      ],
      extensions: { 'x-note': 1 },
    });
    expect(api.securitySchemes).toMatchObject([
      { name: 'basic', kind: 'basic', description: 'By name.', at: { pointer: '/securityDefinitions/basic' } },
      { name: 'key', kind: 'apiKey', in: 'query', parameter: 'k' },
      { name: 'oauth', kind: 'other', type: 'oauth2' },
    ]);
  });
});

describe('schemas', () => {
  it('are read by the rules of 2.0, and named by the definitions', async () => {
    const definitions = {
      Pet: {
        type: 'object',
        discriminator: 'kind',
        properties: {
          kind: { type: 'string', readOnly: true },
          size: { type: 'number', maximum: 5, exclusiveMaximum: true },
          nick: { type: 'string', 'x-nullable': true },
          owner: { $ref: '#/definitions/Owner', 'x-nullable': true },
          photo: { type: 'file' },
          odd: { type: 'string', 'x-nullable': 'perhaps' },
        },
      },
      Owner: { type: 'object' },
    };
    const { api } = await apiOf({ 'api.json': swagger({}, { definitions }) });
    expect(api.components).toEqual([
      { name: 'Pet', schema: 'api.json#/definitions/Pet' },
      { name: 'Owner', schema: 'api.json#/definitions/Owner' },
    ]);
    const at = (name: string) => schemaAt(api, `api.json#/definitions/Pet${name}`);
    expect(at('')).toMatchObject({ discriminator: { propertyName: 'kind', mapping: [] } });
    expect(at('/properties/size')).toMatchObject({ number: { exclusiveMaximum: 5 } });
    expect(at('/properties/nick')).toMatchObject({ types: ['string', 'null'] });
    expect(at('/properties/owner')).toMatchObject({ anyOf: [expect.any(String), expect.any(String)] });
    expect(at('/properties/photo')).toMatchObject({ types: ['string'] });
    expect(at('/properties/odd')).toMatchObject({ types: ['string'] });
    expect(api.directional).toContain('api.json#/definitions/Pet');
  });
});

describe('several files', () => {
  const files = {
    'api.json': swagger({
      '/pets': { $ref: 'paths.json#/pets' },
      '/owners': {
        get: {
          parameters: [{ $ref: 'shared.json#/limit' }],
          responses: { 200: { description: 'ok', schema: { $ref: 'models.json#/definitions/Owner' } } },
        },
      },
    }),
    'paths.json': {
      pets: {
        parameters: [{ $ref: 'shared.json#/limit' }],
        post: { parameters: [{ $ref: 'shared.json#/pet' }], responses: { 400: { $ref: 'shared.json#/wrong' } } },
      },
    },
    'shared.json': {
      limit: { name: 'limit', in: 'query', type: 'integer' },
      pet: { name: 'pet', in: 'body', required: true, schema: { $ref: 'models.json#/definitions/Pet' } },
      wrong: { description: 'no', schema: { $ref: 'models.json#/definitions/Wrong' } },
    },
    'models.json': {
      definitions: {
        Pet: { type: 'object', properties: { owner: { $ref: '#/definitions/Owner' } } },
        Owner: { type: 'object', properties: { age: { type: 'number', minimum: 0, exclusiveMinimum: true } } },
        Wrong: { type: 'object' },
      },
    },
  };

  it('lead to parameters, bodies, answers and path items, each at its own address', async () => {
    const { api } = await apiOf(files);
    const [pets, owners] = api.operations;
    expect(pets?.at).toEqual({ document: 'paths.json', pointer: '/pets/post' });
    expect(pets?.body?.at).toEqual({ document: 'shared.json', pointer: '/pet' });
    expect(pets?.responses[0]?.at).toEqual({ document: 'shared.json', pointer: '/wrong' });
    expect([pets, owners].map((operation) => operation?.parameters[0]?.schema)).toEqual([
      'shared.json#/limit',
      'shared.json#/limit',
    ]);
  });

  it('keep one identity for one schema, read by the rules of the document that refers to it', async () => {
    const { api } = await apiOf(files);
    expect([...api.referenced].sort()).toEqual([
      'models.json#/definitions/Owner',
      'models.json#/definitions/Pet',
      'models.json#/definitions/Wrong',
    ]);
    expect(schemaAt(api, 'models.json#/definitions/Owner/properties/age')).toMatchObject({
      number: { exclusiveMinimum: 0 },
    });
  });
});
