/** The target `msw`: handlers in a real server of MSW, called by the generated client, which checks every answer. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HttpResponse, http, type RequestHandler } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Collector } from '../src/diagnostics.js';
import type { Operation } from '../src/ir/api.js';
import type { SecurityScheme } from '../src/ir/security.js';
import { planNames } from '../src/plan/names.js';
import { Sampler } from '../src/plan/samples/sampler.js';
import { apiOf } from './support/api-of.js';
import { fixtureRoot } from './support/fixtures.js';
import { generatedModules } from './support/generated-modules.js';
import { faultLines, typecheck } from './support/typecheck.js';

const server = setupServer();
beforeAll(() => server.listen({ onUnhandledRequest: 'bypass' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

type Handlers = (options?: object) => readonly RequestHandler[];
type Factory = (answer?: unknown, options?: object) => RequestHandler;
interface Result {
  readonly ok: boolean;
  readonly status: unknown;
  readonly data?: unknown;
  readonly response: Response;
}
type Call = (client: unknown, input: object) => Promise<Result>;

async function load(name: string) {
  const text = readFileSync(join(fixtureRoot, name, 'openapi.yaml'), 'utf8');
  const options = { input: 'openapi.yaml', targets: ['client', 'msw', 'validators'] as const };
  const { load: module, files } = await generatedModules({ 'openapi.yaml': text }, options);
  const [msw, index, validation] = [
    await module('msw.ts'),
    await module('index.ts'),
    // Not there where no answer has a schema that is checked as a whole.
    files.has('client-validation.ts') ? await module('client-validation.ts') : {},
  ];
  const { api } = await apiOf({ 'openapi.yaml': text });
  return { msw, index, validation, api };
}

/** What a caller has to give: sampled values for what is required. */
function inputOf(operation: Operation, sampler: Sampler): object {
  const input: Record<string, unknown> = {};
  const groups = { path: 'path', query: 'query', header: 'headers', cookie: 'cookies' } as const;
  for (const { name, in: place, required, schema, content } of operation.parameters) {
    const id = schema ?? content?.schema;
    if (!required || place === 'querystring') continue;
    const value = id === undefined ? 'x' : sampler.sample(id, 'write');
    input[groups[place]] = { ...(input[groups[place]] as object | undefined), [name]: value };
  }
  const json = operation.body?.content.find(({ kind, schema }) => kind === 'json' && schema !== undefined);
  if (json?.schema !== undefined) {
    input['body'] = sampler.sample(json.schema, 'write');
    if ((operation.body?.content.length ?? 0) > 1) input['contentType'] = json.essence;
  }
  return input;
}

function credentialOf(scheme: SecurityScheme): unknown {
  return scheme.kind === 'basic' ? { username: 'a', password: 'b' } : 'secret';
}

const documents = [
  'documents/gallery',
  'documents/rail-booking',
  'features/answers/headers',
  'features/answers/media-types',
  'features/answers/statuses',
  'features/access/read-only-write-only',
  'features/targets/msw',
  'features/answers/forms',
  'features/bodies/ordered-form',
  'features/streams/parts',
  'features/streams/examples',
  'features/streams/fields',
  'features/streams/sequences',
  'features/streams/text',
];

/** Operations whose request this test does not make up. */
function isSimple({ body }: Operation): boolean {
  return body === undefined || body.content.some(({ kind, stream }) => kind === 'json' && stream === undefined);
}

test.each(documents)('each answer of %s is one of the contract', { timeout: 60_000 }, async (name) => {
  const { msw, index, validation, api } = await load(name);
  const { handlers } = msw as unknown as { readonly handlers: Handlers };
  const { validateResponses } = validation as { readonly validateResponses?: (mode: string) => unknown };
  const { createClient } = index as { readonly createClient: (options: object) => unknown };
  server.use(...handlers({ baseUrl: 'http://mock.test/base' }));
  const client = createClient({
    baseUrl: 'http://mock.test/base',
    auth: Object.fromEntries(api.securitySchemes.map((scheme) => [scheme.name, () => credentialOf(scheme)])),
    validate: validateResponses?.('throw'),
  });
  const names = planNames(api, new Map(), new Collector());
  const sampler = new Sampler(api, { assertFormats: false });
  const seen: string[] = [];
  for (const operation of api.operations.filter(isSimple)) {
    const key = names.operationOf(operation).function;
    const { status, data, response } = await (index[key] as Call)(client, inputOf(operation, sampler));
    if (name === 'features/targets/msw' && key === 'nothing') {
      expect(response.status).toBe(501);
      continue;
    }
    const told = `${key}: ${response.status} ${
      status === 'unexpected'
        ? await response
            .clone()
            .text()
            .catch(() => '')
        : ''
    }`;
    expect(status, told).not.toBe('unexpected');
    expect(response.status, told).toBe(usualStatus(operation));
    if (typeof data === 'object' && data !== null && Symbol.asyncIterator in data) {
      const events: unknown[] = [];
      for await (const event of data as AsyncIterable<{ readonly event: string }>) events.push(event);
      expect(events.length, told).toBeGreaterThan(0);
      expect(JSON.stringify(events), told).not.toContain('$invalid');
    }
    seen.push(key);
  }
  expect(seen.length).toBeGreaterThan(0);
});

