/** The generated Chattoo client against the generated Chattoo server, on every adapter; and what the types refuse. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type FastifyPluginAsync, fastify } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NodeListener } from '../../src/runtime/server-node.js';
import { fixtureRoot, runFixture } from '../support/fixtures.js';
import { repository } from '../support/paths.js';
import { listen, type Running, serveFetch } from '../support/server-adapters.js';
import { typecheck } from '../support/typecheck.js';

type Call = (client: unknown, input: object, options?: object) => Promise<Answer>;

interface Answer {
  readonly ok: boolean;
  readonly status: number | string;
  readonly contentType: string;
  readonly data: AsyncIterable<{ readonly data: unknown }> & Readonly<Record<string, unknown>>;
  readonly error: unknown;
  readonly retryAfterMs?: number;
  readonly response: Response;
}

let files: ReadonlyMap<string, string> = new Map();
let folder = '';

beforeAll(async () => {
  const name = 'documents/chattoo-mcp';
  const run = await runFixture({
    name,
    folder: join(fixtureRoot, name),
    entry: 'openapi.json',
    diagnostics: '',
  });
  files = new Map(run.result?.files.map(({ path, text }) => [path, text]));
  mkdirSync(join(repository, '.cache'), { recursive: true });
  folder = mkdtempSync(join(repository, '.cache/server-'));
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function load<T>(module: string): Promise<T> {
  return (await import(/* @vite-ignore */ join(folder, module))) as T;
}

let proceed = (): void => undefined;
let produced = 0;
let aborted: Promise<void>;

type Reply = (...answer: unknown[]) => unknown;
interface Context {
  readonly signal: AbortSignal;
  readonly principals: { readonly ProjectToken: unknown };
}

async function* events(id: number): AsyncGenerator<object> {
  for (produced = 1; produced <= 3; produced++) {
    if (produced === 3) {
      await new Promise<void>((resolve) => {
        proceed = resolve;
      });
    }
    yield { data: { jsonrpc: '2.0', id, result: { step: produced } } };
  }
}

const handlers = {
  mcpRpc: async ({ body }: { body: { id: number; method: string } }, reply: Reply, context: Context) => {
    switch (body.method) {
      case 'stream':
        return reply(200, 'text/event-stream', events(body.id));
      case 'accepted':
        return reply(202);
      case 'limited':
        return reply(429, undefined, { headers: { 'retry-after': 2 } });
      case 'teapot':
        throw new Error('short and stout');
      case 'wait':
        aborted = new Promise((resolve) => context.signal.addEventListener('abort', () => resolve()));
        await aborted;
        return reply(202);
      default:
        return reply(200, 'application/json', {
          jsonrpc: '2.0',
          id: body.id,
          result: { by: context.principals.ProjectToken },
        });
    }
  },
};

const options = {
  security: { ProjectToken: (token: string) => (token === 'good' ? 'project 1' : undefined) },
  limits: { bodyBytes: 65_536 },
  // The only way to an undeclared status: the contract does not know it.
  onFault: (fault: { readonly kind: string; readonly cause?: unknown }) =>
    fault.kind === 'internal' ? { status: 418, body: { short: true } } : undefined,
};

const starts: Readonly<Record<string, () => Promise<Running>>> = {
  fastify: async () => {
    const { fastifyPlugin } = await load<{ fastifyPlugin: (h: object, o: object) => FastifyPluginAsync }>(
      'server-fastify.ts',
    );
    const app = fastify({ forceCloseConnections: true });
    await app.register(fastifyPlugin(handlers, options));
    return { url: await app.listen({ host: '127.0.0.1', port: 0 }), close: () => app.close() };
  },
  node: async () => {
    const { nodeListener } = await load<{ nodeListener: (h: object, o: object) => NodeListener }>('server-node.ts');
    return listen(nodeListener(handlers, options));
  },
  fetch: async () => {
    const { fetchHandler } = await load<{
      fetchHandler: (h: object, o: object) => (request: Request) => Promise<Response>;
    }>('server-fetch.ts');
    const handler = fetchHandler(handlers, options);
    return listen((request, response) => void serveFetch(handler, request, response).catch(() => response.destroy()));
  },
};

