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
  /** How text is escaped, where that is not `encodeURIComponent`. */
  readonly encoder?: (text: string) => string;
  /** Of a query that is one form: the members that are not written as usual. */
  readonly fields?: readonly FieldSpec[];
  /** Sent where the caller gives nothing. */
  readonly default?: string | number | boolean;
  /** Members of the body that the header repeats, as paths of property names; the first that is there counts. */
  readonly from?: readonly (readonly string[])[];
  /** Of what the header repeats, where no header can hold it. */
  readonly encoding?: HeaderEncoding;
}

/** How a member of a form is written, where that is not as usual. */
export interface FieldSpec extends Partial<Pick<ParameterSpec, 'write' | 'encoder'>> {
  readonly name: string;
  /** In a multipart form: the media type of the part, where the value says none. */
  readonly type?: string;
  /** In a multipart form: an array is one part. */
  readonly whole?: boolean;
  /** In a multipart form: an object is not the value but a `FormPart`. */
  readonly file?: boolean;
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
    // What the platform throws, `Headers.set` for one, quotes the value. Of it only a `cause` is kept.
    const message = `${part}: ${error instanceof CallError ? error.message : 'cannot be sent'}`;
    throw new CallError('request', message, error as Error);
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
  const sendable = /^(st|b)/.test(typeof value) || Number.isFinite(value);
  return sendable ? String(value) : refuse('is not a single value');
}

/** The value that the caller gives, or the default. */
export function given(group: string, { name, default: fallback }: ParameterSpec, input: unknown): unknown {
  return own(own(input, group), name) ?? fallback;
}

/** A path segment. Once the URL is parsed, a dot segment or an empty one would lead to another operation. */
export function segment(text: string): string {
  return /^\.{0,2}$/.test(text) ? refuse('is empty or a dot segment') : text;
}

/** Style `simple` of a single value. */
export function pathText(value: unknown): string {
  return segment(encodeURIComponent(scalar(value)));
}

/** Style `form` for a single value. */
export function query(target: RequestTarget, parameter: ParameterSpec, input: unknown): void {
  const value = given('query', parameter, input);
  if (value !== undefined && value !== null) addQuery(target, parameter, scalar(value));
}

/** `encoder` is for the value; `=` and `&` in a name would always be read as something else. */
export function addQuery(
  { query }: RequestTarget,
  { name, encoder = encodeURIComponent }: Pick<ParameterSpec, 'name' | 'encoder'>,
  text: string,
): void {
  query.push(`${encodeURIComponent(name)}=${encoder(text)}`);
}

/** Sent as it is: nothing decodes headers. */
export function header(target: RequestTarget, parameter: ParameterSpec, input: unknown): void {
  const value = given('headers', parameter, input);
  if (value !== undefined && value !== null) target.headers.set(parameter.name, scalar(value));
}

/** A value with its key where it has one. */
export type Piece = readonly [key: string | undefined, text: string];

/**
 * The values of an array or an object; a single value is a list of itself. What is null or undefined is not there
 * (RFC 6570 section 2.3), but in an array it would move the others, so there it is refused.
 */
export function pieces(value: unknown): readonly Piece[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.map((item) => [undefined, scalar(item)]);
  if (typeof value !== 'object') return [[undefined, scalar(value)]];
  return Object.entries(value).flatMap(([key, member]) =>
    member === undefined || member === null ? [] : [[key, scalar(member)] as const],
  );
}

/** One text of several values: `a,b` and `key,value`; `pair` stands between a key and its value. */
export function joined(value: unknown, encoder: (text: string) => string, pair = ',', between = ','): string {
  return pieces(value)
    .map(([key, text]) => (key === undefined ? '' : encoder(key) + pair) + encoder(text))
    .join(between);
}

/** JSON of a parameter that is described by `content`. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value) ?? refuse('is not a JSON value');
}
