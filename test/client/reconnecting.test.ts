/** Attempts to go on with a stream: what limits them, and what ends them at once. */
import type { ServerResponse } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import { generateFrom, runnable } from '../support/generated-client.js';
import { type SeenRequest, serve } from '../support/http-server.js';

interface Stream {
  collect(): Promise<unknown[]>;
}

type Call = (client: unknown, input?: object, options?: object) => Promise<{ readonly data: Stream }>;

interface Api {
  readonly createClient: (options?: object) => unknown;
  readonly reconnect: (options?: object) => unknown;
  readonly watch: Call;
  readonly ask: Call;
}

const item = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };
const responses = { 200: { description: 'd', content: { 'text/event-stream': { itemSchema: item } } } };

const document = {
  openapi: '3.2.0',
  info: { title: 't', version: '1' },
  paths: {
    '/watch': { get: { operationId: 'watch', responses } },
    '/ask': { post: { operationId: 'ask', responses } },
  },
};

let api: Api;

beforeAll(async () => {
  api = await runnable<Api>(await generateFrom(document, { targets: ['client', 'validators'] }));
});

/** One request after the other is answered by one step after the other. */
async function scripted(...steps: ((response: ServerResponse) => void)[]) {
  const seen: SeenRequest[] = [];
  const server = await serve((request, response) => {
    const step = steps[Math.min(seen.length, steps.length - 1)];
    seen.push(request);
    step?.(response);
  });
  return { seen, client: api.createClient({ baseUrl: server.origin }) };
}

const sse =
  (n: number, how: 'end' | 'stay' = 'end') =>
  (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`id: 7\ndata: {"n":${n}}\n\n`, () => {
      if (how === 'end') response.end();
    });
  };

const gone = (response: ServerResponse): void => void response.writeHead(204).end();

const quick = (more: object = {}): object => ({ reconnect: api.reconnect({ delay: 1, ...more }) });

async function opened(call: Call, client: unknown, options: object): Promise<Stream> {
  return (await call(client, undefined, options)).data;
}

describe('an attempt to go on', () => {
  test("what resume throws is the caller's own, at once", async () => {
    const { client, seen } = await scripted(sse(1));
    const why = new Error('no token');
    const attempts: unknown[] = [];
    const resume = (): never => {
      throw why;
    };
    const onReconnect = (attempt: unknown): void => void attempts.push(attempt);
    const stream = await opened(api.ask, client, quick({ resume, onReconnect }));
    const error = await stream.collect().catch((reason: unknown) => reason);
    expect([error === why, attempts.length, seen.length]).toEqual([true, 1, 1]);
  });

  test('an attempt whose answer does not begin within the time limit has failed', async () => {
    const causes: unknown[] = [];
    const { client, seen } = await scripted(sse(1), () => undefined, sse(2), gone);
    const onReconnect = ({ cause }: { cause: unknown }): void => void causes.push(cause);
    const stream = await opened(api.watch, client, { ...quick({ onReconnect }), timeout: 200 });
    expect(await stream.collect()).toEqual([{ n: 1 }, { n: 2 }]);
    expect(seen).toHaveLength(4);
    expect(causes[1]).toMatchObject({ fault: 'network', message: 'no answer after 200 ms' });
    const last = await scripted(sse(1), () => undefined);
    const other = await opened(api.watch, last.client, { ...quick({ maxAttempts: 1 }), timeout: 100 });
    await expect(other.collect()).rejects.toMatchObject({ fault: 'reconnect', cause: { fault: 'network' } });
  });

  test('a stream that goes on within the time limit is not limited by it, and still ends by its signal', async () => {
    const { client } = await scripted(sse(1), sse(2, 'stay'));
    const controller = new AbortController();
    const stream = await opened(api.watch, client, { ...quick(), timeout: 100, signal: controller.signal });
    setTimeout(() => controller.abort(), 400);
    const started = performance.now();
    await expect(stream.collect()).rejects.toMatchObject({ fault: 'abort' });
    expect(performance.now() - started).toBeGreaterThan(300);
  });

  test.each([{ maxAttempts: -1 }, { maxAttempts: Number.NaN }, { delay: Number.NaN }, { delay: -1 }, { maxDelay: -1 }])(
    'refuses %o at once',
    (options) => expect(() => api.reconnect(options)).toThrow(RangeError),
  );
});

describe('what a cache has is over', () => {
  const cacheOf = async (call: Call, options: object = {}): Promise<unknown> => {
    const { client, seen } = await scripted(sse(1));
    await (await opened(call, client, options)).collect();
    return [seen.length, seen[0]?.headers['cache-control']];
  };

  test('so the first request of a stream asks for no stored answer, as each further one does', async () => {
    expect(await cacheOf(api.watch)).toEqual([1, 'no-cache']);
  });

  test('unless the call says otherwise, or no cache would answer', async () => {
    expect(await cacheOf(api.watch, { cache: 'default' })).toEqual([1, undefined]);
    expect(await cacheOf(api.ask)).toEqual([1, undefined]);
  });
});
