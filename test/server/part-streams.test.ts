/** Multipart sequences over loopback: a generated client against the generated server, on every adapter. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Adapter } from '../support/generated-server.js';
import { type Handler, pause, type Stream, type StreamingApi, streamingApi } from '../support/streaming-api.js';
import { ok } from '../support/streams-document.js';

const item = {
  type: 'object',
  required: ['n'],
  properties: { n: { type: 'integer' }, made: { type: 'integer', readOnly: true } },
};
const picture = { itemSchema: {}, itemEncoding: { contentType: 'image/png, image/*' } };
const several = {
  schema: { type: 'array', prefixItems: [item, { type: 'string', minLength: 2 }], items: {} },
};

const counted = { schema: { ...several.schema, minItems: 2, maxItems: 3 } };

/** No parts but those that have a place. */
const closed = { schema: { type: 'array', prefixItems: [item, { type: 'string' }], items: false, maxItems: 9 } };

const typed = { itemSchema: {}, itemEncoding: { contentType: 'image/png, application/json, text/plain' } };

const document = {
  openapi: '3.2.0',
  info: { title: 't', version: '1' },
  paths: {
    '/values': { get: { operationId: 'values', responses: ok({ 'multipart/mixed': { itemSchema: item } }) } },
    '/pictures': { get: { operationId: 'pictures', responses: ok({ 'multipart/x-mixed-replace': picture }) } },
    '/several': { get: { operationId: 'several', responses: ok({ 'multipart/mixed': several }) } },
    '/typed': {
      get: { operationId: 'typed', responses: ok({ 'multipart/mixed': typed }) },
      post: {
        operationId: 'putTyped',
        requestBody: { required: true, content: { 'multipart/mixed': typed } },
        responses: ok({ 'application/json': { schema: {} } }),
      },
    },
    '/counted': {
      post: {
        operationId: 'counted',
        requestBody: { required: true, content: { 'multipart/mixed': counted } },
        responses: ok({ 'application/json': { schema: {} } }),
      },
    },
    '/distinct': {
      post: {
        operationId: 'distinct',
        requestBody: {
          required: true,
          content: {
            'multipart/mixed': { schema: { type: 'array', uniqueItems: true, items: {} } },
            'text/event-stream': { schema: { type: 'array', uniqueItems: true, items: item } },
          },
        },
        responses: ok({ 'application/json': { schema: {} } }),
      },
    },
    '/closed': {
      post: {
        operationId: 'closed',
        requestBody: { required: true, content: { 'multipart/mixed': closed } },
        responses: ok({ 'application/json': { schema: {} } }),
      },
    },
    '/upload': {
      post: {
        operationId: 'upload',
        requestBody: { required: true, content: { 'multipart/mixed': several } },
        responses: ok({ 'application/json': { schema: {} } }),
      },
    },
  },
};

let api: StreamingApi;

beforeAll(async () => {
  api = await streamingApi(document);
});
afterAll(() => api.remove());

interface Part {
  readonly event: string;
  readonly data: unknown;
  readonly contentType: string;
  readonly headers: Headers;
}

async function all(stream: Stream): Promise<readonly Part[]> {
  const parts: Part[] = [];
  for await (const part of stream) parts.push(part as unknown as Part);
  return parts;
}

