// SPDX-License-Identifier: 0BSD
import { naming, own, type RequestTarget, refuse } from './parameters.js';

/** A token or key, or how to get it; nothing where there is none at the moment. */
export type Token = string | (() => string | undefined | Promise<string | undefined>);

export interface Login {
  readonly username: string;
  readonly password: string;
}

/** A name with its password, or how to get them. */
export type LoginSource = Login | (() => Login | undefined | Promise<Login | undefined>);

export interface CredentialSpec {
  /** The name of the security scheme, and the key in the client's `auth`. */
  readonly scheme: string;
  readonly apply: (target: RequestTarget, credential: unknown, parameter: string) => void;
  /** The header, query parameter or cookie of an API key. */
  readonly parameter?: string;
}

/** Adds the first set of credentials that is complete. Without one the call goes out as it is: the server decides. */
export async function authorize(
  target: RequestTarget,
  alternatives: readonly (readonly CredentialSpec[])[],
  auth: unknown,
): Promise<void> {
  for (const alternative of alternatives) {
    const steps: (() => void)[] = [];
    for (const { scheme, apply, parameter = '' } of alternative) {
      const source = own(auth, scheme);
      const credential: unknown = typeof source === 'function' ? await source() : source;
      if (credential !== undefined) steps.push(() => naming(scheme, () => apply(target, credential, parameter)));
    }
    if (steps.length < alternative.length) continue;
    for (const step of steps) step();
    return;
  }
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
  if (username.includes(':')) refuse('has a username with a colon');
  const bytes = new TextEncoder().encode(`${username}:${password}`);
  setHeader(target, 'authorization', `Basic ${btoa(String.fromCharCode(...bytes))}`);
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
