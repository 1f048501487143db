/** What the generated client makes of answers, from a server on loopback. */
import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { generateFrom, runnable } from '../support/generated-client.js';
import { reply, serve } from '../support/http-server.js';
import { pets } from '../support/pets.js';

interface Result {
  readonly ok: boolean;
  readonly status: number | 'unexpected';
  readonly contentType: string | undefined;
  readonly data?: unknown;
  readonly error?: unknown;
  readonly headers: object;
  readonly retryAfterMs?: number;
  readonly response: Response;
}

type Call = (client: unknown, input?: object, options?: object) => Promise<Result>;

interface Api {
  readonly createApiClient: (options?: object) => unknown;
  readonly isCallError: (value: unknown) => boolean;
  readonly isApiError: (value: unknown) => boolean;
  readonly unwrap: (result: Result) => unknown;
  readonly listPets: Call;
  readonly getPet: Call;
  readonly deletePet: Call;
  readonly headPet: Call;
  readonly getList: Call;
  readonly addPet: Call;
  readonly send: Call;
  readonly getFile: Call;
  readonly createClient: Call;
}

type Operation = Exclude<keyof Api, 'createApiClient' | 'isCallError' | 'isApiError' | 'unwrap'>;

let api: Api;

beforeAll(async () => {
  api = await runnable<Api>(await generateFrom(pets));
});

const input = { path: { id: '1', ids: ['1'], name: 'n' }, body: { name: 'n' } };

async function answered(
  operation: Operation,
  answer: (response: ServerResponse) => void,
  options: object = {},
  client: object = {},
): Promise<Result> {
  const { origin } = await serve((_, response) => answer(response));
  return api[operation](api.createApiClient({ baseUrl: origin, ...client }), input, options);
}

/** The error that a call throws; fails where it gives a result. */
async function thrown(
  call: Promise<Result>,
): Promise<Error & { readonly fault: string; readonly response?: Response }> {
  const error = await call.then(
    (result) => expect.fail(`a result: ${result.status}`),
    (reason: unknown) => reason,
  );
  expect(api.isCallError(error)).toBe(true);
  return error as Error & { readonly fault: string };
}

const json = { 'content-type': 'Application/JSON; charset=utf-8' };

