/** What references lead to, over files and in odd places, as the IR has it. Loading alone is tested in `load.test.ts`. */
import { describe, expect, test } from 'vitest';
import type { Api } from '../../src/ir/api.js';
import { defaultLimits } from '../../src/load/limits.js';
import { load } from '../../src/load/load.js';
import { memoryHost } from '../../src/memory-host.js';
import { defaultNormaliseOptions, normalise } from '../../src/normalise/normalise.js';
import { apiOf, description, resultOf } from '../support/api-of.js';

const info = { title: 'Test', version: '1' };
const done = { 204: { description: 'done' } };
const json = (schema: object): object => ({ 'application/json': { schema } });
const answers = (schema: object): object => ({ 200: { description: 'ok', content: json(schema) } });

/** The schemas at the end of the references of all answers. */
function answered(api: Api): readonly (string | undefined)[] {
  return api.operations.map(({ responses }) => {
    let id = responses[0]?.content[0]?.schema;
    for (;;) {
      const schema = id === undefined ? undefined : api.schemas.get(id);
      if (schema?.kind !== 'schema' || schema.ref === undefined) return id;
      id = schema.ref;
    }
  });
}

describe('a reference in place of a section', () => {
  const item = { get: { operationId: 'a', responses: { $ref: 'parts.json#/responses' } } };
  const parts = {
    paths: { '/a': item },
    responses: answers({ $ref: 'openapi.json#/components/schemas/A' }),
    info,
    servers: [{ url: 'https://a.example', name: 'one' }],
    tags: [{ name: 't' }],
    schemas: { A: { type: 'object', properties: { b: { $ref: '#/schemas/B' } } }, B: { type: 'string' } },
    security: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
  };

  test('is followed for every section, over files', async () => {
    const { api, diagnostics } = await apiOf({
      'openapi.json': {
        openapi: '3.1.0',
        info: { $ref: 'parts.json#/info' },
        servers: { $ref: 'parts.json#/servers' },
        tags: { $ref: 'parts.json#/tags' },
        paths: { $ref: 'paths.json' },
        components: { schemas: { $ref: 'parts.json#/schemas' }, securitySchemes: { $ref: 'parts.json#/security' } },
        security: [{ key: [] }],
      },
      'paths.json': { $ref: 'parts.json#/paths' },
      'parts.json': parts,
    });
    expect(diagnostics).toEqual([]);
    expect([api.info.title, api.servers[0]?.name, api.tags[0]?.name]).toEqual(['Test', 'one', 't']);
    expect(api.components.map(({ name, schema }) => [name, schema])).toEqual([
      ['A', 'parts.json#/schemas/A'],
      ['B', 'parts.json#/schemas/B'],
    ]);
    expect(api.operations[0]).toMatchObject({
      operationId: 'a',
      at: { document: 'parts.json', pointer: '/paths/~1a/get' },
    });
    expect(answered(api)).toEqual(['parts.json#/schemas/A']);
    expect(api.securitySchemes.map(({ name }) => name)).toEqual(['key']);
  });

  test('stands for the members of a schema, where it is text; else it is the name of one', async () => {
    const { api, diagnostics } = await apiOf({
      'openapi.json': {
        ...{ openapi: '3.0.3', info, paths: {} },
        components: {
          schemas: {
            A: { type: 'object', properties: { $ref: 'parts/m.json#/members' } },
            B: { properties: { $ref: { type: 'string' } } },
          },
        },
      },
      'parts/m.json': { members: { x: { type: 'string' }, y: { $ref: '#/other' } }, other: { type: 'integer' } },
    });
    expect(diagnostics).toEqual([]);
    const membersOf = (id: string): unknown => {
      const schema = [...api.schemas.values()].find((one) => one.id === id);
      return schema?.kind === 'schema' && schema.object?.properties;
    };
    expect(membersOf('openapi.json#/components/schemas/A')).toEqual([
      { name: 'x', schema: 'parts/m.json#/members/x' },
      { name: 'y', schema: 'parts/m.json#/members/y' },
    ]);
    expect(membersOf('openapi.json#/components/schemas/B')).toMatchObject([{ name: '$ref' }]);
    const lost = await resultOf({
      'openapi.json': {
        openapi: '3.0.3',
        info,
        paths: {},
        components: { schemas: { A: { properties: { $ref: '#/x' } } } },
      },
    });
    expect(lost.diagnostics.map(({ code }) => code)).toEqual(['ref-not-found']);
  });

  test('is none by a keyword that only another draft has', async () => {
    const compound = { $recursiveAnchor: true, type: 'object', properties: { all: { items: { $recursiveRef: '#' } } } };
    const { diagnostics } = await apiOf({ 'openapi.json': description({ Compound: compound }) });
    expect(diagnostics).toEqual([]);
  });

  test('is not followed in the place of a text, which is left out with a warning', async () => {
    const description = { $ref: 'texts.json#/a' };
    const { api, diagnostics } = await apiOf({
      'openapi.json': {
        ...{
          openapi: '3.0.3',
          info,
          tags: [{ name: 't', description }],
          components: { schemas: { A: { description } } },
        },
        paths: { '/a': { summary: 1, get: { description, responses: done } } },
      },
    });
    expect(diagnostics.map(({ code, severity }) => `${severity} ${code}`)).toEqual(
      new Array<string>(4).fill('warning annotation-invalid'),
    );
    expect(api.tags.map(({ name, description: text }) => [name, text])).toEqual([['t', undefined]]);
  });

  test('stands for all components, too, and in OpenAPI 2.0', async () => {
    const whole = await apiOf({
      'openapi.json': { openapi: '3.0.3', info, paths: {}, components: { $ref: 'c.json#/components' } },
      'c.json': { components: { schemas: { A: { type: 'string' } } } },
    });
    expect(whole.api.components).toEqual([{ name: 'A', schema: 'c.json#/components/schemas/A' }]);
    const old = await apiOf({
      'swagger.json': { swagger: '2.0', info, paths: { $ref: 'c.json#/paths' }, definitions: { $ref: 'c.json#/defs' } },
      'c.json': { paths: { '/a': { get: { responses: done } } }, defs: { A: { type: 'string' } } },
    });
    expect(old.api.operations).toHaveLength(1);
    expect(old.api.components).toEqual([{ name: 'A', schema: 'c.json#/defs/A' }]);
  });

  test('that leads nowhere, in a circle or to something else is told', async () => {
    const codes = async (paths: object, more: object = {}): Promise<readonly string[]> =>
      (await resultOf({ 'openapi.json': { openapi: '3.1.0', info, paths, ...more } })).diagnostics.map(
        ({ code }) => code,
      );
    expect(await codes({ $ref: 'gone.json' })).toEqual(['file-not-found']);
    expect(await codes({ $ref: '#/x-paths' })).toEqual(['ref-not-found']);
    expect(await codes({ $ref: '#/paths' })).toEqual(['ref-circular']);
    expect(await codes({ $ref: '#/x-paths' }, { 'x-paths': [] })).toEqual(['type-mismatch']);
  });

  test('is no reference below a schema, where every key is a name', async () => {
    const { api } = await apiOf({
      'openapi.json': description({ A: { type: 'object', properties: { $ref: { type: 'string' } } } }),
    });
    const schema = api.schemas.get('openapi.json#/components/schemas/A' as never);
    expect(schema?.kind === 'schema' && schema.object?.properties.map(({ name }) => name)).toEqual(['$ref']);
  });
});

