/** Hooks around calls, and limits of what comes back. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundle, compile, compilers, generateFrom, runnable, withOutput } from '../support/generated-client.js';
import { reply, serve } from '../support/http-server.js';
import { pets } from '../support/pets.js';

interface Result {
  readonly status: number | 'unexpected';
  readonly data?: unknown;
  readonly response: Response;
}

type Call = (client: unknown, input?: object, options?: object) => Promise<Result>;
type Make = (options?: object) => unknown;

interface Api {
  readonly createApiClient: Make;
  readonly hooks: Make;
  readonly limitAnswers: Make;
  readonly getPet: Call;
}

let api: Api;

beforeAll(async () => {
  api = await runnable<Api>(await generateFrom(pets));
});

const one = { path: { id: '1' } };

describe('hooks', () => {
  test('are an onion: those of the client around those of the call', async () => {
    const { origin } = await serve((_, response) => reply(response, 200, { id: '1' }));
    const order: string[] = [];
    const named = (name: string): unknown =>
      api.hooks({
        onRequest: (_: Request, call: object) => void order.push(`> ${name} ${JSON.stringify(call)}`),
        onResponse: async ({ status }: Response) => void order.push(`< ${name} ${status}`),
      });
    const client = api.createApiClient({ baseUrl: origin, middleware: [named('a'), named('b')] });
    await api.getPet(client, one, { middleware: [named('c')] });
    const call = '{"operation":"getPet","method":"GET","path":"/pets/{id}"}';
    expect(order).toEqual([`> a ${call}`, `> b ${call}`, `> c ${call}`, '< c 200', '< b 200', '< a 200']);
  });

  test('replace the request, the response, or answer without sending', async () => {
    const { origin, seen } = await serve(({ headers }, response) => reply(response, 200, { got: headers['x-a'] }));
    const client = api.createApiClient({ baseUrl: origin });
    const onRequest = (request: Request): Request => {
      const headers = new Headers(request.headers);
      headers.set('x-a', 'b');
      return new Request(request, { headers });
    };
    expect((await api.getPet(client, one, { middleware: [api.hooks({ onRequest })] })).data).toEqual({ got: 'b' });
    const onResponse = (): Response => Response.json({ instead: true });
    expect((await api.getPet(client, one, { middleware: [api.hooks({ onResponse })] })).data).toEqual({
      instead: true,
    });
    const cached = api.hooks({ onRequest: () => Response.json({ cached: true }) });
    expect((await api.getPet(client, one, { middleware: [cached] })).data).toEqual({ cached: true });
    expect(seen).toHaveLength(2);
  });

  test('see errors from within, and may answer in their place', async () => {
    const { origin } = await serve((_, response) => response.destroy());
    const told: unknown[] = [];
    const outer = api.hooks({ onError: (error: { fault?: string }) => void told.push(error.fault) });
    const client = api.createApiClient({ baseUrl: origin, middleware: [outer] });
    await expect(api.getPet(client, one)).rejects.toMatchObject({ fault: 'network' });
    const rescue = api.hooks({ onError: () => Response.json({ rescued: true }) });
    expect((await api.getPet(client, one, { middleware: [rescue] })).data).toEqual({ rescued: true });
    expect(told).toEqual(['network']);
  });

  test('are told of a body that gives no result, the inner ones first and once for all attempts', async () => {
    const { origin } = await serve((_, response) => reply(response, 200, '{"id":'));
    const told: string[] = [];
    const named = (name: string): unknown =>
      api.hooks({
        onError: (error: { fault?: string }, { url }: Request, { operation }: { operation: string }) =>
          void told.push(`${name} ${error.fault} ${operation} ${new URL(url).pathname}`),
      });
    const twice = async (request: Request, next: (request: Request) => Promise<Response>): Promise<Response> => {
      await (await next(request.clone())).body?.cancel();
      return next(request);
    };
    const client = api.createApiClient({ baseUrl: origin, middleware: [named('outer'), twice, named('inner')] });
    await expect(api.getPet(client, one)).rejects.toMatchObject({ fault: 'response' });
    expect(told).toEqual(['inner response getPet /pets/1', 'outer response getPet /pets/1']);
  });

  test('that throw where a body gives no result say why the call failed', async () => {
    const { origin } = await serve((_, response) => reply(response, 200, '{"id":'));
    const onError = (): never => {
      throw new Error('from the hook');
    };
    const client = api.createApiClient({ baseUrl: origin, middleware: [api.hooks({ onError })] });
    await expect(api.getPet(client, one)).rejects.toThrow('from the hook');
  });
});

/** Two operations, one of them without tag and id. */
const tagged = {
  openapi: '3.1.0',
  info: { title: 't', version: '1' },
  paths: {
    '/pets/{id}': {
      get: {
        operationId: 'getPet',
        tags: ['pets', 'public'],
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: { 204: { description: 'ok' } },
      },
    },
    '/ping': { post: { deprecated: true, responses: { 204: { description: 'ok' } } } },
  },
};
const withTable = { targets: ['client', 'operation-table'] } as const;

