/** One table of requests, the same on every adapter, over real HTTP on loopback. */
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emit, type Handlers } from '../support/example-server.js';
import { adapters, type Options, type Running } from '../support/server-adapters.js';

const token = { authorization: 'Bearer good' };
const json = { 'content-type': 'application/json' };

interface Probe {
  errors: unknown[];
  steps: string[];
  aborted: Promise<void>;
  proceed: () => void;
  noteAbort: () => void;
}

function newProbe(): Probe {
  let noteAbort = (): void => undefined;
  const aborted = new Promise<void>((resolve) => {
    noteAbort = resolve;
  });
  return { errors: [], steps: [], aborted, noteAbort, proceed: () => undefined };
}

let probe = newProbe();

async function* events(signal: AbortSignal): AsyncGenerator<ReturnType<typeof emit.mcpRpc.message>> {
  try {
    yield emit.mcpRpc.message({ jsonrpc: '2.0', id: 1 });
    yield emit.mcpRpc.message({ jsonrpc: '2.0', id: 2 }, { id: 'two' });
    probe.steps.push('second sent');
    await new Promise<void>((resolve) => {
      probe.proceed = resolve;
      signal.addEventListener('abort', () => resolve());
    });
    probe.steps.push('third made');
    yield emit.mcpRpc.message({ jsonrpc: '2.0', id: 3 });
  } finally {
    if (signal.aborted) probe.noteAbort();
  }
}

const handlers: Handlers = {
  listPets: ({ query, headers, cookies }, reply) =>
    reply(200, [{ id: '1', name: JSON.stringify([query, headers, cookies]) }], { headers: { 'x-next': 2 } }),
  createPet: ({ body }, reply, context) => {
    if (body.name === 'leak') throw Object.assign(new Error('postgres://app:hunter2@db'), { status: 418 });
    if (body.name === 'split') return reply(409, { code: 1 }, { headers: { 'x-note': 'a\r\nset-cookie: b=c' } });
    if (body.name === 'taken') return reply(409, { code: 1 });
    const by = String(context.principals.ProjectToken);
    return reply(201, { id: JSON.stringify(body), name: by, secret: 'hidden' });
  },
  getPet: ({ path }, reply) => {
    if (path.id === 'none') return reply(404, { title: 'no such pet' });
    if (path.id === 'wrong') return reply(200, { name: 'no id' } as never);
    return reply(200, { id: path.id, name: 'Bo', secret: 'hidden' });
  },
  getMyPet: (_request, reply) => reply(204),
  download: ({ path }, reply) => reply(200, new TextEncoder().encode(`${path.name}|${path.ext}`)),
  mcpRpc: async ({ body }, reply, context) => {
    if (body.method === 'notify') return reply(202);
    if (body.method === 'slow') return reply(429, { retry: true }, { headers: { 'retry-after': 7 } });
    if (body.method === 'wait') {
      await new Promise<void>((resolve) => context.signal.addEventListener('abort', () => resolve()));
      probe.noteAbort();
      return reply(202);
    }
    if (body.method === 'broken') {
      return reply(
        200,
        'text/event-stream',
        (async function* () {
          yield emit.mcpRpc.note('one\r\ntwo');
          throw new Error('the source failed');
        })(),
      );
    }
    return context.prefers('text/event-stream', 'application/json') === 'text/event-stream'
      ? reply(200, 'text/event-stream', events(context.signal))
      : reply(200, 'application/json', { jsonrpc: '2.0', id: body.id });
  },
};

const options: Options = {
  security: {
    ProjectToken: (credential, context) => {
      if (credential === 'readonly' && context.scopes.includes('write')) return context.forbid('read only');
      if (credential === 'throws') throw new Error('the key store is down');
      return credential === 'good' ? 'project 1' : undefined;
    },
    Key: (credential) => credential === 'k',
  },
  onError: (error) => void probe.errors.push(error),
  limits: { bodyBytes: 65_536 },
};

