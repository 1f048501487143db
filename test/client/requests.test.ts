/** What the generated client puts on the wire, seen by a server on loopback. */
import { inspect } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { generateFrom, runnable } from '../support/generated-client.js';
import { reply, type SeenRequest, serve, type TestServer } from '../support/http-server.js';
import { pets } from '../support/pets.js';

type Call = (client: unknown, input?: object, options?: object) => Promise<Record<string, unknown>>;
type Made = (options?: object) => unknown;

interface Api {
  readonly createApiClient: Made;
  readonly isCallError: (value: unknown) => boolean;
  readonly [operation: string]: Call | Made | ((value: unknown) => boolean);
}

let api: Api;
const call = (name: string): Call => api[name] as Call;

beforeAll(async () => {
  api = await runnable<Api>(await generateFrom(pets));
});

async function petServer(): Promise<TestServer> {
  return serve((_, response) => reply(response, 200, {}));
}

/** Sends one call and gives the request that arrived. */
async function sent(name: string, input?: object, options: object = {}, client: object = {}): Promise<SeenRequest> {
  const server = await petServer();
  await call(name)(api.createApiClient({ baseUrl: `${server.origin}/base/`, ...client }), input, options);
  const [request] = server.seen;
  if (!request) throw new Error('no request arrived');
  return request;
}

/** The error of a call that must not reach the server. */
async function refused(name: string, input?: object, options: object = {}, client: object = {}): Promise<Error> {
  const server = await petServer();
  const error = await call(name)(api.createApiClient({ baseUrl: server.origin, ...client }), input, options).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(server.seen).toEqual([]);
  expect(api.isCallError(error)).toBe(true);
  expect(error).toMatchObject({ fault: 'request' });
  return error as Error;
}

describe('paths', () => {
  test.each([
    ['a/b', 'a%2Fb'],
    ['a?x=1#f', 'a%3Fx%3D1%23f'],
    ['%2e%2e', '%252e%252e'],
    ['..\\..', '..%5C..'],
    ["$&$'é ;@:\t\n", "%24%26%24'%C3%A9%20%3B%40%3A%09%0A"],
    ['...', '...'],
  ])('%j stays one segment', async (id, segment) => {
    expect((await sent('getPet', { path: { id } })).url).toBe(`/base/pets/${segment}`);
  });

  test.each([
    [''],
    ['.'],
    ['..'],
    [null],
    [undefined],
    [{ toString: () => 'x' }],
    [['a', '..']],
    ['\ud800'],
    [Number.NaN],
  ])('%j is refused', async (id) => {
    const { message } = await refused('getPet', { path: { id } });
    expect(message).toMatch(/^id: /);
  });

  test('arrays are joined, and each item is encoded', async () => {
    const { url } = await sent('getList', { path: { ids: ['a', 'b,c'], name: 'n' } });
    expect(url).toBe('/base/lists/a,b%2Cc/n.json');
  });

  test('literal text is sent as it is written, encoded where a URL demands it', async () => {
    expect((await sent('odd')).url).toBe('/base/odd%20%C3%A4%27/%41%7C/..x');
  });

  test('the input of another object does not count', async () => {
    await refused('getPet', Object.create({ path: { id: '1' } }));
  });
});

describe('servers', () => {
  test.each([
    ['javascript:alert(1)'],
    ['//evil.example'],
    ['/relative'],
    ['http://user:pw@127.0.0.1/'],
    ['http://127.0.0.1/?q=1'],
    ['http://127.0.0.1/#f'],
    [''],
  ])('the base URL %j is refused', async (baseUrl) => {
    await refused('getPet', { path: { id: '1' } }, {}, { baseUrl });
  });

  test('the server of a call goes before that of the client', async () => {
    const server = await petServer();
    await call('getPet')(
      api.createApiClient({ baseUrl: 'http://127.0.0.1:1' }),
      { path: { id: '1' } },
      { server: server.origin },
    );
    expect(server.seen[0]?.url).toBe('/pets/1');
  });
});

describe('query, headers and cookies', () => {
  test('every style and odd name travels encoded', async () => {
    const input = JSON.parse('{"query":{"limit":3,"tags":["a&b=1","c"],"filter":{"admin=1&y":"v","skip":null}}}');
    expect((await sent('listPets', input)).url).toBe(
      '/base/pets?limit=3&tags=a%26b%3D1&tags=c&admin%3D1%26y=v&kind=cat',
    );
  });

  test('inherited members of the input are not sent', async () => {
    expect((await sent('inherited', { query: {} })).url).toBe('/base/inherited');
    const input = JSON.parse('{"query":{"__proto__":"x","constructor":"y"}}');
    expect((await sent('inherited', input)).url).toBe('/base/inherited?__proto__=x&constructor=y');
  });

  test('a required parameter that is left out is sent as its default', async () => {
    expect((await sent('listPets')).url).toBe('/base/pets?kind=cat');
    expect((await sent('listPets', { query: { kind: 'dog' } })).url).toBe('/base/pets?kind=dog');
  });

  test('headers and cookies are sent; those of the connection are no parameters', async () => {
    const headers = { 'X-Trace': 'é %', 'X-Ids': [1, 2], Authorization: 'Bearer attacker', Host: 'evil.example' };
    const seen = await sent('listPets', { headers, cookies: { flavour: 'a b;c' } }, { headers: { cookie: 'first=1' } });
    expect(seen.headers).toMatchObject({ 'x-trace': 'é %', 'x-ids': '1,2', cookie: 'first=1' });
    expect(seen.headers.authorization).toBeUndefined();
    expect(seen.headers.host).toMatch(/^127\.0\.0\.1/);
  });

  test('cookies are encoded', async () => {
    expect((await sent('listPets', { cookies: { flavour: 'a b;c' } })).headers.cookie).toBe('flavour=a%20b%3Bc');
  });

  test.each([['日本'], ['a\r\nX-Evil: 1'], [{}]])(
    'the header value %j is refused without being printed',
    async (value) => {
      const { message } = await refused('listPets', { headers: { 'X-Trace': value } });
      expect(message).toMatch(/^X-Trace: /);
      expect(message).not.toMatch(/日本|Evil/);
    },
  );

  test('Accept lists what is declared; a header of the call wins', async () => {
    expect((await sent('listPets')).headers.accept).toBe('application/json, application/problem+json');
    expect((await sent('listPets', {}, { headers: { accept: 'x/y' } })).headers.accept).toBe('x/y');
  });
});

