// SPDX-License-Identifier: 0BSD
import type { CallOptions, Client } from './client.js';
import { startDeadline } from './deadline.js';
import type { OperationSpec, Settings } from './operation.js';
import { buildRequest } from './request.js';
import { receive } from './response.js';

/**
 * Performs one operation. The result is what the generated function declares; whatever gives no result throws a
 * `CallError`.
 */
export async function send<R>(
  client: Client,
  operation: OperationSpec,
  input: object | undefined,
  options: CallOptions<string, string> = {},
): Promise<R> {
  // An option that is given as `undefined` is not given.
  const call = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Settings;
  const { fetch = globalThis.fetch, middleware, validate: validateAll, auth, ...defaults } = client.options;
  const { headers, signal, ...init } = { ...defaults, ...call } as Settings;
  const deadline = startDeadline(signal, init.timeout);
  try {
    const built = await buildRequest(operation, input, client.options, call, deadline);
    const request = new Request(built.url, {
      // Redirects are answers: followed by the platform they would take API keys to other origins.
      redirect: 'manual',
      ...init,
      ...built,
      method: operation.method,
      signal: deadline.signal,
      ...{ duplex: 'half' },
    });
    const about = { operation: operation.name, spec: operation, body: built.body };
    const steps = [middleware, init.middleware, init.retry, built.renewals].flat();
    const run = steps.reduceRight<(request: Request) => Promise<Response>>(
      (next, step) => (step ? (given) => step(given, next, about) : next),
      // The members of `init` that only some platforms know are lost in a `Request`; so they are said again.
      async (given) => {
        try {
          return await fetch(given, init);
        } catch (error) {
          throw deadline.explain(error);
        }
      },
    );
    const settings = { ...init, validateAll, sent: [request, built, run] } as const;
    return (await receive(operation, await run(request), deadline, settings)) as R;
  } finally {
    deadline.end();
  }
}