describe('path items', () => {
  test('keep what stands beside their reference', async () => {
    const { api, diagnostics } = await apiOf({
      'openapi.json': {
        openapi: '3.1.0',
        info,
        paths: {
          '/a/{id}': {
            $ref: 'items.json#/~1a',
            parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
            post: { responses: done },
          },
        },
      },
      'items.json': { '/a': { $ref: '#/b', summary: 'nearer' }, b: { summary: 'further', get: { responses: done } } },
    });
    expect(api.operations.map(({ method, parameters, summary }) => [method, parameters.length, summary])).toEqual([
      ['GET', 1, 'nearer'],
      ['POST', 1, 'nearer'],
    ]);
    expect(diagnostics).toEqual([]);
  });

  test('that hide something, or lead in a circle, are told', async () => {
    const paths = {
      '/a': { $ref: '#/components/pathItems/A', get: { responses: done } },
      '/b': { $ref: '#/paths/~1c' },
      '/c': { $ref: '#/paths/~1b' },
    };
    const components = { pathItems: { A: { get: { responses: done } } } };
    const result = await resultOf({ 'openapi.json': { openapi: '3.1.0', info, paths, components } });
    expect(result.diagnostics.map(({ code }) => code)).toEqual(['path-item-conflict', 'ref-circular', 'ref-circular']);
  });
});

