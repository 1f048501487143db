// SPDX-License-Identifier: 0BSD
import type { Middleware } from './client.js';
import type { Deadline } from './deadline.js';
import { naming, own, type RequestTarget, refuse } from './parameters.js';

/** The call that a credential is for. */
export interface CredentialCall {
  /** Ends with the call, by the caller or the time limit. */
  readonly signal: AbortSignal;
  /** Says why it ended. */
  readonly explain: Deadline['explain'];
}

/**
 * How to get a credential for a call to a server, an absolute URL. `renew` is what asks for another one where the server
 * refuses it.
 */
export interface CredentialSource<C> {
  (call: CredentialCall, server: string): C | undefined | Promise<C | undefined>;
  readonly renew?: Middleware;
}

/** A token or key, or how to get it; nothing where there is none at the moment. */
export type Token = string | CredentialSource<string>;

export interface Login {
  readonly username: string;
  readonly password: string;
}

/** A name with its password, or how to get them. */
export type LoginSource = Login | CredentialSource<Login>;

export interface CredentialSpec {
  /** The name of the security scheme, and the key in the client's `auth`. */
  readonly scheme: string;
  readonly apply: (target: RequestTarget, credential: unknown, parameter: string) => void;
  /** The header, query parameter or cookie of an API key. */
  readonly parameter?: string;
}

/**
 * Adds the first set of credentials that is complete, and gives what renews them. Without one the call goes out as it is:
 * the server decides.
 */
export async function authorize(
  target: RequestTarget,
  alternatives: readonly (readonly CredentialSpec[])[],
  auth: unknown,
  call: CredentialCall,
  server: string,
): Promise<readonly (Middleware | undefined)[] | undefined> {
  for (const alternative of alternatives) {
    const sources = alternative.map(({ scheme }) => own(auth, scheme));
    const credentials: unknown[] = await Promise.all(
      sources.map((source) => (typeof source === 'function' ? source(call, server) : source)),
    );
    if (credentials.includes(undefined)) continue;
    alternative.forEach(({ scheme, apply, parameter }, index) => {
      naming(scheme, () => apply(target, credentials[index], parameter as string));
    });
    return sources.map((source) => (source as CredentialSource<unknown>).renew);
  }
  return undefined;
}

/** A header that is there already was given by the caller, and the caller is right. */
function setHeader({ headers }: RequestTarget, name: string, value: string): void {
  if (!headers.has(name)) headers.set(name, value);
}

function text(credential: unknown): string {
  return typeof credential === 'string' ? credential : refuse('is not text');
}

export function bearer(target: RequestTarget, credential: unknown): void {
  setHeader(target, 'authorization', `Bearer ${text(credential)}`);
}

/** RFC 7617, with UTF-8. */
export function basic(target: RequestTarget, credential: unknown): void {
  const username = text(own(credential, 'username'));
  const password = text(own(credential, 'password'));
  if (username.includes(':')) refuse('has a colon');
  const bytes = new TextEncoder().encode(`${username}:${password}`);
  setHeader(target, 'authorization', `Basic ${btoa(String.fromCharCode(...bytes))}`);
}

/** RFC 9110 section 11.4, by the name of the scheme: the program says the rest. */
export function otherScheme(target: RequestTarget, credential: unknown, parameter: string): void {
  setHeader(target, 'authorization', `${parameter} ${text(credential)}`);
}

export function keyInHeader(target: RequestTarget, credential: unknown, parameter: string): void {
  setHeader(target, parameter, text(credential));
}

export function keyInQuery(target: RequestTarget, credential: unknown, parameter: string): void {
  target.query.push(`${encodeURIComponent(parameter)}=${encodeURIComponent(text(credential))}`);
}

/** Sent as it is (RFC 6265 section 4.1.1): servers compare cookies without decoding them. */
export function keyInCookie({ headers }: RequestTarget, credential: unknown, parameter: string): void {
  const value = text(credential);
  if (!/^[!#-+\--:<-[\]-~]*$/.test(value)) refuse('has a character that a cookie cannot hold');
  headers.set('cookie', [headers.get('cookie') ?? [], `${parameter}=${value}`].flat().join('; '));
}
