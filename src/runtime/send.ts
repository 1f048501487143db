// SPDX-License-Identifier: 0BSD
import type { CallOptions, Client } from './client.js';
import { startDeadline } from './deadline.js';
import type { OperationSpec } from './operation.js';
import { buildRequest, parseUrl } from './request.js';
import { receive } from './response.js';

/**
 * Performs one operation. The result is what the generated function declares; whatever gives no result throws a
 * `CallError`.
 */
export async function send<R>(
  client: Client,
  operation: OperationSpec,
  input: object | undefined,
  options: CallOptions<string> = {},
): Promise<R> {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const { fetch = globalThis.fetch, middleware = [], validate: checkAll, auth, baseUrl, ...shared } = client.options;
  const { signal, validate, accept, server, headers, ...own } = Object.fromEntries(given) as CallOptions<string>;
  const { timeout, maxResponseBytes, maxEventLength, onInvalid, headers: _, ...init } = { ...shared, ...own };
  const deadline = startDeadline(signal, timeout);

  const dispatch = async (request: Request): Promise<Response> => {
    let current = request;
    for (let hops = 0; ; hops += 1) {
      const response = await fetch(current, init).catch((error: unknown) => Promise.reject(deadline.explain(error)));
      const target = hops < 5 && !init.redirect ? redirectTarget(operation, current, response) : undefined;
      if (target === undefined) return response;
      await response.body?.cancel();
      current = new Request(target, current);
    }
  };

  try {
    const { url, ...built } = await buildRequest(operation, input, client.options, options);
    const full = {
      redirect: 'manual',
      duplex: 'half',
      ...init,
      method: operation.method,
      signal: deadline.signal,
    } as const;
    const run = middleware.reduceRight<(request: Request) => Promise<Response>>(
      (next, step) => (request) => step(request, next, { operation: operation.name }),
      dispatch,
    );
    const response = await run(new Request(url, { ...full, ...built }));
    return (await receive(operation, response, deadline, {
      accept,
      maxResponseBytes,
      maxEventLength,
      onInvalid,
      validate,
      validateAll: checkAll,
    })) as R;
  } finally {
    deadline.end();
  }
}

/**
 * Where to follow a redirect: only safe methods, only within the origin, because elsewhere the platform would take API
 * keys along, and only where the contract does not declare the status as an answer. Browsers hide redirects; there the
 * answer is unexpected, with status 0.
 */
function redirectTarget(operation: OperationSpec, request: Request, response: Response): string | undefined {
  const { status } = response;
  if (!/^(GET|HEAD)$/.test(request.method) || ![301, 302, 303, 307, 308].includes(status)) return undefined;
  if (operation.answers.some((answer) => answer.status === status || answer.status === '3XX')) return undefined;
  const target = parseUrl(response.headers.get('location') ?? '', request.url);
  // Put together anew, which leaves out a user name in the location.
  return target?.origin === parseUrl(request.url)?.origin
    ? `${target?.origin}${target?.pathname}${target?.search}`
    : undefined;
}
