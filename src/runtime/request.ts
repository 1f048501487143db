// SPDX-License-Identifier: 0BSD
import type { CallOptions, ClientOptions, Middleware } from './client.js';
import type { Deadline } from './deadline.js';
import type { OperationSpec } from './operation.js';
import { naming, own, refuse } from './parameters.js';

/** A tuple, because its members' names would be in every bundle. */
type BuiltRequest = readonly [
  request: Request,
  body: BodyInit | null,
  /** What asks for other credentials where the server refuses these. */
  renewals: readonly (Middleware | undefined)[] | undefined,
];

/** Builds the request of a call; throws a `CallError` of kind `request` where the input cannot be sent. */
export async function buildRequest(
  operation: OperationSpec,
  given: unknown,
  client: ClientOptions<object, string>,
  { accept, headers: further, server }: CallOptions<string, string>,
  deadline: Deadline,
  init: RequestInit,
): Promise<BuiltRequest> {
  const { accept: types, body } = operation;
  const input = operation.encode?.(operation.codec, given) ?? given;
  const [headers, more] = naming(
    'headers',
    () => [new Headers(client.headers), further && new Headers(further)] as const,
  );
  const query: string[] = [];
  const target = { headers, query };
  const path = operation.path
    .map((part) =>
      typeof part === 'string' ? part : naming(part.name, () => part.write(own(own(input, 'path'), part.name), part)),
    )
    .join('');
  for (const parameter of operation.parameters ?? [])
    naming(parameter.name, () => parameter.write(target, parameter, input));
  if (types) headers.set('accept', operation.prefer?.(types, accept) ?? types);
  const written =
    body && own(input, 'body') !== undefined ? naming('body', () => body.write(body, headers, input, deadline)) : null;
  more?.forEach((value, name) => {
    headers.set(name, value);
  });
  const base = (
    operation.choose?.(operation, server, client) ??
    server ??
    client.baseUrl ??
    operation.server ??
    ''
  ).replace(/\/+$/, '');
  // Without credentials there is nothing to wait for.
  const renewals =
    client.auth && (await operation.authorize?.(target, operation.security ?? [], client.auth, deadline, base));
  // No other scheme, no user, no query, no fragment, and nothing that the platform would read otherwise.
  if (!/^https?:\/\/[^/\\?#@\s]+(\/[^\\?#\s]*)?$/i.test(base)) refuse('server: is no http(s) URL');
  // All of it is escaped: only such segments can make another path of it.
  if (/^[^?]*\/(\.|%2e){1,2}([/?]|$)/i.test(path)) refuse('path: cannot be sent');
  const asked = query.length ? `${path.includes('?') ? '&' : '?'}${query.join('&')}` : '';
  const all: RequestInit = Object.assign({}, init, {
    // Redirects are answers: followed by the platform they would take API keys to other origins.
    redirect: init.redirect ?? 'manual',
    method: operation.method,
    headers,
    body: written,
    signal: deadline.limit,
    duplex: 'half',
  });
  return [naming('server', () => new Request(base + path + asked, all)), written, renewals];
}