describe.each(Object.keys(starts))('the Chattoo client against the server on %s', (name) => {
  let server: Running;
  let call: Call;
  let client: unknown;
  let stranger: unknown;

  beforeAll(async () => {
    server = (await starts[name]?.()) as Running;
    const module = await load<{ mcpRpc: Call; createClient: (options: object) => unknown }>('client.ts');
    call = module.mcpRpc;
    client = module.createClient({ baseUrl: server.url, auth: { ProjectToken: 'good' } });
    stranger = module.createClient({ baseUrl: server.url, auth: { ProjectToken: 'bad' } });
  });
  afterAll(() => server.close());

  const body = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params });

  it('gets JSON, and the header that mirrors the body is filled', async () => {
    const answer = await call(client, { body: body('tools/list') });
    expect([answer.status, answer.contentType]).toEqual([200, 'application/json']);
    expect(answer.data['result']).toEqual({ by: 'project 1' });
  });

  it('gets the second event before the third is made', async () => {
    const answer = await call(client, { body: body('stream') });
    expect(answer.contentType).toBe('text/event-stream');
    const steps: unknown[] = [];
    for await (const event of answer.data) {
      steps.push((event.data as { result: { step: number } }).result.step);
      if (steps.length !== 2) continue;
      await expect.poll(() => produced).toBe(3);
      proceed();
    }
    expect(steps).toEqual([1, 2, 3]);
  });

  it('gets 202, 401, 429 with the time to wait, and the undeclared 418 as unexpected', async () => {
    expect(await call(client, { body: body('accepted') })).toMatchObject({ ok: true, status: 202 });
    expect(await call(stranger, { body: body('x') })).toMatchObject({ ok: false, status: 401 });
    expect(await call(client, { body: body('limited') })).toMatchObject({ status: 429, retryAfterMs: 2_000 });
    const teapot = await call(client, { body: body('teapot') });
    expect([teapot.status, teapot.response.status]).toEqual(['unexpected', 418]);
  });

  it('gets 400 with pointers on a bad body, 413 on a large one', async () => {
    const bad = await call(client, { body: { jsonrpc: '1.0', id: 'x', method: 'm', params: {} } });
    expect(bad.status).toBe(400);
    const { errors } = bad.error as { errors: readonly { pointer: string }[] };
    expect(errors.map(({ pointer }) => pointer)).toEqual(expect.arrayContaining(['/body/jsonrpc', '/body/id']));
    expect((await call(client, { body: body('x', { text: 'a'.repeat(70_000) }) })).status).toBe(413);
  });

  it('refuses another media type and a header that contradicts the body', async () => {
    const headers = {
      authorization: 'Bearer good',
      'content-type': 'text/plain',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'x',
    };
    const init = { method: 'POST', headers, body: JSON.stringify(body('x')) };
    expect((await fetch(`${server.url}/mcp`, init)).status).toBe(415);
    const contradicting = { ...headers, 'content-type': 'application/json', 'mcp-method': 'y' };
    const answer = await fetch(`${server.url}/mcp`, { ...init, headers: contradicting });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('/headers/Mcp-Method')]);
  });

  it('tells the handler that the client has gone', async () => {
    const before = new Promise<void>(() => undefined);
    aborted = before;
    const abort = new AbortController();
    const sent = call(client, { body: body('wait') }, { signal: abort.signal });
    const refused = expect(sent).rejects.toThrow();
    // The handler makes a promise of its own: before that nobody could be told.
    await expect.poll(() => aborted !== before).toBe(true);
    abort.abort();
    await refused;
    await aborted;
  });
});

const imports = `
import { emit, type Handlers } from './server.js';
import { nodeListener } from './server-node.js';
import { fetchHandler } from './server-fetch.js';
`;

