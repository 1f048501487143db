/** What ends a call without its result: an answer whose envelope is not sound, and the time limit. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Modules } from '../support/generated-modules.js';
import { reply, serve } from '../support/http-server.js';
import { type RpcContext, rpcClient, rpcModules, serveRpc } from '../support/json-rpc.js';

let stateless: Modules;
let session: Modules;

beforeAll(async () => {
  stateless = await rpcModules('stateless');
  session = await rpcModules('session');
});

const meta = { 'org.example/version': '2', 'org.example/client': { name: 'test' } };
const security = { Key: (token: string) => (token === 'good' ? { user: 1 } : undefined) };

async function errorOf(work: Promise<unknown>): Promise<Readonly<Record<string, unknown>>> {
  return work.then(
    () => expect.fail('no error'),
    (error: Readonly<Record<string, unknown>>) => error,
  );
}

describe('an envelope', () => {
  const sound = { jsonrpc: '2.0', id: 1 };
  test.each([
    ['without a version', { id: 1, result: {} }],
    ['of another version', { ...sound, jsonrpc: '1.0', result: {} }],
    ['with neither a result nor an error', sound],
    ['with both', { ...sound, result: {}, error: { code: 1, message: 'x' } }],
    ['with a result and no error', { ...sound, result: {}, error: null }],
    ['with a text as its error', { ...sound, error: 'oops' }],
    ['with a text as its code', { ...sound, error: { code: '5', message: 'x' } }],
    ['with a fraction as its code', { ...sound, error: { code: 1.5, message: 'x' } }],
    ['with no message', { ...sound, error: { code: 5 } }],
    ['of nobody with no message', { jsonrpc: '2.0', id: null, error: { code: 5 } }],
  ])('throws where the answer is one %s, in either form', async (_, body) => {
    for (const type of ['application/json', 'text/event-stream']) {
      const text = type === 'application/json' ? JSON.stringify(body) : `data: ${JSON.stringify(body)}\n\n`;
      const server = await serve((__, response) => reply(response, 200, text, { 'content-type': type }));
      const client = await rpcClient(stateless, 'rpc', { baseUrl: server.origin }, { meta });
      expect(await errorOf(client.call('rooms/list'))).toMatchObject({ name: 'CallError', fault: 'response' });
    }
  });

  test('a refusal with half of an error is an ApiError', async () => {
    const body = { jsonrpc: '2.0', id: 1, error: { code: 5 } };
    const server = await serve((_, response) => reply(response, 400, body));
    const client = await rpcClient(stateless, 'rpc', { baseUrl: server.origin }, { meta });
    expect(await errorOf(client.call('rooms/list'))).toMatchObject({ name: 'ApiError', status: 400 });
  });
});

describe('the time limit', () => {
  const hang = async (_: object, { signal, notify }: RpcContext): Promise<object> => {
    await notify('rooms/changed');
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve({})));
  };

  test.each([
    ['of the client', { timeout: 150 }, {}],
    ['of the call', { timeout: 60_000 }, { timeout: 150 }],
  ])('%s is for all of a call, a stream or not', async (_, client, options) => {
    const baseUrl = await serveRpc(stateless, 'rpc', { watch: hang }, { server: { security } });
    const calls = await rpcClient(stateless, 'rpc', { ...client, baseUrl, auth: { Key: 'good' } }, { meta });
    for (const more of [{}, { headers: { accept: 'application/json' } }]) {
      expect(await errorOf(calls.call('watch', {}, { ...options, ...more }))).toMatchObject({
        ...{ name: 'TimeoutError', fault: 'timeout', message: 'incomplete after 150 ms' },
      });
    }
  });

  test('does not wait for who is told of a notification', async () => {
    const baseUrl = await serveRpc(stateless, 'rpc', { watch: hang }, { server: { security } });
    const client = await rpcClient(stateless, 'rpc', { baseUrl, auth: { Key: 'good' } }, { meta });
    const onNotification = (): Promise<void> => new Promise(() => undefined);
    expect(await errorOf(client.call('watch', {}, { onNotification, timeout: 150 }))).toMatchObject({
      fault: 'timeout',
    });
  });

  test('cancels the call where the protocol has a notification for that', async () => {
    const seen: unknown[] = [];
    const handler = { notifications: { 'notifications/cancelled': (params: object) => void seen.push(params) } };
    const methods = { ping: () => new Promise(() => undefined) };
    const baseUrl = await serveRpc(session, 'postRpc', methods, { handler });
    const input = { headers: { 'Rpc-Version': '2025-11-25' } };
    const client = await rpcClient(session, 'postRpc', { baseUrl, timeout: 300 }, { input });
    expect(await errorOf(client.call('ping'))).toMatchObject({ fault: 'timeout' });
    await expect.poll(() => seen).toEqual([{ requestId: 1 }]);
  });
});
