// SPDX-License-Identifier: 0BSD
import { type CallOptions, type Client, type ClientOptions, createClient, type Middleware } from './client.js';
import { CallError } from './errors.js';
import type { OperationSpec } from './operation.js';
import { own, scalar } from './parameters.js';
import { send } from './send.js';

/** Where requests may be sent whose URL somebody else names. */
export type Origins =
  /** https, by a name of the internet: no address, no name of the local network. What the name leads to is for the network to guard. */
  | 'public'
  /** These alone: `https://partner.example`. */
  | readonly string[]
  /** Says it of each URL. */
  | ((url: URL) => boolean | Promise<boolean>);

export interface SenderOptions extends Omit<ClientOptions<object, string>, 'auth' | 'baseUrl' | 'server'> {
  readonly origins: Origins;
}

/** What the generated functions take as their first argument. */
export interface Sender {
  readonly client: Client;
  readonly origins: Origins;
}

/** Makes a sender: holds the options, opens nothing. There is no default for `origins`: URLs are those of strangers. */
export function createSender({ origins, ...options }: SenderOptions): Sender {
  return { client: createClient(options), origins };
}

/** Sends a request to a URL; throws a `CallError` of kind `request` where it may not be sent there. */
export async function sendTo<R>(
  { client, origins }: Sender,
  target: string | (() => string),
  operation: OperationSpec,
  input: object | undefined,
  options: CallOptions<string, string> = {},
): Promise<R> {
  const text = typeof target === 'string' ? target : target();
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new CallError('request', 'the URL is not a plain http(s) URL');
  }
  if (!(await isAllowed(url, origins))) throw new CallError('request', 'the URL is of none of the origins');
  // Middleware of the caller sees the request as it is sent, to sign it for one.
  const step: Middleware = (request, next) => {
    const { search } = new URL(request.url);
    const query = search === '' ? url.search : url.search + (url.search === '' ? search : `&${search.slice(1)}`);
    return next(new Request(url.origin + url.pathname + query, request));
  };
  const middleware = [step, ...(client.options.middleware ?? [])];
  return send<R>(createClient({ ...client.options, baseUrl: url.origin, middleware }), operation, input, options);
}

function isAllowed(url: URL, origins: Origins): boolean | Promise<boolean> {
  if (typeof origins === 'function') return origins(url);
  return origins === 'public' ? isPublic(url) : origins.includes(url.origin);
}

/** The parser of URLs has made every form of an IPv4 address dotted, and put IPv6 in brackets. */
function isPublic({ protocol, hostname }: URL): boolean {
  const name = hostname.replace(/\.$/, '');
  return (
    protocol === 'https:' &&
    /\.[^.\d][^.]*$/.test(name) &&
    !name.startsWith('[') &&
    !/\.(?:local|localhost|localdomain|internal|intranet|lan|home|corp|private|arpa|onion)$/i.test(name)
  );
}

/** A piece of a callback's URL: text, or the path of members to a value. */
export type UrlPiece = string | readonly string[];

/**
 * The URL of a callback (OpenAPI, Callback Object). A value at its start is (the start of) a URL; further inside it is only a
 * piece, which cannot change where the request goes.
 */
export function callbackUrl(pieces: readonly UrlPiece[], original: object): () => string {
  return () =>
    pieces
      .map((piece, index) => {
        if (typeof piece === 'string') return piece;
        const value = piece.reduce<unknown>(own, original);
        if (value === undefined || value === null) throw new CallError('request', `there is no ${piece.join('.')}`);
        const text = scalar(value);
        return index === 0 ? text : encodeURIComponent(text);
      })
      .join('');
}
