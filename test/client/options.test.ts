/** Options of the client and of a call. */
import { beforeAll, describe, expect, test } from 'vitest';
import { generateFrom, runnable } from '../support/generated-client.js';
import { reply, serve } from '../support/http-server.js';
import { pets } from '../support/pets.js';

interface Result {
  readonly status: number | 'unexpected';
  readonly data?: unknown;
  readonly response: Response;
}

type Call = (client: unknown, input?: object, options?: object) => Promise<Result>;
type Next = (request: Request) => Promise<Response>;

interface Api {
  readonly createApiClient: (options?: object) => unknown;
  readonly followRedirects: () => unknown;
  readonly getPet: Call;
  readonly putPet: Call;
}

let api: Api;

beforeAll(async () => {
  api = await runnable<Api>(await generateFrom(pets));
});

const one = { path: { id: '1' } };

describe('fetch', () => {
  test('is injected, and members of RequestInit reach it, those that no platform knows too', async () => {
    let seen: [Request, Record<string, unknown>] | undefined;
    const fetch = async (...given: [Request, Record<string, unknown>]): Promise<Response> => {
      seen = given;
      return Response.json({ id: '1' });
    };
    const client = api.createApiClient({ fetch, auth: { token: 'SECRET' }, cache: 'no-store', keepalive: true });
    const result = await api.getPet(client, one, { cache: 'reload', next: { revalidate: 1 } });
    expect(result).toMatchObject({ status: 200, data: { id: '1' } });
    expect(seen?.[0].url).toBe('https://pets.example/v1/pets/1');
    expect(seen?.[0]).toMatchObject({ cache: 'reload', keepalive: true, redirect: 'manual' });
    expect(seen?.[1]).toMatchObject({ cache: 'reload', keepalive: true, next: { revalidate: 1 } });
    // What would replace a part of the request is not said again, and credentials are nobody's but the request's.
    for (const member of ['auth', 'headers', 'signal', 'method', 'body']) expect(seen?.[1][member]).toBeUndefined();
  });
});

describe('headers', () => {
  test("those of the call win over the client's and the operation's", async () => {
    const { origin, seen } = await serve((_, response) => reply(response, 200, {}));
    const client = api.createApiClient({ baseUrl: origin, headers: { 'x-a': '1', 'x-b': '1' } });
    await api.putPet(
      client,
      { ...one, body: {} },
      {
        headers: [
          ['X-B', '2'],
          ['Content-Type', 'application/merge+json'],
        ],
      },
    );
    expect(seen[0]?.headers).toMatchObject({ 'x-a': '1', 'x-b': '2', 'content-type': 'application/merge+json' });
  });
});

describe('middleware', () => {
  test('wraps the call, the first one outermost, and may send again', async () => {
    const { origin, seen } = await serve((request, response) =>
      reply(response, seen.length < 2 ? 503 : 200, { got: request.headers['x-try'] }),
    );
    const order: string[] = [];
    const log = async (request: Request, next: Next, call: { operation: string }): Promise<Response> => {
      order.push(`before ${call.operation}`);
      const response = await next(request);
      order.push('after');
      return response;
    };
    const retry = async (request: Request, next: Next): Promise<Response> => {
      const again = request.clone();
      const response = await next(request);
      if (response.status !== 503) return response;
      again.headers.set('x-try', '2');
      return next(again);
    };
    const client = api.createApiClient({ baseUrl: origin, middleware: [log, retry] });
    expect((await api.putPet(client, { ...one, body: { name: 'n' } })).data).toEqual({ got: '2' });
    expect(order).toEqual(['before putPet', 'after']);
    expect(seen.map(({ body }) => body)).toEqual(['{"name":"n"}', '{"name":"n"}']);
  });

  test('what it throws reaches the caller as it is', async () => {
    const mine = new RangeError('mine');
    const client = api.createApiClient({ middleware: [() => Promise.reject(mine)] });
    await expect(api.getPet(client, one)).rejects.toBe(mine);
  });
});

describe('redirects', () => {
  test('are followed within the origin where asked for, for safe methods', async () => {
    const { origin, seen } = await serve((request, response) =>
      request.url === '/pets/1'
        ? reply(response, 301, undefined, { location: '/pets/2?x=1' })
        : reply(response, 200, { id: '2' }),
    );
    const client = api.createApiClient({ baseUrl: origin, middleware: [api.followRedirects()], auth: { token: 'T' } });
    expect((await api.getPet(client, one)).data).toEqual({ id: '2' });
    expect(seen.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ['/pets/1', 'Bearer T'],
      ['/pets/2?x=1', 'Bearer T'],
    ]);
    expect((await api.putPet(client, { ...one, body: {} })).response.status).toBe(301);
  });

  test('never to another origin, and not for ever', async () => {
    const other = await serve((_, response) => reply(response, 200, {}));
    const { origin, seen } = await serve(({ url }, response) =>
      reply(response, 302, undefined, { location: url === '/pets/1' ? `${other.origin}/x` : url }),
    );
    const client = api.createApiClient({ baseUrl: origin, middleware: [api.followRedirects()] });
    expect((await api.getPet(client, one)).status).toBe('unexpected');
    expect(other.seen).toEqual([]);
    await api.getPet(client, { path: { id: 'loop' } });
    expect(seen).toHaveLength(1 + 6);
  });
});

describe('validate', () => {
  const issues = [{ pointer: '/id', path: ['id'], schemaPointer: '', keyword: 'type', params: {}, message: 'no' }];

  test('of the call: asked for successes only', async () => {
    const { origin } = await serve(({ url }, response) => reply(response, url === '/pets/1' ? 200 : 404, { a: 1 }));
    const client = api.createApiClient({ baseUrl: origin });
    const asked: unknown[] = [];
    const validate = (value: unknown): object => {
      asked.push(value);
      return { ok: false, issues };
    };
    await expect(api.getPet(client, one, { validate })).rejects.toMatchObject({ fault: 'response', issues });
    expect(await api.getPet(client, { path: { id: '2' } }, { validate })).toMatchObject({ status: 404 });
    expect(asked).toEqual([{ a: 1 }]);
  });

  test('of the client: asked for every declared body, told what it is, and free to report only', async () => {
    const { origin } = await serve((_, response) => reply(response, 200, { a: 1 }));
    const asked: unknown[] = [];
    const client = api.createApiClient({ baseUrl: origin, validate: (...given: unknown[]) => void asked.push(given) });
    expect((await api.getPet(client, one)).data).toEqual({ a: 1 });
    expect(asked).toEqual([
      [{ a: 1 }, { operation: 'getPet', ok: true, status: 200, contentType: 'application/json' }],
    ]);
  });
});
