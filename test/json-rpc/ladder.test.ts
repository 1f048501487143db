/** What a JSON-RPC endpoint refuses, and in which order: raw requests against a generated server. */
import { beforeAll, describe, expect, test } from 'vitest';
import { generatedModules, type Modules } from '../support/generated-modules.js';
import { type Methods, rpcModules, serveRpc } from '../support/json-rpc.js';

let stateless: Modules;
let session: Modules;
let nullable: Modules;

const request = (method: string, more: object = {}): object => ({
  type: 'object',
  required: ['method'],
  properties: { method: { const: method }, ...more },
});

const nullableIds = {
  openapi: '3.1.0',
  info: { title: 'x', version: '1' },
  paths: {
    '/rpc': {
      post: {
        operationId: 'rpc',
        requestBody: { required: true, content: { 'application/json': {} } },
        responses: { 200: { description: 'ok', content: { 'application/json': {} } } },
      },
    },
  },
  components: {
    schemas: {
      Request: { anyOf: [{ $ref: '#/components/schemas/StrictRequest' }, { $ref: '#/components/schemas/LaxRequest' }] },
      StrictRequest: request('strict', { id: { type: ['string', 'number'] } }),
      LaxRequest: request('lax', { id: { $ref: '#/components/schemas/Id' } }),
      Id: { type: ['string', 'number', 'null'] },
    },
  },
};

const nullableOptions = {
  input: 'openapi.json',
  framework: 'node',
  jsonRpc: { rpc: { requests: '#/components/schemas/Request' } },
} as const;

beforeAll(async () => {
  stateless = await rpcModules('stateless');
  session = await rpcModules('session');
  nullable = await generatedModules({ 'openapi.json': nullableIds }, { ...nullableOptions });
});

const meta = { 'org.example/version': '2', 'org.example/client': { name: 'test' } };

const methods: Methods = {
  'rooms/list': () => ({ rooms: [] }),
  'rooms/book': () => ({ booking: '1' }),
};

const security = { Key: (token: string) => (token === 'good' ? { user: 1 } : undefined) };

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
}

/** A good request, but for what is said. */
async function send(url: string, { method = 'POST', headers = {}, body = list() }: Sent = {}): Promise<Response> {
  const all = {
    authorization: 'Bearer good',
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'rpc-version': '2',
    'rpc-method': 'rooms/list',
    ...headers,
  };
  const given = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(`${url}/rpc`, {
    method,
    headers: [...given.map((one) => [...one])] as never,
    ...(method === 'POST' && { body: text }),
  });
}

function list(more: object = {}): Readonly<Record<string, unknown>> {
  return { jsonrpc: '2.0', id: 7, method: 'rooms/list', params: { _meta: meta }, ...more };
}

const book = (params: object): object => list({ method: 'rooms/book', params: { _meta: meta, ...params } });
const named = (name: string): NonNullable<Sent['headers']> => ({ 'rpc-method': 'rooms/book', 'rpc-name': name });

