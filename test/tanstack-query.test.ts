/**
 * The target `tanstack-query` with the real TanStack Query: requests on loopback are cancelled, retried and paged as its
 * queries say; keys are plain JSON without credentials. Types are held by the fixture `features/targets/tanstack-query`.
 */

import { gzipSync } from 'node:zlib';
import { hashKey, InfiniteQueryObserver, MutationObserver, QueryClient, QueryObserver } from '@tanstack/react-query';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Options } from '../src/config.js';
import { bundle, generateFrom, withOutput } from './support/generated-client.js';
import { generatedModules } from './support/generated-modules.js';
import { reply, serve } from './support/http-server.js';

const json = (schema: object): object => ({ description: 'ok', content: { 'application/json': { schema } } });
const pet = { type: 'object', properties: { name: { type: 'string' }, next: { type: 'string' } } };
const query = (name: string, schema: object = { type: 'string' }): object => ({ name, in: 'query', schema });
const document = {
  openapi: '3.2.0',
  info: { title: 't', version: '1' },
  paths: {
    '/pets': {
      get: {
        operationId: 'listPets',
        tags: ['pets'],
        parameters: [
          query('cursor'),
          query('since', { type: 'string', format: 'date-time' }),
          query('access_token'),
          query('page_token'),
          query('kinds', { type: 'array', items: { type: 'string' } }),
          { name: 'X-Auth-Token', in: 'header', schema: { type: 'string' } },
          { name: 'Accept-Language', in: 'header', schema: { type: 'string' } },
          { name: 'session', in: 'cookie', schema: { type: 'string' } },
        ],
        responses: { 200: json(pet), default: json({ type: 'object' }) },
      },
      post: {
        operationId: 'addPet',
        tags: ['pets'],
        requestBody: { content: { 'application/json': { schema: pet } } },
        responses: { 200: json(pet) },
      },
    },
    '/find': {
      query: {
        operationId: 'findPets',
        requestBody: {
          required: true,
          content: { 'application/x-www-form-urlencoded': { schema: { type: 'object', properties: { a: {} } } } },
        },
        responses: { 200: json(pet) },
      },
    },
  },
};

type Call = (...given: readonly unknown[]) => never;

/** The output as a user of JavaScript has it, with a client for a server. */
async function output(baseUrl: string, clientOptions: object = {}, options: Options = {}) {
  const given = { input: 'api.json', targets: ['tanstack-query'], ...options } as const;
  const { load, files } = await generatedModules({ 'api.json': document }, given);
  const index = (await load('index.ts')) as { createClient: Call; retry: Call };
  const queries = (await load('tanstack-query.ts')) as Readonly<Record<string, Call>> & { queryRetry: object };
  return { client: index.createClient({ baseUrl, ...clientOptions }), queries, files, retry: index.retry };
}

function cacheOf(queries: object = {}): QueryClient {
  const cache = new QueryClient({ defaultOptions: { queries } });
  onTestFinished(() => cache.clear());
  return cache;
}

