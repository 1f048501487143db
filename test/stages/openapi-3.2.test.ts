/** What OpenAPI 3.2 adds, as the IR has it. Most of it is read in every version: documents are ahead of their version. */
import { describe, expect, test } from 'vitest';
import { defaultLimits } from '../../src/load/limits.js';
import { load } from '../../src/load/load.js';
import { memoryHost } from '../../src/memory-host.js';
import { defaultNormaliseOptions, normalise } from '../../src/normalise/normalise.js';
import { apiOf, resultOf } from '../support/api-of.js';

const info = { title: 'Test', version: '1' };
const done = { 204: { description: 'done' } };

function described(rest: object, version = '3.2.0'): object {
  return { openapi: version, info, ...rest };
}

async function codesOf(files: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
  return (await resultOf(files)).diagnostics.map(({ code }) => code);
}

async function streamOf(itemSchema: object, more: object = {}, version = '3.2.0'): Promise<unknown> {
  const content = { 'text/event-stream': { itemSchema, ...more } };
  const { api } = await apiOf({
    'api.json': described({ paths: { '/e': { get: { responses: { 200: { content } } } } } }, version),
  });
  const stream = api.operations[0]?.responses[0]?.content[0]?.stream;
  return (
    stream && {
      ...stream,
      events: stream.events.map(({ name, data, schema }) => [name, data, schema?.split('/itemSchema')[1]]),
    }
  );
}

const json = (contentSchema: object): object => ({
  type: 'string',
  contentMediaType: 'application/json',
  contentSchema,
});

describe('itemSchema of an event stream', () => {
  test('describes the event: data as text that holds JSON', async () => {
    expect(await streamOf({ type: 'object', properties: { data: json({ type: 'integer' }) } })).toEqual({
      framing: 'sse',
      events: [['message', 'json', '/properties/data/contentSchema']],
      sentinels: [],
      closed: true,
    });
  });

  test('names the events by const or enum in variants; what surrounds the variants counts', async () => {
    const variants = {
      type: 'object',
      properties: { event: { type: 'string' }, data: { type: 'string' }, id: { type: 'string' } },
      oneOf: [
        { properties: { event: { const: 'a' }, data: json({ type: 'integer' }) } },
        { allOf: [{ properties: { event: { enum: ['b', 'c'] }, data: { type: 'object' } } }] },
        { properties: { event: { const: 'd' } } },
        { properties: { data: { const: '[DONE]' } } },
      ],
    };
    expect(await streamOf(variants)).toEqual({
      framing: 'sse',
      events: [
        ['a', 'json', '/oneOf/0/properties/data/contentSchema'],
        ['b', 'json', '/oneOf/1/allOf/0/properties/data'],
        ['c', 'json', '/oneOf/1/allOf/0/properties/data'],
        ['d', 'text', undefined],
      ],
      sentinels: ['[DONE]'],
      closed: true,
    });
  });

  test('several variants of one name make one schema', async () => {
    const variants = {
      anyOf: [
        { type: 'object', properties: { data: { type: 'object' } } },
        { type: 'object', properties: { data: { type: 'array' } } },
      ],
    };
    expect(await streamOf(variants)).toMatchObject({ events: [['message', 'json', '~event=message']] });
  });

  test('describes the data where its members are no fields of an event, in any version', async () => {
    const payload = { type: 'object', properties: { type: { const: 'delta' }, data: { type: 'string' } } };
    expect(await streamOf(payload, {}, '3.1.0')).toMatchObject({ events: [['message', 'json', '']] });
    expect(await streamOf(payload, { schema: { type: 'string' } }, '3.0.3')).toMatchObject({
      events: [['message', 'json', '']],
    });
  });

  test('goes on where it is recursive', async () => {
    const files = {
      'api.json': described({
        paths: {
          '/e': {
            get: {
              responses: {
                200: { content: { 'text/event-stream': { itemSchema: { $ref: '#/components/schemas/E' } } } },
              },
            },
          },
        },
        components: {
          schemas: {
            E: {
              oneOf: [{ $ref: '#/components/schemas/F' }, { type: 'object', properties: { data: { type: 'string' } } }],
            },
            F: { type: 'object', properties: { event: { const: 'f' }, data: { $ref: '#/components/schemas/E' } } },
          },
        },
      }),
    };
    const { api } = await apiOf(files);
    expect(api.operations[0]?.responses[0]?.content[0]?.stream?.events).toHaveLength(2);
  });
});

