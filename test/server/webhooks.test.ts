/** What a service sends, from its sender to a receiver: over HTTP on loopback, on every adapter. */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { type FastifyPluginAsync, fastify } from 'fastify';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { generateFrom } from '../support/generated-client.js';
import { type GeneratedServer, generatedServer } from '../support/generated-server.js';
import { repository } from '../support/paths.js';
import { listen, type Running, serveFetch } from '../support/server-adapters.js';

const fixture = join(repository, 'fixtures/features/targets/webhooks/openapi.yaml');
const document = parse(readFileSync(fixture, 'utf8')) as object;

type Result = { readonly ok: boolean; readonly status: unknown; readonly data?: unknown; readonly error?: unknown };
type Send = (sender: unknown, target: unknown, input?: object, options?: object) => Promise<Result>;

interface Senders {
  createSender(options: object): unknown;
  readonly sendOnPriceChanged: Send;
  readonly sendPriceChangedWebhook: Send;
  readonly sendSubscribeShippedCallback: Send;
  readonly sendShippedCallback: Send;
  readonly sendFailedCallback: Send;
}

type Adapted<T> = (handlers: object, options?: object) => T;
type Node = (request: IncomingMessage, response: ServerResponse, next?: () => void) => void;

let output: GeneratedServer;
let senders: Senders;
beforeAll(async () => {
  output = await generatedServer(document, { targets: ['webhooks'] });
  senders = await output.load<Senders>('webhook-senders.ts');
}, 60_000);
afterAll(() => output.remove());

type Reply = (status: number, ...rest: readonly unknown[]) => unknown;
type Request = {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
};

function handlersOf(seen: unknown[]): object {
  return {
    onPriceChanged: ({ body }: Request, reply: Reply) => {
      seen.push(body);
      return reply(200, { receipt: 'r1' });
    },
    priceChangedWebhook: ({ query }: Request, reply: Reply) => reply(200, query['challenge']),
    closedEarlyWebhook: ({ body }: Request, reply: Reply) => {
      seen.push(body);
      return reply(200);
    },
    subscribeShippedCallback: ({ query, body }: Request, reply: Reply) => {
      seen.push([query, body]);
      return query['attempt'] === 2 ? reply(410, { reason: 'enough' }) : reply(204);
    },
    shippedCallback: (_: Request, reply: Reply) => reply(204),
    failedCallback: (_: Request, reply: Reply) => reply(204),
    oddCallback: (_: Request, reply: Reply) => reply(204),
  };
}

async function start(adapter: 'node' | 'fetch' | 'fastify', seen: unknown[], options: object = {}): Promise<Running> {
  const module = await output.load<Record<string, Adapted<unknown>>>(`webhooks-${adapter}.ts`);
  const handlers = handlersOf(seen);
  if (adapter === 'fastify') {
    const app = fastify({ forceCloseConnections: true });
    await app.register(module['webhookPlugin']?.(handlers, { mounted: false, ...options }) as FastifyPluginAsync);
    return { url: await app.listen({ host: '127.0.0.1', port: 0 }), close: () => app.close() };
  }
  if (adapter === 'node') return listen(module['webhookListener']?.(handlers, options) as Node);
  const handler = module['webhookHandler']?.(handlers, options) as (request: globalThis.Request) => Promise<Response>;
  return listen((request, response) => void serveFetch(handler, request, response).catch(() => response.destroy()));
}

async function started(adapter: 'node' | 'fetch' | 'fastify', seen: unknown[], options: object = {}): Promise<string> {
  const running = await start(adapter, seen, options);
  onTestFinished(running.close);
  return running.url;
}

const price = { item: 'tea', cents: 5 };