describe('odd places', () => {
  test('a branch of allOf, the schema of an answer, percent-encoded names', async () => {
    const refs = [
      '#/components/schemas/All/allOf/0',
      '#/paths/~1x~1%7Bid%7D/get/responses/200/content/application~1json/schema',
      '#/components/schemas/A%20b~1c',
      '#/components/schemas/%C3%96l/properties/~0',
      'other.json#/list/1/deep',
    ];
    const items = refs.map(($ref, index) => [`/${index}`, { get: { responses: answers({ $ref }) } }]);
    const parameters = [{ name: 'id', in: 'path', required: true, schema: {} }];
    const { api } = await apiOf({
      'openapi.json': description(
        {
          All: { allOf: [{ type: 'object', title: 'first' }] },
          'A b/c': { type: 'integer' },
          Öl: { properties: { '~': { type: 'boolean' } } },
        },
        {
          '/x/{id}': { parameters, get: { responses: answers({ type: 'array' }) } },
          ...Object.fromEntries(items),
        },
      ),
      'other.json': { list: [{}, { deep: { type: 'null' } }] },
    });
    expect(answered(api).slice(1)).toEqual([
      'openapi.json#/components/schemas/All/allOf/0',
      'openapi.json#/paths/~1x~1{id}/get/responses/200/content/application~1json/schema',
      'openapi.json#/components/schemas/A b~1c',
      'openapi.json#/components/schemas/Öl/properties/~0',
      'other.json#/list/1/deep',
    ]);
  });

  test('every kind of object by reference, over a chain of three files', async () => {
    const chain = (name: string): object => ({ $ref: `b.json#/${name}` });
    const kinds = ['parameter', 'body', 'response', 'header', 'link', 'example', 'callback', 'scheme', 'media'];
    const { api, diagnostics } = await apiOf({
      'openapi.json': {
        openapi: '3.2.0',
        info,
        paths: {
          '/a': {
            post: {
              operationId: 'a',
              parameters: [chain('parameter')],
              requestBody: chain('body'),
              responses: {
                200: chain('response'),
                201: {
                  headers: { 'X-A': chain('header') },
                  links: { l: chain('link') },
                  content: { 'application/json': chain('media') },
                },
              },
              callbacks: { done: chain('callback') },
              security: [{ s: [] }],
            },
          },
        },
        components: { securitySchemes: { s: chain('scheme') } },
      },
      'b.json': Object.fromEntries(kinds.map((name) => [name, { $ref: `sub/c.json#/${name}` }])),
      'sub/c.json': {
        parameter: { name: 'q', in: 'query', schema: { $ref: '../d.json' } },
        body: { content: json({ $ref: '../d.json' }) },
        response: { description: 'by reference', content: json({ $ref: '../d.json' }) },
        header: { schema: { $ref: '../d.json' } },
        link: { operationId: 'a', parameters: { q: '$response.body#/q' } },
        example: { value: 1 },
        callback: {
          '{$request.body#/url}': { post: { requestBody: { content: json({ $ref: '../d.json' }) }, responses: done } },
        },
        scheme: { type: 'http', scheme: 'basic' },
        media: { schema: { $ref: '../d.json' }, examples: { e: { $ref: '../b.json#/example' } } },
      },
      'd.json': { type: 'string' },
    });
    expect(diagnostics).toEqual([]);
    const [operation] = api.operations;
    const [callback] = api.outgoing;
    expect(operation?.callbacks).toEqual([callback?.id]);
    expect(callback).toMatchObject({
      origin: 'callback',
      name: 'done',
      expression: '{$request.body#/url}',
      method: 'POST',
    });
    expect(operation?.responses[1]).toMatchObject({
      headers: [{ name: 'X-A' }],
      links: [{ name: 'l', operationId: 'a', parameters: { q: '$response.body#/q' } }],
      content: [{ examples: [{ name: 'e', value: { value: 1 } }] }],
    });
    expect(api.securitySchemes).toMatchObject([{ name: 's', kind: 'basic', at: { document: 'sub/c.json' } }]);
    expect([...api.referenced]).toEqual(['d.json#']);
  });

  test('circles of files, and callbacks that have themselves', async () => {
    const { api, diagnostics } = await apiOf({
      'a.json': description(
        { A: { type: 'object', properties: { b: { $ref: 'b.json#/B' } } } },
        { '/a': { post: { responses: done, callbacks: { again: { $ref: 'b.json#/again' } } } } },
      ),
      'b.json': {
        B: { type: 'object', properties: { a: { $ref: 'a.json#/components/schemas/A' } } },
        again: { 'https://b.example': { post: { responses: done, callbacks: { again: { $ref: '#/again' } } } } },
      },
    });
    expect(diagnostics).toEqual([]);
    expect(api.outgoing).toHaveLength(1);
    expect(api.outgoing[0]?.callbacks).toEqual([api.outgoing[0]?.id]);
  });
});

