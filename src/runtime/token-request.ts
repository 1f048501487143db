// SPDX-License-Identifier: 0BSD
import type { Clock } from './clock.js';
import { Deadline } from './deadline.js';
import { CallError } from './errors.js';
import type { Connection } from './operation.js';
import { own } from './parameters.js';
import { readText } from './read-body.js';

/** A program as an authorisation server knows it. */
export interface TokenClient {
  /** Where tokens are: https, or loopback; or how to find it, such as `discoverTokenUrl(…)`. */
  readonly tokenUrl: string | (() => Promise<string>);
  readonly clientId: string;
  /** Left out for a public client. */
  readonly clientSecret?: string | (() => string | Promise<string>) | undefined;
  /** How the secret travels (RFC 6749 section 2.3.1): in the header `Authorization` (default), or in the form. */
  readonly clientAuthentication?: 'basic' | 'form' | undefined;
  /** Further members of the form: `audience`, `resource`. */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds that a request for a token may take; default 30,000. */
  readonly timeout?: number | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

export interface Grant {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
  readonly expiresAt: number | undefined;
}

export interface DiscoveryOptions {
  /** Origins that the token endpoint may have beside that of the configuration. */
  readonly origins?: readonly string[] | undefined;
  readonly timeout?: number | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/**
 * The token endpoint that the configuration of an OpenID provider names (`openIdConnectUrl`), or the metadata of an
 * authorisation server (RFC 8414). Read once, when it is needed.
 */
export function discoverTokenUrl(url: string, options: DiscoveryOptions = {}): () => Promise<string> {
  let found: Promise<string> | undefined;
  return () => {
    found ??= discover(url, options).catch((error: unknown) => {
      found = undefined;
      throw error;
    });
    return found;
  };
}

async function discover(url: string, options: DiscoveryOptions): Promise<string> {
  const place = secureUrl(url, 'the URL of the configuration');
  const metadata = await fetchJson(
    place.href,
    { headers: { accept: 'application/json' } },
    options,
    'the configuration',
  );
  const issuer = own(metadata, 'issuer');
  // OpenID Connect Discovery section 4.3: else a provider could speak for another one.
  const [base, wellKnown] = url.split('/.well-known/openid-configuration');
  if (wellKnown === '' && (typeof issuer !== 'string' || issuer.replace(/\/$/, '') !== base))
    throw new CallError('auth', 'the configuration is that of another issuer');
  const endpoint = secureUrl(String(own(metadata, 'token_endpoint')), 'the token endpoint');
  if (endpoint.origin !== place.origin && !options.origins?.includes(endpoint.origin))
    throw new CallError('auth', `the token endpoint is at ${endpoint.origin}; allow it by the option origins`);
  return endpoint.href;
}

export async function askForToken(
  client: TokenClient,
  grant: Readonly<Record<string, string>>,
  clock: Clock,
): Promise<Grant> {
  const { tokenUrl, clientId, clientSecret, clientAuthentication = 'basic', parameters } = client;
  const url = secureUrl(typeof tokenUrl === 'function' ? await tokenUrl() : tokenUrl, 'the URL of the token endpoint');
  const secret = typeof clientSecret === 'function' ? await clientSecret() : clientSecret;
  const headers = new Headers({ accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' });
  const form = new URLSearchParams({ ...parameters, ...grant });
  if (secret !== undefined && clientAuthentication === 'basic') {
    headers.set('authorization', `Basic ${btoa(`${formText(clientId)}:${formText(secret)}`)}`);
  } else {
    form.set('client_id', clientId);
    if (secret !== undefined) form.set('client_secret', secret);
  }
  const issuedAt = clock.now();
  const init = { method: 'POST', headers, body: form.toString() };
  return grantOf(await fetchJson(url.href, init, client, 'the token endpoint'), issuedAt);
}

/** RFC 6749 section 5.1. */
function grantOf(answer: unknown, issuedAt: number): Grant {
  const accessToken = own(answer, 'access_token');
  const refreshToken = own(answer, 'refresh_token');
  const type = own(answer, 'token_type');
  const lifetime = Number(own(answer, 'expires_in') ?? Number.NaN);
  if (typeof accessToken !== 'string' || !/^[!-~]+$/.test(accessToken))
    throw new CallError('auth', 'the token endpoint gave no token that a header can hold');
  if (typeof type !== 'string' || type.toLowerCase() !== 'bearer')
    throw new CallError('auth', 'the token endpoint gave a token that is no bearer token');
  return {
    accessToken,
    refreshToken: typeof refreshToken === 'string' && refreshToken !== '' ? refreshToken : undefined,
    issuedAt,
    expiresAt: Number.isFinite(lifetime) ? issuedAt + lifetime * 1000 : undefined,
  };
}

/** A secret travels by https, or does not leave the machine. */
function secureUrl(text: string, part: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])[:/])[^@]*$/.test(url.href))
    throw new CallError('auth', `${part} is no https URL`);
  return url;
}

interface FetchOptions {
  readonly timeout?: number | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** Messages quote nothing of an answer but the code of an error (RFC 6749 section 5.2). */
async function fetchJson(url: string, init: RequestInit, options: FetchOptions, part: string): Promise<unknown> {
  const { timeout = 30_000, fetch = globalThis.fetch } = options;
  const deadline = new Deadline(undefined, timeout);
  try {
    // A redirect would take the secret to another place.
    const secure = { redirect: 'manual', credentials: 'omit', cache: 'no-store', signal: deadline.signal } as const;
    const response = await fetch(url, { ...init, ...secure });
    const connection = { response, deadline, options: { maxResponseBytes: 2 ** 20 } } as unknown as Connection;
    const body = parsed(await readText(connection));
    if (response.ok && typeof body === 'object') return body;
    const code = own(body, 'error');
    const said = typeof code === 'string' && /^[\w.:/-]{1,80}$/.test(code) ? ` (${code})` : '';
    throw new CallError('auth', `${part} answered with status ${response.status}${said}`);
  } catch (error) {
    const fault = deadline.explain(error);
    throw fault.fault === 'auth' ? fault : new CallError('auth', `${part}: ${fault.message}`, { cause: fault });
  } finally {
    deadline.end();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `application/x-www-form-urlencoded`, as RFC 6749 section 2.3.1 wants it of both halves. */
function formText(text: string): string {
  return new URLSearchParams({ v: text }).toString().slice(2);
}