/** What is wrong, the status, the code, and whether the error knows the id. Each is wrong in all that comes after as well. */
const refusals: readonly (readonly [title: string, sent: Sent, status: number, code: number, id: boolean])[] = [
  ['no credential', { headers: { authorization: undefined, 'content-type': 'text/plain' } }, 401, -32600, false],
  ['a media type', { headers: { 'content-type': 'text/plain', accept: 'text/html' } }, 415, -32600, false],
  ['no acceptable answer', { headers: { accept: 'text/html' }, body: 'x'.repeat(2000) }, 406, -32600, false],
  ['too much', { body: 'x'.repeat(2000) }, 413, -32600, false],
  ['no JSON', { body: '{', headers: { 'rpc-method': 'x' } }, 400, -32700, false],
  ['nothing', { body: '' }, 400, -32600, false],
  ['a batch', { body: [list()] }, 400, -32600, false],
  ['null', { body: 'null' }, 400, -32600, false],
  [
    'another version of JSON-RPC',
    { body: list({ jsonrpc: '1.0' }), headers: { 'rpc-method': 'x' } },
    400,
    -32600,
    true,
  ],
  ['a method that is no text', { body: list({ method: 1 }) }, 400, -32600, true],
  ['an id of null', { body: list({ id: null }) }, 400, -32600, false],
  ['an id that its schema refuses', { body: list({ id: 1.5 }) }, 400, -32600, true],
  [
    'an id that is not what it says',
    { body: '{"jsonrpc":"2.0","id":9007199254740993,"method":"rooms/list"}' },
    400,
    -32600,
    false,
  ],
  ['parameters that are text', { body: list({ params: 'x' }) }, 400, -32600, true],
  ['a response', { body: { jsonrpc: '2.0', id: 1, result: {} } }, 400, -32600, true],
  ['no method header', { headers: { 'rpc-method': undefined }, body: list({ params: {} }) }, 400, -32020, true],
  ['another method header', { headers: { 'rpc-method': 'Rooms/list' }, body: list({ params: {} }) }, 400, -32020, true],
  ['no version header', { headers: { 'rpc-version': undefined } }, 400, -32020, true],
  ['another version header', { headers: { 'rpc-version': '1' } }, 400, -32020, true],
  [
    'no name header',
    { headers: { 'rpc-method': 'rooms/book' }, body: book({ name: 'a', nights: 1 }) },
    400,
    -32020,
    true,
  ],
  ['a name header in vain', { headers: { 'rpc-name': 'a' } }, 400, -32020, true],
  ['no meta', { body: list({ params: {} }) }, 400, -32602, true],
  ['no parameters', { body: list({ params: undefined }) }, 400, -32602, true],
  ['half of meta', { body: list({ params: { _meta: { 'org.example/version': '2' } } }) }, 400, -32602, true],
  [
    'a version that is not spoken, of a method that is not there',
    {
      headers: { 'rpc-version': '9', 'rpc-method': 'nothing' },
      body: list({ method: 'nothing', params: { _meta: { ...meta, 'org.example/version': '9' } } }),
    },
    400,
    -32022,
    true,
  ],
  [
    'a method that is not there',
    { headers: { 'rpc-method': 'nothing' }, body: list({ method: 'nothing' }) },
    404,
    -32601,
    true,
  ],
  [
    'a method of every object',
    { headers: { 'rpc-method': 'toString' }, body: list({ method: 'toString' }) },
    404,
    -32601,
    true,
  ],
  [
    'a method without a handler',
    { headers: { 'rpc-method': 'watch' }, body: list({ method: 'watch' }) },
    404,
    -32601,
    true,
  ],
  ['wrong parameters', { headers: named('a'), body: book({ name: 'a', nights: 0 }) }, 400, -32602, true],
];

