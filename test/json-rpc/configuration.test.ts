/** What the configuration of a JSON-RPC endpoint may say, and what of it is told to be wrong. */
import { describe, expect, test } from 'vitest';
import type { Options } from '../../src/config.js';
import { type GenerateResult, generate } from '../../src/generate.js';
import { memoryHost } from '../../src/memory-host.js';
import type { JsonRpcOptions } from '../../src/plan/json-rpc-options.js';

const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

const message = (method: string, params: object, more: object = {}): object => ({
  type: 'object',
  required: ['method', 'params'],
  properties: { method: { const: method }, params: { type: 'object', properties: params }, ...more },
});

const document = {
  openapi: '3.1.0',
  info: { title: 'x', version: '1' },
  paths: {
    '/rpc': {
      post: {
        operationId: 'rpc',
        parameters: [{ name: 'X-Version', in: 'header', schema: { type: 'string' } }],
        requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
        responses: { 200: { description: 'ok', content: { 'application/json': {} } } },
      },
    },
  },
  components: {
    schemas: {
      Request: { anyOf: [ref('AskRequest'), ref('PingRequest')] },
      AskRequest: message('ask', { question: { type: 'string' }, _meta: ref('Meta') }),
      AskResult: { type: 'object' },
      PingRequest: message('ping', {}, { params: { type: 'object', properties: { _meta: ref('Meta') } } }),
      PingResult: { type: 'object' },
      Meta: { type: 'object', properties: { version: { type: 'string' } } },
      Notification: message('cancelled', { requestId: { type: 'string' } }),
    },
  },
};

const good: JsonRpcOptions = {
  requests: '#/components/schemas/Request',
  notifications: '#/components/schemas/Notification',
};

async function run(endpoints: Options['jsonRpc'], files: Readonly<Record<string, string>> = {}) {
  const host = memoryHost({ 'api.json': JSON.stringify(document), ...files });
  return generate({ input: 'api.json', ...(endpoints && { jsonRpc: endpoints }) }, host);
}

function errorsOf({ diagnostics }: GenerateResult): readonly string[] {
  return diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ code, message: said }) => `${code}: ${said.replace(/^jsonRpc: /, '')}`);
}

const version = (from: string, supported: readonly string[] = ['1']): Partial<JsonRpcOptions> => ({
  version: { from, supported },
});

const wrong: readonly (readonly [title: string, options: Partial<JsonRpcOptions>, message: string])[] = [
  [
    'a standard error with another code',
    { errors: { ParseError: 5 } },
    'errors gives "ParseError" the code 5; in JSON-RPC it is -32700',
  ],
  [
    'a header that the operation lacks',
    version('$request.header.X-Versoin'),
    'version.from: the operation has no header parameter "X-Versoin"; did you mean "X-Version"?',
  ],
  [
    'a header that is like no other',
    version('$request.header.Nope'),
    'version.from: the operation has no header parameter "Nope"',
  ],
  [
    'a member that no request has',
    version('$request.body#/params/_meta/versoin'),
    'version.from: no request has the member "#/params/_meta/versoin"; did you mean "#/params/_meta/version"?',
  ],
  ['no version at all', version('$request.header.x-version', []), 'version.supported names no version'],
  [
    'a member of parameters that no request has',
    { meta: { member: '_metta' } },
    'meta.member: no request has the member "#/params/_metta"; did you mean "#/params/_meta"?',
  ],
  [
    'a cancellation that is no message',
    { cancel: { method: 'canceled', id: 'requestId' } },
    'cancel.method names "canceled", which is no method and no notification; did you mean "cancelled"?',
  ],
  [
    'a cancellation without its id',
    { cancel: { method: 'cancelled', id: 'requestID' } },
    'cancel.id: "cancelled" has no member "#/params/requestID"; did you mean "#/params/requestId"?',
  ],
  [
    'a result of no method',
    { results: { aks: '#/components/schemas/AskResult' } },
    'results names the method "aks", which no request has; did you mean "ask"?',
  ],
  [
    'a refusal of what is not checked',
    { faults: { version: { code: -1 } } },
    'faults.version is said, but nothing says what the version is (version)',
  ],
  [
    'another refusal of what is not checked',
    { faults: { meta: { code: -1 } } },
    'faults.meta is said, but nothing says what the meta is (meta)',
  ],
];

describe('what is wrong is an error', () => {
  test.each(wrong)('%s', async (_, options, expected) => {
    expect(errorsOf(await run({ rpc: { ...good, ...options } }))).toEqual([`json-rpc-unknown: ${expected}`]);
  });

  test('an operation that is named twice', async () => {
    expect(errorsOf(await run({ rpc: good, 'POST /rpc': good }))).toEqual([
      'json-rpc-unknown: "POST /rpc" and "rpc" name the same operation',
    ]);
  });

  test('an operation that is misspelt', async () => {
    expect(errorsOf(await run({ rcp: good }))).toEqual([
      'json-rpc-unknown: jsonRpc names the operation "rcp", which does not exist; did you mean "rpc"?',
    ]);
  });
});