test('streams are those of the examples, as many and as different as they must be', async () => {
  const { msw, index } = await load('features/streams/examples');
  const { handlers } = msw as unknown as { readonly handlers: Handlers };
  const { createClient } = index as { readonly createClient: (options: object) => unknown };
  server.use(...handlers({ baseUrl: 'http://mock.test' }));
  const client = createClient({ baseUrl: 'http://mock.test' });
  const received = async (name: string): Promise<readonly object[]> => {
    const { data } = await (index[name] as Call)(client, {});
    const found: object[] = [];
    for await (const item of data as AsyncIterable<object>) found.push(item);
    return found;
  };
  expect(await received('listed')).toEqual([
    { event: 'added', data: { id: 1 }, id: 'a-1' },
    { event: 'added', data: { id: 2 }, id: 'a-2', retry: 10 },
    { event: 'note', data: 'plain', id: 'a-2' },
  ]);
  expect(await received('serialized')).toEqual([
    { event: 'added', data: { id: 7 }, id: 'a-7' },
    { event: 'note', data: 'as it is', id: 'a-7' },
  ]);
  expect(await received('single')).toEqual([
    { event: 'moved', data: { id: 8 }, id: '' },
    { event: 'said', data: 'hello', id: 's-1' },
  ]);
  expect(await received('data')).toEqual([{ event: 'message', name: 'message', data: { id: 3 }, id: '' }]);
  expect(await received('lines')).toEqual([4, 5].map((id) => ({ event: 'item', data: { id } })));
  expect(new Set((await received('records')).map((item) => JSON.stringify(item))).size).toBe(3);
  expect(await received('listedParts')).toMatchObject([{ data: { id: 21 } }, { data: { id: 22 } }]);
  expect(await received('enough')).toHaveLength(3);
  expect(new Set((await received('parts')).map((part) => JSON.stringify(Object(part).data))).size).toBe(3);
});

/** The first success, else the first answer. */
function usualStatus({ responses }: Operation): number {
  const codes = responses.map(({ status }) =>
    status.kind === 'exact' ? status.code : status.kind === 'range' ? status.hundred * 100 : 200,
  );
  const declared = responses.map(({ status }) => status.kind !== 'default');
  return codes.find((code, at) => declared[at] && code >= 200 && code < 300) ?? codes[0] ?? 200;
}