describe('the ladder', () => {
  const options = { server: { security, limits: { bodyBytes: 1500 } } };

  test.each(refusals)('%s', async (_, sent, status, code, id) => {
    const response = await send(await serveRpc(stateless, 'rpc', methods, options), sent);
    const body = (await response.json()) as { readonly id?: unknown };
    expect([response.status, body]).toMatchObject([status, { jsonrpc: '2.0', error: { code } }]);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(Object.hasOwn(body, 'id')).toBe(id);
  });

  test('a good request is answered', async () => {
    const url = await serveRpc(stateless, 'rpc', methods, options);
    const response = await send(url);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect([response.status, await response.json()]).toEqual([200, { jsonrpc: '2.0', id: 7, result: { rooms: [] } }]);
    const encoded = await send(url, { headers: named('=?base64?w6k=?='), body: book({ name: 'é', nights: 1 }) });
    expect(encoded.status).toBe(200);
  });

  test('other methods are not allowed, and say which is', async () => {
    const url = await serveRpc(stateless, 'rpc', methods, options);
    for (const method of ['GET', 'DELETE']) {
      const response = await send(url, { method });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    }
  });

  test('whoever is not admitted is refused before anything else', async () => {
    const admit = (context: { header(name: string): string | undefined }): boolean =>
      context.header('origin') === undefined;
    const url = await serveRpc(stateless, 'rpc', methods, { server: { security, admit } });
    expect((await send(url, { headers: { origin: 'http://evil.example', authorization: undefined } })).status).toBe(
      403,
    );
    expect((await send(url, { method: 'GET', headers: { origin: 'http://evil.example' } })).status).toBe(403);
    expect((await send(url)).status).toBe(200);
  });

  test('a version that is not spoken is told with those that are', async () => {
    const body = list({ params: { _meta: { ...meta, 'org.example/version': '9' } } });
    const url = await serveRpc(stateless, 'rpc', methods, options);
    const response = await send(url, { headers: { 'rpc-version': '9' }, body });
    expect(await response.json()).toMatchObject({ error: { data: { supported: ['2'], requested: '9' } } });
  });

  test('onFault still has the first word', async () => {
    const onFault = ({ kind }: { readonly kind: string }): object | undefined =>
      kind === 'malformed-request' ? { status: 422, body: 'mine' } : undefined;
    const url = await serveRpc(stateless, 'rpc', methods, { server: { security, onFault } });
    expect((await send(url, { body: '{' })).status).toBe(422);
    expect((await send(url, { body: '[]' })).status).toBe(400);
  });
});

describe('notifications', () => {
  const cancelled = { jsonrpc: '2.0', method: 'cancelled', params: { requestId: 1 } };
  const headers = { 'rpc-method': 'cancelled', 'rpc-version': undefined };

  test('are accepted without a body, handled or not', async () => {
    const seen: unknown[] = [];
    const handler = {
      notifications: {
        cancelled: (params: object, { principals }: object & { readonly principals?: object }) =>
          seen.push(params, principals),
      },
    };
    const url = await serveRpc(stateless, 'rpc', methods, { handler, server: { security } });
    const response = await send(url, { headers, body: cancelled });
    expect([response.status, await response.text()]).toEqual([202, '']);
    expect(seen).toEqual([{ requestId: 1 }, { Key: { user: 1 } }]);
    const other = await send(url, {
      headers: { ...headers, 'rpc-method': 'x' },
      body: { jsonrpc: '2.0', method: 'x' },
    });
    expect(other.status).toBe(202);
  });

  test('are refused with a wrong header or wrong parameters', async () => {
    const url = await serveRpc(stateless, 'rpc', methods, { server: { security } });
    const wrong = await send(url, { headers: { ...headers, 'rpc-method': 'x' }, body: cancelled });
    expect([wrong.status, await wrong.json()]).toMatchObject([400, { error: { code: -32020 } }]);
    const broken = await send(url, { headers, body: { ...cancelled, params: {} } });
    expect([broken.status, await broken.json()]).toMatchObject([400, { error: { code: -32602 } }]);
  });

  test('what their handlers throw is told inside only', async () => {
    const errors: unknown[] = [];
    const handler = {
      notifications: {
        cancelled: () => {
          throw new Error('mine');
        },
      },
    };
    const server = { security, onError: (error: unknown) => errors.push(error) };
    const url = await serveRpc(stateless, 'rpc', methods, { handler, server });
    expect((await send(url, { headers, body: cancelled })).status).toBe(202);
    expect(errors.map(String)).toEqual(['Error: mine']);
  });

  test('responses to requests of the server are taken where somebody wants them', async () => {
    const seen: unknown[] = [];
    const handler = { onResponse: (response: object) => void seen.push(response) };
    const url = await serveRpc(session, 'postRpc', {}, { handler });
    const body = { jsonrpc: '2.0', id: 'a', result: {} };
    const headers = { 'rpc-version': '2025-11-25' };
    expect((await send(url, { headers, body })).status).toBe(202);
    const error = { jsonrpc: '2.0', id: 2, error: { code: -1, message: '', data: null } };
    expect((await send(url, { headers, body: error })).status).toBe(202);
    expect(seen).toEqual([body, error]);
  });

  test('so are refusals of requests whose id could not be read, and no results of such', async () => {
    const seen: unknown[] = [];
    const handler = { onResponse: (response: object) => void seen.push(response) };
    const url = await serveRpc(session, 'postRpc', {}, { handler });
    const headers = { 'rpc-version': '2025-11-25' };
    const refusal = { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'no JSON' } };
    const { id: _, ...nameless } = refusal;
    for (const body of [refusal, nameless]) expect((await send(url, { headers, body })).status).toBe(202);
    const result = await send(url, { headers, body: { jsonrpc: '2.0', id: null, result: {} } });
    expect([result.status, await result.json(), seen]).toMatchObject([
      400,
      { id: null, error: { code: -32600 } },
      [refusal, nameless],
    ]);
  });

  test.each([
    ['both a result and an error', { result: {}, error: { code: 1, message: 'x' } }],
    ['neither', {}],
    ['a text as its error', { error: 'oops' }],
    ['a text as its code', { error: { code: 'x', message: 'x' } }],
    ['a fraction as its code', { error: { code: 0.5, message: 'x' } }],
    ['no message', { error: { code: 1 } }],
    ['a result and null as its error', { result: {}, error: null }],
  ])('a response with %s is none', async (_, outcome) => {
    const seen: unknown[] = [];
    const handler = { onResponse: (response: object) => void seen.push(response) };
    const url = await serveRpc(session, 'postRpc', {}, { handler });
    const body = { jsonrpc: '2.0', id: 'a', ...outcome };
    const response = await send(url, { headers: { 'rpc-version': '2025-11-25' }, body });
    expect([response.status, await response.json(), seen]).toMatchObject([
      400,
      { id: 'a', error: { code: -32600 } },
      [],
    ]);
  });
});

