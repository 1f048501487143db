/** What the server target prints for documents that are not everyday ones. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { generate } from '../../src/generate.js';
import { memoryHost } from '../../src/memory-host.js';
import { fetchAdapter } from '../../src/runtime/server-fetch.js';
import { repository } from '../support/paths.js';
import { faultLines, typecheck } from '../support/typecheck.js';

const json = (schema: object): object => ({ 'application/json': { schema } });
const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

const document = {
  openapi: '3.1.0',
  info: { title: 'Odd', version: '1' },
  security: [{ __proto__key: [] }, { basic: ['a'], oauth: ['b'] }, {}],
  components: {
    securitySchemes: {
      __proto__key: { type: 'apiKey', in: 'query', name: 'api"key' },
      basic: { type: 'http', scheme: 'basic' },
      oauth: { type: 'oauth2', flows: {} },
    },
    schemas: {
      Handlers: { type: 'object', properties: { a: { type: 'string' } } },
      Principals: { type: 'string' },
      Response: { type: 'object', properties: { id: { type: 'string', readOnly: true }, next: ref('Response') } },
      Account: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string' },
          password: { type: 'string', writeOnly: true },
          friends: { type: 'array', items: ref('Account') },
          id: { type: 'integer', readOnly: true },
        },
      },
    },
  },
  paths: {
    '/odd/{__proto__}': {
      put: {
        operationId: 'constructor',
        summary: 'Closes */ the comment',
        parameters: [
          { name: '__proto__', in: 'path', required: true, schema: { type: 'integer' } },
          {
            name: 'either',
            in: 'query',
            schema: { anyOf: [{ type: 'integer' }, { type: 'array', items: { type: 'boolean' } }] },
          },
          { name: 'filter', in: 'query', content: json(ref('Handlers')) },
        ],
        requestBody: { content: { ...json(ref('Response')), 'text/plain': {}, 'application/octet-stream': {} } },
        responses: {
          '200': {
            description: 'ok',
            headers: {
              'X-Count': { required: true, schema: { type: 'integer' } },
              'X-List': { schema: { type: 'array' } },
            },
            content: json(ref('Handlers')),
          },
          '404': { description: 'none', content: json({ type: 'object', properties: { title: { type: 'string' } } }) },
          '4XX': { description: 'bad' },
          default: { description: 'else', content: { 'text/plain': { schema: { type: 'string' } } } },
        },
      },
    },
    '/accounts': {
      post: {
        operationId: 'addAccount',
        security: [],
        requestBody: { required: true, content: json(ref('Account')) },
        responses: { '200': { description: 'ok', content: json({ type: 'array', items: ref('Account') }) } },
      },
    },
    '/{a}{b}': {
      get: {
        operationId: 'touching',
        parameters: ['a', 'b'].map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
        responses: { '200': { description: 'ok' } },
      },
    },
    '/events': {
      get: {
        operationId: 'events',
        responses: {
          '200': {
            description: 'ok',
            content: { 'text/event-stream': { schema: { type: 'object', properties: { n: { type: 'integer' } } } } },
          },
        },
      },
    },
  },
};

const result = await generate(
  { input: 'odd.json', targets: ['server'], framework: ['fastify', 'node', 'fetch'] },
  memoryHost({ '/project/odd.json': JSON.stringify(document) }, { cwd: '/project' }),
);
const server = result.files.find(({ path }) => path === 'server.ts')?.text ?? '';

describe('the printed server', () => {
  it('compiles', () => {
    const root = join(repository, '.cache/odd');
    const files = new Map(result.files.map(({ path, text }) => [join(root, path), text]));
    expect(faultLines(typecheck(files), root)).toBe('');
  });

  it('steps aside for types that have the names of its exports', () => {
    expect(server).toContain('Handlers as $Handlers');
    expect(server).toContain('export interface Handlers<$P extends Principals = Principals>');
    expect(server).toMatch(/body: \$Handlers, options: \$HeadedOptions/);
  });

  it('reads parameters as their schemas say', () => {
    expect(server).toContain('name: "__proto__", in: "path", required: true, read: { scalar: ["integer"] }');
    expect(server).toContain('read: { scalar: ["integer"], items: ["boolean"] }');
    // A form that this version does not read: typed as unknown, and reported.
    expect(server).toContain('readonly filter?: unknown;');
    expect(server).not.toContain('name: "filter"');
  });

  it('types statuses, ranges and the rest', () => {
    expect(server).toMatch(/\$Statuses<\$Status4XX, 404, \[body\?: unknown, options\?: \$ReplyOptions\]>/);
    expect(server).toMatch(
      /\$Statuses<\$Status2XX \| \$Status3XX \| \$Status5XX, 200, \[body: string, options\?: \$ReplyOptions\]>/,
    );
    expect(server).not.toMatch(/\$Statuses<\$Status4XX, [^,]*, \[body: string/);
  });

  it('knows which principals there are', () => {
    expect(server).toContain('readonly __proto__key?: $P["__proto__key"]');
    expect(server).toContain('readonly basic: $SecurityHook<$Basic, $P["basic"]>;');
    expect(server).toContain('readonly oauth: $SecurityHook<undefined, $P["oauth"]>;');
    expect(server).toContain('{ name: "__proto__key", kind: "apiKey", in: "query", parameter: "api\\"key" }');
  });

  it('leaves out an operation that no router could serve, and says so', () => {
    expect(server).not.toContain('touching');
    const said = result.diagnostics.filter(({ code }) => code === 'path-unroutable');
    expect(said.map(({ message }) => message).join()).toContain('two variables without text between them');
  });

  it('prints projections for both directions, cycles included', () => {
    const lines =
      /projections: \[\n([\s\S]*?)\n {2}\],/
        .exec(server)?.[1]
        ?.split('\n')
        .map((line) => line.trim()) ?? [];
    expect(lines.some((line) => line.includes('omit: ["password"]'))).toBe(true);
    expect(lines.filter((line) => line.includes('omit: ["id"]'))).toHaveLength(2);
  });
});

describe('projections at run time', () => {
  it('leave out what is read-only on the way in and write-only on the way out', async () => {
    const [, contractText = ''] = /export const contract: \$Contract = ([\s\S]*);\s*$/.exec(server) ?? [];
    const plain = contractText.replace(/, validate: [A-Za-z0-9_]+/g, '');
    const contract = new Function(`return ${plain}`)();
    const operations = contract.operations.filter(({ name }: { name: string }) => name === 'addAccount');
    const handler = fetchAdapter(
      { ...contract, operations },
      {
        addAccount: ({ body }: { body: object }, reply: (...answer: unknown[]) => unknown) =>
          reply(200, [body, { id: 7, name: 'x', password: 'p' }]),
      },
      {},
    );
    const body = { name: 'a', id: 1, password: 'p', friends: [{ name: 'b', id: 2, password: 'q' }] };
    const headers = { 'content-type': 'application/json' };
    const answer = await handler(
      new Request('http://a/accounts', { method: 'POST', headers, body: JSON.stringify(body) }),
    );
    expect(await answer.json()).toEqual([
      { name: 'a', friends: [{ name: 'b' }] },
      { id: 7, name: 'x' },
    ]);
  });
});
