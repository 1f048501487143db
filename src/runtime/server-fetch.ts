// SPDX-License-Identifier: 0BSD

import type { ByteStream } from './encoded-stream.js';
import type { Contract } from './server-contract.js';
import { Dispatcher } from './server-dispatch.js';
import type { Exchange } from './server-exchange.js';
import type { Answer } from './server-faults.js';
import type { DispatchOptions } from './server-options.js';

/** `mounted: true` gives `undefined` for a request that the contract does not know. */
export type FetchHandler<O> = (
  request: Request,
) => Promise<O extends { readonly mounted: true } ? Response | undefined : Response>;

/**
 * Serves a contract where a server is a function from Request to Response: workers, Deno, Bun, Hono and the like.
 * Throws TypeError where a handler or a security hook is missing.
 */
export function fetchAdapter<O extends DispatchOptions>(
  contract: Contract,
  handlers: object,
  options: O,
): FetchHandler<O> {
  const dispatcher = new Dispatcher(contract, handlers, options);
  const handler = async (request: Request): Promise<Response | undefined> => {
    const abort = new AbortController();
    const gone = (): void => abort.abort(new DOMException('the client has gone', 'AbortError'));
    if (request.signal.aborted) gone();
    request.signal.addEventListener('abort', gone, { once: true });
    const answer = await dispatcher.dispatch(fetchExchange(request, abort.signal));
    return answer === undefined ? undefined : responseOf(answer, gone);
  };
  return handler as FetchHandler<O>;
}

function fetchExchange(request: Request, signal: AbortSignal): Exchange {
  let headerBytes = 0;
  request.headers.forEach((value, name) => {
    headerBytes += name.length + value.length;
  });
  return {
    method: request.method,
    target: request.url,
    headerBytes,
    header: (name) => request.headers.get(name) ?? undefined,
    hasBody: request.body !== null,
    body: () => chunks(request),
    signal,
    raw: request,
  };
}

async function* chunks(request: Request): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = request.body?.getReader();
  if (reader === undefined) return;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    // Also where the reading stops early: nobody wants the rest.
    await reader.cancel().catch(() => undefined);
  }
}

function responseOf({ status, headers, body }: Answer, gone: () => void): Response {
  const list = new Headers();
  for (const [name, value] of headers) list.append(name, value);
  if (body === undefined || body instanceof Uint8Array) {
    // A view of a shared buffer is no body for a Response; ours never are.
    return new Response(body === undefined ? null : (body as Uint8Array<ArrayBuffer>), { status, headers: list });
  }
  return new Response(webStream(body, gone), { status, headers: list });
}

/** Pulls one chunk per read; nothing is buffered beyond it. */
function webStream(stream: ByteStream, gone: () => void): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        // A throw puts the stream into its error state, which breaks the connection.
        const chunk = await stream.next();
        if (chunk.done === true) controller.close();
        else controller.enqueue(chunk.value);
      },
      cancel() {
        gone();
        stream.return();
      },
    },
    { highWaterMark: 0 },
  );
}
