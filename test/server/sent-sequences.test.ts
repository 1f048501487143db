/** Sequences of items as bodies of requests over loopback: a generated client against the generated server, on every adapter. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Adapter } from '../support/generated-server.js';
import { type Handler, numbers, pause, type StreamingApi, streamingApi } from '../support/streaming-api.js';
import { streamsDocument } from '../support/streams-document.js';

let api: StreamingApi;

beforeAll(async () => {
  api = await streamingApi(streamsDocument);
});
afterAll(() => api.remove());

describe.each<Adapter>(['node', 'fastify', 'fetch'])('a body of many items on %s', (adapter) => {
  const serving = (handlers: Readonly<Record<string, Handler>>, options?: object) =>
    api.serving(adapter, handlers, options);
  const upload: Handler = ({ body }, reply) => reply(200, body);

  async function post(type: string, body: string, options: object = {}, path = 'upload') {
    const { server } = await serving({ upload, tell: upload }, options);
    const response = await fetch(`${server.url}/${path}`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    });
    const { errors = [] } = (await response.json()) as { errors?: { pointer: string }[] };
    return { status: response.status, pointers: errors.map(({ pointer }) => pointer) };
  }

  test('is sent from an array or by and by, and read as a list', async () => {
    const { call } = await serving({ upload });
    const expected = { ok: true, status: 200, data: [{ n: 1 }, { n: 2 }] };
    expect(await call('upload', { body: [{ n: 1 }, { n: 2 }] })).toMatchObject(expected);
    expect(await call('upload', { body: numbers((n) => ({ n }), 2) })).toMatchObject(expected);
    const contentType = 'application/json-seq';
    expect(await call('upload', { body: numbers((n) => ({ n }), 2), contentType })).toMatchObject(expected);
  });

  test.each<[string, string, string, number, string[]]>([
    [
      'items that their schema refuses',
      'application/x-ndjson',
      '{"n":1}\n{"n":"x"}\n{}\n',
      400,
      ['/body/1/n', '/body/2'],
    ],
    [
      'a record that its schema refuses',
      'application/json-seq',
      '\u001e{"n":1}\n\u001e{"n":"x"}\n',
      400,
      ['/body/1/n'],
    ],
    ['a line that is no JSON', 'application/x-ndjson', '{"n":1}\n{"n":\n', 400, ['/body/1']],
    ['a line with two texts', 'application/x-ndjson', '{"n":1}{"n":2}\n', 400, ['/body/0']],
    ['a record without its separator', 'application/json-seq', '{"n":1}\n', 400, ['/body/0']],
    ['a second one without it', 'application/json-seq', '\u001e{"n":1}\n{"n":2}\n', 400, ['/body/1']],
    ['a record that may be cut off', 'application/json-seq', '\u001e{"n":1}\n\u001e12', 400, ['/body/1']],
    ['an event that is cut off', 'text/event-stream', 'data: {"n":1}\n\ndata: {"n":2}\n', 400, ['/body/1']],
    [
      'an event without data where it is JSON',
      'text/event-stream',
      'event: note\nid: 1\ndata\n\n',
      400,
      ['/body/0/data'],
    ],
    ['a record that is cut off', 'application/json-seq', '\u001e{"n":1}\n\u001e{"n":2', 400, ['/body/1']],
  ])('refuses %s', async (_, type, body, status, pointers) => {
    expect(await post(type, body, {}, type === 'text/event-stream' ? 'tell' : 'upload')).toMatchObject({
      status,
      pointers,
    });
  });

  test.each([
    ['application/x-ndjson', ''],
    ['application/x-ndjson', '\n \n'],
    ['application/json-seq', ''],
    ['application/json-seq', '\u001e\n'],
  ])('may be a sequence of nothing: %s %j', async (type, body) => {
    expect(await post(type, body)).toMatchObject({ status: 200 });
  });

  test('that is empty comes as an empty list, unless the contract wants items', async () => {
    const { call, server } = await serving({ upload, tell: upload, several: upload, three: upload });
    for (const body of [[], numbers((n) => ({ n }), 0)]) {
      expect(await call('upload', { body })).toMatchObject({ status: 200, data: [] });
    }
    for (const body of [[], numbers((n) => ({ n }), 0)]) {
      expect(await call('tell', { body })).toMatchObject({ status: 200, data: [] });
    }
    const answered = async (path: string, type: string, body: string): Promise<unknown> => {
      const response = await fetch(`${server.url}/${path}`, {
        method: 'POST',
        headers: { 'content-type': type },
        body,
      });
      const { errors = [] } = (await response.json()) as { errors?: { pointer: string; keyword: string }[] };
      return [response.status, ...errors.map(({ pointer, keyword }) => `${pointer} ${keyword}`)];
    };
    const line = '{"n":1}\n';
    expect(await answered('several', 'application/jsonl', '')).toEqual([400, '/body minItems']);
    expect(await answered('several', 'application/jsonl', line + line)).toEqual([400, '/body uniqueItems']);
    expect(await answered('several', 'application/jsonl', `${line}{"n":"x"}\n`)).toEqual([400, '/body/1/n type']);
    expect(await answered('several', 'application/jsonl', line)).toEqual([200]);
    expect(await answered('three', 'text/event-stream', '')).toEqual([400, '/body minItems']);
    expect(await answered('three', 'text/event-stream', 'data: {"n":1}\n\n'.repeat(4))).toEqual([
      400,
      '/body maxItems',
    ]);
    expect(await answered('three', 'text/event-stream', 'data: {"n":1}\n\n')).toEqual([200]);
  });

  test('without a media type is no body', async () => {
    const { server } = await serving({ upload });
    const response = await fetch(`${server.url}/upload`, { method: 'POST' });
    expect(response.status).toBe(400);
  });

  test('fails as a request with its own reason', async () => {
    const { call } = await serving({ upload });
    const own = new Error('own');
    function* atHand(): Generator<object> {
      yield { n: 1 };
      throw own;
    }
    async function* byAndBy(): AsyncGenerator<object> {
      yield { n: 1 };
      throw own;
    }
    for (const body of [atHand(), byAndBy()]) {
      await expect(call('upload', { body })).rejects.toMatchObject({
        fault: 'request',
        message: 'body: the sequence that was given failed',
        cause: own,
      });
    }
    let isReturned = false;
    async function* unsendable(): AsyncGenerator<unknown> {
      try {
        for (;;) yield undefined;
      } finally {
        isReturned = true;
      }
    }
    await expect(call('upload', { body: unsendable() })).rejects.toMatchObject({
      fault: 'request',
      message: 'body: holds an item that is no JSON value',
    });
    expect(isReturned).toBe(true);
  });

  test('is bounded, and skips blank lines', async () => {
    const line = '{"n":1}\r\n \n';
    expect(await post('application/x-ndjson', line.repeat(100), { limits: { bodyBytes: 500 } })).toMatchObject({
      status: 413,
    });
    expect(await post('application/x-ndjson', `{"n":1,"a":${'['.repeat(70)}${']'.repeat(70)}}`)).toMatchObject({
      status: 400,
      pointers: ['/body/0'],
    });
    const { status } = await post('application/x-ndjson', line.repeat(3));
    expect(status).toBe(200);
  });

  test('leaves out what only answers have', async () => {
    const { call } = await serving({ upload });
    expect((await call('upload', { body: [{ n: 1, made: 5 }] })).data).toEqual([{ n: 1 }]);
  });

  test('may be an event stream, typed by name', async () => {
    const { call } = await serving({ tell: upload });
    const sent = [
      { event: 'note', data: { n: 1 }, id: '7' },
      { event: 'text', data: 'a\nb', retry: 5 },
    ];
    // An id is that of the event that it stands in.
    expect((await call('tell', { body: sent })).data).toEqual(sent);
    expect((await call('tell', { body: numbers((n) => sent[n - 1] ?? {}, 2) })).data).toEqual(sent);
    await expect(call('tell', { body: [{ event: 'other', data: 1 }] })).rejects.toMatchObject({ fault: 'request' });
    await expect(call('tell', { body: [{ event: 'text', data: 1 }] })).rejects.toMatchObject({ fault: 'request' });
    expect((await call('tell', { body: [{ event: 'text', data: '[END]' }] })).data).toEqual([
      { event: 'text', data: '[END]' },
    ]);
  });

  test.each<[string, string, number, string[]]>([
    [
      'data that its schema refuses',
      'event: note\ndata: {"n":1}\n\nevent: note\ndata: {"n":"x"}\n\n',
      400,
      ['/body/1/data/n'],
    ],
    ['data that is no JSON', 'event: note\ndata: {\n\n', 400, ['/body/0/data']],
    ['an event of another name', 'event: note\ndata: {"n":1}\n\ndata: {"n":1}\n\n', 400, ['/body/1/event']],
    ['nothing behind the end', 'event: note\ndata: {"n":1}\n\ndata: [END]\n\ndata: x\n\n', 200, []],
  ])('refuses, as an event stream, %s', async (_, body, status, pointers) => {
    expect(await post('text/event-stream', body, {}, 'tell')).toMatchObject({ status, pointers });
  });
});

describe('the generator of a body', () => {
  /** Gives items until it is told to stop, and tells when. */
  function endless(): { readonly body: AsyncGenerator<object>; readonly returned: Promise<void>; count(): number } {
    let made = 0;
    let tell: () => void = () => undefined;
    const returned = new Promise<void>((resolve) => {
      tell = resolve;
    });
    async function* items(): AsyncGenerator<object> {
      try {
        for (; ; made += 1) {
          yield { n: made };
          await pause(5);
        }
      } finally {
        tell();
      }
    }
    return { body: items(), returned, count: () => made };
  }

  test('is let go where the call is aborted', async () => {
    const { call } = await api.serving('node', { upload: (_, reply) => reply(200, []) });
    const { body, returned, count } = endless();
    const controller = new AbortController();
    const outcome = call('upload', { body }, { signal: controller.signal });
    setTimeout(() => controller.abort(), 40);
    await expect(outcome).rejects.toMatchObject({ fault: 'abort' });
    await returned;
    expect(count()).toBeGreaterThan(0);
  });

  test('is let go where the answer is there before the end, which nobody takes for the end of the body', async () => {
    const closings: boolean[] = [];
    const server = createServer((request, response) => {
      request.resume();
      request.socket.on('close', () => closings.push(request.complete));
      response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
    });
    await new Promise<void>((resolve) => server.listen(0, resolve));
    const { port } = server.address() as AddressInfo;
    const { call } = await api.serving('node', {});
    const { body, returned } = endless();
    const answer = await call('upload', { body }, { server: `http://localhost:${port}` });
    expect(answer).toMatchObject({ status: 200 });
    await returned;
    for (let tries = 0; closings.length === 0 && tries < 100; tries += 1) await pause(10);
    expect(closings).toEqual([false]);
    server.close();
  });
});
