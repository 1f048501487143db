/** Sending again what failed: over real connections, with a clock that does not wait. */
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

interface Api {
  readonly createApiClient: (options?: object) => unknown;
  readonly retry: (options?: object) => unknown;
  readonly getPet: Call;
  readonly putPet: Call;
  readonly addPet: Call;
  readonly putAny: Call;
}

let api: Api;

beforeAll(async () => {
  api = await runnable<Api>(await generateFrom(pets));
});

const one = { path: { id: '1' } };

/** A clock whose waits are noted and take no time. */
function fakeClock(start = 0) {
  const waits: number[] = [];
  let time = start;
  const wait = async (milliseconds: number): Promise<void> => {
    waits.push(milliseconds);
    time += milliseconds;
  };
  return { waits, now: () => time, wait };
}

describe('retry', () => {
  test('sends again on statuses that pass, with the same body, and gives the answer that came', async () => {
    const { origin, seen } = await serve((_, response) =>
      reply(response, [408, 425, 429, 500, 502, 503, 504, 200][seen.length - 1] ?? 0, { id: '1' }),
    );
    const clock = fakeClock();
    const retry = api.retry({ attempts: 9, clock, random: () => 0.5 });
    const client = api.createApiClient({ baseUrl: origin, retry });
    expect((await api.putPet(client, { ...one, body: { name: 'n' } })).data).toEqual({ id: '1' });
    expect(seen.map(({ body }) => body)).toEqual(Array.from({ length: 8 }, () => '{"name":"n"}'));
    expect(clock.waits).toEqual([250, 500, 1000, 2000, 4000, 8000, 10_000]);
  });

  test('is over after the last attempt, whose answer the caller gets', async () => {
    const { origin, seen } = await serve((_, response) => reply(response, 503, { n: seen.length }));
    const client = api.createApiClient({ baseUrl: origin, retry: api.retry({ clock: fakeClock() }) });
    const result = await api.getPet(client, one);
    expect([result.status, result.response.status, seen.length]).toEqual(['unexpected', 503, 3]);
  });

  test('other answers are given as they are', async () => {
    const { origin, seen } = await serve((_, response) => reply(response, 501, {}));
    const client = api.createApiClient({ baseUrl: origin, retry: api.retry({ clock: fakeClock() }) });
    await api.getPet(client, one);
    expect(seen).toHaveLength(1);
  });

  test('goes on after a connection that broke, and throws the last fault', async () => {
    const { origin, seen } = await serve((_, response) =>
      seen.length < 2 ? response.destroy() : reply(response, 200, { id: '1' }),
    );
    const retry = api.retry({ clock: fakeClock() });
    expect((await api.getPet(api.createApiClient({ baseUrl: origin, retry }), one)).data).toEqual({ id: '1' });
    const dead = await serve((_, response) => response.destroy());
    const call = api.getPet(api.createApiClient({ baseUrl: dead.origin, retry }), one);
    await expect(call).rejects.toMatchObject({ fault: 'network' });
    expect(dead.seen).toHaveLength(3);
  });

  test('an attempt without an answer in its time is given up, the call goes on, and a body may take longer', async () => {
    const { origin, seen } = await serve(async (_, response) => {
      if (seen.length < 3) return;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"id":');
      await new Promise((done) => setTimeout(done, 300));
      response.end('"1"}');
    });
    const retry = api.retry({ clock: fakeClock(), attemptTimeout: 150 });
    const client = api.createApiClient({ baseUrl: origin, retry });
    expect((await api.getPet(client, one)).data).toEqual({ id: '1' });
    expect(seen).toHaveLength(3);
    const silent = await serve(() => undefined);
    const call = api.getPet(api.createApiClient({ baseUrl: silent.origin, retry, timeout: 400 }), one);
    await expect(call).rejects.toMatchObject({ fault: 'timeout' });
    const stopped = api.getPet(client, one, { signal: AbortSignal.abort() });
    await expect(stopped).rejects.toMatchObject({ fault: 'abort' });
  });

  test('waits no less than Retry-After says, in seconds or as a date', async () => {
    const now = Date.parse('2030-01-01T00:00:00Z');
    const { origin, seen } = await serve((_, response) =>
      reply(
        response,
        seen.length < 3 ? 429 : 200,
        {},
        {
          'content-type': 'application/json',
          'retry-after': seen.length === 1 ? '7' : 'Tue, 01 Jan 2030 00:00:17 GMT',
        },
      ),
    );
    const clock = fakeClock(now);
    await api.getPet(api.createApiClient({ baseUrl: origin, retry: api.retry({ clock, random: () => 0 }) }), one);
    expect(clock.waits).toEqual([7000, 10_000]);
  });

  test('does not wait for longer than all attempts may take', async () => {
    const { origin, seen } = await serve((_, response) => reply(response, 503, {}, { 'retry-after': '61' }));
    const clock = fakeClock();
    const client = api.createApiClient({ baseUrl: origin, retry: api.retry({ clock }) });
    expect((await api.getPet(client, one)).response.headers.get('retry-after')).toBe('61');
    expect([clock.waits, seen.length]).toEqual([[], 1]);
  });

  test('leaves methods alone that are not idempotent, unless a key makes them so', async () => {
    const { origin, seen } = await serve((_, response) => reply(response, 503, {}));
    const client = (options: object) => api.createApiClient({ baseUrl: origin, retry: api.retry(options) });
    const clock = fakeClock();
    await api.addPet(client({ clock }), { body: { name: 'n' } });
    expect(seen).toHaveLength(1);
    await api.addPet(client({ clock }), { body: { name: 'n' } }, { headers: { 'idempotency-key': 'mine' } });
    expect(seen.slice(1).map(({ headers }) => headers['idempotency-key'])).toEqual(['mine', 'mine', 'mine']);
    const keyed = client({ clock, idempotencyKey: 'X-Key' });
    await api.addPet(keyed, { body: { name: 'n' } });
    await api.addPet(keyed, { body: { name: 'n' } });
    const keys = seen.slice(4).map(({ headers }) => String(headers['x-key']));
    expect(keys).toHaveLength(6);
    expect(new Set(keys.slice(0, 3)).size).toBe(1);
    expect(new Set(keys).size).toBe(2);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    await api.getPet(keyed, one);
    expect(seen.at(-1)?.headers['x-key']).toBeUndefined();
  });

  test('never sends a stream twice', async () => {
    const { origin, seen } = await serve((_, response) => reply(response, 503, {}));
    const client = api.createApiClient({ baseUrl: origin, retry: api.retry({ clock: fakeClock() }) });
    const input = { body: new Blob(['abc']).stream(), contentType: 'text/plain' };
    expect((await api.putAny(client, input)).response.status).toBe(503);
    expect(seen.map(({ body }) => body)).toEqual(['abc']);
  });

  test('is over with the signal of the caller and with the time limit, while it waits, too', async () => {
    const { origin, seen } = await serve((_, response) => reply(response, 503, {}));
    const client = api.createApiClient({ baseUrl: origin, retry: api.retry({ delay: 60_000, random: () => 0.9 }) });
    const controller = new AbortController();
    const aborted = api.getPet(client, one, { signal: controller.signal });
    setTimeout(() => controller.abort(), 60);
    await expect(aborted).rejects.toMatchObject({ fault: 'abort', name: 'AbortError' });
    await expect(api.getPet(client, one, { timeout: 60 })).rejects.toMatchObject({ fault: 'timeout' });
    expect(seen).toHaveLength(2);
  });

  test('all calls together have a budget, which good answers fill', async () => {
    let status = 503;
    const { origin, seen } = await serve((_, response) => reply(response, status, { id: '1' }));
    const retry = api.retry({ budget: 3, clock: fakeClock() });
    const client = api.createApiClient({ baseUrl: origin, retry });
    for (let call = 0; call < 10; call += 1) await api.getPet(client, one);
    expect(seen).toHaveLength(10 + 3);
    status = 200;
    for (let call = 0; call < 11; call += 1) await api.getPet(client, one);
    status = 503;
    await api.getPet(client, one);
    expect(seen).toHaveLength(13 + 11 + 2);
  });

  test('of a call is another one than that of the client, or none; and each attempt is told', async () => {
    const { origin, seen } = await serve((_, response) => reply(response, 503, {}));
    const client = api.createApiClient({ baseUrl: origin, retry: api.retry({ clock: fakeClock() }) });
    await api.getPet(client, one, { retry: false });
    expect(seen).toHaveLength(1);
    const told: object[] = [];
    const onRetry = (attempt: object) => void told.push(attempt);
    await api.getPet(client, one, { retry: api.retry({ attempts: 2, clock: fakeClock(), random: () => 0, onRetry }) });
    expect(seen).toHaveLength(3);
    expect(told).toMatchObject([{ operation: 'getPet', attempt: 2, delay: 0, cause: { status: 503 } }]);
  });
});