describe('queries', () => {
  test('of which the last reader goes end their request', async () => {
    let ended: () => void = () => {};
    const closed = new Promise<void>((resolve) => {
      ended = resolve;
    });
    let began: () => void = () => {};
    const started = new Promise<void>((resolve) => {
      began = resolve;
    });
    const { origin } = await serve((_, response) => {
      response.on('close', ended);
      began();
    });
    const { client, queries } = await output(origin);
    const cache = cacheOf();
    const options = queries['listPetsQueryOptions']?.(client) as never;
    const stop = new QueryObserver(cache, options).subscribe(() => {});
    await started;
    stop();
    await closed;
    expect(cache.getQueryState((options as { queryKey: readonly unknown[] }).queryKey)).toMatchObject({
      status: 'pending',
      fetchStatus: 'idle',
      error: null,
    });
  });

  test('are sent again by one of the two, not by both', async () => {
    const { origin, seen } = await serve((_, response) => reply(response, 503));
    const { client, queries, retry } = await output(origin, {});
    const { client: eager } = await output(origin, { retry: retry({ delay: 1 }) });
    const cache = cacheOf({ retry: 2, retryDelay: 1 });
    await expect(cache.fetchQuery(queries['listPetsQueryOptions']?.(eager) as never)).rejects.toThrow('503');
    expect(seen).toHaveLength(3);
    const own = queries['listPetsQueryOptions']?.(client, {}, { retry: retry({ delay: 1 }) }) as unknown as object;
    cache.clear();
    await expect(cache.fetchQuery({ ...own, retry: false } as never)).rejects.toThrow('503');
    expect(seen).toHaveLength(6);
  });

  test('with queryRetry are sent again where that may help, no sooner than the server asks', async () => {
    const times: number[] = [];
    const { origin, seen } = await serve(({ url }, response) => {
      times.push(performance.now());
      if (url.includes('cursor')) reply(response, 400, {});
      else if (seen.length === 1) reply(response, 429, {}, { 'retry-after': '1' });
      else reply(response, 200, { name: 'Rex' });
    });
    const { client, queries } = await output(origin);
    const cache = cacheOf(queries.queryRetry);
    expect(
      await cache.fetchQuery({
        ...queries.queryRetry,
        ...(queries['listPetsQueryOptions']?.(client) as unknown as object),
      } as never),
    ).toEqual({ name: 'Rex' });
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(950);
    const observer = new QueryObserver(
      cache,
      queries['listPetsQueryOptions']?.(client, { query: { cursor: 'x' } }) as never,
    );
    expect(await observer.refetch()).toMatchObject({ status: 'error', error: { name: 'ApiError', status: 400 } });
    expect(seen).toHaveLength(3);
  });

  test('read page by page, both ways, each page with the input of the query', async () => {
    const { origin, seen } = await serve(({ url }, response) => {
      const cursor = Number(new URL(url, 'http://a').searchParams.get('cursor'));
      reply(response, 200, { name: `page ${cursor}`, next: String(cursor + 1) });
    });
    const { client, queries } = await output(origin);
    const steps = {
      parameter: 'cursor',
      initialPageParam: '5',
      getNextPageParam: ({ next }: { next: string }) => next,
      getPreviousPageParam: (_: unknown, __: unknown, cursor: string) => String(Number(cursor) - 1),
      maxPages: 2,
    };
    const options = queries['listPetsInfiniteQueryOptions']?.(client, { query: { kinds: ['cat'] } }, steps);
    const observer = new InfiniteQueryObserver(cacheOf(), options as never);
    await observer.refetch();
    await observer.fetchNextPage();
    const { data } = await observer.fetchPreviousPage();
    expect(data).toEqual({
      pages: [
        { name: 'page 4', next: '5' },
        { name: 'page 5', next: '6' },
      ],
      pageParams: ['4', '5'],
    });
    expect(seen.map(({ url }) => url)).toEqual(['5', '6', '4'].map((cursor) => `/pets?cursor=${cursor}&kinds=cat`));
  });
});

test('mutations take the input, and keep the retries of the client', async () => {
  const { origin, seen } = await serve(({ body }, response) => {
    if (seen.length === 1) reply(response, 503);
    else reply(response, 200, JSON.parse(body));
  });
  const { queries, retry } = await output(origin);
  const { client } = await output(origin, { retry: retry({ delay: 1, idempotencyKey: 'Idempotency-Key' }) });
  const mutation = new MutationObserver(cacheOf(), queries['addPetMutationOptions']?.(client) as never);
  expect(await mutation.mutate({ body: { name: 'Tom' } } as never)).toEqual({ name: 'Tom' });
  expect(seen).toHaveLength(2);
});