test('a sequence that is no event stream has items', async () => {
  const media = { schema: { type: 'array' }, itemSchema: { type: 'integer' }, itemEncoding: { contentType: 'a/b' } };
  const { api } = await apiOf({
    'api.json': described({
      paths: { '/e': { get: { responses: { 200: { content: { 'application/jsonl': media } } } } } },
    }),
  });
  const found = api.operations[0]?.responses[0]?.content[0];
  expect(found).toMatchObject({ essence: 'application/jsonl', itemEncoding: { contentType: 'a/b' } });
  expect([found?.schema, found?.itemSchema].map((id) => id?.split('/').at(-1))).toEqual(['schema', 'itemSchema']);
  expect(found?.stream).toEqual({
    framing: 'jsonl',
    events: [{ name: 'item', data: 'json', schema: found?.itemSchema }],
    sentinels: [],
    closed: true,
  });
});

test('media types are followed by reference in every content map, over files', async () => {
  const reference = { 'application/json': { $ref: 'shared.json#/components/mediaTypes/Pet' } };
  const shared = described({ components: { mediaTypes: { Pet: { schema: { type: 'string' } } } } });
  const parameters = [{ name: 'q', in: 'query', content: reference }];
  const { api } = await apiOf({
    'api.json': described({
      paths: {
        '/a': { post: { parameters, requestBody: { content: reference }, responses: { 200: { content: reference } } } },
      },
    }),
    'shared.json': shared,
  });
  const [operation] = api.operations;
  const used = [
    operation?.parameters[0]?.content,
    operation?.body?.content[0],
    operation?.responses[0]?.content[0],
  ].map((media) => media?.schema);
  expect(new Set(used)).toEqual(new Set(['shared.json#/components/mediaTypes/Pet/schema']));
});

describe('the query as a whole', () => {
  const whole = { name: 'q', in: 'querystring', content: { 'application/json': { schema: { type: 'object' } } } };
  const withParameters = (...parameters: object[]): object => ({
    'api.json': described({ paths: { '/a': { get: { parameters, responses: done } } } }),
  });

  test('stands alone', async () => {
    expect(await codesOf(withParameters(whole) as never)).toEqual([]);
    const part = { name: 'p', in: 'query', schema: { type: 'string' } };
    expect(await codesOf(withParameters(whole, part) as never)).toEqual(['parameter-duplicate']);
    expect(await codesOf(withParameters(whole, { ...whole, name: 'r' }) as never)).toEqual(['parameter-duplicate']);
  });

  test('needs content', async () => {
    const bare = { name: 'q', in: 'querystring', schema: { type: 'object' } };
    expect(await codesOf(withParameters(bare) as never)).toEqual(['keyword-missing']);
  });
});

