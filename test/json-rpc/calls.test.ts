/** Generated clients against generated servers over HTTP: results, errors, notifications, cancellation. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Modules } from '../support/generated-modules.js';
import { reply, serve } from '../support/http-server.js';
import { type Methods, type RpcClient, type RpcContext, rpcClient, rpcModules, serveRpc } from '../support/json-rpc.js';

let stateless: Modules;
let session: Modules;

beforeAll(async () => {
  stateless = await rpcModules('stateless');
  session = await rpcModules('session');
});

const meta = { 'org.example/version': '2', 'org.example/client': { name: 'test' } };
const security = { Key: (token: string) => (token === 'good' ? { user: 1 } : undefined) };

async function connect(methods: Methods, server: object = {}): Promise<RpcClient> {
  const baseUrl = await serveRpc(stateless, 'rpc', methods, { server: { security, ...server } });
  return rpcClient(stateless, 'rpc', { baseUrl, auth: { Key: 'good' } }, { meta });
}

async function errorOf(work: Promise<unknown>): Promise<Readonly<Record<string, unknown>>> {
  return work.then(
    () => expect.fail('no error'),
    (error: Readonly<Record<string, unknown>>) => error,
  );
}

describe('a call', () => {
  test('gives the result; the client fills version, id, meta and headers', async () => {
    const seen: unknown[] = [];
    const client = await connect({
      'rooms/book': (params: object, context: RpcContext) => {
        seen.push(params, context.id, context.method, context.header('rpc-name'), context.principals);
        return { booking: 'b' };
      },
    });
    expect(await client.call('rooms/book', { name: 'Größe', nights: 2, _meta: { progressToken: 4 } })).toEqual({
      booking: 'b',
    });
    expect(seen).toEqual([
      { name: 'Größe', nights: 2, _meta: { ...meta, progressToken: 4 } },
      1,
      'rooms/book',
      '=?base64?R3LDtsOfZQ==?=',
      { Key: { user: 1 } },
    ]);
    await client.call('rooms/book', { name: 'a', nights: 1 });
    expect(seen[6]).toBe(2);
  });

  test('throws the error that the handler threw, with code, data and status', async () => {
    const { JsonRpcError } = (await stateless.load('runtime/json-rpc.ts')) as {
      JsonRpcError: new (code: number, message: string, options?: object) => Error;
    };
    const client = await connect({
      'rooms/list': () => {
        throw new JsonRpcError(-32050, 'taken', { data: { by: 'you' } });
      },
      'rooms/book': () => {
        throw new JsonRpcError(-32050, 'taken', { status: 409 });
      },
    });
    const { isRpcError, rpcErrors } = (await stateless.load('json-rpc.ts')) as {
      isRpcError: (value: unknown, code?: number) => boolean;
      rpcErrors: Readonly<Record<string, number>>;
    };
    const error = await errorOf(client.call('rooms/list'));
    expect({ code: error['code'], message: error['message'], data: error['data'], status: error['status'] }).toEqual({
      ...{ code: -32050, message: 'taken' },
      ...{ data: { by: 'you' }, status: 200 },
    });
    expect([isRpcError(error), isRpcError(error, rpcErrors['RoomTaken']), isRpcError(error, -1)]).toEqual([
      true,
      true,
      false,
    ]);
    expect(Object.keys(error)).toEqual(['code']);
    expect((await errorOf(client.call('rooms/book', { name: 'a', nights: 1 })))['status']).toBe(409);
  });

  test('hides what else a handler throws, and tells it inside', async () => {
    const errors: unknown[] = [];
    const methods = {
      'rooms/list': () => {
        throw new Error('secret');
      },
    };
    const client = await connect(methods, { onError: (error: unknown) => errors.push(error) });
    expect(await errorOf(client.call('rooms/list'))).toMatchObject({ code: -32603, message: 'something went wrong' });
    expect(errors.map(String)).toEqual(['Error: secret']);
  });

  test('throws the error of a refusal, and an ApiError where there is none', async () => {
    const client = await connect({});
    expect(await errorOf(client.call('rooms/list'))).toMatchObject({ code: -32601, status: 404 });
    const server = await serve((_, response) => reply(response, 503, 'later', { 'content-type': 'text/plain' }));
    const other = await rpcClient(stateless, 'rpc', { baseUrl: server.origin }, { meta });
    const error = await errorOf(other.call('rooms/list'));
    expect([error['name'], error['status']]).toEqual(['ApiError', 503]);
  });

  test('throws where the answer is for another request', async () => {
    const server = await serve((_, response) => reply(response, 200, { jsonrpc: '2.0', id: 99, result: {} }));
    const client = await rpcClient(stateless, 'rpc', { baseUrl: server.origin }, { meta });
    expect(await errorOf(client.call('rooms/list'))).toMatchObject({ fault: 'response' });
  });

  test('takes an error without an id as its own', async () => {
    const body = { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'no' } };
    const server = await serve((_, response) => reply(response, 200, body));
    const client = await rpcClient(stateless, 'rpc', { baseUrl: server.origin }, { meta });
    expect(await errorOf(client.call('rooms/list'))).toMatchObject({ code: -32700, message: 'no' });
  });
});

describe('a result', () => {
  test.each([null, false, 0, '', []])('can be %j; only nothing at all is an empty object', async (value) => {
    const url = await serveRpc(session, 'postRpc', { 'level/up': () => value, 'level/down': () => undefined });
    const client = await rpcClient(session, 'postRpc', { baseUrl: url });
    expect(await client.call('level/up')).toEqual(value);
    expect(await client.call('level/down')).toEqual({});
  });

  test('of null comes by a stream, too', async () => {
    const methods: Methods = {
      call: async (_: object, { startStream }: RpcContext) => {
        startStream();
        return null;
      },
    };
    const url = await serveRpc(session, 'postRpc', methods, { server: { validateResponses: false } });
    const client = await rpcClient(session, 'postRpc', { baseUrl: url });
    expect(await client.call('call', { name: 'x' })).toBeNull();
  });
});

describe('notifications of the server', () => {
  test('come before the answer, one after the other', async () => {
    const client = await connect({
      'rooms/book': async (_: object, context: RpcContext) => {
        for (const progress of [0, 1, 2]) {
          expect(await context.notify('progress', { progressToken: 't', progress })).toBe(true);
        }
        return { booking: 'done' };
      },
    });
    const seen: unknown[] = [];
    const onNotification = async (notification: object): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      seen.push(notification);
    };
    expect(await client.call('rooms/book', { name: 'a', nights: 1 }, { onNotification })).toEqual({ booking: 'done' });
    expect(seen).toEqual(
      [0, 1, 2].map((progress) => ({ jsonrpc: '2.0', method: 'progress', params: { progressToken: 't', progress } })),
    );
  });

  test('travel as well where the contract says that events are text', async () => {
    const modules = await rpcModules('stateless', { inheritEventSchema: false });
    const methods = {
      'rooms/list': async (_: object, context: RpcContext) => {
        await context.notify('rooms/changed');
        return { rooms: [] };
      },
    };
    const baseUrl = await serveRpc(modules, 'rpc', methods, { server: { security } });
    const client = await rpcClient(modules, 'rpc', { baseUrl, auth: { Key: 'good' } }, { meta });
    const seen: unknown[] = [];
    const onNotification = (notification: object): void => void seen.push(notification);
    expect(await client.call('rooms/list', {}, { onNotification })).toEqual({ rooms: [] });
    expect(seen).toEqual([{ jsonrpc: '2.0', method: 'rooms/changed' }]);
  });

  test('are left out where nobody takes a stream', async () => {
    const told: boolean[] = [];
    const client = await connect({
      'rooms/list': async (_: object, context: RpcContext) => {
        told.push(await context.notify('rooms/changed'));
        return { rooms: [] };
      },
    });
    expect(await client.call('rooms/list', {}, { headers: { accept: 'application/json' } })).toEqual({ rooms: [] });
    expect(told).toEqual([false]);
  });

  test.each([false, true])('are not sent once the answer is given (in a stream: %s)', async (streamed) => {
    let late: Promise<boolean> | undefined;
    const client = await connect({
      'rooms/list': async (_: object, { notify }: RpcContext) => {
        if (streamed) await notify('rooms/changed');
        late = new Promise((resolve, reject) => {
          setTimeout(() => void notify('rooms/changed').then(resolve, reject), 20);
        });
        return { rooms: [] };
      },
    });
    const seen: unknown[] = [];
    const onNotification = (notification: object): void => void seen.push(notification);
    expect(await client.call('rooms/list', {}, { onNotification })).toEqual({ rooms: [] });
    expect([await late, seen.length]).toEqual([false, streamed ? 1 : 0]);
  });

  test('of another version break the call', async () => {
    const text = 'data: {"method":"rooms/changed"}\n\ndata: {"jsonrpc":"2.0","id":1,"result":{}}\n\n';
    const server = await serve((_, response) => reply(response, 200, text, { 'content-type': 'text/event-stream' }));
    const client = await rpcClient(stateless, 'rpc', { baseUrl: server.origin }, { meta });
    expect(await errorOf(client.call('rooms/list'))).toMatchObject({ fault: 'response' });
  });

  test('an error after them is in the stream', async () => {
    const client = await connect({
      'rooms/list': async (_: object, context: RpcContext) => {
        await context.notify('rooms/changed');
        throw new Error('late');
      },
    });
    expect(await errorOf(client.call('rooms/list'))).toMatchObject({ code: -32603, status: 200 });
  });

  test('a throw of the listener ends the call and the connection', async () => {
    let gone: Promise<void> | undefined;
    const client = await connect({
      watch: async (_: object, context: RpcContext) => {
        gone = new Promise((resolve) => context.signal.addEventListener('abort', () => resolve()));
        await context.notify('rooms/changed');
        await gone;
      },
    });
    const onNotification = (): never => {
      throw new Error('enough');
    };
    await expect(client.call('watch', {}, { onNotification })).rejects.toThrow('enough');
    await gone;
  });

  test('a stream that ends without the answer is cut short', async () => {
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end('data:\n\ndata: nonsense\n\nevent: x\ndata: {"jsonrpc":"2.0","id":1,"result":{}}\n\n');
    });
    const client = await rpcClient(stateless, 'rpc', { baseUrl: server.origin }, { meta });
    const error = await errorOf(client.call('rooms/list'));
    expect(error['fault'] ?? error).toMatch(/truncated/);
  });

  test('a stream can start before there is anything to say', async () => {
    let answer: (value?: unknown) => void = () => undefined;
    const url = await serveRpc(session, 'postRpc', {
      ping: async (_: never, context) => {
        context.startStream();
        await new Promise((resolve) => {
          answer = resolve;
        });
      },
    });
    const response = await fetch(`${url}/rpc`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream, application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 'p', method: 'ping' }),
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    answer();
    expect(await response.text()).toBe('data: {"jsonrpc":"2.0","id":"p","result":{}}\n\n');
  });
});

describe('requests of the server', () => {
  const asked = { jsonrpc: '2.0', id: 'q', method: 'roots/list' };

  async function answered(options: object, question: object = asked): Promise<unknown> {
    let finish: () => void = () => undefined;
    const server = await serve(({ body }, response) => {
      const message = JSON.parse(body) as { readonly method?: string };
      if (message.method === undefined) {
        reply(response, 202);
        finish();
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify(question)}\n\n`);
      finish = () => response.end('data: {"jsonrpc":"2.0","id":1,"result":{"text":"x"}}\n\n');
    });
    const client = await rpcClient(session, 'postRpc', { baseUrl: server.origin });
    expect(await client.call('call', { name: 'x' }, options)).toEqual({ text: 'x' });
    return JSON.parse(server.seen[1]?.body ?? '');
  }

  test('are answered by the caller', async () => {
    const seen: unknown[] = [];
    const onRequest = (request: object): object => {
      seen.push(request);
      return { roots: [] };
    };
    expect(await answered({ onRequest })).toEqual({ jsonrpc: '2.0', id: 'q', result: { roots: [] } });
    expect(seen).toEqual([asked]);
    expect(await answered({ onRequest: () => null })).toEqual({ jsonrpc: '2.0', id: 'q', result: null });
    expect(await answered({ onRequest: () => undefined })).toEqual({ jsonrpc: '2.0', id: 'q', result: {} });
  });

  test('are answered by method, each with its parameters', async () => {
    const seen: unknown[] = [];
    const onRequest = {
      ask: ({ question }: { question: string }, { id }: { id: unknown }) => {
        seen.push(question, id);
        return { answer: 'yes' };
      },
    };
    const question = { jsonrpc: '2.0', id: 'w', method: 'ask', params: { question: 'why?' } };
    expect(await answered({ onRequest }, question)).toEqual({ jsonrpc: '2.0', id: 'w', result: { answer: 'yes' } });
    expect(seen).toEqual(['why?', 'w']);
    for (const method of ['roots/list', 'toString', '__proto__']) {
      expect(await answered({ onRequest }, { ...asked, method })).toMatchObject({ id: 'q', error: { code: -32601 } });
    }
  });

  test('are refused where nobody answers, and without a word of what else is thrown', async () => {
    expect(await answered({})).toMatchObject({ id: 'q', error: { code: -32601 } });
    const onRequest = (): never => {
      throw new Error('secret');
    };
    expect(await answered({ onRequest })).toEqual({
      ...{ jsonrpc: '2.0', id: 'q' },
      error: { code: -32603, message: 'something went wrong' },
    });
  });
});

describe('cancelling', () => {
  test('closes the connection, which the handler is told', async () => {
    let gone: Promise<void> = Promise.resolve();
    let started: () => void = () => undefined;
    const running = new Promise<void>((resolve) => {
      started = resolve;
    });
    const client = await connect({
      watch: async (_: object, context: RpcContext) => {
        gone = new Promise((resolve) => context.signal.addEventListener('abort', () => resolve()));
        started();
        await gone;
      },
    });
    const abort = new AbortController();
    const call = errorOf(client.call('watch', {}, { signal: abort.signal }));
    await running;
    abort.abort();
    expect(await call).toMatchObject({ fault: 'abort' });
    await gone;
  });

  test('is told by a notification where the protocol has one', async () => {
    const seen: unknown[] = [];
    let started: () => void = () => undefined;
    const running = new Promise<void>((resolve) => {
      started = resolve;
    });
    const handler = { notifications: { 'notifications/cancelled': (params: object) => void seen.push(params) } };
    const methods = {
      ping: () => {
        started();
        return new Promise(() => undefined);
      },
    };
    const baseUrl = await serveRpc(session, 'postRpc', methods, { handler });
    const client = await rpcClient(
      session,
      'postRpc',
      { baseUrl },
      { input: { headers: { 'Rpc-Version': '2025-11-25' } } },
    );
    const abort = new AbortController();
    const call = errorOf(client.call('ping', undefined, { signal: abort.signal }));
    await running;
    abort.abort();
    expect(await call).toMatchObject({ fault: 'abort' });
    await expect.poll(() => seen).toEqual([{ requestId: 1 }]);
  });
});

describe('notify', () => {
  test('sends no id, and gives nothing', async () => {
    const seen: unknown[] = [];
    const handler = {
      notifications: { 'notifications/initialized': (...given: unknown[]) => void seen.push(given[0]) },
    };
    const baseUrl = await serveRpc(session, 'postRpc', {}, { handler });
    const client = await rpcClient(session, 'postRpc', { baseUrl });
    expect(await client.notify('notifications/initialized')).toBeUndefined();
    expect(seen).toEqual([undefined]);
  });

  test('throws what the server refuses', async () => {
    const baseUrl = await serveRpc(session, 'postRpc', {});
    const client = await rpcClient(session, 'postRpc', { baseUrl });
    expect(await errorOf(client.notify('notifications/cancelled', {}))).toMatchObject({ code: -32602 });
  });
});

describe('what handlers say', () => {
  const errorsOf = (error: unknown): unknown => (error as { readonly issues?: unknown }).issues;

  test.each([
    ['throw', true],
    ['report', false],
    [false, false],
  ] as const)('of results is held to the contract (%s)', async (validateResponses, refuses) => {
    const told: unknown[] = [];
    const onError = (error: unknown): void => void told.push(error);
    const client = await connect(
      { 'rooms/list': () => ({ rooms: [{ name: 'a', seats: 0 }] }) },
      { validateResponses, onError },
    );
    const outcome = await client.call('rooms/list').catch((error: unknown) => error);
    if (refuses) expect(outcome).toMatchObject({ code: -32603, message: 'something went wrong' });
    else expect(outcome).toEqual({ rooms: [{ name: 'a', seats: 0 }] });
    const found = validateResponses === false ? [] : [[expect.objectContaining({ pointer: '/rooms/0/seats' })]];
    expect(told.map(errorsOf)).toEqual(found);
    expect(told.map(String)).toEqual(
      found.map(() => expect.stringContaining('the result of "rooms/list" does not match the contract')),
    );
  });

  test('of results is held as it will be read', async () => {
    class Room {
      readonly seats = 1;
      toJSON(): object {
        return { name: 'a', seats: this.seats, _secret: undefined };
      }
    }
    const client = await connect(
      { 'rooms/list': () => ({ rooms: [new Room()], nextCursor: undefined }) },
      { validateResponses: 'throw' },
    );
    expect(await client.call('rooms/list')).toEqual({ rooms: [{ name: 'a', seats: 1 }] });
  });

  test.each([
    ['progress', { progressToken: 1, progress: 'half' }],
    ['lost', {}],
  ])('of notifications is refused where it is called: %s', async (method, params) => {
    const told: unknown[] = [];
    const seen: unknown[] = [];
    const methods: Methods = {
      watch: async (_: object, { notify }: RpcContext) => {
        await notify(method, params).catch((error: Error) => seen.push(error.name));
        return {};
      },
    };
    const onError = (error: unknown): void => void told.push(error);
    const heard: unknown[] = [];
    const options = { onNotification: (one: unknown) => void heard.push(one) };
    const strict = await connect(methods, { validateResponses: 'throw', onError });
    expect(await strict.call('watch', {}, options)).toEqual({});
    expect([seen, heard, told]).toEqual([['ContractBroken'], [], []]);
    const lenient = await connect(methods, { validateResponses: 'report', onError });
    expect(await lenient.call('watch', {}, options)).toEqual({});
    expect(heard).toEqual([{ jsonrpc: '2.0', method, params }]);
    expect(told).toMatchObject([{ name: 'ContractBroken' }]);
  });
});