describe('what stands beside a $ref', () => {
  const schemas = {
    A: { type: 'object', properties: { b: { $ref: '#/components/schemas/B', description: 'mine', nullable: true } } },
    B: { type: 'string' },
    C: { $ref: '#/components/schemas/B', description: 'described' },
    D: { $ref: '#/components/schemas/B', description: 'too' },
  };

  async function read(version: string, honour: boolean): Promise<readonly unknown[]> {
    const host = memoryHost({ '/p/a.json': JSON.stringify(description(schemas, {}, version)) }, { cwd: '/p' });
    const sources = await load({ entries: ['a.json'], allowRemote: [], limits: defaultLimits }, host);
    if (!sources.ok) throw new Error('not loaded');
    const result = normalise(sources.value, { ...defaultNormaliseOptions, honourRefSiblings: honour });
    if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
    const at = (pointer: string): unknown => {
      const schema = result.value.schemas.get(`a.json#/components/schemas/${pointer}` as never);
      return schema?.kind === 'schema' && [schema.docs.description, schema.anyOf?.length];
    };
    return [at('A/properties/b'), at('C'), result.diagnostics.map(({ code, message }) => `${code} ${message}`)];
  }

  test('is honoured with a warning in 3.0, annotations with one for all', async () => {
    expect(await read('3.0.3', true)).toEqual([
      ['mine', 2],
      ['described', undefined],
      [
        'ref-siblings "nullable" beside "$ref" is honoured',
        'ref-siblings annotations beside "$ref" are honoured in 2 places, this one first',
      ],
    ]);
  });

  test('is ignored where that is wanted', async () => {
    expect(await read('3.0.3', false)).toEqual([[undefined, undefined], [undefined, undefined], []]);
  });

  test('counts by rule in 3.1, whatever is wanted', async () => {
    expect(await read('3.1.0', false)).toEqual([['mine', undefined], ['described', undefined], []]);
  });
});

describe('schemas of other dialects beside a description', () => {
  const drafts: readonly (readonly [string, object])[] = [
    ['http://json-schema.org/draft-04/schema#', { minimum: 1, exclusiveMinimum: true }],
    ['http://json-schema.org/draft-06/schema#', { exclusiveMinimum: 1 }],
    ['http://json-schema.org/draft-07/schema#', { exclusiveMinimum: 1 }],
    ['https://json-schema.org/draft/2019-09/schema', { exclusiveMinimum: 1 }],
    ['https://json-schema.org/draft/2020-12/schema', { exclusiveMinimum: 1 }],
  ];

  test.each(drafts)('%s is read as what it is, alone and referred to', async ($schema, bound) => {
    const schema = { $schema, definitions: { N: { type: 'integer', ...bound } }, $ref: '#/definitions/N' };
    const expected = { number: { exclusiveMinimum: 1 } };
    const alone = await apiOf({ 'n.schema.json': schema });
    expect(alone.api.schemas.get('n.schema.json#/definitions/N' as never)).toMatchObject(expected);
    const { api, diagnostics } = await apiOf({
      'openapi.json': description(
        { A: { $ref: 'n.schema.json#/definitions/N' }, B: { $ref: 'n.schema.json' } },
        {},
        '3.0.3',
      ),
      'n.schema.json': schema,
    });
    expect(diagnostics).toEqual([]);
    expect(api.schemas.get('n.schema.json#/definitions/N' as never)).toMatchObject(expected);
    expect(api.schemas.get('n.schema.json#' as never)).toMatchObject({ ref: 'n.schema.json#/definitions/N' });
  });

  test('tuples and siblings follow the draft of the document that they stand in', async () => {
    const { api } = await apiOf({
      'openapi.json': description({ A: { $ref: 'old.json#/definitions/T' }, B: { prefixItems: [{}] } }),
      'old.json': {
        $schema: 'http://json-schema.org/draft-07/schema#',
        definitions: {
          T: { type: 'array', items: [{ type: 'string' }], additionalItems: false },
          R: { $ref: '#/definitions/T', maxItems: 1 },
          U: { allOf: [{ $ref: '#/definitions/R' }] },
        },
      },
    });
    expect(api.schemas.get('old.json#/definitions/T' as never)).toMatchObject({
      array: { prefixItems: ['old.json#/definitions/T/items/0'] },
    });
  });
});