describe('bodies', () => {
  test('JSON', async () => {
    const seen = await sent('putPet', { path: { id: '1' }, body: { name: 'Ö' } });
    expect(seen).toMatchObject({ method: 'PUT', body: '{"name":"Ö"}' });
    expect(seen.headers['content-type']).toBe('application/json');
  });

  test('one of several media types, the first by default', async () => {
    expect((await sent('addPet', { body: { name: 'a' } })).headers['content-type']).toBe('application/json');
    expect(await sent('addPet', { body: 'a', contentType: 'text/plain' })).toMatchObject({ body: 'a' });
    const image = await sent('addPet', { body: new Uint8Array([65]), contentType: 'image/png' });
    expect(image).toMatchObject({ body: 'A', headers: { 'content-type': 'image/png' } });
    await refused('addPet', { body: 'a', contentType: 'video/mp4' });
  });

  test('a range: JSON, unless the caller says another media type', async () => {
    const json = await sent('putAny', { body: { a: 1 } });
    expect(json).toMatchObject({ body: '{"a":1}', headers: { 'content-type': 'application/json' } });
    const text = await sent('putAny', { body: '<a/>', contentType: 'application/xml' });
    expect(text).toMatchObject({ body: '<a/>', headers: { 'content-type': 'application/xml' } });
    expect((await sent('putAny')).headers['content-type']).toBeUndefined();
  });

  test('what is no JSON is refused without being printed', async () => {
    const cycle: Record<string, unknown> = { secret: 'SECRET' };
    cycle['self'] = cycle;
    for (const body of [cycle, () => 1, 1n]) {
      expect(inspect(await refused('putPet', { path: { id: '1' }, body }))).not.toContain('SECRET');
    }
  });
});

describe('credentials', () => {
  test('a token, given or computed', async () => {
    for (const token of ['T', () => 'T', async () => 'T']) {
      const seen = await sent('getPet', { path: { id: '1' } }, {}, { auth: { token } });
      expect(seen.headers.authorization).toBe('Bearer T');
    }
  });

  test('no token, no header', async () => {
    const seen = await sent('getPet', { path: { id: '1' } }, {}, { auth: { token: () => undefined } });
    expect(seen.headers.authorization).toBeUndefined();
  });

  test('not where the operation asks for none', async () => {
    expect((await sent('send', {}, {}, { auth: { token: 'T' } })).headers.authorization).toBeUndefined();
  });

  test('the first alternative that is complete', async () => {
    const login = { username: 'ü', password: 'p:w' };
    const first = await sent('createClient', {}, {}, { auth: { login, key: 'K', queryKey: 'Q', session: 'S' } });
    expect(first.headers.authorization).toBe(`Basic ${Buffer.from('ü:p:w').toString('base64')}`);
    expect(first.headers['x-api-key']).toBeUndefined();
    const second = await sent('createClient', {}, {}, { auth: { key: 'K', queryKey: 'Q&', session: 'S=' } });
    expect(second.headers).toMatchObject({ 'x-api-key': 'K', cookie: 'sid=S=' });
    expect(second.url).toBe('/base/any?api%20key=Q%26');
    const none = await sent('createClient', {}, {}, { auth: { key: 'K' } });
    expect(none.headers['x-api-key']).toBeUndefined();
  });

  test('a header of the call wins', async () => {
    const seen = await sent(
      'getPet',
      { path: { id: '1' } },
      { headers: { authorization: 'Mine' } },
      { auth: { token: 'T' } },
    );
    expect(seen.headers.authorization).toBe('Mine');
  });

  test('a token that no header can hold is refused without being printed', async () => {
    const error = await refused('getPet', { path: { id: '1' } }, {}, { auth: { token: 'SEC\nRET' } });
    expect(inspect(error, { depth: 10 })).not.toMatch(/SEC|RET/);
  });

  test('a client that is printed shows none', () => {
    expect(inspect(api.createApiClient({ auth: { token: 'SECRET' } }), { depth: 10 })).not.toContain('SECRET');
  });
});
