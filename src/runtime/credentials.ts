// SPDX-License-Identifier: 0BSD
import { encode, refuse } from './parameters.js';

/** A token or key, or how to get it; nothing where there is none at the moment. */
export type Token = string | (() => string | undefined | Promise<string | undefined>);

export interface Login {
  readonly username: string;
  readonly password: string;
}

/** A name with its password, or how to get them. */
export type LoginSource = Login | (() => Login | undefined | Promise<Login | undefined>);

/** The parts of a request that a credential can stand in. */
export interface CredentialTarget {
  readonly headers: Headers;
  readonly query: string[];
  readonly cookies: string[];
}

export interface CredentialSpec {
  /** The name of the security scheme, and the key in the client's `auth`. */
  readonly scheme: string;
  readonly apply: (target: CredentialTarget, credential: unknown, parameter: string) => void;
  /** The header, query parameter or cookie of an API key. */
  readonly parameter?: string;
}

/** A header that is there already was given by the caller, and the caller is right. */
function setHeader(target: CredentialTarget, name: string, value: string): void {
  if (!target.headers.has(name)) target.headers.set(name, value);
}

function text(credential: unknown): string {
  return typeof credential === 'string' ? credential : refuse('is not text');
}

export function bearer(target: CredentialTarget, credential: unknown): void {
  setHeader(target, 'authorization', `Bearer ${text(credential)}`);
}

/** RFC 7617, with UTF-8. */
export function basic(target: CredentialTarget, credential: unknown): void {
  const { username, password } = credential as Login;
  if (username.includes(':')) refuse('has a username with a colon');
  const bytes = new TextEncoder().encode(`${username}:${password}`);
  setHeader(target, 'authorization', `Basic ${btoa(String.fromCharCode(...bytes))}`);
}

export function keyInHeader(target: CredentialTarget, credential: unknown, parameter: string): void {
  setHeader(target, parameter, text(credential));
}

export function keyInQuery(target: CredentialTarget, credential: unknown, parameter: string): void {
  target.query.push(`${encode(parameter)}=${encode(text(credential))}`);
}

/** Sent as it is (RFC 6265 section 4.1.1): servers compare cookies without decoding them. */
export function keyInCookie(target: CredentialTarget, credential: unknown, parameter: string): void {
  const value = text(credential);
  if (!/^[!#-+\--:<-[\]-~]*$/.test(value)) refuse('has a character that a cookie cannot hold');
  target.cookies.push(`${parameter}=${value}`);
}
