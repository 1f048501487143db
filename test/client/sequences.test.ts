/** Streams that go on after a break, streams that say where they end, and sequences of JSON texts, over loopback. */
import type { ServerResponse } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import { generateFrom, runnable } from '../support/generated-client.js';
import { type SeenRequest, serve } from '../support/http-server.js';

interface Stream extends AsyncIterable<{ readonly event: string; readonly data: unknown; readonly name?: string }> {
  readonly lastEventId: string;
  data(): AsyncIterable<unknown>;
  collect(): Promise<unknown[]>;
  close(): Promise<void>;
}

interface Result {
  readonly ok: boolean;
  readonly status: number | 'unexpected';
  readonly data: Stream;
  readonly error?: unknown;
}

type Call = (client: unknown, input?: object, options?: object) => Promise<Result>;

interface Api {
  readonly createClient: (options?: object) => unknown;
  readonly reconnect: (options?: object) => unknown;
  readonly watch: Call;
  readonly finish: Call;
  readonly ask: Call;
  readonly search: Call;
  readonly lines: Call;
  readonly records: Call;
  readonly words: Call;
  readonly any: Call;
  readonly upload: Call;
}

const item = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };
const ok = (content: object): object => ({ 200: { description: 'd', content } });
const events = (itemSchema: object): object => ok({ 'text/event-stream': { itemSchema } });
const note = { type: 'object', properties: { event: { const: 'note' }, data: item } };
const end = { type: 'object', properties: { data: { const: '[END]' } } };

/** One event is declared by its name, and all others have data of one kind. */
const anyEvent = {
  oneOf: [
    { type: 'object', properties: { event: { const: 'text' }, data: { type: 'string' } } },
    { type: 'object', properties: { event: { type: 'string' }, data: item } },
  ],
};

const document = {
  openapi: '3.2.0',
  info: { title: 't', version: '1' },
  paths: {
    '/watch': { get: { operationId: 'watch', responses: events(note) } },
    '/finish': { get: { operationId: 'finish', responses: events({ oneOf: [note, end] }) } },
    '/ask': { post: { operationId: 'ask', responses: events(item) } },
    '/search': {
      query: {
        operationId: 'search',
        requestBody: { content: { 'application/json': { schema: item } } },
        responses: events(note),
      },
    },
    '/lines': { get: { operationId: 'lines', responses: ok({ 'application/jsonl': { itemSchema: item } }) } },
    '/records': { get: { operationId: 'records', responses: ok({ 'application/json-seq': { itemSchema: item } }) } },
    '/words': { get: { operationId: 'words', responses: ok({ 'application/json-seq': {} }) } },
    '/any': {
      post: {
        operationId: 'any',
        requestBody: { content: { 'text/event-stream': { itemSchema: anyEvent } } },
        responses: { 204: { description: 'd' } },
      },
    },
    '/upload': {
      post: {
        operationId: 'upload',
        requestBody: {
          required: true,
          content: { 'application/x-ndjson': { itemSchema: item }, 'application/json-seq': { itemSchema: item } },
        },
        responses: { 204: { description: 'd' } },
      },
    },
  },
};

let api: Api;

beforeAll(async () => {
  api = await runnable<Api>(await generateFrom(document, { targets: ['client', 'validators'] }));
});

/** One request after the other is answered by one step after the other. */
async function scripted(...steps: ((response: ServerResponse, request: SeenRequest) => void)[]) {
  const seen: SeenRequest[] = [];
  const server = await serve((request, response) => {
    const step = steps[Math.min(seen.length, steps.length - 1)];
    seen.push(request);
    step?.(response, request);
  });
  return { seen, client: api.createClient({ baseUrl: server.origin }) };
}

const sse =
  (text: string, how: 'end' | 'break' | 'stay' = 'end') =>
  (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(text, () => {
      if (how === 'end') response.end();
      else if (how === 'break') setTimeout(() => response.destroy(), 20);
    });
  };

const answer =
  (status: number, headers: Record<string, string> = {}, body = '') =>
  (response: ServerResponse): void => {
    response.writeHead(status, headers).end(body);
  };

const event = (n: number, id?: string): string =>
  `event: note\n${id === undefined ? '' : `id: ${id}\n`}data: {"n":${n}}\n\n`;

async function opened(call: Call, client: unknown, options: object = {}, input?: object): Promise<Stream> {
  const result = await call(client, input, options);
  expect(result).toMatchObject({ ok: true, status: 200 });
  return result.data;
}