function handler(answer: string): string {
  return `
export const handlers: Handlers<{ ProjectToken: { id: number } }> = {
  mcpRpc: async ({ body, headers }, reply, context) => {
    const seen = [body.method.length, headers['Mcp-Name']?.length, context.principals.ProjectToken.id.toFixed()];
    return seen.length === 0 ? context.notImplemented() : ${answer};
  },
};
const security = { ProjectToken: (token: string) => ({ id: token.length }) };
`;
}

const good = handler("reply(200, 'application/json', { jsonrpc: '2.0' })");

/** User code beside the generated files, with a part of what the compiler has to say of it; nothing where it is right. */
const cases: readonly (readonly [title: string, code: string, message: string | undefined])[] = [
  [
    'every way to serve',
    `${good}
    nodeListener(handlers, { security });
    nodeListener({}, { security, unimplemented: 'respond501' });
    export const some: Promise<Response | undefined> = fetchHandler(handlers, { security, mounted: true })(new Request(''));
    export const sure: Promise<Response> = fetchHandler(handlers, { security })(new Request(''));`,
    undefined,
  ],
  [
    'events of every form',
    `${handler("reply(200, 'text/event-stream', events())")}
    async function* events() {
      yield emit.mcpRpc.message({ jsonrpc: '2.0' }, { id: '1' });
      yield { data: { jsonrpc: '2.0' as const }, retry: 5 };
      yield { comment: 'c' };
    }
    nodeListener(handlers, { security });`,
    undefined,
  ],
  ['a body of its own', handler("reply(429, { retry: 1 }, { headers: { 'retry-after': 1 } })"), undefined],
  ['excess', handler("reply(200, 'application/json', { jsonrpc: '2.0', reslt: {} })"), "'reslt' does not exist"],
  ['another value', handler("reply(200, 'application/json', { jsonrpc: '1.0' })"), '"1.0"'],
  ['another media type', handler("reply(200, 'text/html', '')"), 'text/html'],
  ['another status', handler('reply(418)'), '418'],
  ['another event', handler("reply(200, 'text/event-stream', (async function* () { yield { data: 5 }; })())"), 'TS2'],
  ['no reply', handler("{ jsonrpc: '2.0' as const }"), 'TS2322'],
  ['a body where there is none', handler('reply(202, { a: 1 })'), "'a' does not exist"],
  ['a missing handler', 'nodeListener({}, { security: { ProjectToken: () => 1 } });', 'mcpRpc'],
  ['no hooks', `${good}nodeListener(handlers, {});`, 'security'],
  ['a missing hook', `${good}nodeListener(handlers, { security: {} });`, 'ProjectToken'],
  ['another principal', `${good}nodeListener(handlers, { security: { ProjectToken: () => 'x' } });`, "'string'"],
  ['a misspelt option', `${good}nodeListener(handlers, { security, limit: {} });`, "'limit' does not exist"],
];

describe('the types', () => {
  const root = join(repository, '.cache/types');
  const found = new Map<string, string[]>();

  beforeAll(() => {
    const served = [...files].filter(([path]) =>
      /^(?:server|server-node|server-fetch|types|validators)\.ts$|^runtime\//.test(path),
    );
    const all = new Map(served.map(([path, text]) => [join(root, path), text]));
    cases.forEach(([, code], index) => {
      all.set(join(root, `case${index}.ts`), imports + code);
    });
    for (const { file, message } of typecheck(all)) {
      // What the imports of a case do not use and what it does not annotate is not the matter here.
      if (!/^TS(?:90|61)/.test(message)) found.set(file, [...(found.get(file) ?? []), message]);
    }
  });

  it('come from files without a fault', () => {
    expect([...found.keys()].filter((file) => !file.includes('/case'))).toEqual([]);
  });

  it.each(cases)('%s', (title, _code, message) => {
    const index = cases.findIndex(([name]) => name === title);
    const faults = found.get(join(root, `case${index}.ts`)) ?? [];
    if (message === undefined) expect(faults).toEqual([]);
    else expect(faults.join('\n')).toContain(message);
  });
});