describe('keys', () => {
  const key = async (name: string, ...given: readonly unknown[]): Promise<readonly unknown[]> => {
    const { queries } = await output('http://a.example');
    return queries[name]?.(...given) as never;
  };

  test('are the same for the same input, in any order, with or without what is undefined and empty', async () => {
    const plain = await key('listPetsQueryKey');
    expect(plain).toEqual(['pets', 'listPets', {}]);
    expect(await key('listPetsQueryKey', { query: {}, headers: { 'Accept-Language': undefined } })).toEqual(plain);
    const one = await key('listPetsQueryKey', { query: { cursor: 'a', kinds: ['b'] } });
    expect(hashKey(await key('listPetsQueryKey', { query: { kinds: ['b'], cursor: 'a' } }))).toBe(hashKey(one));
  });

  test('hold no credential, by no name of one', async () => {
    const input = {
      query: { access_token: 'S3CRET', page_token: 'p' },
      headers: { 'X-Auth-Token': 'S3CRET', 'Accept-Language': 'de' },
      cookies: { session: 'S3CRET' },
    };
    const kept = { query: { page_token: 'p' }, headers: { 'Accept-Language': 'de' } };
    expect(await key('listPetsQueryKey', input)).toEqual(['pets', 'listPets', kept]);
    expect(await key('listPetsInfiniteQueryKey', input)).toEqual(['pets', 'listPets', kept, 'infinite']);
    expect(input.query.access_token).toBe('S3CRET');
  });

  test('are plain JSON', async () => {
    const at = new Date(0);
    const found = await key('listPetsQueryKey', { query: { since: at, big: 2n ** 60n } });
    expect(found).toEqual(['pets', 'listPets', { query: { since: at.toISOString(), big: String(2n ** 60n) } }]);
    expect(JSON.parse(JSON.stringify(found))).toEqual(found);
    const form = await key('findPetsQueryKey', { body: new URLSearchParams({ a: 'x' }) });
    expect(form).toEqual(['default', 'findPets', { body: 'a=x' }]);
    const hostile = JSON.parse('{"query":{"__proto__":"x"}}') as object;
    expect(JSON.stringify(await key('listPetsQueryKey', hostile))).toContain('"__proto__":"x"');
  });

  test('name the server and the media type that a call asks for', async () => {
    const found = await key('listPetsQueryKey', {}, { server: 'https://b.example', accept: 'text/plain', headers: {} });
    expect(found).toEqual(['pets', 'listPets', { server: 'https://b.example', accept: 'text/plain' }]);
  });

  test('begin with what the configuration says, and with several APIs in one run with their folders', async () => {
    const { queries } = await output('http://a.example', {}, { queryKeyPrefix: 'shop' });
    expect(queries['addPetMutationKey']?.()).toEqual(['shop', 'pets', 'addPet']);
    expect(queries['queryKeyOfTag']?.('pets' as never)).toEqual(['shop', 'pets']);
    const documents = { 'one.json': document, 'two.json': document };
    const { files } = await generatedModules(documents, {
      input: ['one.json', 'two.json'],
      targets: ['tanstack-query'],
    });
    expect(files.get('two/tanstack-query.ts')).toContain('["two", "pets", "listPets"]');
  });
});