describe('the declared answer', () => {
  test('success with its headers, decoded by type', async () => {
    const headers = { ...json, 'x-total': '12', 'x-ratio': '0.5', 'x-more': 'true', etag: '"e"' };
    const result = await answered('listPets', (response) => reply(response, 200, '[]', headers));
    expect(result).toMatchObject({ ok: true, status: 200, contentType: 'application/json', data: [] });
    expect(result.headers).toEqual({ 'X-Total': 12, 'X-Ratio': 0.5, 'X-More': true, etag: '"e"' });
    expect('error' in result).toBe(false);
  });

  test('a header that does not read as its type is left out', async () => {
    const headers = { ...json, 'x-total': '1.5', 'x-ratio': 'much', 'x-more': 'yes' };
    expect((await answered('listPets', (response) => reply(response, 200, '[]', headers))).headers).toEqual({});
  });

  test('exact before range before default', async () => {
    const of = (status: number, type = 'application/json'): Promise<Result> =>
      answered('listPets', (response) => reply(response, status, '{"x":1}', { 'content-type': type }));
    expect(await of(404, 'application/problem+json')).toMatchObject({ ok: false, status: 404, error: { x: 1 } });
    expect(await of(422)).toMatchObject({ ok: false, status: 422, contentType: 'application/json', error: { x: 1 } });
    expect(await of(500)).toMatchObject({ ok: false, status: 500, error: { x: 1 } });
    // A success that only `default` covers is a failure where a success is declared.
    expect(await of(201)).toMatchObject({ ok: false, status: 201, error: { x: 1 } });
    // The status decides before the media type.
    expect(await of(404)).toMatchObject({ ok: false, status: 'unexpected', error: { x: 1 } });
  });

  test('default alone stands for successes and failures', async () => {
    expect(await answered('getList', (response) => reply(response, 203, {}))).toMatchObject({
      ok: true,
      status: 203,
      data: {},
    });
    expect(await answered('getList', (response) => reply(response, 503, {}))).toMatchObject({
      ok: false,
      status: 503,
      error: {},
    });
  });

  test.each([
    ['deletePet', 204, undefined],
    ['addPet', 202, undefined],
    ['headPet', 200, undefined],
    ['createClient', 299, 'not declared'],
  ] as const)('%s without content: the body is not read', async (operation, status, body) => {
    const result = await answered(operation, (response) => reply(response, status, body, json));
    expect(result).toMatchObject({ ok: true, status });
    expect(result.data).toBeUndefined();
    expect(result.contentType).toBeUndefined();
  });

  test('a failure without declared content is read by its own type', async () => {
    const of = (body: unknown, type?: string): Promise<Result> =>
      answered('getPet', (response) => reply(response, 404, body, type === undefined ? {} : { 'content-type': type }));
    expect(await of('{"a":1}', 'application/problem+json')).toMatchObject({ status: 404, error: { a: 1 } });
    expect(await of('<p>', 'text/html; charset=x')).toMatchObject({ contentType: 'text/html', error: '<p>' });
    expect((await of(undefined)).error).toBeUndefined();
    expect(await of('{', 'application/json')).toMatchObject({ status: 404, error: '{' });
    expect((await of('PDF', 'application/pdf')).error).toBeInstanceOf(Blob);
  });

  test('a media range takes what it covers and reads it by its own type', async () => {
    const of = (type: string): Promise<Result> =>
      answered('send', (response) => reply(response, 200, '{"a":1}', { 'content-type': type }));
    expect(await of('application/hal+json')).toMatchObject({ contentType: 'application/hal+json', data: { a: 1 } });
    expect(await of('text/plain')).toMatchObject({ contentType: 'text/plain', data: '{"a":1}' });
  });

  test('other bodies come as a blob', async () => {
    const result = await answered('getFile', (response) =>
      reply(response, 200, 'PDF', { 'content-type': 'application/pdf' }),
    );
    expect(await (result.data as Blob).text()).toBe('PDF');
  });
});

describe('what the contract does not declare', () => {
  test('a status', async () => {
    const result = await answered('getPet', (response) => reply(response, 418, { teapot: true }));
    expect(result).toMatchObject({
      ok: false,
      status: 'unexpected',
      contentType: 'application/json',
      error: { teapot: true },
    });
    expect(result.response.status).toBe(418);
  });

  test.each([
    ['text/html', '<script>', '<script>'],
    ['application/jsonp', '{}', undefined],
    [undefined, '{"a":1}', '{"a":1}'],
  ])('a media type: %s', async (type, body, error) => {
    const result = await answered('getPet', (response) =>
      reply(response, 200, body, type ? { 'content-type': type } : { 'content-type': '' }),
    );
    expect(result).toMatchObject({ ok: false, status: 'unexpected' });
    if (error !== undefined) expect(result.error).toBe(error);
  });

  test('a redirect: it is not followed, and no credential travels', async () => {
    const other = await serve((_, response) => reply(response, 200, {}));
    const headers = { location: `${other.origin}/x` };
    const result = await answered(
      'getPet',
      (response) => reply(response, 307, undefined, headers),
      {},
      { auth: { token: 'T' } },
    );
    expect(result).toMatchObject({ ok: false, status: 'unexpected' });
    expect(result.response.status).toBe(307);
    expect(other.seen).toEqual([]);
  });
});

describe('Retry-After', () => {
  const wait = async (value: string): Promise<number | undefined> =>
    (await answered('getPet', (response) => reply(response, 429, {}, { 'retry-after': value }))).retryAfterMs;

  test('seconds and dates, never below zero', async () => {
    expect(await wait('3')).toBe(3000);
    expect(await wait('Wed, 21 Oct 2015 07:28:00 GMT')).toBe(0);
    const soon = await wait(new Date(Date.now() + 10_000).toUTCString());
    expect(soon).toBeGreaterThan(8000);
    expect(soon).toBeLessThanOrEqual(10_000);
  });

  test('nonsense is left out', async () => {
    expect(await wait('soon')).toBeUndefined();
  });
});