const latin = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(text, (one) => one.charCodeAt(0));
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe.each<Adapter>(['node', 'fastify', 'fetch'])('on %s', (adapter) => {
  const serving = (handlers: Readonly<Record<string, Handler>>, options?: object) =>
    api.serving(adapter, handlers, options);
  const shown = (parts: readonly Part[]): unknown[] =>
    parts.map(({ event, data, contentType }) => [event, data, contentType]);

  test('values are checked where they are sent, and each arrives on its own', async () => {
    let more: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => {
      more = resolve;
    });
    async function* parts(): AsyncGenerator<object> {
      yield { data: { n: 1 }, headers: { 'x-place': 'first' } };
      await waiting;
      yield { data: { n: 2 } };
    }
    const { opened } = await serving({ values: (_, reply) => reply(200, parts()) });
    const stream = await opened('values');
    const got: Part[] = [];
    for await (const part of stream) {
      got.push(part as unknown as Part);
      more();
    }
    expect(shown(got)).toEqual([
      ['item', { n: 1 }, 'application/json'],
      ['item', { n: 2 }, 'application/json'],
    ]);
    expect(got.map(({ headers }) => headers.get('x-place'))).toEqual(['first', null]);
  });

  test('what the contract refuses breaks the connection', async () => {
    async function* faulty(): AsyncGenerator<object> {
      yield { data: { n: 1 } };
      await pause(30);
      yield { data: { n: 'x' } };
    }
    const { opened, errors } = await serving({ values: (_, reply) => reply(200, faulty()) });
    await expect((await opened('values')).collect()).rejects.toMatchObject({ fault: 'network' });
    expect(errors).toMatchObject([{ name: 'ContractBroken', issues: [{ pointer: '/n' }] }]);
  });

  test('arrays, bytes, and parts by their position', async () => {
    const png = Uint8Array.from({ length: 70_000 }, (_, index) => index % 256);
    const { opened } = await serving({
      pictures: (_, reply) => reply(200, [{ data: png }, { data: bytes('\r\n--'), contentType: 'image/jpeg' }]),
      several: (_, reply) =>
        reply(200, [{ data: { n: 1 } }, { data: 'ab' }, { data: bytes('x') }, { data: { free: true } }, { data: 'c' }]),
    });
    expect(shown(await all(await opened('pictures')))).toEqual([
      ['item', png, 'image/png'],
      ['item', bytes('\r\n--'), 'image/jpeg'],
    ]);
    expect(shown(await all(await opened('several')))).toEqual([
      ['item', { n: 1 }, 'application/json'],
      ['item', 'ab', 'text/plain; charset=utf-8'],
      ['item', bytes('x'), 'application/octet-stream'],
      ['item', { free: true }, 'application/json'],
      ['item', 'c', 'text/plain; charset=utf-8'],
    ]);
  });

  test('there may be none', async () => {
    const { opened } = await serving({ values: (_, reply) => reply(200, []) });
    expect(await all(await opened('values'))).toEqual([]);
  });

  test('a slow reader holds the parts back', async () => {
    let made = 0;
    function* endless(): Generator<object> {
      for (; made < 20_000; made += 1) yield { data: { n: made, padding: 'x'.repeat(65_536) } };
    }
    const { opened } = await serving({ values: (_, reply) => reply(200, endless()) });
    for await (const { event } of await opened('values')) {
      expect(event).toBe('item');
      for (let before = -1; before !== made; await pause(150)) before = made;
      break;
    }
    expect(made).toBeLessThan(1000);
  });

  const upload: Handler = ({ body }, reply) =>
    reply(
      200,
      (body as readonly Part[]).map(({ data, contentType, headers }) => [
        data instanceof Uint8Array ? [...data] : data,
        contentType,
        headers.get('x-place'),
      ]),
    );

  test('are sent in a request, from an array and by and by', async () => {
    const { call } = await serving({ upload });
    const sent = [
      { data: { n: 1, made: 5 } },
      { data: 'text', headers: { 'X-Place': 'second' } },
      { data: bytes('ab') },
      { data: { more: 1 } },
    ];
    const got = [
      [{ n: 1 }, 'application/json', null],
      ['text', 'text/plain; charset=utf-8', 'second'],
      [[97, 98], 'application/octet-stream', null],
      [{ more: 1 }, 'application/json', null],
    ];
    expect(await call('upload', { body: sent })).toMatchObject({ status: 200, data: got });
    async function* slowly(): AsyncGenerator<object> {
      for (const one of sent) {
        yield one;
        await pause(5);
      }
    }
    expect(await call('upload', { body: slowly() })).toMatchObject({ status: 200, data: got });
    expect(await call('upload', { body: [] })).toMatchObject({ status: 200, data: [] });
    await expect(call('upload', { body: [{ data: bytes('x') }] })).rejects.toMatchObject({ fault: 'request' });
  });

  test('the media types that are declared are the ones that are sent and taken', async () => {
    const { call, opened, server, errors } = await serving({
      putTyped: upload,
      typed: (_, reply) => reply(200, [{ data: bytes('x') }, { data: 'y' }, { data: bytes('z'), contentType: 'a/b' }]),
    });
    expect(await call('putTyped', { body: [{ data: bytes('a') }, { data: 1 }] })).toMatchObject({
      data: [
        [[97], 'image/png', null],
        [1, 'application/json', null],
      ],
    });
    for (const refused of [{ data: bytes('a'), contentType: 'image/gif' }, { data: new Blob(['a']) }]) {
      await expect(call('putTyped', { body: [refused] })).rejects.toMatchObject({ fault: 'request' });
    }
    const response = await fetch(`${server.url}/typed`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/mixed; boundary=b' },
      body: '--b\r\nContent-Type: image/gif\r\n\r\nx\r\n--b--',
    });
    expect(response.status).toBe(400);
    await expect((await opened('typed')).collect()).rejects.toMatchObject({ fault: 'network' });
    expect(errors).toMatchObject([{ message: 'the media type of a part is not declared' }]);
  });

  test('a request has as many parts as its array may have', async () => {
    const { call } = await serving({ counted: upload, closed: upload });
    const parts = [{ data: { n: 1 } }, { data: 'ab' }, { data: 'c' }, { data: 'd' }];
    const told = async (count: number, name = 'counted'): Promise<unknown> => {
      const { response } = (await call(name, { body: parts.slice(0, count) })) as unknown as {
        response: Response;
      };
      return response.status;
    };
    expect([await told(0), await told(1), await told(2), await told(3), await told(4)]).toEqual([
      400, 400, 200, 200, 400,
    ]);
    expect([await told(1, 'closed'), await told(2, 'closed'), await told(3, 'closed')]).toEqual([200, 200, 400]);
  });

  test('that must not be equal are compared by what they hold, and events by their data', async () => {
    const { call } = await api.serving('node', { distinct: (_, reply) => reply(200, {}) });
    const bytes = (...values: number[]): object => ({ data: Uint8Array.from(values), contentType: 'image/png' });
    const told = async (contentType: string, body: readonly object[]): Promise<unknown> =>
      (await call('distinct', { body, contentType })).ok;
    const json = (data: unknown): object => ({ data, contentType: 'application/json' });
    const text = { data: 'ab', contentType: 'text/plain' };
    const mixed = 'multipart/mixed';
    expect([
      await told(mixed, [json({ n: 1, m: 2 }), json({ n: 1 }), text, bytes(97, 98), bytes(97)]),
      await told(mixed, [json({ n: 1, m: 2 }), text, json({ m: 2, n: 1 })]),
      await told(mixed, [text, json('ab')]),
      await told(mixed, [bytes(1, 255), text, bytes(1, 255)]),
      await told('text/event-stream', [{ data: { n: 1 } }, { data: { n: 2 } }]),
      await told('text/event-stream', [
        { event: 'a', data: { n: 1 } },
        { event: 'b', id: '7', data: { n: 1 } },
      ]),
    ]).toEqual([true, false, false, false, true, false]);
  });

  test.each<[string, string, BodyInit, string[]]>([
    [
      'a value that its schema refuses',
      'b',
      '--b\r\n\r\n{"n":"x"}\r\n--b\r\n\r\ny\r\n--b--',
      ['/body/0/data/n', '/body/1/data'],
    ],
    ['what is no JSON', 'b', '--b\r\n\r\n{\r\n--b--', ['/body/0/data']],
    ['another media type', 'b', '--b\r\nContent-Type: image/png\r\n\r\n{}\r\n--b--', ['/body/0']],
    ['what breaks off', 'b', '--b\r\n\r\n{"n":1}\r\n', ['/body']],
    ['text that is no UTF-8', 'b', latin('--b\r\n\r\n{"n":1}\r\n--b\r\n\r\nxé\r\n--b--'), ['/body/1']],
    [
      'an unknown charset',
      'b',
      '--b\r\n\r\n{"n":1}\r\n--b\r\nContent-Type: text/plain; charset=no\r\n\r\nxy\r\n--b--',
      ['/body/1'],
    ],
    ['no boundary', '""', '--b\r\n\r\n{"n":1}\r\n--b--', ['/body']],
  ])('a request is refused with %s', async (_, boundary, body, pointers) => {
    const { server } = await serving({ upload });
    const response = await fetch(`${server.url}/upload`, {
      method: 'POST',
      headers: { 'content-type': `multipart/mixed; boundary=${boundary}` },
      body,
    });
    const { errors = [] } = (await response.json()) as { errors?: { pointer: string }[] };
    expect([response.status, ...errors.map(({ pointer }) => pointer)]).toEqual([400, ...pointers]);
  });
});