describe('the output', () => {
  const textOf = async (given: object, options: Options = {}) => {
    const { ok, files, diagnostics } = await generateFrom(given, { targets: ['tanstack-query'], ...options });
    const said = diagnostics.filter(({ code }) => code === 'query-option-unmatched').map(({ message }) => message);
    return { ok, said, text: files.find(({ path }) => path === 'tanstack-query.ts')?.text ?? '' };
  };

  test('imports types alone, from the package that is chosen', async () => {
    const { text } = await textOf(document, { queryPackage: '@tanstack/vue-query' });
    expect(text.match(/^.*vue-query.*$/gm)).toEqual([
      'import type { DataTag as $DataTag, InfiniteData as $InfiniteData } from "@tanstack/vue-query";',
    ]);
    expect(text).not.toContain('react');
    const { text: mutations } = await textOf(document, { exclude: ['operation:listPets', 'operation:findPets'] });
    expect(mutations).not.toContain('@tanstack');
  });

  test('is cut by tags where the client is', async () => {
    const { load, files } = await generatedModules(
      { 'api.json': document },
      { input: 'api.json', targets: ['tanstack-query'], layout: 'tags' },
    );
    const paths = [...files.keys()].filter((path) => path.startsWith('tanstack-query'));
    expect(paths.sort()).toEqual(['tanstack-query.ts', 'tanstack-query/default.ts', 'tanstack-query/pets.ts']);
    expect(files.get('tanstack-query/pets.ts')).toContain('from "../client/pets.js"');
    const whole = await generatedModules({ 'api.json': document }, { input: 'api.json', targets: ['tanstack-query'] });
    const exported = async (modules: typeof whole): Promise<readonly string[]> =>
      Object.keys(await modules.load('tanstack-query.ts')).sort();
    expect(await exported({ folder: '', files, load })).toEqual(await exported(whole));
    const { listPetsQueryKey, queryKeyOfTag } = (await load('tanstack-query.ts')) as Record<string, Call>;
    expect([listPetsQueryKey?.(), queryKeyOfTag?.('pets')]).toEqual([['pets', 'listPets', {}], ['pets']]);
  });

  test('makes of an operation what the configuration says, and says where that cannot be', async () => {
    const stream = { 200: { description: 'ok', content: { 'text/event-stream': { itemSchema: { type: 'object' } } } } };
    const upload = { content: { 'application/octet-stream': {} } };
    const paths = {
      '/a': { get: { operationId: 'a', responses: { 204: { description: 'ok' } } } },
      '/b': { post: { operationId: 'b', responses: { 204: { description: 'ok' } } } },
      '/c': { get: { operationId: 'c', responses: stream } },
      '/d': { post: { operationId: 'd', requestBody: upload, responses: { 204: { description: 'ok' } } } },
      '/e': {
        get: { responses: { 204: { description: 'ok' } } },
        head: { operationId: 'f', responses: { 200: { description: 'ok' } } },
      },
    };
    const kinds = {
      a: 'infinite',
      b: 'query',
      c: 'query',
      d: 'query',
      'GET /e': 'mutation',
      f: 'infinite',
      g: 'none',
    } as const;
    const { text, said } = await textOf({ ...document, paths }, { queries: kinds });
    expect([...text.matchAll(/^export function (\w+)Options/gm)].map(([, name]) => name)).toEqual([
      'aQuery',
      'bQuery',
      'fQuery',
      'dMutation',
      'getEMutation',
    ]);
    expect(text).toContain('Without c: ');
    expect(said).toEqual([
      'the option "queries" reads "a" page by page, which has no pages, or no parameter that could say which',
      'the option "queries" makes a query of "c", which answers a stream',
      'the option "queries" makes a query of "d", whose body ("application/octet-stream") no key can hold',
      'the option "queries" reads "f" page by page, which has no pages, or no parameter that could say which',
      'the option "queries" names no operation "g"',
    ]);
  });

  test('has a name for each, whatever the operations are called', async () => {
    const get = (operationId: string, parameters: readonly object[] = []): object => ({
      get: { operationId, parameters, responses: { 204: { description: 'ok' } } },
    });
    const paths = {
      '/a': get('getPet', [query('page')]),
      '/b': get('getPetInfinite'),
      '/c': get('getPetQueryOptions'),
      '/d': get('tag'),
      '/e': get('delete'),
    };
    const names = async (given: object) =>
      [...(await textOf({ ...document, paths: given })).text.matchAll(/^export function (\w+)/gm)].map(
        ([, name]) => name,
      );
    const found = await names(paths);
    expect(new Set(found).size).toBe(found.length);
    expect(found).toContain('getPetInfiniteQueryOptions2');
    expect(new Set(await names(Object.fromEntries(Object.entries(paths).reverse())))).toEqual(new Set(found));
  });

  test('adds little to the bundle of an operation, and nothing where it is not used', async () => {
    const result = await generateFrom(document, { targets: ['tanstack-query'] });
    const size = (entry: string) =>
      withOutput(result, {}, async (folder) => gzipSync(await bundle(folder, entry), { level: 9 }).length);
    const call = "import { createClient, addPet } from './index.ts'; console.log(await addPet(createClient(), {}))";
    const list = "import { createClient, listPets } from './index.ts'; console.log(await listPets(createClient(), {}))";
    const options =
      "import { createClient } from './index.ts'; import { listPetsQueryOptions } from './tanstack-query.ts'; console.log(listPetsQueryOptions(createClient()))";
    expect((await size(options)) - (await size(list))).toBeLessThan(700);
    expect(await size(call)).toBeLessThanOrEqual(3000);
    expect(await size("import * as queries from './tanstack-query.ts'")).toBeLessThanOrEqual(30);
  });
});