describe('faults', () => {
  test('a declared JSON body that is none', async () => {
    for (const body of ['', '{"a":', 'SECRET']) {
      const error = await thrown(answered('getPet', (response) => reply(response, 200, body, json)));
      expect(error.fault).toBe('response');
      expect(error.response?.status).toBe(200);
      expect(inspect(error, { depth: 10 })).not.toContain('SECRET');
    }
  });

  test('a body above the limit', async () => {
    const error = await thrown(
      answered('getPet', (response) => reply(response, 200, `"${'x'.repeat(2000)}"`, json), { maxResponseBytes: 1000 }),
    );
    expect(error).toMatchObject({ fault: 'response', message: 'the body exceeds maxResponseBytes' });
  });

  test('no connection, and one that breaks in the body', async () => {
    const client = api.createApiClient({ baseUrl: 'http://127.0.0.1:1' });
    expect((await thrown(api.getPet(client, input))).fault).toBe('network');
    const broken = answered('getPet', (response) => {
      response.writeHead(200, { ...json, 'content-length': '100' });
      response.write('{"a":');
      setTimeout(() => response.destroy(), 20);
    });
    expect((await thrown(broken)).fault).toBe('network');
  });

  test('the time limit covers the body', async () => {
    const stall = (response: ServerResponse): void => {
      response.writeHead(200, json);
      response.write('{');
    };
    const error = await thrown(answered('getPet', stall, { timeout: 100 }));
    expect(error).toMatchObject({ fault: 'timeout', name: 'TimeoutError' });
    const byClient = await thrown(answered('getPet', stall, { timeout: undefined }, { timeout: 100 }));
    expect(byClient.fault).toBe('timeout');
  });

  test('the signal ends the call, before and during it', async () => {
    const before = await thrown(
      answered('getPet', (response) => reply(response, 200, {}), { signal: AbortSignal.abort('why') }),
    );
    expect(before).toMatchObject({ fault: 'abort', name: 'AbortError', cause: 'why' });
    const controller = new AbortController();
    const during = answered('getPet', () => controller.abort(), { signal: controller.signal });
    expect((await thrown(during)).fault).toBe('abort');
  });

  test('an error shows no credential, no query and no body', async () => {
    const { origin } = await serve((_, response) => reply(response, 500, { echo: 'SECRET' }));
    const client = api.createApiClient({
      baseUrl: origin,
      auth: { key: 'SECRET', queryKey: 'SECRET', session: 'SECRET' },
    });
    const result = await api.createClient(client, {});
    let error: unknown;
    try {
      api.unwrap(result);
    } catch (reason) {
      error = reason;
    }
    expect(api.isApiError(error)).toBe(true);
    expect(error).toMatchObject({ name: 'ApiError', status: 500, result: { error: { echo: 'SECRET' } } });
    for (const text of [String(error), inspect(error, { depth: 10 }), JSON.stringify(error), (error as Error).stack]) {
      expect(text).not.toContain('SECRET');
    }
  });
});

describe('unwrap', () => {
  test('gives the data of a success', async () => {
    expect(api.unwrap(await answered('getPet', (response) => reply(response, 200, { id: '1' })))).toEqual({ id: '1' });
  });
});

describe('prototypes', () => {
  test('a hostile body changes none', async () => {
    const body = '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"x":1}}}';
    const { data } = await answered('getPet', (response) => reply(response, 200, body, json));
    expect((data as { isAdmin?: boolean }).isAdmin).toBeUndefined();
    expect(Object.keys(data as object)).toEqual(['__proto__', 'constructor']);
    expect('isAdmin' in {}).toBe(false);
  });
});