describe('$self', () => {
  test('is the base of references, which may lead to what stands beside the file or calls itself so', async () => {
    const files = {
      'api.json': described({
        $self: 'https://example.com/apis/main',
        paths: {
          '/a': {
            get: {
              responses: {
                200: { content: { 'application/json': { schema: { $ref: 'models#/components/schemas/A' } } } },
              },
            },
          },
          '/b': { $ref: 'beside.json#/item' },
        },
        components: { schemas: { Own: { $ref: 'https://example.com/apis/main#/components/schemas/Real' }, Real: {} } },
      }),
      'beside.json': {
        item: { get: { responses: { 200: { $ref: 'https://example.com/apis/models#/components/responses/R' } } } },
      },
    };
    const models = described({
      $self: 'https://example.com/apis/models',
      components: { schemas: { A: { type: 'string' } }, responses: { R: { description: 'r' } } },
    });
    const host = memoryHost(
      Object.fromEntries(
        Object.entries({ ...files, 'm.json': models }).map(([name, value]) => [`/p/${name}`, JSON.stringify(value)]),
      ),
      { cwd: '/p' },
    );
    const sources = await load({ entries: ['api.json', 'm.json'], allowRemote: [], limits: defaultLimits }, host);
    if (!sources.ok) throw new Error(JSON.stringify(sources.diagnostics));
    const api = normalise(sources.value, { ...defaultNormaliseOptions, entries: ['api.json' as never] });
    if (!api.ok) throw new Error(JSON.stringify(api.diagnostics));
    expect([...api.value.referenced].sort()).toEqual([
      'api.json#/components/schemas/Real',
      'm.json#/components/schemas/A',
    ]);
    expect(api.value.operations[1]?.responses[0]?.description).toBe('r');
  });

  test('leaves servers relative to where the document was read from', async () => {
    const document = described({ $self: 'https://other.example/x', servers: [{ url: 'v2' }], paths: {} });
    const host = memoryHost(
      {},
      { cwd: '/p', remote: { 'https://example.com/apis/main.json': { body: JSON.stringify(document) } } },
    );
    const sources = await load(
      { entries: ['https://example.com/apis/main.json'], allowRemote: [], limits: defaultLimits },
      host,
    );
    if (!sources.ok) throw new Error(JSON.stringify(sources.diagnostics));
    const api = normalise(sources.value, defaultNormaliseOptions);
    expect(api.ok && api.value.servers).toMatchObject([{ url: 'v2', resolved: 'https://example.com/apis/v2' }]);
  });
});

test('tags have parents; what is none is left out and said', async () => {
  const tags = [
    { name: 'a', kind: 'nav', summary: 'A' },
    { name: 'b', parent: 'a' },
    { name: 'x', parent: 'y' },
    { name: 'y', parent: 'x' },
    { name: 'z', parent: 'x' },
  ];
  const { api, diagnostics } = await apiOf({ 'api.json': described({ tags, paths: {} }) });
  expect(api.tags.map(({ name, parent, kind }) => [name, parent, kind])).toEqual([
    ['a', undefined, 'nav'],
    ['b', 'a', undefined],
    ['x', undefined, undefined],
    ['y', undefined, undefined],
    ['z', 'x', undefined],
  ]);
  expect(diagnostics.map(({ code }) => code)).toEqual(['tag-parent', 'tag-parent']);
});

