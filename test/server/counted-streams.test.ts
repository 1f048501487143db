/** How many items a stream has: a server holds its own answers to what the array says, and never ends too early in silence. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ReferenceChains } from '../../src/ir/resolve.js';
import { apiOf } from '../support/api-of.js';
import { outcome, type StreamingApi, streamingApi } from '../support/streaming-api.js';

const ok = (content: object): object => ({ 200: { description: 'd', content } });
const schema = { type: 'array', minItems: 1, maxItems: 2, uniqueItems: true };
const document = {
  openapi: '3.2.0',
  info: { title: 't', version: '1' },
  paths: {
    '/lines': {
      get: {
        operationId: 'lines',
        responses: ok({ 'application/jsonl': { itemSchema: { type: 'integer' }, schema } }),
      },
    },
    '/events': {
      get: {
        operationId: 'events',
        responses: ok({ 'text/event-stream': { itemSchema: { properties: { data: { type: 'string' } } }, schema } }),
      },
    },
    '/parts': {
      get: {
        operationId: 'parts',
        responses: ok({
          'multipart/mixed': {
            itemSchema: { type: 'integer' },
            itemEncoding: { contentType: 'application/json' },
            schema,
          },
        }),
      },
    },
  },
};

let api: StreamingApi;
beforeAll(async () => {
  api = await streamingApi(document);
}, 60_000);
afterAll(() => api.remove());

describe.each<[string, (n: number) => unknown]>([
  ['lines', (n) => n],
  ['events', (n) => ({ data: String(n) })],
  ['parts', (n) => ({ data: n, contentType: 'application/json' })],
])('%s', (operation, item) => {
  const answer = async (
    count: number,
    options: object = {},
  ): Promise<readonly [number, unknown, readonly string[]]> => {
    const items = Array.from({ length: count }, (_, index) => item(index));
    const { opened, errors } = await api.serving('node', { [operation]: (_, reply) => reply(200, items) }, options);
    const { got, fault } = await outcome(await opened(operation));
    return [got.length, fault, errors.map(String)];
  };

  test('as many as there may be are sent', async () => {
    expect(await answer(1)).toEqual([1, undefined, []]);
    expect(await answer(2)).toEqual([2, undefined, []]);
  });

  test('one more, or too few, is no answer', async () => {
    const [, more, told] = await answer(3);
    expect([more, told]).toEqual(['network', [expect.stringContaining('has more than 2 items')]]);
    const [, fewer, said] = await answer(0);
    expect([fewer, said]).toEqual(['network', [expect.stringContaining('has fewer than 1 items')]]);
  });

  test('it is told alone, or not at all, where that is asked for', async () => {
    expect(await answer(3, { validateResponses: 'report' })).toEqual([3, undefined, [expect.stringContaining('more')]]);
    expect(await answer(0, { validateResponses: false })).toEqual([0, undefined, []]);
  });
});

test('what nobody checks is said', async () => {
  const { diagnostics } = await apiOf({ 'api.json': document });
  const said = diagnostics.filter(({ code }) => code === 'stream-whole-unchecked').map(({ message }) => message);
  const both = [
    '"uniqueItems" of all items together: not checked',
    '"minItems", "maxItems" of all items together: not checked by clients',
  ];
  expect(said).toEqual([...both, ...both, ...both]);
});

/** Beside `itemSchema` a schema is that of the array, whether or not it says so. */
test.each<[object, number | undefined]>([
  [{ minItems: 1 }, 1],
  [{ type: ['array', 'null'], minItems: 1 }, 1],
  [{ $ref: '#/components/schemas/Lists', minItems: 1 }, 1],
  [{ $ref: '#/components/schemas/Some' }, 2],
  [{ type: 'string', minItems: 1 }, undefined],
  [{ $ref: '#/components/schemas/Lists', description: 'd' }, undefined],
])('%j says %s of how many there are', async (schema, least) => {
  const schemas = { Lists: { type: 'array' }, Some: { type: 'array', minItems: 2 } };
  for (const type of ['application/jsonl', 'application/json-seq', 'text/event-stream', 'multipart/mixed']) {
    const media = { [type]: { itemSchema: { type: 'object' }, schema } };
    const paths = { '/a': { post: { operationId: 'a', requestBody: { content: media }, responses: ok({}) } } };
    const { api } = await apiOf({
      'api.json': { openapi: '3.2.0', info: { title: 't', version: '1' }, paths, components: { schemas } },
    });
    const whole = api.operations[0]?.body?.content[0]?.stream?.whole;
    const said = whole === undefined ? undefined : api.schemas.get(new ReferenceChains(api.schemas).endOf(whole).end);
    expect([type, said?.kind === 'schema' ? said.array?.minItems : undefined]).toEqual([type, least]);
  }
});