function rpc(method: string, headers: Record<string, string> = {}, params: object = {}): RequestInit {
  return {
    method: 'POST',
    headers: { ...token, ...json, 'mcp-method': method, ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 5, method, params }),
  };
}

describe.each(adapters)('%s', (_name, start) => {
  let server: Running;

  beforeAll(async () => {
    server = await start(handlers, options);
  });
  afterAll(() => server.close());

  async function send(
    path: string,
    init: RequestInit = {},
  ): Promise<{ status: number; headers: Headers; text: string }> {
    probe = newProbe();
    const response = await fetch(server.url + path, init);
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  function post(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}): RequestInit {
    return { method: 'POST', headers: { ...token, ...json, ...headers }, body };
  }

  it('answers JSON, without what is write-only', async () => {
    const answer = await send('/pets/a%2Fb');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('x-powered-by')).toBeNull();
    expect(JSON.parse(answer.text)).toEqual({ id: 'a/b', name: 'Bo' });
  });

  it('prefers static paths and compares them decoded', async () => {
    expect((await send('/pets/mine')).status).toBe(204);
    expect((await send('/pets/m%69ne')).status).toBe(204);
    expect((await send('/files/a.b.txt')).text).toBe('a|b.txt');
  });

  it('reads parameters by style and coerces them by type', async () => {
    const answer = await send('/pets?limit=7&tags=a,b%2Cc&flag=true&where%5Bage%5D=3&more=1', {
      headers: { 'x-trace': 't', cookie: 'sid=s%20s; other=%' },
    });
    const [pet] = JSON.parse(answer.text) as { name: string }[];
    expect(JSON.parse(pet?.name ?? '')).toEqual([
      { limit: 7, tags: ['a', 'b,c'], flag: true, where: { age: 3 } },
      { 'X-Trace': 't' },
      { sid: 's s' },
    ]);
    expect(answer.headers.get('x-next')).toBe('2');
  });

  it('refuses what is wrong in parameters, all of it, with pointers', async () => {
    const answer = await send('/pets?limit=700&flag=x&flag=y&tags=%ff');
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    const problem = JSON.parse(answer.text) as { errors: { pointer: string }[] };
    expect(problem.errors.map(({ pointer }) => pointer)).toEqual(['/query/limit', '/query/tags', '/query/flag']);
  });

  it("refuses what is wrong in a body, with pointers, in the contract's own form", async () => {
    const answer = await send('/pets', post('{"name":5}'));
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(JSON.parse(answer.text)).toMatchObject({
      status: 400,
      errors: [{ pointer: '/body/name', keyword: 'type' }],
    });
    const rpcAnswer = await send('/mcp', { ...rpc('x'), body: '{"method":"x"}' });
    expect(JSON.parse(rpcAnswer.text)).toMatchObject({ errors: [{ pointer: '/body', keyword: 'required' }] });
  });

  it.each([
    ['empty', ''],
    ['cut', '{"name":'],
    ['two values', '{"name":"a"}{}'],
    ['invalid UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
    ['too deep', `${'['.repeat(70)}${']'.repeat(70)}`],
    ['__proto__', '{"name":"x","nested":[{"\\u005f_proto__":{"isAdmin":true}}]}'],
    ['constructor.prototype', '{"name":"x","constructor":{"prototype":{"isAdmin":true}}}'],
  ])('refuses a body that is %s', async (_what, body) => {
    expect((await send('/pets', post(body))).status).toBe(400);
  });

  it('leaves read-only members out of requests and gives the principal to the handler', async () => {
    const answer = await send('/pets', post('{"name":"x","id":"1"}'));
    expect(answer.status).toBe(201);
    expect(JSON.parse(answer.text)).toEqual({ id: '{"name":"x"}', name: 'project 1' });
  });

  it.each([
    ['none', {}, 'Bearer, ApiKey'],
    ['of another scheme', { authorization: 'Basic eDp5' }, 'Bearer, ApiKey'],
    ['doubled', { authorization: 'Bearer good, Bearer good' }, 'Bearer, ApiKey'],
    ['with two spaces', { authorization: 'Bearer  good' }, 'Bearer, ApiKey'],
    ['wrong', { authorization: 'bearer bad' }, 'Bearer error="invalid_token", ApiKey'],
    ['one that makes the hook fail', { authorization: 'Bearer throws' }, 'Bearer error="invalid_token", ApiKey'],
    ['half of an AND', { 'x-api-key': 'k' }, 'Bearer error="invalid_token", ApiKey'],
  ])('401 where the credential is %s', async (_what, headers, challenge) => {
    const answer = await send('/pets', { method: 'POST', headers: { ...json, ...headers }, body: 'not even JSON' });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe(challenge);
  });

  it('403 where the hook forbids', async () => {
    const answer = await send('/pets', post('{"name":"x"}', { authorization: 'Bearer readonly' }));
    expect(answer.status).toBe(403);
    expect(answer.text).toContain('read only');
  });

  it('404 for what is unknown, exactly', async () => {
    for (const path of ['/nope%3Cscript%3E', '/PETS', '/pets/', '/pets/1/', '/']) {
      const answer = await send(path);
      expect(answer.status).toBe(404);
      expect(answer.text).not.toContain('script');
    }
    expect(JSON.parse((await send('/pets/none')).text)).toEqual({ title: 'no such pet' });
  });

  it('405 with Allow', async () => {
    const answer = await send('/pets', { method: 'DELETE' });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST');
    expect((await send('/mcp')).headers.get('allow')).toBe('POST');
  });

  it('answers HEAD by GET, without a body', async () => {
    const answer = await send('/pets/1', { method: 'HEAD' });
    expect(answer.status).toBe(200);
    expect(answer.text).toBe('');
    expect(answer.headers.get('content-length')).toBe('22');
  });

  it('406 where no success is acceptable', async () => {
    expect((await send('/mcp', rpc('x', { accept: 'text/html, application/json;q=0' }))).status).toBe(406);
    expect((await send('/mcp', rpc('x', { accept: 'text/html, application/*;q=0.1' }))).status).toBe(200);
    expect((await send('/pets/mine', { headers: { accept: 'text/html' } })).status).toBe(204);
  });

  it('413 above the limit, announced or not', async () => {
    const large = ' '.repeat(70_000);
    expect((await send('/pets', post(large))).status).toBe(413);
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let part = 0; part < 20; part++) controller.enqueue(new Uint8Array(10_000).fill(32));
        controller.close();
      },
    });
    const answer = await send('/pets', { ...post(''), body: stream, duplex: 'half' } as RequestInit);
    expect(answer.status).toBe(413);
  });

  it.each([
    ['application/json', 400],
    ['application/json\t; x', 400],
    ['APPLICATION/JSON ;charset=UTF-8', 400],
    ['application/json;', 400],
    ['application/vnd.api+json', 400],
    ['application/json, text/plain', 415],
    ['application/json; charset=utf-7', 415],
    ['text/plain', 415],
    ['application/jsonx', 415],
    ['application', 415],
    ['multipart/form-data', 415],
  ])('content type %s: %d', async (type, status) => {
    expect((await send('/pets', post('{"isAdmin":true}', { 'content-type': type }))).status).toBe(status);
  });

  it('415 without a content type', async () => {
    const bytes = new TextEncoder().encode('{"name":"x"}');
    expect((await send('/pets', { method: 'POST', headers: token, body: bytes })).status).toBe(415);
    expect((await send('/pets', post('{}', { 'content-encoding': 'gzip' }))).status).toBe(415);
  });

  it('202, 429 with Retry-After, 409', async () => {
    const accepted = await send('/mcp', rpc('notify'));
    expect([accepted.status, accepted.text]).toEqual([202, '']);
    const limited = await send('/mcp', rpc('slow'));
    expect([limited.status, limited.headers.get('retry-after'), limited.text]).toEqual([429, '7', '{"retry":true}']);
    expect((await send('/pets', post('{"name":"taken"}'))).text).toBe('{"code":1}');
  });

  it('500 without internals; the hook is told', async () => {
    const answer = await send('/pets', post('{"name":"leak"}'));
    expect(answer.status).toBe(500);
    expect(answer.text).not.toMatch(/hunter2|postgres|Error/);
    expect(probe.errors).toHaveLength(1);
  });

  it('never sends a header with a line end', async () => {
    const answer = await send('/pets', post('{"name":"split"}'));
    expect(answer.status).toBe(500);
    expect(answer.headers.get('set-cookie')).toBeNull();
  });

  it('500 where the answer breaks the contract', async () => {
    expect((await send('/pets/wrong')).status).toBe(500);
    expect(String(probe.errors[0])).toContain('does not match the contract');
  });

  it('checks headers that mirror the body', async () => {
    expect((await send('/mcp', rpc('x', { 'mcp-method': 'y' }))).status).toBe(400);
    expect((await send('/mcp', rpc('x', {}, { name: 'n' }))).text).toContain('/headers/Mcp-Name');
    const accept = { accept: 'application/json' };
    expect((await send('/mcp', rpc('x', { ...accept, 'mcp-name': 'n' }, { uri: 'n' }))).status).toBe(200);
    const encoded = `=?base64?${btoa(String.fromCharCode(...new TextEncoder().encode('é')))}?=`;
    expect((await send('/mcp', rpc('x', { ...accept, 'mcp-name': encoded }, { name: 'é' }))).status).toBe(200);
  });

  it('streams events one by one', async () => {
    probe = newProbe();
    const response = await fetch(`${server.url}/mcp`, rpc('x'));
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('cache-control')).toBe('no-cache, no-transform');
    expect(response.headers.get('content-length')).toBeNull();
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    let text = '';
    while (!text.includes('"id":2')) text += new TextDecoder().decode((await reader.read()).value);
    expect(probe.steps).not.toContain('third made');
    await expect.poll(() => probe.steps).toContain('second sent');
    probe.proceed();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      text += new TextDecoder().decode(part.value);
    }
    expect(text).toBe(
      'data: {"jsonrpc":"2.0","id":1}\n\nid: two\ndata: {"jsonrpc":"2.0","id":2}\n\ndata: {"jsonrpc":"2.0","id":3}\n\n',
    );
  });

  it('breaks the connection where the source fails', async () => {
    probe = newProbe();
    const response = await fetch(`${server.url}/mcp`, rpc('broken'));
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    expect(probe.errors.map(String)).toEqual(['Error: the source failed']);
  });

  it('tells the source of a stream that the client has gone', async () => {
    probe = newProbe();
    const abort = new AbortController();
    const response = await fetch(`${server.url}/mcp`, { ...rpc('x'), signal: abort.signal });
    await response.body?.getReader().read();
    abort.abort();
    await probe.aborted;
    expect(probe.errors).toEqual([]);
  });

  it('tells a handler that has not answered yet that the client has gone', async () => {
    probe = newProbe();
    const abort = new AbortController();
    const sent = fetch(`${server.url}/mcp`, { ...rpc('wait'), signal: abort.signal }).catch(() => undefined);
    setTimeout(() => abort.abort(), 50);
    await sent;
    await probe.aborted;
    expect(probe.errors).toEqual([]);
  });

  it('refuses a malformed path', async () => {
    for (const path of ['/pets/%ff', '/pets/%', '/files/%zz.txt']) {
      const status = await new Promise((resolve, reject) => {
        httpRequest(server.url, { path }, (response) => resolve(response.resume().statusCode))
          .on('error', reject)
          .end();
      });
      expect(status).toBe(400);
    }
  });
});
