// SPDX-License-Identifier: 0BSD
import { type Client, createClient, type Middleware } from './client.js';
import { CallError } from './errors.js';
import { isLast, type NextPage, type Page, type PageSpec, sourceValue, type Visit } from './paginate.js';

/** The next page by its URL, which a member or a header of the answer gives. */
export function nextUrl(spec: PageSpec, page: Page): NextPage | undefined {
  const url = sourceValue(spec.from, page);
  return typeof url === 'string' && url !== '' && !isLast(spec, page) ? nextAt(url, page) : undefined;
}

/** The next page by the header `Link` with `rel="next"` (RFC 8288). */
export function nextLink(_: PageSpec, page: Page): NextPage | undefined {
  const url = linkOf(page.response.headers.get('link') ?? '', 'next');
  return url === undefined ? undefined : nextAt(url, page);
}

/** A URL of another origin is refused: credentials belong to the server that the caller chose, not to one that an answer names. */
function nextAt(text: string, { response, input, visit }: Page): NextPage {
  const asked = visit.url ?? response.url;
  const base = response.url || asked;
  const next = URL.canParse(text, base) ? new URL(text, base) : undefined;
  if (next?.origin !== new URL(asked).origin) {
    throw new CallError('response', 'the next page is at no URL of the same origin', { response });
  }
  // Put together anew, which leaves out a user name.
  const url = next.origin + next.pathname + next.search;
  return { input, url, key: url };
}

/**
 * A client whose one request goes to the URL of the next page; middleware of the caller sees that request. A link is
 * followed by GET, whatever the first page was asked for by.
 */
export function followLink(client: Client, next: NextPage | undefined, visit: Visit, { keys = [] }: PageSpec): Client {
  const step: Middleware = (first, send) => {
    const request = next?.url === undefined ? first : requestOf(withKeys(next.url, first.url, keys), first);
    visit.url = request.url;
    return send(request);
  };
  return createClient({ ...client.options, middleware: [step, ...(client.options.middleware ?? [])] });
}

function requestOf(url: string, first: Request): Request {
  if (first.method === 'GET') return new Request(url, first);
  const { credentials, redirect, signal } = first;
  const headers = new Headers(first.headers);
  for (const name of ['content-type', 'content-length', 'content-encoding']) headers.delete(name);
  return new Request(url, { headers, credentials, redirect, signal });
}

/** Adds the credentials that the first request had in its query. Nothing that is there is written anew: it may be signed. */
function withKeys(url: string, first: string, keys: readonly string[]): string {
  const given = new URL(first).searchParams;
  const there = new URL(url).searchParams;
  const missing = keys.flatMap((name) => {
    const value = there.has(name) ? null : given.get(name);
    return value === null ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`];
  });
  return missing.length === 0 ? url : `${url}${url.includes('?') ? '&' : '?'}${missing.join('&')}`;
}

/** One piece of a link: a text in quotes, or one without separators. */
const piece = /\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",;=<>]+))/y;

/** The target of the first link of a relation, for what was asked for itself (RFC 8288 section 3). */
function linkOf(header: string, relation: string): string | undefined {
  const read = (pattern: RegExp, from: number): RegExpExecArray | null => {
    pattern.lastIndex = from;
    return pattern.exec(header);
  };
  for (let at = header.indexOf('<'); at >= 0; at = header.indexOf('<', at)) {
    const end = header.indexOf('>', at);
    if (end < 0) return undefined;
    const target = header.slice(at + 1, end);
    const parameters = new Map<string, string>();
    at = end + 1;
    for (let semicolon = read(/\s*;/y, at); semicolon; semicolon = read(/\s*;/y, at)) {
      at += semicolon[0].length;
      const name = read(piece, at);
      if (!name) continue;
      at += name[0].length;
      const equals = read(/\s*=/y, at);
      const value = equals && read(piece, at + equals[0].length);
      const key = (name[2] ?? '').toLowerCase();
      // The first one counts (section 3.3).
      if (!parameters.has(key)) parameters.set(key, value?.[1]?.replace(/\\(.)/g, '$1') ?? value?.[2] ?? '');
      if (value) at += (equals?.[0].length ?? 0) + value[0].length;
    }
    const relations = parameters.get('rel')?.toLowerCase().split(/\s+/) ?? [];
    // With an anchor it is a link of something else.
    if (relations.includes(relation) && !parameters.has('anchor')) return target;
  }
  return undefined;
}
