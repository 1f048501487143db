/** A generated client against a generated server, both of one document, on every adapter. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type FastifyPluginAsync, fastify } from 'fastify';
import type { Options } from '../../src/config.js';
import type { NodeListener } from '../../src/runtime/server-node.js';
import { generateFrom } from './generated-client.js';
import { repository } from './paths.js';
import { listen, type Running, serveFetch } from './server-adapters.js';

export type Adapter = 'node' | 'fastify' | 'fetch';

export interface GeneratedServer {
  /** A module of the output: `client.ts`. */
  load<T>(module: string): Promise<T>;
  start(adapter: Adapter, handlers: object, options?: object): Promise<Running>;
  remove(): void;
}

type Adapted<T> = (handlers: object, options: object) => T;

export async function generatedServer(document: object, options: Options = {}): Promise<GeneratedServer> {
  const { ok, files, diagnostics } = await generateFrom(document, {
    targets: ['client', 'server'],
    framework: ['node', 'fastify', 'fetch'],
    ...options,
  });
  if (!ok) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  mkdirSync(join(repository, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(repository, '.cache/server-'));
  for (const { path, text } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const load = async <T>(module: string): Promise<T> => (await import(/* @vite-ignore */ join(folder, module))) as T;
  return {
    load,
    async start(adapter, handlers, given = {}) {
      const from = <T>(name: string): Promise<Readonly<Record<string, Adapted<T>>>> => load(`server-${name}.ts`);
      if (adapter === 'fastify') {
        const app = fastify({ forceCloseConnections: true });
        const { fastifyPlugin } = await from<FastifyPluginAsync>('fastify');
        if (fastifyPlugin) await app.register(fastifyPlugin(handlers, given));
        return { url: await app.listen({ host: '127.0.0.1', port: 0 }), close: () => app.close() };
      }
      if (adapter === 'node') {
        const { nodeListener } = await from<NodeListener>('node');
        return listen(nodeListener?.(handlers, given) ?? (() => undefined));
      }
      const { fetchHandler } = await from<(request: Request) => Promise<Response>>('fetch');
      const handler = fetchHandler?.(handlers, given) ?? (async () => new Response());
      return listen((request, response) => void serveFetch(handler, request, response).catch(() => response.destroy()));
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
