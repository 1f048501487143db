// SPDX-License-Identifier: 0BSD
import type { CallOptions, ClientOptions } from './client.js';
import type { CredentialTarget } from './credentials.js';
import { CallError } from './errors.js';
import type { OperationSpec, ParameterSpec } from './operation.js';
import { encode, form, own, refuse, simple } from './parameters.js';

/** The parts of a request that are not options of `fetch`. */
export interface BuiltRequest {
  readonly url: string;
  readonly headers: Headers;
  readonly body: BodyInit | null;
}

/** Builds the request of a call; throws a `CallError` of kind `request` where the input cannot be sent. */
export async function buildRequest(
  operation: OperationSpec,
  input: unknown,
  client: ClientOptions,
  options: CallOptions<string>,
): Promise<BuiltRequest> {
  const target: CredentialTarget = {
    headers: naming('headers option', () => new Headers(client.headers)),
    query: [],
    cookies: [],
  };
  const { headers, query, cookies } = target;
  const each = (
    place: string,
    parameters: readonly ParameterSpec[] | undefined,
    write: (parameter: ParameterSpec, value: unknown) => void,
  ): void =>
    parameters?.forEach((parameter) => {
      const value = own(own(input, place), parameter.name) ?? mirrored(input, parameter) ?? parameter.default;
      naming(`${place} parameter ${parameter.name}`, () => write(parameter, value));
    });

  let path = '';
  for (const part of operation.path) {
    if (typeof part === 'string') path += part;
    else each('path', [part], ({ list }, value) => (path += segment(simple(value, list, encode))));
  }
  each('query', operation.query, ({ name, list }, value) => query.push(...form(name, value, list)));
  each('cookies', operation.cookies, ({ name, list }, value) => cookies.push(...form(name, value, list)));
  each('headers', operation.headers, ({ name, list }, value) => {
    const text = simple(value, list);
    if (text !== undefined) headers.set(name, text);
  });
  const accept = acceptHeader(operation, options.accept);
  if (accept !== '') headers.set('accept', accept);
  const body = naming('body', () => writeBody(operation, input, headers));
  const further = naming('headers option', () => new Headers(options.headers));
  for (const [name, value] of further) headers.set(name, value);
  await authorize(operation, client, target);
  if (cookies.length > 0) headers.set('cookie', [headers.get('cookie') ?? [], cookies].flat().join('; '));
  return { url: buildUrl(operation, options.server ?? client.baseUrl ?? operation.server, path, query), headers, body };
}

/** Runs a step; a refusal names the part of the input, never its value. */
function naming<T>(part: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    // What the platform throws, `Headers.set` for one, quotes the value.
    const reason = error instanceof CallError ? error.message : 'has a character that cannot be sent';
    throw new CallError('request', `${part} ${reason}`);
  }
}

/** A dot segment or an empty one would lead to another operation once the URL is parsed. */
function segment(text: string | undefined): string {
  return text && text !== '.' && text !== '..' ? text : refuse('is missing, empty or a dot segment');
}

/** The first member of the body that `from` leads to. */
function mirrored(input: unknown, { from }: ParameterSpec): unknown {
  return from
    ?.map((steps) => steps.reduce(own, own(input, 'body')))
    .find((value) => value !== undefined && value !== null && typeof value !== 'object');
}

/** All declared types; with a wish, the others stay listed at a low rank, because some servers demand them. */
function acceptHeader(operation: OperationSpec, wish: string | undefined): string {
  const types = new Set(operation.answers.flatMap(({ type }) => type ?? []));
  if (wish === undefined) return [...types].join(', ');
  types.delete(wish);
  return [wish, ...[...types].map((type) => `${type};q=0.1`)].join(', ');
}

function writeBody({ body }: OperationSpec, input: unknown, headers: Headers): BodyInit | null {
  const value = own(input, 'body');
  if (value === undefined || !body) return null;
  const wanted = own(input, 'contentType') as string | undefined;
  const content = body.find(({ type }) => wanted === undefined || type === wanted || covers(type, wanted));
  if (!content) return refuse('has a media type that is not declared');
  const written = content.write(value);
  const type = wanted ?? content.type;
  // A form's type carries its boundary, and a range is no type: there the platform says it.
  if (!type.includes('*') && !(written instanceof FormData)) headers.set('content-type', type);
  return written;
}

function covers(range: string, type: string): boolean {
  return range === '*/*' || (range.endsWith('/*') && type.startsWith(range.slice(0, -1)));
}

/** Adds the first set of credentials that is complete. Without one the call goes out as it is: the server decides. */
async function authorize(operation: OperationSpec, client: ClientOptions, target: CredentialTarget): Promise<void> {
  for (const alternative of operation.security ?? []) {
    const values = await Promise.all(
      alternative.map(({ scheme }) => {
        const credential = own(client.auth, scheme);
        return typeof credential === 'function' ? (credential() as unknown) : credential;
      }),
    );
    if (alternative.length === 0 || values.includes(undefined)) continue;
    for (const [index, { scheme, apply, parameter }] of alternative.entries()) {
      naming(`credential ${scheme}`, () => apply(target, values[index], parameter ?? ''));
    }
    return;
  }
}

function buildUrl({ name }: OperationSpec, server: string | undefined, path: string, query: readonly string[]): string {
  return naming(`the URL of ${name}`, () => {
    const base = parseUrl(server ?? '') ?? refuse('needs an absolute baseUrl');
    if (!/^https?:$/.test(base.protocol) || base.username || base.password || base.search || base.hash) {
      refuse('has a server that is not plain http(s)');
    }
    const url = base.origin + base.pathname.replace(/\/+$/, '') + path;
    // Joined as text and parsed afterwards: nothing in the path can have changed the origin or removed a segment.
    if (parseUrl(url)?.href !== url) refuse('does not survive parsing');
    return query.length === 0 ? url : `${url}${path.includes('?') ? '&' : '?'}${query.join('&')}`;
  });
}

export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