describe('another protocol by configuration', () => {
  test('a version in a header, absent or spoken; unknown methods in band; an unknown id is null', async () => {
    const url = await serveRpc(session, 'postRpc', { ping: () => undefined });
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const ask = (version: string | undefined, body: unknown): Promise<Response> =>
      send(url, { headers: { 'rpc-version': version }, body });
    expect(await (await ask(undefined, ping)).json()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    expect(await (await ask(' 2025-11-25 ', ping)).json()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    const other = await ask('1', ping);
    expect([other.status, await other.json()]).toMatchObject([400, { id: 1, error: { code: -32600 } }]);
    const unknown = await ask('2025-11-25', { ...ping, method: 'x' });
    expect([unknown.status, await unknown.json()]).toMatchObject([200, { error: { code: -32601 } }]);
    expect(await (await ask('2025-11-25', '{')).json()).toMatchObject({ id: null, error: { code: -32700 } });
  });

  test('a number with a fraction is an id; null is one only where the schema of the request says so', async () => {
    const seen: unknown[] = [];
    const answer = (_: object, { id }: { readonly id: unknown }): void => void seen.push(id);
    const url = await serveRpc(nullable, 'rpc', { strict: answer, lax: answer });
    const ask = async (method: string, id: unknown): Promise<unknown> => {
      const response = await send(url, { body: { jsonrpc: '2.0', id, method } });
      return response.json();
    };
    expect(await ask('strict', 1.5)).toEqual({ jsonrpc: '2.0', id: 1.5, result: {} });
    expect(await ask('strict', -0.25)).toEqual({ jsonrpc: '2.0', id: -0.25, result: {} });
    expect(await ask('lax', null)).toEqual({ jsonrpc: '2.0', id: null, result: {} });
    expect(await ask('strict', null)).toMatchObject({ id: null, error: { code: -32600 } });
    expect(await ask('toString', null)).toMatchObject({ id: null, error: { code: -32600 } });
    expect(await ask('lax', true)).toMatchObject({ id: null, error: { code: -32600 } });
    expect(seen).toEqual([1.5, -0.25, null]);
    expect(nullable.files.get('json-rpc.ts')).toMatch(/readonly lax: \{[^}]*readonly id: null/);
  });
});
