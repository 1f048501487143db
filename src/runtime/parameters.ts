// SPDX-License-Identifier: 0BSD
import { CallError } from './errors.js';

/** What `flatten` gives: values of an object carry their key. */
type Piece = readonly [key: string | undefined, text: string];

/** Refuses an input. The message names no value: values can be secrets. */
export function refuse(reason: string): never {
  throw new CallError('request', reason);
}

/** Percent-encodes everything but unreserved characters (RFC 3986 section 2.3). */
export function encode(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return refuse('is not well-formed Unicode');
  }
}

/** The member `name` of the object, if it is its own. */
export function own(object: unknown, name: string): unknown {
  return typeof object === 'object' && object !== null && Object.hasOwn(object, name)
    ? (object as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

function scalar(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || typeof value === 'bigint' || Number.isFinite(value)) return String(value);
  return refuse('is not text, a finite number or a boolean');
}

function flatten(value: unknown, list: boolean | undefined): readonly Piece[] {
  if (value === undefined || value === null) return [];
  if (!list || typeof value !== 'object') return [[undefined, scalar(value)]];
  if (Array.isArray(value)) return value.map((item) => [undefined, scalar(item)]);
  return Object.entries(value).flatMap(([key, member]) =>
    member === undefined || member === null ? [] : [[key, scalar(member)] as const],
  );
}

/** Style `simple`, not exploded (path and header): `a,b` and `key,value`. `undefined` where there is nothing to send. */
export function simple(
  value: unknown,
  list: boolean | undefined,
  encoder: (text: string) => string = (text) => text,
): string | undefined {
  const pieces = flatten(value, list);
  return pieces.length === 0
    ? undefined
    : pieces.map(([key, text]) => (key === undefined ? '' : `${encoder(key)},`) + encoder(text)).join();
}

/** Style `form`, exploded (query and cookie): one `name=value` for every item or member. */
export function form(name: string, value: unknown, list: boolean | undefined): readonly string[] {
  return flatten(value, list).map(([key, text]) => `${encode(key ?? name)}=${encode(text)}`);
}
