/** The Chattoo contract, JSON or events by the real answer, over loopback. */
import type { ServerResponse } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import { generateFrom, runnable } from '../support/generated-client.js';
import { reply, serve, type TestServer } from '../support/http-server.js';
import { mcp, mcpOptions } from '../support/mcp.js';

interface Event {
  readonly event: string;
  readonly data: unknown;
  readonly id: string;
  readonly name?: string;
  readonly retry?: number;
  readonly issues?: readonly { readonly keyword: string; readonly pointer: string }[];
}

interface Stream extends AsyncIterable<Event> {
  readonly lastEventId: string;
  readonly retryMs: number | undefined;
  readonly response: Response;
  data(): AsyncIterable<unknown>;
  close(): Promise<void>;
}

interface Result {
  readonly ok: boolean;
  readonly status: number | 'unexpected';
  readonly contentType: string;
  readonly data: Stream;
}

interface Api {
  readonly createClient: (options?: object) => unknown;
  readonly isCallError: (value: unknown) => boolean;
  readonly mcpRpc: (client: unknown, input: object, options?: object) => Promise<Result>;
}

let api: Api;

beforeAll(async () => {
  api = await runnable<Api>(await generateFrom(mcp, { ...mcpOptions, targets: ['client', 'validators'] }));
});

const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'sum' } };

async function streaming(send: (response: ServerResponse) => void): Promise<TestServer> {
  return serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    response.flushHeaders();
    send(response);
  });
}

async function open(server: TestServer, options: object = {}): Promise<Stream> {
  const result = await api.mcpRpc(api.createClient({ baseUrl: server.origin }), { body }, options);
  expect(result).toMatchObject({ ok: true, status: 200, contentType: 'text/event-stream' });
  return result.data;
}

