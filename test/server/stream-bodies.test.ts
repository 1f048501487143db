/** Streams in both directions over loopback: a generated client against the generated server, on every adapter. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Adapter, type GeneratedServer, generatedServer } from '../support/generated-server.js';

interface Stream extends AsyncIterable<{ readonly event: string; readonly data: unknown }> {
  collect(): Promise<unknown[]>;
  close(): Promise<void>;
}

interface Answer {
  readonly ok: boolean;
  readonly status: number | 'unexpected';
  readonly data: Stream;
  readonly error: unknown;
}

type Call = (client: unknown, input?: object, options?: object) => Promise<Answer>;
type Reply = (status: number, body?: unknown) => unknown;
type Handler = (
  request: { readonly body: unknown },
  reply: Reply,
  context: { readonly signal: AbortSignal },
) => unknown;
type Operation = 'watch' | 'finish' | 'lines' | 'records' | 'upload' | 'tell';
type Client = Readonly<Record<Operation, Call>> & { readonly createClient: (options: object) => unknown };

interface Queue extends AsyncIterable<unknown> {
  push(event: unknown): Promise<boolean>;
  end(): void;
  readonly closed: AbortSignal;
}

const item = {
  type: 'object',
  required: ['n'],
  properties: { n: { type: 'integer' }, made: { type: 'integer', readOnly: true } },
};
const ok = (content: object): object => ({ 200: { description: 'd', content } });
const named = (event: string, data: object): object => ({
  type: 'object',
  properties: { event: { const: event }, data: { type: 'string', contentSchema: data } },
});
const note = named('note', item);
const fault = named('fault', { type: 'object', required: ['why'], properties: { why: { type: 'string' } } });
const end = { type: 'object', properties: { data: { const: '[END]' } } };
const text = { type: 'object', properties: { event: { const: 'text' }, data: { type: 'string' } } };
const received = ok({ 'application/json': { schema: {} } });

const document = {
  openapi: '3.2.0',
  info: { title: 't', version: '1' },
  paths: {
    '/watch': {
      get: { operationId: 'watch', responses: ok({ 'text/event-stream': { itemSchema: { oneOf: [note, fault] } } }) },
    },
    '/finish': {
      get: { operationId: 'finish', responses: ok({ 'text/event-stream': { itemSchema: { oneOf: [note, end] } } }) },
    },
    '/lines': { get: { operationId: 'lines', responses: ok({ 'application/jsonl': { itemSchema: item } }) } },
    '/records': { get: { operationId: 'records', responses: ok({ 'application/json-seq': { itemSchema: item } }) } },
    '/upload': {
      post: {
        operationId: 'upload',
        requestBody: {
          required: true,
          content: { 'application/x-ndjson': { itemSchema: item }, 'application/json-seq': { itemSchema: item } },
        },
        responses: received,
      },
    },
    '/tell': {
      post: {
        operationId: 'tell',
        requestBody: {
          required: true,
          content: { 'text/event-stream': { itemSchema: { oneOf: [note, text, end] } } },
        },
        responses: received,
      },
    },
  },
};

let generated: GeneratedServer;
let client: Client;
let createEventQueue: (options?: object) => Queue;

beforeAll(async () => {
  generated = await generatedServer(document);
  client = await generated.load<Client>('client.ts');
  createEventQueue = (await generated.load<{ createEventQueue: typeof createEventQueue }>('server.ts'))
    .createEventQueue;
});
afterAll(() => generated.remove());

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

const event = (n: number): object => ({ event: 'note', data: { n } });

async function* numbers(make: (n: number) => object, count: number, then?: Error): AsyncGenerator<object> {
  for (let n = 1; n <= count; n += 1) yield make(n);
  if (!then) return;
  // A host may drop what it has not written yet where a stream breaks.
  await pause(30);
  throw then;
}

/** Reads a stream to its end or its fault. */
async function outcome(stream: Stream): Promise<{ readonly got: unknown[]; readonly fault: unknown }> {
  const got: unknown[] = [];
  try {
    for await (const { event: name, data } of stream) got.push(name === 'item' ? data : [name, data]);
    return { got, fault: undefined };
  } catch (error) {
    return { got, fault: (error as { readonly fault?: unknown }).fault };
  }
}

