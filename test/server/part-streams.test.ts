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
const picture = { itemSchema: {}, itemEncoding: { contentType: 'image/png' } };
const several = {
  schema: { type: 'array', prefixItems: [item, { type: 'string', minLength: 2 }], items: {} },
};

const document = {
  openapi: '3.2.0',
  info: { title: 't', version: '1' },
  paths: {
    '/values': { get: { operationId: 'values', responses: ok({ 'multipart/mixed': { itemSchema: item } }) } },
    '/pictures': { get: { operationId: 'pictures', responses: ok({ 'multipart/x-mixed-replace': picture }) } },
    '/several': { get: { operationId: 'several', responses: ok({ 'multipart/mixed': several }) } },
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

  test.each<[string, string, string, string[]]>([
    [
      'a value that its schema refuses',
      'b',
      '--b\r\n\r\n{"n":"x"}\r\n--b\r\n\r\ny\r\n--b--',
      ['/body/0/data/n', '/body/1/data'],
    ],
    ['what is no JSON', 'b', '--b\r\n\r\n{\r\n--b--', ['/body/0/data']],
    ['another media type', 'b', '--b\r\nContent-Type: image/png\r\n\r\n{}\r\n--b--', ['/body/0']],
    ['what breaks off', 'b', '--b\r\n\r\n{"n":1}\r\n', ['/body']],
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
