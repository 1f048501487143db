/** What a contract says of `id` and `retry` of its events: the client reports it, the server sends and takes nothing else. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serve } from '../support/http-server.js';
import { outcome, type StreamingApi, streamingApi } from '../support/streaming-api.js';

const number = { type: 'string', contentMediaType: 'application/json', contentSchema: { type: 'integer' } };
const variant = (name: string, required: readonly string[], fields: object): object => ({
  type: 'object',
  required,
  properties: { event: { const: name }, data: number, ...fields },
});
const events = {
  itemSchema: {
    oneOf: [
      variant('saved', ['event', 'data', 'id'], { id: { type: 'string', pattern: '^s-' } }),
      variant('paused', [], { id: { type: 'string', pattern: '^p-' }, retry: { type: 'integer', maximum: 5000 } }),
      variant('plain', [], { id: { type: 'string' }, retry: { type: 'integer', minimum: 0 } }),
      // One of two says nothing, so nothing is known.
      variant('either', [], { id: { type: 'string', minLength: 9 } }),
      variant('either', [], {}),
    ],
  },
};
const content = { 'text/event-stream': events };
const document = {
  openapi: '3.2.0',
  info: { title: 't', version: '1' },
  paths: {
    '/watch': { get: { operationId: 'watch', responses: { 200: { description: 'd', content } } } },
    '/tell': {
      post: {
        operationId: 'tell',
        requestBody: { required: true, content },
        responses: { 200: { description: 'd', content: { 'application/json': { schema: {} } } } },
      },
    },
  },
};

let api: StreamingApi;
beforeAll(async () => {
  api = await streamingApi(document);
}, 60_000);
afterAll(() => api.remove());

const fields = (lines: string): string => `${lines}\ndata: 1\n\n`;

describe('a client', () => {
  async function read(text: string, options: object = {}): Promise<unknown> {
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(text);
    });
    const { call } = await api.serving('node', {});
    return outcome((await call('watch', {}, { server: server.origin, ...options })).data);
  }
  const invalid = ['$invalid', '1'];

  test.each<[string, string, readonly unknown[]]>([
    [
      'takes what fits',
      fields('event: saved\nid: s-1') + fields('event: paused\nretry: 5000'),
      [
        ['saved', 1],
        ['paused', 1],
      ],
    ],
    ['says that an id is missing', fields('event: saved'), [invalid]],
    ['says that an id has another form', fields('event: saved\nid: x'), [invalid]],
    ['says that a time is too long', fields('event: paused\nretry: 5001'), [invalid]],
    [
      'holds an event to the id that it was sent with, not to one before',
      fields('event: saved\nid: s-1') + fields('event: paused') + fields('event: saved'),
      [['saved', 1], ['paused', 1], invalid],
    ],
    [
      'checks nothing where nothing is known',
      fields('event: either\nid: x') + fields('event: plain'),
      [
        ['either', 1],
        ['plain', 1],
      ],
    ],
    ['takes an event without data for a new id alone', 'event: saved\nid: x\ndata:\n\n', []],
  ])('%s', async (_, text, got) => {
    expect(await read(text)).toEqual({ got, fault: undefined });
  });

  test('does with it as with all that is invalid', async () => {
    const text = fields('event: saved\nid: x') + fields('event: plain');
    expect(await read(text, { onInvalid: 'skip' })).toEqual({ got: [['plain', 1]], fault: undefined });
    expect(await read(text, { onInvalid: 'throw' })).toEqual({ got: [], fault: 'stream' });
    expect(await read(text, { onInvalid: 'off' })).toEqual({
      got: [
        ['saved', 1],
        ['plain', 1],
      ],
      fault: undefined,
    });
  });
});

describe('a server', () => {
  const answers = async (item: object, options: object = {}): Promise<readonly [unknown, readonly string[]]> => {
    const { opened, errors } = await api.serving('node', { watch: (_, reply) => reply(200, [item]) }, options);
    return [(await outcome(await opened('watch'))).fault, errors.map(String)];
  };

  test('sends what fits, and nothing else', async () => {
    expect(await answers({ event: 'saved', data: 1, id: 's-1' })).toEqual([undefined, []]);
    expect(await answers({ event: 'paused', data: 1 })).toEqual([undefined, []]);
    const said = (text: string): unknown => ['network', [expect.stringContaining(text)]];
    expect(await answers({ event: 'saved', data: 1 })).toEqual(said('"saved" does not match the contract'));
    expect(await answers({ event: 'saved', data: 1, id: 'x' })).toEqual(said('/id'));
    expect(await answers({ event: 'paused', data: 1, retry: 6000 })).toEqual(said('/retry'));
    expect(await answers({ event: 'paused', data: 1, retry: 6000 }, { validateResponses: false })).toEqual([
      undefined,
      [],
    ]);
  });

  test('takes what fits, and nothing else', async () => {
    const { call } = await api.serving('node', { tell: ({ body }, reply) => reply(200, body) });
    const good = [
      { event: 'saved', data: 1, id: 's-1' },
      { event: 'paused', data: 2 },
    ];
    expect(await call('tell', { body: good })).toMatchObject({ ok: true, data: good });
    expect(await call('tell', { body: [...good, { event: 'saved', data: 1 }] })).toMatchObject({
      response: { status: 400 },
    });
    expect(await call('tell', { body: [{ event: 'saved', data: 1, id: 'x' }] })).toMatchObject({
      response: { status: 400 },
    });
    expect(await call('tell', { body: [{ event: 'paused', data: 1, retry: 6000 }] })).toMatchObject({
      response: { status: 400 },
    });
  });
});