describe('security', () => {
  const bearer = { type: 'http', scheme: 'bearer', deprecated: true };
  const secured = (security: object[], components: object = {}): object =>
    described({ components, paths: { '/a': { get: { security, responses: done } } } });

  test('a requirement finds its scheme by URI; the name of a component goes first', async () => {
    const { api } = await apiOf({
      'api.json': secured([{ './schemes.json#/key': [] }, { 'a/b': [] }, { './schemes.json#/key': ['x'] }], {
        securitySchemes: { 'a/b': bearer },
      }),
      'schemes.json': { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    });
    expect(api.operations[0]?.security).toEqual([
      [{ scheme: 'key', scopes: [] }],
      [{ scheme: 'a/b', scopes: [] }],
      [{ scheme: 'key', scopes: ['x'] }],
    ]);
    expect(api.securitySchemes.map(({ name, kind, deprecated }) => [name, kind, deprecated])).toEqual([
      ['a/b', 'bearer', true],
      ['key', 'apiKey', false],
    ]);
  });

  test('a requirement that leads nowhere is refused', async () => {
    expect(await codesOf({ 'api.json': secured([{ gone: [] }]) })).toEqual(['security-scheme-unknown']);
    expect(await codesOf({ 'api.json': secured([{ '#/components/schemas/A': [] }]) })).toContain('ref-not-found');
  });

  test('OAuth2 has a flow for devices, and a place for its metadata', async () => {
    const flow = {
      deviceAuthorizationUrl: 'https://a.example/d',
      tokenUrl: 'https://a.example/t',
      scopes: { r: 'Read' },
    };
    const oauth = { type: 'oauth2', oauth2MetadataUrl: 'https://a.example/m', flows: { deviceAuthorization: flow } };
    const { api } = await apiOf({ 'api.json': secured([], { securitySchemes: { oauth } }) });
    expect(api.securitySchemes[0]).toMatchObject({
      kind: 'other',
      type: 'oauth2',
      metadataUrl: 'https://a.example/m',
      flows: [{ kind: 'deviceAuthorization', deviceAuthorizationUrl: 'https://a.example/d', scopes: [{ name: 'r' }] }],
    });
  });
});

test('examples have a value for the schema and one for the wire', async () => {
  const examples = {
    a: { dataValue: { x: 1 }, serializedValue: '{"x":1}', summary: 'A' },
    b: { externalValue: 'b.json' },
    c: { $ref: '#/components/examples/C' },
  };
  const { api } = await apiOf({
    'api.json': described({
      paths: { '/a': { get: { responses: { 200: { summary: 'S', content: { 'application/json': { examples } } } } } } },
      components: { examples: { C: { value: null } } },
    }),
  });
  const [response] = api.operations[0]?.responses ?? [];
  expect(response?.summary).toBe('S');
  expect(response?.description).toBeUndefined();
  expect(response?.content[0]?.examples).toMatchObject([
    { name: 'a', value: { value: { x: 1 } }, serializedValue: '{"x":1}', summary: 'A' },
    { name: 'b', externalValue: 'b.json' },
    { name: 'c', value: { value: null }, at: { pointer: '/components/examples/C' } },
  ]);
});

test('encodings nest, by name or by position', async () => {
  const encoding = {
    part: { contentType: 'multipart/mixed', headers: { 'X-A': { schema: {} } }, itemEncoding: { contentType: 'a/b' } },
  };
  const { api } = await apiOf({
    'api.json': described({
      paths: {
        '/a': {
          post: {
            requestBody: {
              content: {
                'multipart/form-data': { encoding },
                'multipart/mixed': { prefixEncoding: [{ contentType: 'text/plain' }], itemEncoding: {} },
              },
            },
            responses: done,
          },
        },
      },
    }),
  });
  expect(api.operations[0]?.body?.content).toMatchObject([
    {
      encoding: [{ name: 'part', encoding: { headers: [{ name: 'X-A' }], itemEncoding: { contentType: 'a/b' } } }],
    },
    { encoding: [], prefixEncoding: [{ contentType: 'text/plain' }], itemEncoding: {} },
  ]);
});

describe('defaultMapping', () => {
  const cat = { type: 'object', properties: { kind: { type: 'string' } } };
  const withMapping = (discriminator: object): object =>
    described({
      paths: {},
      components: {
        schemas: {
          Pet: { anyOf: ['Cat', 'Other'].map((name) => ({ $ref: `#/components/schemas/${name}` })), discriminator },
          Cat: cat,
          Other: { type: 'object', properties: { name: { type: 'string' } } },
        },
      },
    });

  test('is the branch that gets no tag', async () => {
    const { api } = await apiOf({
      'api.json': withMapping({ propertyName: 'kind', mapping: { cat: 'Cat' }, defaultMapping: 'Other' }),
    });
    const shape = api.shapes.get('api.json#/components/schemas/Pet' as never);
    expect(shape?.kind === 'union' && shape.members.map(({ kind }) => kind)).toEqual(['intersection', 'ref']);
  });

  test('that names nothing is a hint that leads nowhere', async () => {
    const discriminator = { propertyName: 'kind', defaultMapping: 'Gone' };
    expect(await codesOf({ 'api.json': withMapping(discriminator) })).toEqual(['mapping-unknown']);
  });
});
