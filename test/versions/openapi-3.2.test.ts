/** What OpenAPI 3.2 adds, from the document to the wire and back: the generated client against the generated server. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type FastifyPluginAsync, fastify } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fixtureRoot, runFixture } from '../support/fixtures.js';
import { repository } from '../support/paths.js';

interface Answer {
  readonly ok: boolean;
  readonly status: number | string;
  readonly data: unknown;
  readonly error: { readonly errors?: readonly { readonly pointer: string }[] };
}

type Call = (client: unknown, input?: object, options?: object) => Promise<Answer>;
type Calls = Readonly<Record<'search' | 'copySearch' | 'find' | 'form' | 'events', Call>> & {
  createClient(options: object): unknown;
};
type Reply = (...answer: unknown[]) => unknown;

let folder = '';
let calls: Calls;
const seen: { url: string; method: string; cookie: string | null }[] = [];

const handlers = {
  search: ({ body }: { body: { text: string } }, reply: Reply) => reply(200, [{ kind: 'cat', text: body.text }]),
  copySearch: (_request: object, reply: Reply) => reply(204),
  find: ({ query, cookies }: { query: object; cookies: object }, reply: Reply) => reply(200, { query, cookies }),
  form: ({ query }: { query: unknown }, reply: Reply) => {
    formQuery = query;
    return reply(204);
  },
  events: (_request: object, reply: Reply) =>
    reply(
      200,
      (async function* () {
        yield { event: 'added', data: { kind: 'cat', lives: 9 } };
        yield { event: 'removed', data: { id: 7 } };
      })(),
    ),
};
let formQuery: unknown;

async function load<T>(module: string): Promise<T> {
  return (await import(/* @vite-ignore */ join(folder, module))) as T;
}

/** Sends requests to a handler, and keeps what was sent. */
function through(handler: (request: Request) => Promise<Response>): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    seen.push({ url: request.url, method: request.method, cookie: request.headers.get('cookie') });
    return handler(request);
  };
}

beforeAll(async () => {
  const name = 'features/versions/openapi-3.2';
  const run = await runFixture({ name, folder: join(fixtureRoot, name), entry: undefined, diagnostics: '' });
  mkdirSync(join(repository, '.cache'), { recursive: true });
  folder = mkdtempSync(join(repository, '.cache/openapi-3.2-'));
  for (const { path, text } of run.result?.files ?? []) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  calls = await load('client.ts');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('on a server that is a function', () => {
  let client: unknown;

  beforeAll(async () => {
    const { fetchHandler } = await load<{ fetchHandler: (handlers: object, options?: object) => never }>(
      'server-fetch.ts',
    );
    client = calls.createClient({ fetch: through(fetchHandler(handlers, { basePath: '/v1' })) });
  });

  test('the method QUERY carries a body', async () => {
    const answer = await calls.search(client, { body: { text: 'tabby' } });
    expect(answer.data).toEqual([{ kind: 'cat', text: 'tabby' }]);
    expect(seen.at(-1)).toMatchObject({ method: 'QUERY', url: 'https://api.example.com/v1/search' });
  });

  test('an additional method is sent in its own capitalisation', async () => {
    expect(await calls.copySearch(client)).toMatchObject({ ok: true, status: 204 });
    expect(seen.at(-1)?.method).toBe('COPY');
  });

  test('the whole query is one JSON value, and a cookie travels as it is', async () => {
    const query = { kind: 'a&b=c#?', limit: 3 };
    const answer = await calls.find(client, { query, cookies: { session: 'a+b/c=' } });
    expect(answer.data).toEqual({ query, cookies: { session: 'a+b/c=' } });
    expect(seen.at(-1)).toMatchObject({
      cookie: 'session=a+b/c=',
      url: `https://api.example.com/v1/find?${encodeURIComponent(JSON.stringify(query))}`,
    });
  });

  test('a cookie that would need escaping is refused', async () => {
    await expect(calls.find(client, { query: { kind: 'x' }, cookies: { session: 'a;b' } })).rejects.toThrow('session');
  });

  test('a query of another shape is refused with its place', async () => {
    const answer = await calls.find(client, { query: { limit: 'many' } });
    expect(answer.status).toBe('unexpected');
    expect(answer.error.errors?.map(({ pointer }) => pointer).sort()).toEqual(['/query', '/query/limit']);
  });

  test('the whole query is a form: arrays by repeated names, objects as JSON', async () => {
    await calls.form(client, { query: { kind: 'a b', ids: [1, 2], where: { a: 1 } } });
    expect(seen.at(-1)?.url).toBe('https://api.example.com/v1/form?kind=a%20b&ids=1&ids=2&where=%7B%22a%22%3A1%7D');
    expect(formQuery).toEqual({ kind: 'a b', ids: [1, 2], where: { a: 1 } });
    await calls.form(client, { query: { ids: [5] } });
    expect(formQuery).toEqual({ ids: [5] });
    await calls.form(client);
    expect(formQuery).toBeUndefined();
    const refused = await calls.form(client, { query: { other: 1 } });
    expect(refused.error.errors?.map(({ pointer }) => pointer)).toEqual(['/query/other']);
  });

  test('a server is chosen by its name, for one call or for all', async () => {
    await calls.copySearch(client, undefined, { server: 'staging' });
    expect(seen.at(-1)?.url).toBe('https://eu.example.com/v1/search');
    const { fetchHandler } = await load<{ fetchHandler: (handlers: object, options?: object) => never }>(
      'server-fetch.ts',
    );
    const staging = calls.createClient({
      server: 'staging',
      fetch: through(fetchHandler(handlers, { basePath: '/v1' })),
    });
    await calls.copySearch(staging);
    expect(seen.at(-1)?.url).toBe('https://eu.example.com/v1/search');
    await calls.copySearch(staging, undefined, { server: 'https://other.example/v1' });
    expect(seen.at(-1)?.url).toBe('https://other.example/v1/search');
    await expect(calls.copySearch(staging, undefined, { server: 'nowhere' })).rejects.toThrow('server');
  });

  test('itemSchema types the events of a stream by their names', async () => {
    const { data } = await calls.events(client);
    const events: unknown[] = [];
    for await (const event of data as AsyncIterable<object>) events.push(event);
    expect(events).toEqual([
      { event: 'added', data: { kind: 'cat', lives: 9 }, id: '' },
      { event: 'removed', data: { id: 7 }, id: '' },
    ]);
  });
});

test('fastify routes methods that it does not know of itself', async () => {
  const { fastifyPlugin } = await load<{ fastifyPlugin: (handlers: object) => FastifyPluginAsync }>(
    'server-fastify.ts',
  );
  const app = fastify({ forceCloseConnections: true });
  await app.register(fastifyPlugin(handlers), { prefix: '/v1' });
  const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/v1`;
  try {
    const client = calls.createClient({ baseUrl: url });
    expect((await calls.search(client, { body: { text: 'x' } })).data).toEqual([{ kind: 'cat', text: 'x' }]);
    expect((await calls.copySearch(client)).status).toBe(204);
    const refused = await fetch(`${url}/search`, { method: 'POST' });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'COPY, QUERY']);
  } finally {
    await app.close();
  }
});
