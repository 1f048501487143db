// SPDX-License-Identifier: 0BSD
import { CallError } from './errors.js';
import type { HeaderEncoding } from './header-encoding.js';

/** The parts of a request that parameters and credentials add to. */
export interface RequestTarget {
  readonly headers: Headers;
  /** `name=value`, encoded. */
  readonly query: string[];
}

export interface ParameterSpec {
  /** The name on the wire, and the key in its group of the input. */
  readonly name: string;
  readonly write: (target: RequestTarget, parameter: ParameterSpec, input: unknown) => void;
  /** Sent where the caller gives nothing. */
  readonly default?: string | number | boolean;
  /** Members of the body that the header repeats, as paths of property names; the first that is there counts. */
  readonly from?: readonly (readonly string[])[];
  /** Of what the header repeats, where no header can hold it. */
  readonly encoding?: HeaderEncoding;
}

/** Refuses an input. The message names no value: values can be secrets. */
export function refuse(reason: string): never {
  throw new CallError('request', reason);
}

/** Runs a step; a refusal names the part of the input, never its value. */
export function naming<T>(part: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    // What the platform throws, `Headers.set` for one, quotes the value.
    throw new CallError('request', `${part}: ${error instanceof CallError ? error.message : 'cannot be sent'}`);
  }
}

/** The member `name` of the object, if it is its own. */
export function own(object: unknown, name: string): unknown {
  return typeof object === 'object' && object !== null && Object.hasOwn(object, name)
    ? (object as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

/** Text, a finite number or a boolean as text. */
export function scalar(value: unknown): string {
  const sendable = /^(string|boolean|bigint)$/.test(typeof value) || Number.isFinite(value);
  return sendable ? String(value) : refuse('is not text, a finite number or a boolean');
}

function given(group: string, { name, default: fallback }: ParameterSpec, input: unknown): unknown {
  return own(own(input, group), name) ?? fallback;
}

function addCookie({ headers }: RequestTarget, pair: string): void {
  const before = headers.get('cookie');
  headers.set('cookie', before ? `${before}; ${pair}` : pair);
}

/** Style `form` for a single value. */
export function query(target: RequestTarget, parameter: ParameterSpec, input: unknown): void {
  const value = given('query', parameter, input);
  if (value !== undefined && value !== null)
    target.query.push(`${encodeURIComponent(parameter.name)}=${encodeURIComponent(scalar(value))}`);
}

/** Style `form`, exploded: one `name=value` for every item or member. */
export function queryList(target: RequestTarget, parameter: ParameterSpec, input: unknown): void {
  target.query.push(...formPairs(parameter.name, given('query', parameter, input)));
}

export function cookie(target: RequestTarget, parameter: ParameterSpec, input: unknown): void {
  const value = given('cookies', parameter, input);
  if (value !== undefined && value !== null)
    addCookie(target, `${encodeURIComponent(parameter.name)}=${encodeURIComponent(scalar(value))}`);
}

export function cookieList(target: RequestTarget, parameter: ParameterSpec, input: unknown): void {
  for (const pair of formPairs(parameter.name, given('cookies', parameter, input))) addCookie(target, pair);
}

/** Style `form`, not exploded: one cookie, `name=a,b` or `name=key,value`. */
export function cookieJoined(target: RequestTarget, parameter: ParameterSpec, input: unknown): void {
  const text = simpleText(given('cookies', parameter, input), encodeURIComponent);
  if (text !== '') addCookie(target, `${encodeURIComponent(parameter.name)}=${text}`);
}

/** Style `cookie`: nothing is escaped, so what would need it is refused (RFC 6265 section 4.1.1). */
export function cookieText(target: RequestTarget, parameter: ParameterSpec, input: unknown): void {
  for (const [key = parameter.name, text] of pieces(given('cookies', parameter, input))) {
    if (!/^[!#-+\--:<-[\]-~]*$/.test(text)) refuse('has a character that a cookie cannot hold');
    addCookie(target, `${key}=${text}`);
  }
}

/** Sent as it is: nothing decodes headers. */
export function header(target: RequestTarget, parameter: ParameterSpec, input: unknown): void {
  const value = given('headers', parameter, input);
  if (value !== undefined && value !== null) target.headers.set(parameter.name, scalar(value));
}

export function headerList(target: RequestTarget, parameter: ParameterSpec, input: unknown): void {
  const text = simpleText(given('headers', parameter, input), (piece) => piece);
  if (text !== '') target.headers.set(parameter.name, text);
}

/** A header that repeats a member of the body unless the caller gives the value. */
export function headerFromBody(
  target: { readonly headers: Pick<Headers, 'set'> },
  parameter: ParameterSpec,
  input: unknown,
): void {
  const members = [['headers', parameter.name], ...(parameter.from ?? []).map((steps) => ['body', ...steps])];
  const value = members
    .map((steps) => steps.reduce(own, input))
    .find((found) => found !== undefined && found !== null && typeof found !== 'object');
  if (value !== undefined) target.headers.set(parameter.name, scalar(value));
}

/** The same where the value may be one that no header can hold. */
export function encodedFromBody({ headers }: RequestTarget, parameter: ParameterSpec, input: unknown): void {
  const set = (name: string, text: string): void => headers.set(name, parameter.encoding?.encode(text) ?? text);
  headerFromBody({ headers: { set } }, parameter, input);
}

/** Style `simple`, not exploded: `a,b` and `key,value`. */
export function simpleText(value: unknown, encoder: (text: string) => string): string {
  return pieces(value)
    .map(([key, text]) => (key === undefined ? '' : `${encoder(key)},`) + encoder(text))
    .join();
}

function formPairs(name: string, value: unknown): readonly string[] {
  return pieces(value).map(([key = name, text]) => `${encodeURIComponent(key)}=${encodeURIComponent(text)}`);
}

/** The values of an array or an object, each with its key where it has one; a single value is a list of itself. */
function pieces(value: unknown): readonly (readonly [key: string | undefined, text: string])[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.map((item) => [undefined, scalar(item)]);
  if (typeof value !== 'object') return [[undefined, scalar(value)]];
  return Object.entries(value).flatMap(([key, member]) =>
    member === undefined || member === null ? [] : [[key, scalar(member)] as const],
  );
}