const quick = (more: object = {}): object => ({ reconnect: api.reconnect({ delay: 1, ...more }) });

describe('reconnecting', () => {
  test('goes on where an event was cut off, with the last id, in UTF-8', async () => {
    const { client, seen } = await scripted(
      sse(`${event(1, 'ä1')}event: note\nid: 2\ndata: {"n"`, 'break'),
      sse(event(2, 'b')),
      answer(204),
    );
    const stream = await opened(api.watch, client, quick());
    expect(await stream.collect()).toEqual([{ n: 1 }, { n: 2 }]);
    const ids = seen.map(({ headers }) => headers['last-event-id']);
    expect([ids[0], Buffer.from(String(ids[1]), 'latin1').toString(), ids[2]]).toEqual([undefined, 'ä1', 'b']);
    expect(seen[1]?.headers['accept']).toBe('text/event-stream');
  });

  test('goes on from where the caller said until the server says otherwise', async () => {
    const { client, seen } = await scripted(
      answer(200, { 'content-type': 'text/event-stream' }),
      sse(event(1, '7')),
      sse(`id\n\n${event(2)}`),
      answer(204),
    );
    const stream = await opened(api.watch, client, { ...quick(), headers: { 'Last-Event-ID': '5' } });
    expect(await stream.collect()).toEqual([{ n: 1 }, { n: 2 }]);
    expect(seen.map(({ headers }) => headers['last-event-id'])).toEqual(['5', '5', '7', undefined]);
  });

  test('asks again after 503, 429 and a broken connection, and waits as long as the answer says', async () => {
    const delays: number[] = [];
    const { client } = await scripted(
      sse(`retry: 30\n${event(1)}`),
      answer(503, { 'retry-after': '1' }),
      answer(429),
      (response) => response.destroy(),
      sse(event(2)),
      answer(204),
    );
    const onReconnect = ({ delay }: { delay: number }): void => void delays.push(delay);
    const stream = await opened(api.watch, client, quick({ onReconnect }));
    expect(await stream.collect()).toEqual([{ n: 1 }, { n: 2 }]);
    expect(delays).toEqual([30, 1000, 30, 30, 30]);
  });

  test.each([
    [401, { 'content-type': 'application/json' }],
    [404, {}],
    [200, { 'content-type': 'text/html' }],
  ])('ends at %s, whose answer can be read', async (status, headers) => {
    const { client, seen } = await scripted(
      sse(event(1)),
      answer(status, headers as Record<string, string>, '{"why":1}'),
    );
    const stream = await opened(api.watch, client, quick());
    const fault = await stream.collect().then(
      () => undefined,
      (error: unknown) => error as { fault: string; response: Response },
    );
    expect([fault?.fault, fault?.response.status, seen.length]).toEqual(['reconnect', status, 2]);
    expect(await fault?.response.text()).toBe('{"why":1}');
  });

  test('gives up after so many attempts without an event, and says why', async () => {
    const { client, seen } = await scripted(sse(event(1)), sse(''), answer(500));
    const stream = await opened(api.watch, client, quick({ maxAttempts: 3 }));
    await expect(stream.collect()).rejects.toMatchObject({ fault: 'reconnect', cause: { status: 500 } });
    expect(seen).toHaveLength(4);
  });

  test('never sends a POST again, unless it is told how to go on', async () => {
    const first = sse('id: 7\ndata: {"n":1}\n\n', 'break');
    const once = await scripted(first);
    await expect((await opened(api.ask, once.client, quick())).collect()).rejects.toMatchObject({ fault: 'network' });
    expect(once.seen).toHaveLength(1);
    const { client, seen } = await scripted(first, sse('data: {"n":2}\n\n'), answer(204));
    const resume = (id: string, { url, headers }: Request): Request =>
      new Request(url, { headers: { ...Object.fromEntries(headers), 'last-event-id': id } });
    const stream = await opened(api.ask, client, quick({ resume }));
    expect(await stream.collect()).toEqual([{ n: 1 }, { n: 2 }]);
    expect(seen.map(({ method, headers }) => [method, headers['last-event-id']])).toEqual([
      ['POST', undefined],
      ['GET', '7'],
      ['GET', '7'],
    ]);
  });

  test('sends the body of a QUERY again', async () => {
    const { client, seen } = await scripted(sse(event(1)), answer(204));
    const stream = await opened(api.search, client, quick(), { body: { n: 5 } });
    expect(await stream.collect()).toEqual([{ n: 1 }]);
    expect(seen.map(({ method, body }) => [method, body])).toEqual([
      ['QUERY', '{"n":5}'],
      ['QUERY', '{"n":5}'],
    ]);
  });

  test('stops waiting where it is closed or aborted', async () => {
    const { client, seen } = await scripted(sse(event(1)));
    const slow = { reconnect: api.reconnect({ delay: 60_000 }) };
    const stream = await opened(api.watch, client, slow);
    const all = stream.collect();
    setTimeout(() => void stream.close(), 50);
    expect(await all).toEqual([{ n: 1 }]);
    const controller = new AbortController();
    const other = await opened(api.watch, client, { ...slow, signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    await expect(other.collect()).rejects.toMatchObject({ fault: 'abort' });
    expect(seen).toHaveLength(2);
  });

  test('is off by default, and an invalid event is no reason', async () => {
    const { client, seen } = await scripted(sse(event(1), 'break'));
    await expect((await opened(api.watch, client)).collect()).rejects.toMatchObject({ fault: 'network' });
    const bad = await scripted(sse('event: note\ndata: {"n":"x"}\n\n'));
    const stream = await opened(api.watch, bad.client, { ...quick(), onInvalid: 'throw' });
    await expect(stream.collect()).rejects.toMatchObject({ fault: 'stream' });
    expect([seen.length, bad.seen.length]).toEqual([1, 1]);
  });

  test.each(['a\x01b', ' a', 'a\t'])('gives up at once where the last id cannot be sent: %j', async (id) => {
    const told: unknown[] = [];
    const { client, seen } = await scripted(sse(event(1, id), 'break'), answer(204));
    const stream = await opened(api.watch, client, quick({ onReconnect: (one: unknown) => void told.push(one) }));
    await expect(stream.collect()).rejects.toMatchObject({ fault: 'reconnect', cause: { fault: 'network' } });
    expect([seen.length, told]).toEqual([1, []]);
  });

  test('goes on behind such an id as it is told to', async () => {
    const other = await scripted(sse(event(1, '\x7f')), answer(204));
    const resume = (id: string, { url }: Request): Request => new Request(`${url}?after=${encodeURIComponent(id)}`);
    expect(await (await opened(api.watch, other.client, quick({ resume }))).collect()).toEqual([{ n: 1 }]);
    expect(other.seen.map(({ url }) => url)).toEqual(['/watch', '/watch?after=%7F']);
  });
});

describe('an aborted stream', () => {
  test.each(['stay', 'end'] as const)('gives nothing of what has come already: %s', async (how) => {
    const { client, seen } = await scripted(sse(`${event(1)}${event(2)}${event(3)}`, how));
    const controller = new AbortController();
    const { signal } = controller;
    const stream = await opened(api.watch, client, { ...quick(), signal });
    const got: unknown[] = [];
    const why = new Error('enough');
    const work = (async () => {
      for await (const one of stream) {
        got.push(one.data);
        controller.abort(why);
      }
    })();
    await expect(work).rejects.toMatchObject({ fault: 'abort', cause: why });
    expect([got, seen.length]).toEqual([[{ n: 1 }], 1]);
  });

  test('is aborted where it is waiting to go on', async () => {
    const { client } = await scripted(sse(event(1)));
    const controller = new AbortController();
    const onReconnect = (): void => controller.abort();
    const stream = await opened(api.watch, client, { ...quick({ onReconnect }), signal: controller.signal });
    await expect(stream.collect()).rejects.toMatchObject({ fault: 'abort' });
  });
});

describe('the answer to the first request', () => {
  const events = { 'content-type': 'text/event-stream' };

  test('is no stream where the type is another, and can be read', async () => {
    for (const type of ['text/html', 'application/json']) {
      const { client, seen } = await scripted(answer(200, { 'content-type': type }, '{"why":1}'));
      const result = await api.watch(client, undefined, quick());
      expect(result).toMatchObject({ ok: false, status: 'unexpected' });
      expect(result.error).toEqual(type === 'text/html' ? '{"why":1}' : { why: 1 });
      expect(seen).toHaveLength(1);
    }
  });

  test('is no stream where it is 204', async () => {
    const { client, seen } = await scripted(answer(204));
    expect(await api.watch(client, undefined, quick())).toMatchObject({ ok: false, status: 'unexpected' });
    expect(seen).toHaveLength(1);
  });

  test('is told where it is 401, with its body, and is not asked for again', async () => {
    const { client, seen } = await scripted(answer(401, { 'content-type': 'application/json' }, '{"error":"expired"}'));
    const result = await api.watch(client, undefined, quick());
    expect(result).toMatchObject({
      ok: false,
      status: 'unexpected',
      error: { error: 'expired' },
      response: { status: 401 },
    });
    expect(seen).toHaveLength(1);
  });

  test('may hold nothing at all', async () => {
    const { client } = await scripted(answer(200, events));
    expect(await (await opened(api.watch, client)).collect()).toEqual([]);
  });

  test('can be aborted before its first byte, and before the first event', async () => {
    const silent = await scripted(() => undefined);
    const early = api.watch(silent.client, undefined, { signal: AbortSignal.timeout(40), ...quick() });
    await expect(early).rejects.toMatchObject({ fault: 'abort' });
    const { client, seen } = await scripted(sse('event: note\ndata: {"n"', 'stay'));
    const stream = await opened(api.watch, client, { signal: AbortSignal.timeout(400), ...quick() });
    await expect(stream.collect()).rejects.toMatchObject({ fault: 'abort' });
    expect([silent.seen.length, seen.length]).toEqual([1, 1]);
  });
});

describe('the end of a stream', () => {
  test('is the event that the contract declares, and nothing is read behind it', async () => {
    const { client, seen } = await scripted(sse(`${event(1)}data: [END]\n\n${event(2)}`, 'stay'));
    expect(await (await opened(api.finish, client, quick())).collect()).toEqual([{ n: 1 }]);
    expect(seen).toHaveLength(1);
  });

  test('is missed where it does not come', async () => {
    const { client } = await scripted(sse(event(1)));
    const stream = await opened(api.finish, client);
    const got: unknown[] = [];
    const read = async (): Promise<void> => {
      for await (const one of stream.data()) got.push(one);
    };
    await expect(read()).rejects.toMatchObject({ fault: 'truncated' });
    expect(got).toEqual([{ n: 1 }]);
  });

  test('is [DONE] by custom, where events are JSON', async () => {
    const { client } = await scripted(sse('event: delta\ndata: {"n":1}\n\ndata: [DONE]\n\n', 'stay'));
    const got: unknown[] = [];
    for await (const one of await opened(api.ask, client)) got.push(one);
    expect(got).toEqual([{ event: 'message', name: 'delta', data: { n: 1 }, id: '' }]);
  });
});

describe('a sequence of JSON texts', () => {
  const body =
    (type: string, ...parts: (string | Buffer)[]) =>
    async (response: ServerResponse): Promise<void> => {
      response.writeHead(200, { 'content-type': type });
      for (const part of parts) {
        response.write(part);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      response.end();
    };

  async function all(call: Call, type: string, parts: readonly (string | Buffer)[], options: object = {}) {
    const { client } = await scripted(body(type, ...parts));
    const got: unknown[] = [];
    for await (const one of await opened(call, client, options)) got.push(one);
    return got;
  }
  const value = (n: number): object => ({ event: 'item', data: { n } });
  const invalid = (data: string): object => ({ event: '$invalid', data, issues: [expect.anything()] });

  test.each<[string, (string | Buffer)[], object[]]>([
    ['lines', ['{"n":1}\n{"n":2}\n'], [value(1), value(2)]],
    [
      'lines with CRLF, blank ones, and a last one without its end',
      ['\n{"n":1}\r\n  \r\n{"n":2}'],
      [value(1), value(2)],
    ],
    ['lines in pieces', ['{"n"', ':1', '}\n{', '"n":2}'], [value(1), value(2)]],
    [
      'a byte order mark',
      [Buffer.from([0xef, 0xbb, 0xbf]), '{"n":1}\n{"n":2}\n'],
      [invalid('\ufeff{"n":1}'), value(2)],
    ],
    ['what is no JSON or no item', ['{"n":1}\n{"n":"x"}\noops\n'], [value(1), invalid('{"n":"x"}'), invalid('oops')]],
  ])('%s', async (_, parts, expected) => {
    expect(await all(api.lines, 'application/jsonl', parts)).toEqual(expected);
  });

  test.each<[string, (string | Buffer)[], object[]]>([
    ['records', ['\u001e{"n":1}\n\u001e{"n":2}\n'], [value(1), value(2)]],
    [
      'records of several lines, in pieces',
      ['\u001e{\n"n":', '1\n}\n', '\u001e\n\u001e{"n":2}\n'],
      [value(1), value(2)],
    ],
    ['a record that was cut off', ['\u001e{"n":1}\n\u001e{"n":2'], [value(1), invalid('{"n":2')]],
    [
      'numbers and words, which may be cut off',
      ['\u001e1\u001e', 'true\u001e', '{"n":1}\u001e{"n":2}\n\u001enull'],
      [invalid('1'), invalid('true'), value(1), value(2), invalid('null')],
    ],
    ['a record behind blank lines', ['\u001e\n\n{"n":1}\n\n'], [value(1)]],
    [
      'what has no separator',
      ['{"n":1}\n\u001e{"n":2}\n{"n":3}\n\u001e{"n":4}\n'],
      [invalid('{"n":1}'), value(2), invalid('{"n":3}'), value(4)],
    ],
    ['other space than that of JSON', ['\u001e\u00a0{"n":1}\n'], [invalid('\u00a0{"n":1}')]],
    ['a last record that is whole all the same', ['\u001e{"n":1}\n\u001e{"n":2}'], [value(1), value(2)]],
  ])('%s', async (_, parts, expected) => {
    expect(await all(api.records, 'application/json-seq', parts)).toEqual(expected);
  });

  test('gives a record as soon as its line feed is there, whatever it holds', async () => {
    let more: (text: string) => void = () => undefined;
    const { client } = await scripted((response) => {
      response.writeHead(200, { 'content-type': 'application/json-seq' });
      response.write('\u001e{"n":1,"s":"]}\\"{\\\\",\n"m":[{}\n]}\n');
      more = (text) => response.end(text);
    });
    const stream = await opened(api.records, client);
    const iterator = stream[Symbol.asyncIterator]();
    expect((await iterator.next()).value).toEqual({ event: 'item', data: { n: 1, s: ']}"{\\', m: [{}] } });
    more('\u001e{"n":[\n\u001e{"n":2}\n\u001e{"n":3,"a":[1]');
    expect((await iterator.next()).value).toEqual(invalid('{"n":['));
    expect((await iterator.next()).value).toEqual(value(2));
    expect((await iterator.next()).value).toEqual(invalid('{"n":3,"a":[1]'));
    expect((await iterator.next()).done).toBe(true);
  });

  test.each<[string, string[], unknown[]]>([
    [
      'with white space behind them',
      ['\u001e1\n', '\u001e 2 \u001etrue\t\u001e\n3\n', '\u001enull\n'],
      [1, 2, true, 3, null],
    ],
    ['without', ['\u001e1', '\u001e2', '\n\u001efalse'], [2]],
  ])('of numbers and words, %s', async (_, parts, expected) => {
    const { client } = await scripted(body('application/json-seq', ...parts));
    for (const onInvalid of ['yield', 'off', 'skip']) {
      expect(await (await opened(api.words, client, { onInvalid })).collect()).toEqual(expected);
    }
  });

  test('refuses an item without end', async () => {
    const { client } = await scripted(body('application/jsonl', 'x'.repeat(100)));
    const stream = await opened(api.lines, client, { maxEventLength: 50 });
    await expect(stream.collect()).rejects.toMatchObject({ fault: 'stream' });
  });

  test('is sent from an array, and from what comes by and by', async () => {
    const { client, seen } = await scripted(answer(204));
    async function* slowly(): AsyncGenerator<object> {
      yield { n: 1 };
      await new Promise((resolve) => setTimeout(resolve, 10));
      yield { n: 2 };
    }
    await api.upload(client, { body: [{ n: 1 }, { n: 2 }] });
    await api.upload(client, { body: slowly() });
    await api.upload(client, { body: slowly(), contentType: 'application/json-seq' });
    expect(seen.map(({ headers, body }) => [headers['content-type'], body])).toEqual([
      ['application/x-ndjson', '{"n":1}\n{"n":2}\n'],
      ['application/x-ndjson', '{"n":1}\n{"n":2}\n'],
      ['application/json-seq', '\u001e{"n":1}\n\u001e{"n":2}\n'],
    ]);
    await expect(api.upload(client, { body: 5 })).rejects.toMatchObject({ fault: 'request' });
  });

  test('of events has the contract of its name, else that of all names', async () => {
    const { client, seen } = await scripted(answer(204));
    const body = [{ event: 'text', data: 'a' }, { event: 'other', data: { n: 1 } }, { data: { n: 2 } }];
    await api.any(client, { body });
    expect(seen[0]?.body).toBe('event: text\ndata: a\n\nevent: other\ndata: {"n":1}\n\ndata: {"n":2}\n\n');
    await expect(api.any(client, { body: [{ event: 'text', data: { n: 1 } }] })).rejects.toMatchObject({
      fault: 'request',
    });
  });
});
