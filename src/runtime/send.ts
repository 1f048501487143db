// SPDX-License-Identifier: 0BSD
import type { CallOptions, Client, Middleware, MiddlewareCall } from './client.js';
import { Deadline } from './deadline.js';
import type { OperationSpec, Settings } from './operation.js';
import { buildRequest } from './request.js';
import { receive } from './response.js';

/**
 * Performs one operation. The result is what the generated function declares; whatever gives no result throws a
 * `CallError`.
 */
export async function send<R>(
  { options: defaults }: Client,
  operation: OperationSpec,
  input: object | undefined,
  options: CallOptions<string, string> = {},
): Promise<R> {
  const settings: Record<string, unknown> & Settings = { ...defaults };
  // An option that is given as `undefined` is not given.
  for (const [name, value] of Object.entries(options)) if (value !== undefined) settings[name] = value;
  const deadline = new Deadline(settings.signal, settings.timeout);
  // For `fetch`, beside the request: some members are known to some platforms only, and lost in a `Request`.
  // By rest, since a member that is added to what a spread has copied costs more than the copy.
  const { auth, headers, signal, ...init } = settings;
  try {
    const [request, body, renewals] = await buildRequest(
      operation,
      input,
      defaults,
      options,
      deadline,
      init as RequestInit,
    );
    const about: MiddlewareCall & { body: BodyInit | null } = { operation: operation.name, spec: operation, body };
    // `concat` takes lists and single ones.
    const none: readonly (Middleware | false | undefined)[] = [];
    const steps = none.concat(defaults.middleware, options.middleware, settings.retry, renewals);
    const run = steps.reduceRight<(request: Request) => Promise<Response>>(
      (next, step) => (step ? (given) => step(given, next, about) : next),
      async (given) => {
        try {
          return await (defaults.fetch ?? fetch)(given, init as RequestInit);
        } catch (error) {
          throw deadline.explain(error);
        }
      },
    );
    const sent = [request, about, run] as const;
    const checks = [defaults.validate, options.validate] as const;
    const answer = receive(operation, await run(request), deadline, settings, sent, checks);
    return (await answer.catch(async (fault: unknown) => {
      await about.failed?.(fault);
      throw fault;
    })) as R;
  } finally {
    deadline.end();
  }
}
