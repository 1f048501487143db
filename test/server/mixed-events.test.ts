/** Events whose name stands for JSON and for text, and texts that are what ends the stream: client and server of one document. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeSse } from '../../src/runtime/sse-encode.js';
import { event, json } from '../support/event-schemas.js';
import { serve } from '../support/http-server.js';
import { outcome, type StreamingApi, streamingApi } from '../support/streaming-api.js';

const ok = (content: object): object => ({ 200: { description: 'd', content } });
const note = {
  type: 'object',
  required: ['n'],
  properties: { n: { type: 'integer' }, secret: { type: 'string', writeOnly: true } },
};
const kinds = [
  event('note', json(note)),
  event('note', { type: 'string', maxLength: 20 }),
  event('count', json({ type: ['integer', 'string'] })),
  event('count', { type: 'string', pattern: '^[a-z]' }),
  event('say', { type: 'string' }),
];
const ended = { itemSchema: { oneOf: [...kinds, event(undefined, { const: '[END]' })] } };

const document = {
  openapi: '3.2.0',
  info: { title: 't', version: '1' },
  paths: {
    '/watch': { get: { operationId: 'watch', responses: ok({ 'text/event-stream': ended }) } },
    '/hush': {
      get: {
        operationId: 'hush',
        responses: ok({
          'text/event-stream': {
            itemSchema: { oneOf: [event('say', { type: 'string' }), event(undefined, { const: '' })] },
          },
        }),
      },
    },
    '/tell': {
      post: {
        operationId: 'tell',
        requestBody: { required: true, content: { 'text/event-stream': ended } },
        responses: ok({ 'application/json': { schema: {} } }),
      },
    },
  },
};

let api: StreamingApi;
beforeAll(async () => {
  api = await streamingApi(document);
}, 60_000);
afterAll(() => api.remove());

/** What the client makes of a stream that another server sends. */
async function read(text: string): Promise<unknown> {
  const server = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(text);
  });
  const { call } = await api.serving('node', {});
  return outcome((await call('watch', {}, { baseUrl: server.origin, server: server.origin })).data);
}

const end = 'data: [END]\n\n';

describe('a client', () => {
  test.each<[string, string, unknown]>([
    ['JSON that fits its schema', 'event: note\ndata: {"n":1}\n\n', [['note', { n: 1 }]]],
    ['text', 'event: note\ndata: hello\n\n', [['note', 'hello']]],
    ['JSON that does not fit, as text', 'event: note\ndata: {"m":1}\n\n', [['note', '{"m":1}']]],
    ['JSON that is a text, as text', 'event: note\ndata: "n"\n\n', [['note', '"n"']]],
    ['JSON of another type', 'event: count\ndata: 5\n\n', [['count', 5]]],
    ['empty text', 'event: note\ndata:\n\n', [['note', '']]],
  ])('reads %s', async (_, text, got) => {
    expect(await read(text + end)).toEqual({ got, fault: undefined });
  });

  test('says what is wrong with what is neither', async () => {
    const bad = 'event: note\ndata: {"n":"a text that is longer than twenty"}\n\n';
    expect(await read(bad + end)).toEqual({ got: [['$invalid', expect.any(String)]], fault: undefined });
  });

  test('takes the end for an event where it is the text of one', async () => {
    const text = 'event: say\ndata: [END]\n\nevent: note\ndata: [END]\n\n';
    expect(await read(text + end)).toEqual({
      got: [
        ['say', '[END]'],
        ['note', '[END]'],
      ],
      fault: undefined,
    });
    expect(await read('event: say\ndata: [END]\n\n')).toMatchObject({ fault: 'truncated' });
  });
});

test('what a server sends is read as it was, and what would not be is refused', async () => {
  const items = [
    { event: 'note', data: { n: 1, secret: 's' } },
    { event: 'note', data: 'hello' },
    { event: 'count', data: '5 apples' },
    { event: 'say', data: '[END]' },
  ];
  const { opened, errors } = await api.serving('node', { watch: (_, reply) => reply(200, items) });
  expect(await outcome(await opened('watch'))).toEqual({
    got: [
      ['note', { n: 1 }],
      ['note', 'hello'],
      ['count', '5 apples'],
      ['say', '[END]'],
    ],
    fault: undefined,
  });
  expect(errors).toEqual([]);
  const wrong = await api.serving('node', { watch: (_, reply) => reply(200, [{ event: 'note', data: '{"n":1}' }]) });
  expect(await outcome(await wrong.opened('watch'))).toEqual({ got: [], fault: 'network' });
  expect(wrong.errors.map(String)).toEqual([expect.stringContaining('would be read as JSON')]);
});

test('what a client sends is read as it was', async () => {
  const { call } = await api.serving('node', { tell: ({ body }, reply) => reply(200, body) });
  const sent = [
    { event: 'note', data: { n: 1 } },
    { event: 'note', data: 'hello' },
    { event: 'say', data: '[END]' },
    { event: 'count', data: 7 },
  ];
  expect((await call('tell', { body: sent })).data).toEqual(sent);
  expect(
    await call('tell', { body: [{ event: 'note', data: { m: 'a text that is longer than twenty' } }] }),
  ).toMatchObject({
    status: 'unexpected',
  });
});

test('an empty text can be the end', async () => {
  const { opened } = await api.serving('node', { hush: (_, reply) => reply(200, [{ event: 'say', data: '' }]) });
  expect(await outcome(await opened('hush'))).toEqual({ got: [['say', '']], fault: undefined });
  expect(encodeSse({ data: '' })).toBe('data: \n\n');
});