/** A stream that holds this text and ends. */
async function holding(text: string, options: object = {}): Promise<Stream> {
  return open(await streaming((response) => response.end(text)), options);
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

async function faultOf(work: Promise<unknown>): Promise<unknown> {
  const error = await work.then(
    () => expect.fail('no error'),
    (reason: unknown) => reason,
  );
  expect(api.isCallError(error)).toBe(true);
  return (error as { fault: unknown }).fault;
}

const good = '{"jsonrpc":"2.0","id":1,"result":{}}';

describe('the request', () => {
  test('mirrors members of the body, sends the default and lists both media types', async () => {
    const server = await serve((_, response) => reply(response, 202));
    const client = api.createClient({ baseUrl: server.origin, auth: { ProjectToken: async () => 'key' } });
    await api.mcpRpc(client, { body });
    expect(server.seen[0]?.headers).toMatchObject({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'sum',
      authorization: 'Bearer key',
      accept: 'application/json, text/event-stream',
    });
  });

  test('the second expression counts where the first gives nothing; a given header wins', async () => {
    const server = await serve((_, response) => reply(response, 202));
    const client = api.createClient({ baseUrl: server.origin });
    await api.mcpRpc(client, {
      body: { ...body, params: { name: {}, uri: 'file:x' } },
      headers: { 'Mcp-Method': 'mine' },
    });
    await api.mcpRpc(client, { body: { ...body, params: JSON.parse('{"__proto__":{"name":"x"}}') } });
    expect(server.seen[0]?.headers).toMatchObject({ 'mcp-method': 'mine', 'mcp-name': 'file:x' });
    expect(server.seen[1]?.headers['mcp-name']).toBeUndefined();
  });

  test('a wish for one media type ranks it first and makes the other unexpected', async () => {
    const server = await serve((_, response) => reply(response, 200, good, { 'content-type': 'application/json' }));
    const client = api.createClient({ baseUrl: server.origin });
    expect(await api.mcpRpc(client, { body }, { accept: 'application/json' })).toMatchObject({
      ok: true,
      data: { id: 1 },
    });
    expect(await api.mcpRpc(client, { body }, { accept: 'text/event-stream' })).toMatchObject({
      ok: false,
      status: 'unexpected',
    });
    expect(server.seen.map(({ headers }) => headers.accept)).toEqual([
      'application/json, text/event-stream;q=0.1',
      'text/event-stream, application/json;q=0.1',
    ]);
  });

  test('an unwanted stream is not read', async () => {
    const server = await streaming((response) => response.write('data: 1\n\n'));
    const result = await api.mcpRpc(
      api.createClient({ baseUrl: server.origin }),
      { body },
      { accept: 'application/json' },
    );
    expect(result).toMatchObject({ ok: false, status: 'unexpected', contentType: 'text/event-stream' });
  });
});

describe('events', () => {
  test('arrive one by one, typed by the JSON sibling', async () => {
    let more: (text: string) => void = () => {};
    const server = await streaming((response) => {
      response.write(`id: 1\nretry: 5\ndata: ${good}\n\n`);
      more = (text) => response.write(text);
    });
    const stream = await open(server);
    const iterator = stream[Symbol.asyncIterator]();
    expect(await iterator.next()).toEqual({
      done: false,
      value: { event: 'message', data: JSON.parse(good), id: '1', retry: 5 },
    });
    more(`data: ${good}\n\n`);
    expect((await iterator.next()).value).toMatchObject({ event: 'message', id: '1' });
    expect([stream.lastEventId, stream.retryMs, stream.response.status]).toEqual(['1', 5, 200]);
    await iterator.return?.();
  });

  test('of an undeclared name, without valid data, and the priming event', async () => {
    const text = `id: p\ndata:\n\nevent: other\ndata: x\n\ndata: {\n\ndata: {"jsonrpc":"1"}\n\ndata: ${good}\n\n`;
    const stream = await holding(text);
    const [unknown, broken, invalid, last, ...rest] = await collect(stream);
    expect(unknown).toEqual({ event: '$unknown', name: 'other', data: 'x', id: 'p' });
    expect(broken).toMatchObject({
      event: '$invalid',
      name: 'message',
      data: '{',
      issues: [{ keyword: 'contentMediaType' }],
    });
    expect(invalid).toMatchObject({ event: '$invalid', data: '{"jsonrpc":"1"}', issues: [{ pointer: '/jsonrpc' }] });
    expect(last).toMatchObject({ event: 'message', data: { id: 1 } });
    expect(rest).toEqual([]);
  });

  test('that are invalid are left out, thrown or let through on request', async () => {
    const text = `data: {"jsonrpc":"1"}\n\ndata: ${good}\n\n`;
    expect(await collect(await holding(text, { onInvalid: 'skip' }))).toHaveLength(1);
    expect(await collect(await holding(text, { onInvalid: 'off' }))).toMatchObject([
      { data: { jsonrpc: '1' } },
      { data: { id: 1 } },
    ]);
    expect(await faultOf(collect(await holding(text, { onInvalid: 'throw' })))).toBe('stream');
  });

  test('as their data alone', async () => {
    const stream = await holding(`event: other\ndata: x\n\ndata: {\n\ndata: ${good}\n\n`);
    expect(await collect(stream.data())).toEqual([JSON.parse(good)]);
  });

  test('an event above the limit', async () => {
    expect(await faultOf(collect(await holding(`data: "${'x'.repeat(200)}"\n\n`, { maxEventLength: 100 })))).toBe(
      'stream',
    );
  });
});

describe('the life of a stream', () => {
  /** A server that tells when its connection is gone. */
  async function endless(): Promise<{ server: TestServer; closed: Promise<void> }> {
    let gone: () => void = () => {};
    const closed = new Promise<void>((resolve) => {
      gone = resolve;
    });
    const server = await streaming((response) => {
      response.on('close', gone);
      response.write(`data: ${good}\n\n`);
    });
    return { server, closed };
  }

  test('leaving the loop closes the connection', async () => {
    const { server, closed } = await endless();
    for await (const event of await open(server)) {
      expect(event.event).toBe('message');
      break;
    }
    await closed;
  });

  test('leaving the loop over the data closes it too', async () => {
    const { server, closed } = await endless();
    for await (const _ of (await open(server)).data()) break;
    await closed;
  });

  test('close() ends a running loop without an error', async () => {
    const { server, closed } = await endless();
    const stream = await open(server);
    const seen: Event[] = [];
    for await (const event of stream) {
      seen.push(event);
      setTimeout(() => void stream.close(), 10);
    }
    expect(seen).toHaveLength(1);
    await closed;
  });

  test('it can be disposed of, where the platform has the symbol', async () => {
    const { server, closed } = await endless();
    const stream = await open(server);
    const dispose = Symbol.asyncDispose as symbol | undefined;
    if (dispose) await (stream as unknown as Record<symbol, () => Promise<void>>)[dispose]?.();
    else await stream.close();
    await closed;
    expect(await faultOf(collect(stream))).toBe('stream');
  });

  test('it is read once', async () => {
    const stream = await holding(`data: ${good}\n\n`);
    await collect(stream);
    expect(await faultOf(collect(stream))).toBe('stream');
    expect(() => stream.data()).toThrow('already');
  });

  test('the signal ends it in the middle', async () => {
    const { server, closed } = await endless();
    const controller = new AbortController();
    const stream = await open(server, { signal: controller.signal });
    const work = (async () => {
      for await (const _ of stream) controller.abort();
    })();
    expect(await faultOf(work)).toBe('abort');
    await closed;
  });

  test('the signal ends it where the transport does not know it', async () => {
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(`data: ${good}\n\n`)),
    });
    const headers = { 'content-type': 'text/event-stream' };
    const client = api.createClient({
      baseUrl: 'http://a.example',
      fetch: async () => new Response(body, { headers }),
    });
    const { data } = await api.mcpRpc(client, { body: {} }, { signal: AbortSignal.timeout(50) });
    expect(await faultOf(collect(data))).toBe('abort');
  });

  test('the time limit ends with the start', async () => {
    const server = await streaming((response) => setTimeout(() => response.end(`data: ${good}\n\n`), 250));
    expect(await collect(await open(server, { timeout: 100 }))).toHaveLength(1);
  });

  test('a connection that breaks is a fault, not an end', async () => {
    const server = await streaming((response) => {
      response.write(`data: ${good}\n\n`);
      setTimeout(() => response.destroy(), 20);
    });
    expect(await faultOf(collect(await open(server)))).toBe('network');
  });
});
