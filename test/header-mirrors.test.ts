/** Headers that repeat the body: what carries a value that no header can hold, and the whole way over HTTP. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkOptions } from '../src/option-checks.js';
import { base64Header, percentHeader } from '../src/runtime/header-encoding.js';
import { mirrorIssues } from '../src/runtime/server-mirrors.js';
import type { NodeListener } from '../src/runtime/server-node.js';
import { fixtureRoot } from './support/fixtures.js';
import { generatedModules, type Modules } from './support/generated-modules.js';
import { listen } from './support/server-adapters.js';

const plain = ['', 'a', 'get weather', 'a\tb', '~!', 'file:///a%20b?c=d', '=?base64', '=?utf-8?B?YQ==?='];
const odd = [
  ' a',
  'a ',
  '\t',
  'é',
  '天気',
  '😀',
  'a\nb',
  'a\r\nX-Evil: 1',
  '\u007f',
  '\u0000',
  '=?base64?YQ==?=',
  '\ufeffx',
];

describe('encodings', () => {
  test.each(plain)('base64 leaves %j as it is', (text) => {
    expect(base64Header.encode(text)).toBe(text);
    expect(base64Header.decode(text)).toBe(text);
  });

  test.each(odd)('%j travels in visible ASCII and comes back', (text) => {
    for (const encoding of [base64Header, percentHeader]) {
      const header = encoding.encode(text);
      expect(header).toMatch(/^[!-~](?:[ -~]*[!-~])?$/);
      expect(encoding.decode(header)).toBe(text);
    }
    expect(base64Header.encode(text)).toMatch(/^=\?base64\?.*\?=$/);
  });

  test.each(plain)('percent brings %j back', (text) => {
    expect(percentHeader.decode(percentHeader.encode(text))).toBe(text);
  });

  test('percent hides its own sign, base64 is that of UTF-8', () => {
    expect(percentHeader.encode('100% é')).toBe('100%25 %C3%A9');
    expect(base64Header.encode('é')).toBe('=?base64?w6k=?=');
  });

  test.each(['=?base64?w6k?=', '=?base64?w 6k=?=', '=?base64?/w==?=', '=?base64?*?=', '=?base64?w6k=\n?='])(
    '%j is no base64 of UTF-8',
    (header) => expect(base64Header.decode(header)).toBeUndefined(),
  );

  test('what is no percent-encoded UTF-8 is nothing', () => {
    expect(percentHeader.decode('%')).toBeUndefined();
    expect(percentHeader.decode('%ff')).toBeUndefined();
  });

  test('lone surrogates are refused', () => {
    expect(() => percentHeader.encode('a\ud800')).toThrow(URIError);
    expect(() => base64Header.encode('\ud800')).toThrow(URIError);
  });
});

describe('a server compares', () => {
  const message = (header: string | undefined, value: unknown): string | undefined =>
    mirrorIssues([{ header: 'X-A', paths: [['a']], encoding: base64Header }], value === undefined ? {} : { a: value }, {
      header: (name) => (name === 'x-a' ? header : undefined),
    })[0]?.issue.message;

  test.each([
    ['a', 'a'],
    [' \ta ', 'a'],
    ['=?base64?YQ==?=', 'a'],
    ['7', 7],
    ['7.0', 7],
    ['70e-1', 7],
    ['true', true],
    [undefined, undefined],
    [undefined, { no: 'scalar' }],
  ])('%j is the same as %j', (header, value) => expect(message(header, value)).toBeUndefined());

  test.each([
    ['A', 'a', 'contradicts the body'],
    ['a b', 'a', 'contradicts the body'],
    ['=?base64?YQ?=', 'a', 'contradicts the body'],
    ['=?base64?YQ==?=', '=?base64?YQ==?=', 'contradicts the body'],
    ['0x7', 7, 'contradicts the body'],
    ['', 0, 'contradicts the body'],
    ['True', true, 'contradicts the body'],
    [undefined, 'a', 'is missing beside the body'],
    ['a', undefined, 'repeats what the body does not hold'],
  ])('%j is not the same as %j', (header, value, expected) => expect(message(header, value)).toBe(expected));
});

describe('over HTTP', () => {
  let modules: Modules;

  beforeAll(async () => {
    const folder = join(fixtureRoot, 'features/parameters/header-encodings');
    const document = readFileSync(join(folder, 'openapi.yaml'), 'utf8');
    const { headersFromBody } = JSON.parse(readFileSync(join(folder, 'oasmith.config.json'), 'utf8'));
    modules = await generatedModules(
      { 'openapi.yaml': document },
      { input: 'openapi.yaml', headersFromBody, framework: 'node' },
    );
  });

  test.each([...plain, ...odd])('a client sends %j and the server takes it', async (name) => {
    const seen: object[] = [];
    const listener = (await modules.load('server-node.ts'))['nodeListener'] as (
      handlers: object,
      options?: object,
    ) => NodeListener;
    const server = await listen(
      listener({
        callMethod: (request: { headers: object }, reply: (...answer: unknown[]) => unknown) => {
          seen.push(request.headers);
          return reply(200, { result: 1 });
        },
      }),
    );
    const { createClient, callMethod } = (await modules.load('client.ts')) as {
      createClient: (options: object) => unknown;
      callMethod: (client: unknown, input: object) => Promise<{ status: unknown; error?: unknown }>;
    };
    const client = createClient({ baseUrl: server.url });
    const result = await callMethod(client, { body: { method: 'a', params: { name, uri: 'u', place: name } } });
    expect(result.error).toBeUndefined();
    expect(result.status).toBe(200);
    // The contract speaks of what the header stands for, and so do handlers.
    expect(seen[0]).toMatchObject({ 'Rpc-Name': name, 'Rpc-Place': name });
    await server.close();
  });

  test.each([
    ['Rpc-Method', { method: '天' }],
    ['Rpc-Method', { method: ' a' }],
    ['Rpc-Method', { method: 'a\t' }],
    ['Rpc-Method', { method: '\na' }],
    ['Rpc-Method', { method: 'a\u007fb' }],
    ['Rpc-Name', { method: 'a', params: { name: 'a\ud800', uri: 'u' } }],
    ['Rpc-Place', { method: 'a', params: { name: 'a', uri: 'u', place: '\udc00' } }],
  ])('%s is refused before anything is sent: %j', async (header, body) => {
    const { createClient, callMethod } = (await modules.load('client.ts')) as {
      createClient: (options: object) => unknown;
      callMethod: (client: unknown, input: object) => Promise<unknown>;
    };
    const call = callMethod(createClient({ baseUrl: 'http://127.0.0.1:9' }), { body });
    await expect(call).rejects.toMatchObject({ fault: 'request', message: `${header}: cannot be sent` });
  });
});

describe('the configuration', () => {
  const faults = (mirror: unknown): number => checkOptions({ headersFromBody: { a: { 'X-A': mirror } } }).length;

  test.each([
    ['$request.body#/a'],
    [['$request.body#/a']],
    [{ from: '$request.body#/a', encoding: 'percent' }],
    [{ from: ['a'] }],
  ])('takes %j', (mirror) => expect(faults(mirror)).toBe(0));

  test.each([
    [''],
    [[]],
    [{}],
    [{ encoding: 'base64' }],
    [{ from: 'a', encoding: 'rot13' }],
    [{ from: 'a', form: 'b' }],
    [1],
    [null],
  ])('refuses %j', (mirror) => expect(faults(mirror)).toBe(1));
});