test('hooks with the table of operations are told what the document says', async () => {
  const module = await withOutput(await generateFrom(tagged, withTable), {}, async (folder) => {
    const file = join(folder, 'bundle.mjs');
    await writeFile(file, await bundle(folder, "export * from './index.ts'; export * from './operation-table.ts';"));
    return (await import(pathToFileURL(file).href)) as Record<string, (...given: unknown[]) => unknown>;
  });
  const { origin } = await serve((_, response) => reply(response, 204));
  const told: unknown[] = [];
  const functions = {
    onRequest: (_: Request, call: object) => void told.push(call),
    onResponse: (_: Response, __: Request, { tags }: { tags: unknown }) => void told.push(tags),
  };
  const middleware = [module['hooks']?.(functions, module['operationTable'])];
  const client = module['createClient']?.({ baseUrl: origin, middleware });
  await module['getPet']?.(client, one);
  await module['postPing']?.(client);
  expect(told).toEqual([
    {
      operation: 'getPet',
      operationId: 'getPet',
      method: 'GET',
      path: '/pets/{id}',
      tags: ['pets', 'public'],
      deprecated: false,
    },
    ['pets', 'public'],
    { operation: 'postPing', method: 'POST', path: '/ping', tags: [], deprecated: true },
    [],
  ]);
});

describe('limits', () => {
  test('of nesting, whatever the strings hold', async () => {
    const deep = (levels: number): string => `${'[{"a":"[[\\"[{","b":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`;
    const { origin } = await serve(({ url }, response) =>
      reply(response, url === '/pets/text' ? 404 : 200, deep(Number(url.split('/').at(-1)) || 200), {
        'content-type': url === '/pets/text' ? 'text/plain' : 'application/json; charset=utf-8',
      }),
    );
    const client = api.createApiClient({ baseUrl: origin, middleware: [api.limitAnswers()] });
    const result = await api.getPet(client, { path: { id: '100' } });
    expect([result.status, result.response.url]).toEqual([200, `${origin}/pets/100`]);
    expect(result.data).toEqual(JSON.parse(deep(100)));
    await expect(api.getPet(client, { path: { id: '102' } })).rejects.toMatchObject({
      fault: 'response',
      message: 'the body is nested deeper than jsonDepth (100)',
    });
    expect((await api.getPet(client, { path: { id: 'text' } })).status).toBe(404);
  });

  test('of headers', async () => {
    const { origin } = await serve((_, response) => reply(response, 200, {}, { 'x-long': 'a'.repeat(300) }));
    const client = api.createApiClient({ baseUrl: origin, middleware: [api.limitAnswers({ headerLength: 300 })] });
    await expect(api.getPet(client, one)).rejects.toMatchObject({ fault: 'response' });
  });
});

describe.each(compilers)('%s', (_, compiler) => {
  test('names operations in hooks', async () => {
    const use = `
import { createApiClient, hooks, retry, getPet, type Middleware, type OperationName } from './index.js';
const known: Middleware<OperationName> = hooks({ onRequest: (_, { operation }) => { if (operation === 'getPet') return Response.json({}); return undefined; } });
const any: Middleware = async (request, next, call) => { void call.operation.length; return next(request); };
const client = createApiClient({
  retry: retry({ idempotencyKey: 'Idempotency-Key' }),
  middleware: [
    known, any,
    hooks({ onResponse: (_, __, { operation, path }) => {
      void path.length;
      // @ts-expect-error no operation has this name
      if (operation === 'getPte') return undefined;
      return operation === 'putPet' ? Response.json({}) : undefined;
    } }),
  ],
});
void getPet(client, { path: { id: '1' } }, { retry: false, middleware: [known, any, hooks({ onRequest: () => {} })] });
// @ts-expect-error a boolean true says nothing
createApiClient({ retry: true });
`;
    const result = await generateFrom(pets);
    expect(await withOutput(result, { 'use.ts': use }, (folder) => compile(folder, compiler))).toBe('');
  });

  test('types what a table says by the operation', async () => {
    const use = `
import { createClient, hooks, type OperationName } from './index.js';
import { operationTable } from './operation-table.js';
const client = createClient({
  middleware: [
    hooks({
      onRequest: (_, call) => {
        const name: OperationName = call.operation;
        const tags: readonly ('pets' | 'public')[] = call.tags;
        void [name, tags];
        if (call.operation !== 'getPet') {
          const none: readonly [] = call.tags;
          const method: 'POST' = call.method;
          return void [none, method];
        }
        const id: 'getPet' = call.operationId;
        const first: 'pets' = call.tags[0];
        // @ts-expect-error another path
        const path: '/ping' = call.path;
        return void [id, first, path];
      },
    }, operationTable),
  ],
});
void client;
// @ts-expect-error without a table nothing is known of tags
hooks({ onRequest: (_, { tags }) => void tags });
`;
    const result = await generateFrom(tagged, withTable);
    expect(await withOutput(result, { 'use.ts': use }, (folder) => compile(folder, compiler))).toBe('');
  }, 60_000);
});
