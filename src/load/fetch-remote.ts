/** Fetches a remote document: from allowed origins only, every redirect checked again, never from https to http. */
import { quote } from '../diagnostics.js';
import { type FetchAnswer, type Host, HostError } from '../host.js';
import type { LoadLimits } from './limits.js';
import { readFailure } from './places.js';
import type { Failure } from './references.js';

export type Fetched =
  | { readonly ok: true; readonly url: string; readonly body: Uint8Array }
  | ({ readonly ok: false } & Failure);

export function originOf(url: string): string | undefined {
  try {
    return new URL(url).origin;
  } catch {
    return undefined;
  }
}

/** `maxBytes` bounds the decoded body. `url` of the answer is the one that the redirects ended at. */
export async function fetchRemote(
  start: string,
  allowed: ReadonlySet<string>,
  limits: LoadLimits,
  maxBytes: number,
  host: Host,
): Promise<Fetched> {
  let url = start;
  for (let redirects = 0; redirects <= limits.redirects; redirects += 1) {
    const origin = originOf(url);
    if (origin === undefined || !allowed.has(origin)) return refusal(url, origin, redirects > 0);
    let answer: FetchAnswer;
    try {
      answer = await host.fetch(url, {
        headers: { accept: 'application/json, application/yaml, */*;q=0.5' },
        maxBytes,
        timeoutMs: limits.fetchTimeoutMs,
      });
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      return { ok: false, ...readFailure(url, error) };
    }
    if (answer.status === 200) return { ok: true, url, body: answer.body };
    const next = answer.status >= 300 && answer.status < 400 ? redirectTarget(url, answer.location) : undefined;
    if (next === undefined) return failure(url, `the server answered with status ${answer.status}`);
    if (url.startsWith('https:') && next.startsWith('http:')) return failure(url, 'it redirects from https to http');
    url = next;
  }
  return failure(start, `it redirects more than ${limits.redirects} times (limits.redirects)`);
}

function redirectTarget(url: string, location: string | undefined): string | undefined {
  if (location === undefined) return undefined;
  try {
    const target = new URL(location, url);
    const usable = /^https?:$/.test(target.protocol) && target.username === '' && target.password === '';
    target.hash = '';
    return usable ? target.href : undefined;
  } catch {
    return undefined;
  }
}

function refusal(url: string, origin: string | undefined, redirected: boolean): Fetched {
  const what = redirected ? 'a redirect leads to a remote document' : 'the document is remote';
  const message = `${what}, ${quote(url)}; to read it, add --allow-remote ${origin ?? 'ORIGIN'}`;
  return { ok: false, code: 'ref-remote', message };
}

function failure(url: string, reason: string): Fetched {
  return { ok: false, code: 'remote-failed', message: `${quote(url)} could not be fetched: ${reason}` };
}
