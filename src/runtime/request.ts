// SPDX-License-Identifier: 0BSD
import type { ClientOptions, Middleware } from './client.js';
import type { Deadline } from './deadline.js';
import type { OperationSpec, Settings } from './operation.js';
import { naming, own, refuse, scalar, segment } from './parameters.js';

/** The parts of a request that are not options of `fetch`. */
export interface BuiltRequest {
  readonly url: string;
  readonly headers: Headers;
  readonly body: BodyInit | null;
  /** What asks for other credentials where the server refuses these. */
  readonly renewals: readonly (Middleware | undefined)[] | undefined;
}

/** Builds the request of a call; throws a `CallError` of kind `request` where the input cannot be sent. */
export async function buildRequest(
  operation: OperationSpec,
  given: unknown,
  client: ClientOptions<object, string>,
  { accept, headers: further, server }: Settings,
  deadline: Deadline,
): Promise<BuiltRequest> {
  const { parameters = [], body, security, authorize, codec, encode, choose } = operation;
  const input = encode ? encode(codec, given) : given;
  const target = { headers: naming('headers', () => new Headers(client.headers)), query: [] as string[] };
  const { headers, query } = target;
  const path = operation.path.map((part) =>
    typeof part === 'string'
      ? part
      : naming(part.name, () => {
          const value = own(own(input, 'path'), part.name);
          return part.list ? part.list(value, part) : segment(encodeURIComponent(scalar(value)));
        }),
  );
  for (const parameter of parameters) naming(parameter.name, () => parameter.write(target, parameter, input));
  const types = [...new Set(operation.answers.flatMap(({ type }) => type ?? []))];
  if (types.length)
    headers.set('accept', (accept && operation.prefer ? operation.prefer(types, accept) : types).join(', '));
  const written =
    body && own(input, 'body') !== undefined ? naming('body', () => body.write(body, headers, input, deadline)) : null;
  naming('headers', () => {
    new Headers(further).forEach((value, name) => {
      headers.set(name, value);
    });
  });
  const base = (choose ? choose(operation, server, client) : (server ?? client.baseUrl ?? operation.server)) ?? '';
  const renewals = await authorize?.(target, security, client.auth, deadline, base);
  return { url: buildUrl(base, path.join(''), query), headers, body: written, renewals };
}

function buildUrl(server: string, path: string, query: readonly string[]): string {
  return naming('server', () => {
    if (!URL.canParse(server)) refuse('give an absolute baseUrl');
    const base = new URL(server).href.replace(/\/+$/, '');
    // No other scheme, no user, no query, no fragment.
    if (!/^https?:\/\/[^/@]+(\/[^?#]*)?$/.test(base)) refuse('is not a plain http(s) URL');
    const url = base + path;
    // Joined as text and parsed afterwards: nothing in the path can have changed the origin or removed a segment.
    if (new URL(url).href !== url) refuse('is not a plain http(s) URL');
    return query.length ? `${url}${path.includes('?') ? '&' : '?'}${query.join('&')}` : url;
  });
}