describe.each(['node', 'fetch', 'fastify'] as const)('on %s', (adapter) => {
  test('what is sent arrives, and the answer comes back', async () => {
    const seen: unknown[] = [];
    const url = await started(adapter, seen);
    const sender = senders.createSender({ origins: [url] });
    const input = { headers: { 'X-Signature': 's' }, body: price };
    expect(await senders.sendOnPriceChanged(sender, `${url}/price.changed`, input)).toMatchObject({
      ok: true,
      status: 200,
      data: { receipt: 'r1' },
    });
    const asked = await senders.sendPriceChangedWebhook(sender, `${url}/price.changed?x=1`, {
      query: { challenge: 'who?' },
    });
    expect(asked).toMatchObject({ status: 200, data: 'who?' });
    const original = { request: { body: { callbackUrl: url }, path: { topic: '../x' }, query: { tag: 'a&b' } } };
    await senders.sendSubscribeShippedCallback(sender, original, {
      query: { attempt: 1 },
      body: { id: '1', item: 'tea' },
    });
    expect(seen).toEqual([price]);
  });

  test('what breaks the contract does not reach the handler', async () => {
    const seen: unknown[] = [];
    const url = await started(adapter, seen);
    const post = (body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
      fetch(`${url}/price.changed`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
    const answer = await post({ item: 'tea', cents: '5' }, { 'x-signature': 's' });
    expect([answer.status, ((await answer.json()) as { errors: { pointer: string }[] }).errors[0]?.pointer]).toEqual([
      400,
      '/body/cents',
    ]);
    expect((await post(price)).status).toBe(400);
    expect(
      (
        await fetch(`${url}/closed/early`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '[1]',
        })
      ).status,
    ).toBe(200);
    expect((await fetch(`${url}/unknown`)).status).toBe(404);
    expect(seen).toEqual([[1]]);
  });

  test('a signature is checked over the bytes, however the path is spelt', async () => {
    const seen: unknown[] = [];
    const sign = (body: string | Uint8Array): string => createHmac('sha256', 'secret').update(body).digest('hex');
    const url = await started(adapter, seen, {
      verify: ({ body, header }: { body: Uint8Array; header: (name: string) => string | undefined }) =>
        header('X-Signature') === sign(body),
    });
    const text = JSON.stringify(price, undefined, 1);
    const post = async (path: string, signature: string): Promise<number> => {
      const headers = { 'content-type': 'application/json', 'x-signature': signature };
      return (await fetch(url + path, { method: 'POST', headers, body: text })).status;
    };
    expect(await post('/price.changed', sign(text))).toBe(200);
    expect(await post('/price.changed', 'wrong')).toBe(403);
    expect(await post('/price%2Echanged', 'wrong')).toBe(403);
    expect(await post('/price%2echanged?a', sign(text))).toBe(200);
    expect(await post('/closed/%65arly', 'wrong')).toBe(403);
    expect(seen).toEqual([price, price]);
    // Whoever sends signs what is sent: the middleware sees it.
    const signing = async (
      request: globalThis.Request,
      next: (request: globalThis.Request) => Promise<Response>,
    ): Promise<Response> => {
      const signed = new Request(request.clone());
      signed.headers.set('x-signature', sign(new Uint8Array(await request.arrayBuffer())));
      return next(signed);
    };
    const sender = senders.createSender({ origins: [url], middleware: [signing] });
    const input = { headers: { 'X-Signature': '' }, body: price };
    expect(await senders.sendOnPriceChanged(sender, `${url}/price.changed`, input)).toMatchObject({ status: 200 });
  });

  test('all at one URL: whose it is, the receiver says', async () => {
    const seen: unknown[] = [];
    const route = ({
      header,
      json,
    }: {
      header: (name: string) => string | undefined;
      json: () => unknown;
    }): string | undefined =>
      header('x-event') === 'price' ? 'onPriceChanged' : (json() as { to?: string } | undefined)?.to;
    const url = await started(adapter, seen, { route, basePath: '/hooks', limits: { bodyBytes: 100 } });
    const post = async (body: string, event: string): Promise<number> => {
      const headers = { 'content-type': 'application/json', 'x-event': event, 'x-signature': 's' };
      return (await fetch(`${url}/hooks/any`, { method: 'POST', headers, body })).status;
    };
    expect(await post(JSON.stringify(price), 'price')).toBe(200);
    expect(await post('{"to":"closedEarlyWebhook"}', '')).toBe(200);
    expect(await post('{"to":"nobody"}', '')).toBe(404);
    expect(await post('{"to":"constructor"}', '')).toBe(404);
    expect(await post('no json', '')).toBe(404);
    expect(await post(JSON.stringify({ ...price, item: 'x'.repeat(200) }), 'price')).toBe(413);
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(404);
    expect(seen).toEqual([price, { to: 'closedEarlyWebhook' }]);
  });
});

test('a path of its own, and requests of others that are left alone', async () => {
  const seen: unknown[] = [];
  const module = await output.load<Record<string, Adapted<Node>>>('webhooks-node.ts');
  const verify = (): boolean => true;
  const listener = module['webhookListener']?.(handlersOf(seen), { paths: { onPriceChanged: '/in/price' }, verify });
  const server = createServer((request, response) => {
    listener?.(request, response, () => {
      // The host reads a body that nobody has touched.
      request.resume().on('end', () => response.end(`host ${request.url}`));
    });
  });
  const running = await listen((request, response) => void server.emit('request', request, response));
  onTestFinished(running.close);
  const post = (path: string): Promise<Response> =>
    fetch(running.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-signature': 's' },
      body: JSON.stringify(price),
    });
  expect((await post('/in/price')).status).toBe(200);
  expect(await (await post('/price')).text()).toBe('host /price');
  expect(() => module['webhookListener']?.(handlersOf([]), { paths: { onPriceChanged: 'in' } })).toThrow(
    'paths.onPriceChanged',
  );
  expect(() => module['webhookListener']?.({})).toThrow('is missing');
});

