/** What a server sends is held to its schemas by a client that imports the check. */
import { beforeAll, expect, test } from 'vitest';
import type { Modules } from '../support/generated-modules.js';
import { type Methods, type RpcClient, type RpcContext, rpcClient, rpcModules, serveRpc } from '../support/json-rpc.js';

const meta = { 'org.example/version': '2', 'org.example/client': { name: 'test' } };
type Check = (...mode: unknown[]) => unknown;
let modules: Modules;
let validate: Check;

beforeAll(async () => {
  modules = await rpcModules('stateless');
  validate = (await modules.load('json-rpc-validation.ts'))['validateRpcMessages'] as Check;
});

async function connect(methods: Methods, ...mode: unknown[]): Promise<RpcClient> {
  const server = { security: { Key: () => ({}) }, validateResponses: false };
  const baseUrl = await serveRpc(modules, 'rpc', methods, { server });
  const options = mode.length === 0 ? { meta } : { meta, validate: validate(...mode) };
  return rpcClient(modules, 'rpc', { baseUrl, auth: { Key: 'good' } }, options);
}

const bad = { rooms: [{ name: 'a', seats: 'many' }] };
const methods: Methods = {
  'rooms/list': () => bad,
  watch: async (_: object, { notify }: RpcContext) => {
    await notify('progress', { progressToken: 1, progress: 'half' });
    await notify('unheard/of', {});
    return {};
  },
};

test('a result that breaks its schema is a fault, with its places', async () => {
  const client = await connect(methods, 'throw');
  const error = await client.call('rooms/list').catch((reason: unknown) => reason);
  expect(error).toMatchObject({ fault: 'response', message: expect.stringContaining('the result of "rooms/list"') });
  expect((error as { issues: readonly { pointer: string }[] }).issues.map(({ pointer }) => pointer)).toEqual([
    expect.stringMatching(/^(?:\/result)?\/rooms\/0\/seats$/),
  ]);
});

test('what is right passes, and so does everything where nobody asks', async () => {
  const right = { rooms: [{ name: 'a', seats: 2 }] };
  expect(await (await connect({ 'rooms/list': () => right }, 'throw')).call('rooms/list')).toEqual(right);
  expect(await (await connect(methods)).call('rooms/list')).toEqual(bad);
});

test('a notification that breaks its schema is a fault, too; one that is not declared passes', async () => {
  const heard: unknown[] = [];
  const onNotification = (one: { readonly method: string }): void => void heard.push(one.method);
  const client = await connect(methods, 'throw');
  await expect(client.call('watch', {}, { onNotification })).rejects.toMatchObject({ fault: 'response' });
  expect(heard).toEqual([]);
  const told: unknown[] = [];
  const lenient = await connect(methods, 'report', (fault: unknown) => void told.push(fault));
  expect(await lenient.call('watch', {}, { onNotification })).toEqual({});
  expect(heard).toEqual(['progress', 'unheard/of']);
  expect(told).toEqual([
    { kind: 'notification', method: 'progress', issues: [expect.objectContaining({ keyword: 'type' })] },
  ]);
});

test('without validators there is none', async () => {
  const { files } = await rpcModules('stateless', { targets: ['json-rpc', 'client'] });
  expect([...files.keys()].filter((path) => /json-rpc-(?:validation|check)/.test(path))).toEqual([]);
});
