// SPDX-License-Identifier: 0BSD
import { BodyFault, decodeText, readBytes } from './server-body.js';
import type { Contract } from './server-contract.js';
import type { Exchange } from './server-exchange.js';
import { makeFault } from './server-faults.js';
import type { DispatchOptions, Fault, Limits } from './server-options.js';
import type { Awaitable } from './server-reply.js';
import { Router } from './server-router.js';

/** A request before it is looked at, as it came. */
export interface Received {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** The bytes that a signature is over. */
  readonly body: Uint8Array;
  /** A header by its name in any case; repeated ones are joined. */
  header(name: string): string | undefined;
  /** The body as JSON; `undefined` where it is none. Nothing of it is checked yet. */
  json(): unknown;
}

export interface ReceiverOptions<Name extends string = string> {
  /** Whether a request is from whom it says, by its signature. Others are answered 403. Without it nobody is asked. */
  readonly verify?: (request: Received) => Awaitable<boolean>;
  /** Where requests arrive, by the handler and below `basePath`; by default at `/` and what the document calls them. */
  readonly paths?: { readonly [N in Name]?: string };
  /** Which handler a request is for, where all arrive at one URL below `basePath`; for none 404. `paths` mean nothing then. */
  readonly route?: (request: Received) => Awaitable<Name | undefined>;
}

/** The contract and the options of a server that receives what a service sends. */
export function receiver(
  contract: Contract,
  { verify, paths = {}, route, ...options }: DispatchOptions & ReceiverOptions,
): { readonly contract: Contract; readonly options: DispatchOptions } {
  const operations = contract.operations.map((operation) => {
    const { name } = operation;
    if (route) return { ...operation, path: [`/${name}`] };
    const path = Object.hasOwn(paths, name) ? (paths as Readonly<Record<string, string | undefined>>)[name] : undefined;
    if (path === undefined) return operation;
    if (!path.startsWith('/')) throw new TypeError(`paths.${name} does not start with a slash`);
    return { ...operation, path: [path] };
  });
  const served = { ...contract, operations };
  if (!verify && !route) return { contract: served, options };
  const base = options.basePath ?? '';
  // The dispatcher's own: what it would find is read and verified, however its path is spelt.
  const known = new Router<string>();
  for (const { path, method, name } of operations) known.add(path, method, name);
  const intake = async (exchange: Exchange, limits: Limits): Promise<Exchange | Fault> => {
    const { path, query } = partsOf(exchange.target);
    const below = path.startsWith(`${base}/`) ? path.slice(base.length) : undefined;
    // What is not for these handlers is not read: another application may want it.
    if (below === undefined || (!route && known.find(below).kind === 'unknown')) return exchange;
    const body = await bodyOf(exchange, limits);
    if (!(body instanceof Uint8Array)) return body;
    const received = receivedOf(exchange, body);
    if (verify && !(await verify(received))) return makeFault('forbidden', { detail: 'the sender is not known' });
    const name = route && (await route(received));
    if (route && (name === undefined || !operations.some((operation) => operation.name === name)))
      return makeFault('not-found');
    const target = name === undefined ? exchange.target : `${base}/${encodeURIComponent(name)}${query}`;
    return { ...exchange, target, body: () => oneChunk(body) };
  };
  return { contract: served, options: { ...options, intake } };
}

/** Path and query, without the origin that some platforms hand over. */
function partsOf(target: string): { readonly path: string; readonly query: string } {
  const local = target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/#.*/s, '');
  const at = local.indexOf('?');
  return at < 0 ? { path: local, query: '' } : { path: local.slice(0, at), query: local.slice(at) };
}

async function bodyOf(exchange: Exchange, { bodyBytes }: Limits): Promise<Uint8Array | Fault> {
  try {
    return await readBytes(exchange.body(), bodyBytes);
  } catch (error) {
    if (error instanceof BodyFault) return makeFault('body-too-large');
    throw error;
  }
}

function receivedOf({ method, target, header }: Exchange, body: Uint8Array): Received {
  return {
    method,
    url: target,
    body,
    header: (name) => header(name.toLowerCase()),
    json() {
      try {
        return JSON.parse(decodeText(body)) as unknown;
      } catch {
        return undefined;
      }
    },
  };
}

async function* oneChunk(body: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  if (body.byteLength > 0) yield body;
}