describe.each<Adapter>(['node', 'fastify', 'fetch'])('on %s', (adapter) => {
  /** A server of these handlers, and calls to it; every other operation answers 501. */
  async function serving(handlers: Partial<Record<Operation, Handler>>, options: object = {}) {
    const errors: unknown[] = [];
    const server = await generated.start(adapter, handlers, {
      unimplemented: 'respond501',
      onError: (error: unknown) => void errors.push(error),
      ...options,
    });
    onTestFinished(() => server.close());
    const connection = client.createClient({ baseUrl: server.url });
    const call = (operation: Operation, input?: object, more?: object): Promise<Answer> =>
      client[operation](connection, input, more);
    const opened = async (operation: Operation): Promise<Stream> => {
      const answer = await call(operation);
      expect(answer).toMatchObject({ ok: true, status: 200 });
      return answer.data;
    };
    return { server, errors, call, opened };
  }

  const broken = new Error('the database is gone');
  const pairs = (count: number): unknown[] => Array.from({ length: count }, (_, index) => ['note', { n: index + 1 }]);

  test('a fault behind the headers breaks the connection, and the client sees it', async () => {
    const { opened, errors } = await serving({ watch: (_, reply) => reply(200, numbers(event, 2, broken)) });
    expect(await outcome(await opened('watch'))).toEqual({ got: pairs(2), fault: 'network' });
    expect(errors).toEqual([broken]);
  });

  test('a fault behind the headers is a declared event where one is given', async () => {
    const errorEvent = (error: Error, context: { readonly operation: string }): object => ({
      event: 'fault',
      data: { why: `${error.message} (${context.operation})` },
    });
    const { opened, errors } = await serving(
      { watch: (_, reply) => reply(200, numbers(event, 2, broken)) },
      { errorEvent },
    );
    const got = [...pairs(2), ['fault', { why: 'the database is gone (watch)' }]];
    expect(await outcome(await opened('watch'))).toEqual({ got, fault: undefined });
    expect(errors).toEqual([broken]);
  });

  test.each([
    ['that the contract refuses', () => ({ event: 'fault', data: { why: 5 } })],
    [
      'that cannot be made',
      () => {
        throw new Error('not that either');
      },
    ],
    ['that is none', () => undefined],
  ])('an error event %s breaks the connection', async (_, errorEvent) => {
    const { opened } = await serving(
      { watch: (_request, reply) => reply(200, numbers(event, 1, broken)) },
      { errorEvent },
    );
    expect(await outcome(await opened('watch'))).toEqual({ got: pairs(1), fault: 'network' });
  });

  test('a stream whose contract names its end is ended by the server, and not where it broke', async () => {
    let then: Error | undefined;
    const { opened } = await serving({ finish: (_, reply) => reply(200, numbers(event, 2, then)) });
    expect(await outcome(await opened('finish'))).toEqual({ got: pairs(2), fault: undefined });
    then = broken;
    expect(await outcome(await opened('finish'))).toEqual({ got: pairs(2), fault: 'network' });
  });

  test('an event that the contract refuses breaks the connection', async () => {
    async function* faulty(): AsyncGenerator<object> {
      yield event(1);
      await pause(30);
      yield { event: 'note', data: { n: 'x' } };
    }
    const { opened, errors } = await serving({ watch: (_, reply) => reply(200, faulty()) });
    expect(await outcome(await opened('watch'))).toEqual({ got: pairs(1), fault: 'network' });
    expect(errors).toMatchObject([{ name: 'ContractBroken', issues: [{ pointer: '/n' }] }]);
  });

  test.each(['lines', 'records'] as const)('%s are sent from an array and from a generator', async (operation) => {
    let body: unknown = [{ n: 1 }, { n: 2 }];
    const { opened, errors } = await serving({ [operation]: (_: unknown, reply: Reply) => reply(200, body) });
    expect(await outcome(await opened(operation))).toEqual({ got: [{ n: 1 }, { n: 2 }], fault: undefined });
    body = numbers((n) => ({ n }), 2);
    expect(await (await opened(operation)).collect()).toEqual([{ n: 1 }, { n: 2 }]);
    body = [];
    expect(await (await opened(operation)).collect()).toEqual([]);
    body = numbers((n) => ({ n }), 2, broken);
    expect(await outcome(await opened(operation))).toEqual({ got: [{ n: 1 }, { n: 2 }], fault: 'network' });
    async function* faulty(): AsyncGenerator<object> {
      yield { n: 1 };
      await pause(30);
      yield { n: 1.5 };
    }
    body = faulty();
    expect(await outcome(await opened(operation))).toEqual({ got: [{ n: 1 }], fault: 'network' });
    expect(errors).toMatchObject([broken, { name: 'ContractBroken' }]);
  });

  test('a slow reader holds a sequence back', async () => {
    let made = 0;
    function* endless(): Generator<object> {
      for (; made < 20_000; made += 1) yield { n: made, padding: 'x'.repeat(65_536) };
    }
    const { opened } = await serving({ lines: (_, reply) => reply(200, endless()) });
    const stream = await opened('lines');
    for await (const { event: name } of stream) {
      expect(name).toBe('item');
      for (let before = -1; before !== made; await pause(150)) before = made;
      break;
    }
    expect(made).toBeLessThan(1000);
  });

  test.each(['watch', 'lines'] as const)(
    'a client that leaves %s aborts the signal of the handler',
    async (operation) => {
      let gone: Promise<unknown> = Promise.resolve();
      const { opened } = await serving({
        [operation]: (_: unknown, reply: Reply, { signal }: { signal: AbortSignal }) => {
          gone = new Promise((resolve) => signal.addEventListener('abort', resolve));
          async function* once(): AsyncGenerator<object> {
            yield operation === 'watch' ? event(1) : { n: 1 };
            await gone;
          }
          return reply(200, once());
        },
      });
      for await (const { data } of await opened(operation)) {
        expect(data).toEqual({ n: 1 });
        break;
      }
      await gone;
    },
  );

  test('comments keep an idle stream open, and clients do not see them', async () => {
    const { opened, server } = await serving(
      {
        async watch(_, reply) {
          async function* slow(): AsyncGenerator<object> {
            await pause(60);
            yield event(1);
          }
          return reply(200, slow());
        },
      },
      { keepAliveMs: 10 },
    );
    expect(await outcome(await opened('watch'))).toEqual({ got: pairs(1), fault: undefined });
    expect(await (await fetch(`${server.url}/watch`)).text()).toMatch(/^(:\n\n){2,}event: note\ndata: \{"n":1\}\n\n$/);
  });

  describe('a body of many items', () => {
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
      ['an empty body', 'application/x-ndjson', '', 400, ['/body']],
    ])('refuses %s', async (_, type, body, status, pointers) => {
      expect(await post(type, body)).toMatchObject({ status, pointers });
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
      const got = [
        { event: 'note', data: { n: 1 }, id: '7' },
        { event: 'text', data: 'a\nb', id: '7', retry: 5 },
      ];
      expect((await call('tell', { body: sent })).data).toEqual(got);
      expect((await call('tell', { body: numbers((n) => sent[n - 1] ?? {}, 2) })).data).toEqual(got);
      await expect(call('tell', { body: [{ event: 'other', data: 1 }] })).rejects.toMatchObject({ fault: 'request' });
      await expect(call('tell', { body: [{ event: 'text', data: 1 }] })).rejects.toMatchObject({ fault: 'request' });
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

  test('events that are pushed from outside go through a queue', async () => {
    let queue: Queue | undefined;
    const { opened } = await serving({
      watch(_, reply) {
        queue = createEventQueue({ limit: 2 });
        return reply(200, queue);
      },
    });
    const stream = await opened('watch');
    const pushed = (async () => {
      for (let n = 1; n <= 50; n += 1) await queue?.push(event(n));
      queue?.end();
    })();
    expect(await outcome(stream)).toEqual({ got: pairs(50), fault: undefined });
    await pushed;
    const left = await opened('watch');
    await queue?.push(event(1));
    for await (const { event: name } of left) {
      expect(name).toBe('note');
      break;
    }
    await expect.poll(() => queue?.closed.aborted).toBe(true);
    expect(await queue?.push(event(2))).toBe(false);
  });
});