describe('what a test says', async () => {
  const base = 'https://api.example.com/v1';
  const { msw } = await load('features/targets/msw');
  const factories = msw as unknown as Readonly<Record<string, Factory>> & { readonly handlers: Handlers };
  const factory = (name: string): Factory => factories[`${name}Handler`] ?? (() => expect.unreachable(name));
  const get = async (url: string, init: RequestInit = {}): Promise<readonly [number, unknown]> => {
    const response = await fetch(url.startsWith('/') ? `${base}${url}` : url, init);
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    return [response.status, isJson ? (JSON.parse(text) as unknown) : text];
  };

  test('is answered: the arguments of reply, or a handler that is given the parsed request', async () => {
    const pet = { id: 3, name: 'Tom' };
    server.use(
      factory('getPet')([404, { title: 'none' }]),
      factory('listPets')((({ query }, reply) =>
        reply(200, [pet, { ...pet, id: query.limit }], { headers: { 'X-Total': 9 } })) as Listing),
    );
    expect(await get('/pets/7')).toEqual([404, { title: 'none' }]);
    expect(await get('/pets?limit=7')).toEqual([200, [pet, { id: 7, name: 'Tom' }]]);
    expect((await get('/pets?limit=70'))[0]).toBe(400);
  });

  test('is held to the contract, unless a test wants an answer that is wrong', async () => {
    server.use(factory('getPet')([200, 'application/json', { id: 'one' }]));
    const [status, fault] = await get('/pets/7');
    expect([status, JSON.stringify(fault)]).toEqual([500, expect.stringMatching(/name|id/)]);
    server.use(factory('getPet')([200, 'application/json', { id: 'one' }], { validateResponses: false }));
    expect(await get('/pets/7')).toEqual([200, { id: 'one' }]);
  });

  test('is said once, and then the handler behind it answers', async () => {
    server.use(...factories.handlers());
    server.use(
      factory('removePet')(
        () => {
          throw new Error('broken');
        },
        { once: true },
      ),
    );
    const remove = { method: 'DELETE' };
    expect((await get('/pets/7', remove))[1]).toMatchObject({ detail: 'broken' });
    expect(await get('/pets/7', remove)).toEqual([204, '']);
  });

  test('is only for the requests of its operation', async () => {
    const foreign: string[] = [];
    server.use(...factories.handlers(), catchAll(foreign));
    expect(await get('/pets/mine')).toEqual([200, 'Rex']);
    expect(await get('/pets/7', { headers: { accept: 'text/csv' } })).toEqual([200, 'id,name']);
    expect(await get('/pets/7', { method: 'QUERY' })).toEqual([200, {}]);
    expect(await get('/files/:path*(.*)/a.v2+[a]')).toEqual([200, 'text']);
    expect((await get('/files/:path*(.*)/a.vb+[a]'))[0]).toBe(400);
    const others = [
      ...['/files/x/a.v2+[a]', '/files/:path*(.*)/a.v2+a', '/pets/7/8', '/PETS', '/pets/', '/v1/pets'],
      ...[
        'https://api.example.com/pets',
        'https://api.example.com/v1pets',
        'http://api.example.com/v1/pets',
        'https://example.com/v1/pets',
      ],
    ];
    for (const url of others) expect(await get(url), url).toEqual([299, '']);
    expect(foreign).toHaveLength(others.length);
    // A relative server is that of every origin; and a test may say where the API is.
    expect((await get('https://other.example/relative/events'))[1]).toContain('event: added\ndata: {"id":1,');
    server.use(...factories.handlers({ baseUrl: '/mock/' }));
    expect((await get('https://other.example/mock/lines'))[1]).toMatchObject({ id: 1 });
  });
});

type Listing = (
  request: { readonly query: { readonly limit: number } },
  reply: (...answer: unknown[]) => unknown,
) => unknown;

function catchAll(seen: string[]): RequestHandler {
  return http.all('*', ({ request }) => {
    seen.push(request.url);
    return new HttpResponse(null, { status: 299 });
  });
}

test('types: answers are those of the operation, and nothing else compiles', { timeout: 120_000 }, async () => {
  const text = readFileSync(join(fixtureRoot, 'features/targets/msw/openapi.yaml'), 'utf8');
  const { folder, files } = await generatedModules(
    { 'openapi.yaml': text },
    { input: 'openapi.yaml', targets: ['msw'] },
  );
  const use = `import { getPetHandler, handlers, listPetsHandler, watchHandler } from './msw.js';
import { setupServer } from 'msw/node';
setupServer(...handlers());
getPetHandler([200, 'application/json', { id: 1, name: 'Rex' }]);
getPetHandler([404, { title: 'none' }], { once: true });
getPetHandler(({ path }, reply) => reply(200, 'text/csv', path.id));
listPetsHandler([200, [], { headers: { 'X-Total': 0 } }]);
watchHandler([200, [{ event: 'added', data: { id: 1, name: 'Rex' } }]]);
// @ts-expect-error a status that is not declared
getPetHandler([418, { title: 'none' }]);
// @ts-expect-error the body of another status
getPetHandler([404, { id: 1, name: 'Rex' }]);
// @ts-expect-error a member that is missing
getPetHandler([200, 'application/json', { id: 1 }]);
// @ts-expect-error a header that is missing
listPetsHandler([200, []]);
// @ts-expect-error a parameter that is not declared
getPetHandler(({ query }, reply) => reply(200, 'text/csv', ''));
`;
  const written = [...files, ['use.ts', use] as const].filter(([path]) => path.endsWith('.ts'));
  expect(faultLines(typecheck(new Map(written.map(([path, body]) => [join(folder, path), body]))), folder)).toBe('');
});