describe('a sender', () => {
  const input = { headers: { 'X-Signature': 's' }, body: price };
  const fetched: string[] = [];
  const answered = async (request: globalThis.Request): Promise<Response> => {
    fetched.push(request.url);
    return new Response(null, { status: 204 });
  };

  test.each([
    ['http://a.example/x', 'public'],
    ['https://127.0.0.1/x', 'public'],
    ['https://2130706433/x', 'public'],
    ['https://0x7f.1/x', 'public'],
    ['https://[::1]/x', 'public'],
    ['https://[::ffff:10.0.0.1]/x', 'public'],
    ['https://localhost/x', 'public'],
    ['https://localhost./x', 'public'],
    ['https://printer.local/x', 'public'],
    ['https://metadata.google.internal/x', 'public'],
    ['https://user:pass@a.example/x', 'public'],
    ['https://a.example.evil/x', ['https://a.example']],
    ['https://a.example:444/x', ['https://a.example']],
    ['http://a.example/x', ['https://a.example']],
    ['ftp://a.example/x', () => true],
    ['file:///etc/passwd', () => true],
    ['/relative', () => true],
    ['https://a.example/x', () => false],
    ['https://a.example/x', async () => false],
  ])('does not go to %s where that is not allowed', async (url, origins) => {
    fetched.length = 0;
    const sender = senders.createSender({ origins, fetch: answered });
    await expect(senders.sendOnPriceChanged(sender, url, input)).rejects.toMatchObject({ fault: 'request' });
    expect(fetched).toEqual([]);
  });

  test('goes where it may, and is not led elsewhere', async () => {
    fetched.length = 0;
    for (const origins of ['public', ['https://hooks.example'], (url: URL) => url.host === 'hooks.example']) {
      const sender = senders.createSender({ origins, fetch: answered });
      await senders.sendOnPriceChanged(sender, 'https://hooks.example/a%20b/?x=1&y=%2F#z', input);
    }
    expect(new Set(fetched)).toEqual(new Set(['https://hooks.example/a%20b/?x=1&y=%2F']));
    const redirecting = async (request: globalThis.Request): Promise<Response> => {
      fetched.push(request.redirect);
      return new Response(null, { status: 302, headers: { location: 'http://127.0.0.1/' } });
    };
    const led = await senders.sendOnPriceChanged(
      senders.createSender({ origins: 'public', fetch: redirecting }),
      'https://hooks.example/',
      input,
    );
    expect([led.ok, led.status, fetched.at(-1)]).toEqual([false, 'unexpected', 'manual']);
  });

  test('fills in what the request was, as pieces that stay pieces', async () => {
    fetched.length = 0;
    const sender = senders.createSender({ origins: ['https://c.example', 'https://hooks.example'], fetch: answered });
    const request = {
      body: { callbackUrl: 'https://c.example/in?k=1' },
      path: { topic: '../../x?y#z' },
      query: { tag: 'a&b=c' },
      headers: { 'X-Tenant': '//evil.example' },
    };
    await senders.sendShippedCallback(sender, { request: { body: { url: 'https://c.example/returned' } } });
    await senders.sendSubscribeShippedCallback(
      sender,
      { request },
      { query: { attempt: 3 }, body: { id: '1', item: 'tea' } },
    );
    await senders.sendFailedCallback(sender, { request, response: { body: { id: 'a/b' } }, status: 201 });
    expect(fetched).toEqual([
      'https://c.example/returned',
      'https://c.example/in?k=1/events/..%2F..%2Fx%3Fy%23z?tag=a%26b%3Dc&attempt=3',
      'https://hooks.example/%2F%2Fevil.example/a%2Fb/201',
    ]);
    await expect(
      senders.sendFailedCallback(sender, { request, response: { body: {} }, status: 201 }),
    ).rejects.toMatchObject({
      fault: 'request',
      message: 'there is no response.body.id',
    });
    const elsewhere = { request: { body: { url: 'http://169.254.169.254/latest' } } };
    await expect(senders.sendShippedCallback(sender, elsewhere)).rejects.toMatchObject({ fault: 'request' });
  });
});

test('nobody pays who does not ask for it', async () => {
  const usual = await generateFrom(document, { targets: ['client', 'server'] });
  expect(usual.files.filter(({ path }) => /webhook|sender/.test(path))).toEqual([]);
  expect(usual.files.some(({ text }) => text.includes('price.changed'))).toBe(false);
  const without = await generateFrom({ ...document, paths: {}, 'x-webhooks': {} }, { targets: ['webhooks'] });
  expect(without.diagnostics.map(({ code }) => code)).toContain('no-webhooks');
});
