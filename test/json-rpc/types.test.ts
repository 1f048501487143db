/** What the compiler takes and refuses of code that uses the generated endpoint. */
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { rpcModules } from '../support/json-rpc.js';
import { repository } from '../support/paths.js';
import { typecheck } from '../support/typecheck.js';

const imports = `
import { createClient } from './client.js';
import { isRpcError, JsonRpcError, rpcErrors, type RpcServerNotifications } from './json-rpc.js';
import { rpcClient } from './json-rpc-client.js';
import { rpcHandler } from './json-rpc-server.js';
import type { Handlers } from './server.js';
import { nodeListener } from './server-node.js';
const meta = { 'org.example/version': '2', 'org.example/client': { name: 'me' } };
const rpc = rpcClient(createClient({ baseUrl: 'http://localhost' }), { meta });
`;

const serving = (methods: string, options = ''): string => `
const security = { Key: (token: string) => ({ user: token.length }) };
const handlers: Handlers<{ Key: { user: number } }> = { rpc: rpcHandler<{ Key: { user: number } }>(${methods}${options}) };
nodeListener(handlers, { security });`;

/** User code beside the generated files, with a part of what the compiler has to say of it; nothing where it is right. */
const cases: readonly (readonly [title: string, code: string, message: string | undefined])[] = [
  [
    'calls',
    `const { rooms, nextCursor } = await rpc.call('rooms/list');
    export const names: readonly [string | undefined, string | undefined] = [rooms[0]?.name, nextCursor];
    await rpc.call('rooms/list', { cursor: 'x', _meta: { progressToken: 1 } }, { signal: AbortSignal.timeout(1) });
    const answer = await rpc.call('rooms/book', { name: 'a', nights: 1 }, {
      onNotification: (notification) => {
        if (notification.method === 'progress') notification.params.progress.toFixed();
        else notification.params satisfies undefined;
      },
    });
    export const said: string = 'booking' in answer ? answer.booking : answer.question;
    await rpc.notify('cancelled', { requestId: 1 });`,
    undefined,
  ],
  ['no such method', `await rpc.call('rooms/lost');`, 'rooms/lost'],
  ['missing parameters', `await rpc.call('rooms/book');`, 'TS2'],
  ['a missing parameter', `await rpc.call('rooms/book', { name: 'a' });`, 'nights'],
  ['a parameter too many', `await rpc.call('rooms/book', { name: 'a', nights: 1, night: 1 });`, 'night'],
  ['another result', `export const x: number = (await rpc.call('rooms/list')).rooms;`, 'TS2322'],
  ['no such notification', `await rpc.notify('progress', { progressToken: 1, progress: 1 });`, 'progress'],
  ['half of meta', `rpcClient(createClient(), { meta: { 'org.example/version': '2' } });`, 'org.example/client'],
  [
    'errors by their codes',
    `await rpc.call('rooms/list').catch((error: unknown) => {
      if (isRpcError(error, rpcErrors.RoomTaken)) error.code satisfies -32050;
      if (isRpcError(error)) switch (error.code) { case -32020: case rpcErrors.UnsupportedVersion: return error.data; }
      throw error;
    });
    export const thrown = (): never => { throw new JsonRpcError(rpcErrors.RoomTaken, 'taken', { data: 1, status: 409 }); };`,
    undefined,
  ],
  ['no such code', `isRpcError(1, -5);`, '-5'],
  [
    'handlers',
    serving(
      `{
      'rooms/list': ({ cursor, _meta }, { principals }) => ({
        rooms: [{ name: cursor ?? _meta['org.example/client'].name, seats: principals.Key.user }],
      }),
      'rooms/book': async ({ nights }, { notify }) => {
        await notify('progress', { progressToken: 1, progress: nights });
        await notify('rooms/changed');
        return { booking: 'x' };
      },
      watch: async (_, { signal, startStream }) => { startStream(); signal.throwIfAborted(); return {}; },
    }`,
      `, { notifications: { cancelled: ({ requestId }, { principals }) => void [requestId, principals.Key.user] } }`,
    ),
    undefined,
  ],
  ['some handlers', serving(`{}`), undefined],
  ['a handler of nothing', serving(`{ 'rooms/lost': () => ({}) }`), 'rooms/lost'],
  ['a handler of another result', serving(`{ 'rooms/list': () => ({ rooms: [{ name: 'a' }] }) }`), 'seats'],
  [
    'another notification',
    serving(`{ watch: async (_, { notify }) => { await notify('cancelled'); return {}; } }`),
    'cancelled',
  ],
  ['another principal', serving(`{ watch: (_, { principals }) => ({ a: principals.Other }) }`), 'Other'],
  [
    'a union of notifications',
    `export type Names = keyof RpcServerNotifications; 'progress' satisfies Names;`,
    undefined,
  ],
];

const askingImports = `
import { createClient } from './client.js';
import { postRpcClient } from './json-rpc-client.js';
const rpc = postRpcClient(createClient({ baseUrl: 'http://localhost' }));
`;

/** The same beside an endpoint whose server asks. */
const asking: typeof cases = [
  [
    'answers by method',
    `await rpc.call('call', { name: 'x' }, {
      onRequest: {
        ask: async ({ question }, { id }) => ({ answer: question.toUpperCase() + id }),
        'roots/list': (params) => ({ roots: [{ uri: String(params?._meta) }] }),
        ping: () => ({}),
      },
      onNotification: ({ method }) => { method satisfies 'log' | 'notifications/log' | string; },
    });`,
    undefined,
  ],
  [
    'one answer for all',
    `await rpc.call('ping', {}, { onRequest: ({ method, params }) => [method, params] });`,
    undefined,
  ],
  ['an answer to nothing', `await rpc.call('ping', {}, { onRequest: { lost: () => ({}) } });`, 'lost'],
  ['another answer', `await rpc.call('ping', {}, { onRequest: { ask: () => ({ answer: 1 }) } });`, 'answer'],
  ['another parameter', `await rpc.call('ping', {}, { onRequest: { ask: ({ why }) => ({ answer: why }) } });`, 'why'],
];

describe.each([
  ['stateless', imports, cases],
  ['session', askingImports, asking],
] as const)('the types of %s', (name, imports, cases) => {
  const root = join(repository, `.cache/rpc-types-${name}`);
  const found = new Map<string, string[]>();

  beforeAll(async () => {
    const { files } = await rpcModules(name);
    const all = new Map([...files].map(([path, text]) => [join(root, path), text]));
    cases.forEach(([, code], index) => void all.set(join(root, `case${index}.ts`), imports + code));
    for (const { file, message } of typecheck(all)) {
      // What a case does not use of its imports is not the matter here.
      if (/^TS(?:6133|6192|90)/.test(message)) continue;
      found.set(file, [...(found.get(file) ?? []), message]);
    }
  });

  it('come from files without a fault', () => {
    expect([...found].filter(([file]) => !file.includes('/case'))).toEqual([]);
  });

  it.each(cases)('%s', (title, _code, message) => {
    const index = cases.findIndex(([name]) => name === title);
    const faults = found.get(join(root, `case${index}.ts`)) ?? [];
    if (message === undefined) expect(faults).toEqual([]);
    else expect(faults.join('\n')).toContain(message);
  });
});
