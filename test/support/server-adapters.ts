/** The example server on each adapter, on a port of loopback: the same tests run against all of them. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { fastify } from 'fastify';
import { fastifyAdapter } from '../../src/runtime/server-fastify.js';
import { fetchAdapter } from '../../src/runtime/server-fetch.js';
import { nodeAdapter } from '../../src/runtime/server-node.js';
import type { DispatchOptions } from '../../src/runtime/server-options.js';
import { contract, type Handlers, type SecurityHooks } from './example-server.js';

export interface Running {
  readonly url: string;
  readonly close: () => Promise<void>;
}

export type Options = DispatchOptions & { readonly security: SecurityHooks };

export type Start = (handlers: Handlers, options: Options) => Promise<Running>;

export const adapters: readonly (readonly [name: string, start: Start])[] = [
  ['node', (handlers, options) => listen(nodeAdapter(contract, handlers, options))],
  ['fastify', startFastify],
  ['fetch', startFetch],
];

async function startFastify(handlers: Handlers, options: Options): Promise<Running> {
  const app = fastify({ forceCloseConnections: true });
  await app.register(fastifyAdapter(contract, handlers, { mounted: false, ...options }));
  return { url: await app.listen({ host: '127.0.0.1', port: 0 }), close: () => app.close() };
}

function startFetch(handlers: Handlers, options: Options): Promise<Running> {
  const handler = fetchAdapter(contract, handlers, options);
  return listen((request, response) => {
    serveFetch(handler, request, response).catch(() => response.destroy());
  });
}

/** What a worker platform does: a Request in, a Response out, piece by piece. */
export async function serveFetch(
  handler: (request: Request) => Promise<Response>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const abort = new AbortController();
  response.once('close', () => abort.abort());
  const headers = new Headers();
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2) {
    headers.append(request.rawHeaders[index] ?? '', request.rawHeaders[index + 1] ?? '');
  }
  const bodiless =
    request.headers['content-length'] === undefined && request.headers['transfer-encoding'] === undefined;
  const answer = await handler(
    new Request(`http://127.0.0.1${request.url ?? '/'}`, {
      method: request.method ?? 'GET',
      headers,
      signal: abort.signal,
      ...(!bodiless && { body: bodyOf(request), duplex: 'half' }),
    } as RequestInit),
  );
  response.writeHead(answer.status, [...answer.headers].flat());
  response.flushHeaders();
  if (answer.body === null) response.end();
  else await pipeline(answer.body, response);
}

/** Cancelling the body must not break the connection that the answer goes back on. */
function bodyOf(request: IncomingMessage): ReadableStream<Uint8Array> {
  const chunks = request.iterator({ destroyOnReturn: false });
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = await chunks.next();
      if (chunk.done === true) controller.close();
      else controller.enqueue(new Uint8Array(chunk.value as Uint8Array));
    },
    async cancel() {
      await chunks.return?.();
      request.resume();
    },
  });
}

export async function listen(listener: (request: IncomingMessage, response: ServerResponse) => void): Promise<Running> {
  const server = createServer((request, response) => listener(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
