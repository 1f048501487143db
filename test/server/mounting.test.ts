/** The adapters inside host applications, and what they refuse before they start. */
import { fastify } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { fastifyAdapter } from '../../src/runtime/server-fastify.js';
import { fetchAdapter } from '../../src/runtime/server-fetch.js';
import { nodeAdapter } from '../../src/runtime/server-node.js';
import type { Fault, ServerOptions } from '../../src/runtime/server-options.js';
import { contract, type Handlers, type SecurityHooks } from '../support/example-server.js';
import { listen, type Running } from '../support/server-adapters.js';

const security: SecurityHooks = { ProjectToken: () => 'p', Key: () => 'k' };

const handlers = {
  listPets: (_request, reply) => reply(200, []),
  getPet: ({ path }, reply) => reply(200, { id: path.id, name: 'Bo' }),
  createPet: (_request, _reply, context) => context.notImplemented(),
} satisfies Partial<Handlers>;

const options = { security, unimplemented: 'respond501' } as const;

const running: Running[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});

async function started(server: Promise<Running>): Promise<string> {
  const one = await server;
  running.push(one);
  return one.url;
}

describe('at the start', () => {
  const start =
    (missing: object, more: ServerOptions = {}): (() => unknown) =>
    () =>
      nodeAdapter(contract, handlers, { ...options, ...more, security: missing });

  it('refuses to go without a hook for each scheme', () => {
    expect(start({ ProjectToken: () => 1 })).toThrow('security.Key is missing');
    expect(start({})).toThrow('security.ProjectToken is missing');
    // What every object inherits is no hook.
    const inherited = { ...contract, schemes: [{ name: 'toString', kind: 'other' as const }] };
    const [operation] = contract.operations;
    if (operation === undefined) throw new Error('no operation');
    const operations = [{ ...operation, security: [[{ scheme: 'toString', scopes: [] }]] }];
    expect(() => nodeAdapter({ ...inherited, operations }, handlers, options)).toThrow('security.toString');
  });

  it('refuses to go without a handler', () => {
    expect(() => fetchAdapter(contract, handlers, { security })).toThrow('handlers.getMyPet is missing');
    const [operation] = contract.operations;
    if (operation === undefined) throw new Error('no operation');
    const named = { ...contract, operations: [{ ...operation, name: 'constructor' }] };
    expect(() => nodeAdapter(named, {}, { security })).toThrow('handlers.constructor is missing');
  });

  it('takes handlers of a class', async () => {
    class Pets {
      readonly #name = 'Bo';
      getPet(...[{ path }, reply]: Parameters<Handlers['getPet']>): ReturnType<Handlers['getPet']> {
        return reply(200, { id: path.id, name: this.#name });
      }
    }
    const handler = fetchAdapter(contract, new Pets(), options);
    expect(await (await handler(new Request('http://a/pets/1'))).json()).toEqual({ id: '1', name: 'Bo' });
  });

  it('answers 501 where nobody has written the handler', async () => {
    const handler = fetchAdapter(contract, handlers, options);
    expect((await handler(new Request('http://a/pets/mine'))).status).toBe(501);
    const created = await handler(
      new Request('http://a/pets', {
        method: 'POST',
        headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
        body: '{"name":"x"}',
      }),
    );
    expect(created.status).toBe(501);
  });
});

describe('node, mounted', () => {
  it('falls through for unknown paths and preflights only', async () => {
    const listener = nodeAdapter(contract, handlers, options);
    const url = await started(
      listen((request, response) => listener(request, response, () => response.writeHead(299).end('host'))),
    );
    expect((await fetch(`${url}/pets`)).status).toBe(200);
    expect((await fetch(`${url}/elsewhere`)).status).toBe(299);
    expect((await fetch(`${url}/elsewhere/%25%ff`.replace('%25', '%'))).status).toBe(299);
    expect((await fetch(`${url}/pets`, { method: 'OPTIONS' })).status).toBe(299);
    expect((await fetch(`${url}/pets`, { method: 'DELETE' })).status).toBe(405);
  });

  it('serves below a base path', async () => {
    const url = await started(listen(nodeAdapter(contract, handlers, { ...options, basePath: '/v1' })));
    expect((await fetch(`${url}/v1/pets`)).status).toBe(200);
    expect((await fetch(`${url}/pets`)).status).toBe(404);
    expect((await fetch(`${url}/v12/pets`)).status).toBe(404);
    expect((await fetch(`${url}/pets`, { method: 'OPTIONS' })).status).toBe(404);
  });

  it('does not answer unvalidated where the host has read the body', async () => {
    const errors: unknown[] = [];
    const listener = nodeAdapter(contract, handlers, { ...options, onError: (error) => void errors.push(error) });
    const url = await started(
      listen((request, response) => {
        request.on('data', () => undefined).on('end', () => listener(request, response, () => response.end('host')));
      }),
    );
    const headers = { authorization: 'Bearer x', 'content-type': 'application/json' };
    const answer = await fetch(`${url}/pets`, { method: 'POST', headers, body: '{"name":"x"}' });
    expect(answer.status).toBe(500);
    expect(String(errors[0])).toContain('mount this server before body parsers');
  });
});

describe('fastify, mounted', () => {
  it('lives beside the host: its routes, parsers, hooks and errors', async () => {
    const app = fastify({ forceCloseConnections: true });
    running.push({ url: '', close: () => app.close() });
    app.addHook('onRequest', async (request, reply) => {
      reply.header('x-host', 'yes');
      if (request.headers['x-limit'] !== undefined) throw Object.assign(new Error('slow down'), { statusCode: 429 });
    });
    app.post('/own', (request) => request.body);
    app.setNotFoundHandler((_request, reply) => reply.code(404).send({ host: 'not found' }));
    await app.register(fastifyAdapter(contract, handlers, options), { prefix: '/api/v1' });
    const url = await app.listen({ host: '127.0.0.1', port: 0 });

    const pet = await fetch(`${url}/api/v1/pets/a%2fb`);
    expect([pet.status, pet.headers.get('x-host'), await pet.json()]).toEqual([200, 'yes', { id: 'a/b', name: 'Bo' }]);
    expect((await fetch(`${url}/%61pi/v1/pets`)).status).toBe(200);
    for (const path of ['/api/v1/nope', '/pets', '/api/v1']) {
      const answer = await fetch(url + path);
      expect([answer.status, await answer.json()]).toEqual([404, { host: 'not found' }]);
    }
    expect((await fetch(`${url}/api/v1/pets`, { method: 'DELETE' })).headers.get('allow')).toBe('GET, HEAD, POST');
    expect(await (await fetch(`${url}/api/v1/pets`, { method: 'OPTIONS' })).json()).toEqual({ host: 'not found' });
    const headers = { 'content-type': 'application/json' };
    expect(await (await fetch(`${url}/own`, { method: 'POST', headers, body: '{"a":1}' })).json()).toEqual({ a: 1 });
    expect((await fetch(`${url}/api/v1/pets`, { headers: { 'x-limit': '1' } })).status).toBe(429);
  });
});

describe('fetch, mounted', () => {
  it('gives nothing for unknown paths', async () => {
    const handler = fetchAdapter(contract, handlers, { ...options, mounted: true });
    expect(await handler(new Request('http://a/elsewhere'))).toBeUndefined();
    expect((await handler(new Request('http://a/pets')))?.status).toBe(200);
  });
});

describe('onFault', () => {
  it('may answer in its own way, and is told what happened', async () => {
    const seen: Fault[] = [];
    const handler = fetchAdapter(contract, handlers, {
      ...options,
      onFault: (fault, context) => {
        seen.push(fault);
        if (fault.kind === 'not-found') return { status: 418, body: { at: context.url }, headers: { 'x-a': 1 } };
        if (fault.kind === 'method-not-allowed') return { body: 'no', contentType: 'text/plain' };
        if (fault.kind === 'invalid-request') return { headers: { 'x-a': 'a\nb' } };
        return undefined;
      },
    });
    const missing = await handler(new Request('http://a/nope'));
    expect([missing.status, missing.headers.get('x-a'), await missing.json()]).toEqual([
      418,
      '1',
      { at: 'http://a/nope' },
    ]);
    const method = await handler(new Request('http://a/pets', { method: 'DELETE' }));
    expect([method.status, method.headers.get('allow'), await method.text()]).toEqual([405, 'GET, HEAD, POST', 'no']);
    // An answer that cannot be sent is replaced by the default.
    expect((await handler(new Request('http://a/pets?limit=999'))).status).toBe(400);
    expect(seen.map(({ kind }) => kind)).toEqual(['not-found', 'method-not-allowed', 'invalid-request']);
    expect(seen[2]?.issues[0]?.path).toEqual(['query', 'limit']);
  });

  it('answers 422 where that is chosen', async () => {
    const handler = fetchAdapter(contract, handlers, { ...options, invalidStatus: 422 });
    expect((await handler(new Request('http://a/pets?limit=999'))).status).toBe(422);
  });
});

describe('limits', () => {
  it('bounds the URL, the headers and the query', async () => {
    const handler = fetchAdapter(contract, handlers, { ...options, limits: { queryPairs: 3 } });
    expect((await handler(new Request(`http://a/pets?${'a'.repeat(9_000)}`))).status).toBe(414);
    expect((await handler(new Request('http://a/pets', { headers: { a: 'b'.repeat(20_000) } }))).status).toBe(431);
    expect((await handler(new Request('http://a/pets?a&b&c'))).status).toBe(200);
    expect((await handler(new Request('http://a/pets?a&b&c&d'))).status).toBe(400);
  });

  it('keeps a problem document small, whatever the caller sends', async () => {
    const key = 'k'.repeat(500);
    const issue = { path: [key], schemaPointer: '', keyword: 'type', params: {}, message: 'x'.repeat(500) };
    const [operation] = contract.operations;
    if (operation === undefined) throw new Error('no operation');
    const many = () => ({ ok: false as const, issues: Array(200).fill({ ...issue, pointer: `/${key}` }) });
    const parameters = [{ name: 'limit', in: 'query' as const, required: false, validate: many }];
    const handler = fetchAdapter({ ...contract, operations: [{ ...operation, parameters }] }, handlers, options);
    const answer = await handler(new Request('http://a/pets?limit=1'));
    expect((await answer.text()).length).toBeLessThan(8_192);
  });
});
