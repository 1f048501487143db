/** Streams as answers over loopback: a generated client against the generated server, on every adapter. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Adapter } from '../support/generated-server.js';
import {
  event,
  type Handler,
  numbers,
  outcome,
  pause,
  type Queue,
  type Reply,
  type StreamingApi,
  streamingApi,
} from '../support/streaming-api.js';
import { streamsDocument } from '../support/streams-document.js';

let api: StreamingApi;

beforeAll(async () => {
  api = await streamingApi(streamsDocument);
});
afterAll(() => api.remove());

describe.each<Adapter>(['node', 'fastify', 'fetch'])('on %s', (adapter) => {
  const serving = (handlers: Readonly<Record<string, Handler>>, options?: object) =>
    api.serving(adapter, handlers, options);

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

  test('an error event is the last one of a stream that names its end, and the stream is whole', async () => {
    const errorEvent = (): object => ({ event: 'note', data: { n: 0 } });
    const { opened } = await serving({ finish: (_, reply) => reply(200, numbers(event, 2, broken)) }, { errorEvent });
    expect(await outcome(await opened('finish'))).toEqual({ got: [...pairs(2), ['note', { n: 0 }]], fault: undefined });
  });

  test.each(['throw', false] as const)(
    'data that would end the stream is refused (validateResponses: %s)',
    async (validateResponses) => {
      async function* early(): AsyncGenerator<object> {
        yield event(1);
        await pause(30);
        yield { data: '[END]' };
      }
      const { opened, errors } = await serving({ mixed: (_, reply) => reply(200, early()) }, { validateResponses });
      expect(await outcome(await opened('mixed'))).toEqual({ got: pairs(1), fault: 'network' });
      expect(errors).toMatchObject([{ name: 'ContractBroken', issues: [{ keyword: 'sentinel' }] }]);
    },
  );

  test('data that would end the stream is refused as every fault is, and said by an error event', async () => {
    const { opened } = await serving(
      { mixed: (_, reply) => reply(200, [event(1), { data: '[END]' }]) },
      { errorEvent: (error: Error) => ({ event: 'text', data: error.message }) },
    );
    expect(await outcome(await opened('mixed'))).toEqual({
      got: [
        ['note', { n: 1 }],
        ['text', expect.stringContaining('ends the stream')],
      ],
      fault: undefined,
    });
  });

  test.each<[string, unknown]>([
    ['an array', [event(1), { comment: 'c' }, event(2)]],
    ['a set', new Set([event(1), event(2)])],
    ['nothing at all', []],
  ])('events are sent from %s', async (_, body) => {
    const { opened } = await serving({ watch: (_request, reply) => reply(200, body) });
    const got = [...(body as Iterable<object>)].length === 0 ? [] : pairs(2);
    expect(await outcome(await opened('watch'))).toEqual({ got, fault: undefined });
  });

  test.each(['text', 5, {}, null])('%j is no stream', async (body) => {
    const { call, errors } = await serving({ watch: (_, reply) => reply(200, body) });
    expect(await call('watch')).toMatchObject({ ok: false, response: { status: 500 } });
    expect(errors).toMatchObject([expect.any(TypeError)]);
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

  test('events that are pushed from outside go through a queue', async () => {
    let queue: Queue | undefined;
    const { opened } = await serving({
      watch(_, reply) {
        queue = api.createEventQueue({ limit: 2 });
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