describe('what is right is none', () => {
  const right: readonly (readonly [title: string, options: Partial<JsonRpcOptions>])[] = [
    ['a header in another case', version('$request.header.x-version')],
    ['members of the messages', version('$request.body#/params/_meta/version')],
    ['a member of the envelope, which the messages leave out', version('$request.body#/jsonrpc')],
    ['a member of parameters', { meta: { member: '_meta', schema: '#/components/schemas/Meta' } }],
    ['a cancellation', { cancel: { method: 'cancelled', id: 'requestId' } }],
  ];

  test.each(right)('%s', async (_, options) => {
    const result = await run({ rpc: { ...good, ...options } });
    expect([errorsOf(result), result.ok]).toEqual([[], true]);
  });

  test('a standard error with its own code is there once', async () => {
    const { files } = await run({ rpc: { ...good, errors: { ParseError: -32700, Taken: -1 } } });
    const text = files.find(({ path }) => path === 'json-rpc.ts')?.text ?? '';
    expect(text.match(/\b(?:ParseError|Taken): .*/g)).toEqual(['ParseError: -32700,', 'Taken: -1,']);
  });
});

describe('alternatives that stand inline', () => {
  const inline = (method: string, more: object = {}): object => ({
    type: 'object',
    required: ['method'],
    properties: { method: { const: method }, ...more },
  });

  async function told(anyOf: readonly object[]) {
    const rpc = { $defs: { Request: { $ref: '#/$defs/Ask' }, Ask: inline('ask'), AskResult: {}, Note: { anyOf } } };
    const schema = JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...rpc });
    const result = await run(
      { rpc: { schema: 'rpc.json', requests: '#/$defs/Request', notifications: '#/$defs/Note' } },
      { 'rpc.json': schema },
    );
    const text = result.files.find(({ path }) => path === 'json-rpc.ts')?.text ?? '';
    const notes = /interface RpcNotifications \{\n(.*?)\n\}/s.exec(text)?.[1] ?? '';
    const found = result.diagnostics.filter(({ code }) => code.startsWith('json-rpc'));
    const codes = found.map(({ code, at }) => [code, at?.pointer]);
    return { notes: [...notes.matchAll(/readonly (\w+): \{/g)].map(([, name]) => name), codes };
  }

  test.each([
    ['beside one with a name', [{ $ref: '#/$defs/Ask' }, inline('a')], ['ask', 'a']],
    ['alone', [inline('a')], ['a']],
    ['among themselves', [inline('a'), inline('b')], ['a', 'b']],
    ['in a union of their own', [{ oneOf: [inline('a'), inline('b')] }, inline('c')], ['c', 'a', 'b']],
    ['as parts of a whole', [{ allOf: [{ $ref: '#/$defs/Ask' }, { required: ['id'] }] }, inline('a')], ['ask', 'a']],
  ])('are messages %s', async (_, anyOf, expected) => {
    expect(await told(anyOf)).toEqual({ notes: expected, codes: [] });
  });

  test('are named where they are none, and where the method is taken', async () => {
    expect(await told([inline('a'), { type: 'null' }, inline('a', { params: {} }), inline('b')])).toEqual({
      notes: ['a', 'b'],
      codes: [
        ['json-rpc-left-out', '/$defs/Note/anyOf/1'],
        ['json-rpc-left-out', '/$defs/Note/anyOf/2'],
      ],
    });
  });
});

describe('a schema that cannot be read', () => {
  const options = { ...good, meta: { member: '_meta', schema: '#/$defs/Meta' } };

  test.each([
    ['is not there', {}, 'file-not-found'],
    ['is no JSON', { 'rpc.json': '{' }, 'syntax-error'],
  ])('is the only fault: %s', async (_, files, code) => {
    const result = await run({ rpc: { ...options, schema: './rpc.json' } }, files);
    expect(result.diagnostics.map((one) => one.code)).toEqual([code]);
  });

  test('does not hide that the operation is not there either', async () => {
    const result = await run({ other: { ...options, schema: './rpc.json' } });
    expect(result.diagnostics.map((one) => one.code)).toEqual(['file-not-found', 'json-rpc-unknown']);
  });

  test('is said where it can be read but lacks what is named', async () => {
    const rpc = '{"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": {"Request": true}}';
    const result = await run({ rpc: { requests: '#/$defs/Requests', schema: 'rpc.json' } }, { 'rpc.json': rpc });
    expect(errorsOf(result)).toEqual([
      'json-rpc-unknown: requests names "#/$defs/Requests", which is no schema of "rpc.json"',
    ]);
  });
});
