/** The fixtures of `json-rpc/`, generated and served: clients and servers over loopback. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Options } from '../../src/config.js';
import { fixtureRoot } from './fixtures.js';
import { generatedModules, type Modules } from './generated-modules.js';
import { listen, serveFetch } from './server-adapters.js';

export async function rpcModules(name: string, more: Options = {}): Promise<Modules> {
  const folder = join(fixtureRoot, 'features/json-rpc', name);
  const documents = readdirSync(folder).filter((file) => /^(?:openapi|messages)\./.test(file));
  const texts = documents.map((file) => [file, readFileSync(join(folder, file), 'utf8')]);
  const file = join(folder, 'oasmith.config.json');
  const options = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Options) : {};
  return generatedModules(Object.fromEntries(texts), { ...options, ...more });
}

export interface RpcContext {
  readonly id: string | number;
  readonly method: string;
  readonly signal: AbortSignal;
  readonly principals: object;
  header(name: string): string | undefined;
  notify(method: string, params?: object): Promise<boolean>;
  startStream(): void;
}

export type Methods = Readonly<Record<string, (params: never, context: RpcContext) => unknown>>;

export interface RpcClient {
  call(method: string, params?: object, options?: object): Promise<unknown>;
  notify(method: string, params?: object, options?: object): Promise<void>;
}

/** Serves handlers of methods by the fixture's adapter; closed after the test. */
export async function serveRpc(
  modules: Modules,
  operation: string,
  methods: Methods,
  { handler = {}, server = {} }: { readonly handler?: object; readonly server?: object } = {},
): Promise<string> {
  const rpc = (await modules.load('json-rpc-server.ts'))[`${operation}Handler`] as (...given: unknown[]) => unknown;
  const handlers = { [operation]: rpc(methods, handler) };
  const make = async (file: string, name: string): Promise<never> =>
    ((await modules.load(file))[name] as (...given: unknown[]) => never)(handlers, server);
  let listener: (request: IncomingMessage, response: ServerResponse) => void;
  if (modules.files.has('server-node.ts')) listener = await make('server-node.ts', 'nodeListener');
  else {
    const handler = await make('server-fetch.ts', 'fetchHandler');
    listener = (request, response) => void serveFetch(handler, request, response).catch(() => response.destroy());
  }
  const running = await listen(listener);
  onTestFinished(() => running.close());
  return running.url;
}

export async function rpcClient(
  modules: Modules,
  operation: string,
  client: object,
  options: object = {},
): Promise<RpcClient> {
  const { createClient } = (await modules.load('client.ts')) as { createClient: (options: object) => unknown };
  const make = (await modules.load('json-rpc-client.ts'))[`${operation}Client`] as (...given: unknown[]) => RpcClient;
  return make(createClient(client), options);
}
