// SPDX-License-Identifier: 0BSD
import type { PathVariable } from './operation.js';
import { joined, jsonText, pieces, refuse, segment } from './parameters.js';

/** Style `simple`: `a,b` and `key,value`. */
export function simple(value: unknown, { encoder = encodeURIComponent }: PathVariable): string {
  return segment(joined(value, encoder));
}

/** The same, exploded: `key=value`. */
export function simpleExploded(value: unknown, { encoder = encodeURIComponent }: PathVariable): string {
  return segment(joined(value, encoder, '='));
}

/** Style `label`: `.a,b` and `.key,value` (RFC 6570 section 3.2.5). */
export function label(value: unknown, { encoder = encodeURIComponent }: PathVariable): string {
  return `.${joined(given(value), encoder)}`;
}

/** The same, exploded: `.a.b` and `.key=value`. A dot inside a value is escaped, or it would divide the value. */
export function labelExploded(value: unknown, { encoder = encodeURIComponent }: PathVariable): string {
  const inside = typeof value === 'object';
  const escapeDots = (text: string): string => (inside ? encoder(text).replaceAll('.', '%2E') : encoder(text));
  return `.${joined(given(value), escapeDots, '=', '.')}`;
}

/** Style `matrix`: `;name=a,b` and `;name=key,value`; without `=` where the value is empty (RFC 6570 section 3.2.7). */
export function matrix(value: unknown, { name, encoder = encodeURIComponent }: PathVariable): string {
  return matrixPair(encodeURIComponent(name), joined(given(value), encoder));
}

/** The same, exploded: `;name=a;name=b` and `;key=value`. */
export function matrixExploded(value: unknown, { name, encoder = encodeURIComponent }: PathVariable): string {
  return pieces(given(value))
    .map(([key = name, text]) => matrixPair(encodeURIComponent(key), encoder(text)))
    .join('');
}

/** One JSON text. */
export function pathJson(value: unknown, { encoder = encodeURIComponent }: PathVariable): string {
  return encoder(jsonText(value));
}

function matrixPair(name: string, text: string): string {
  return text === '' ? `;${name}` : `;${name}=${text}`;
}

/** RFC 6570 leaves out what is not there, and the path would be another operation's. */
function given(value: unknown): unknown {
  return pieces(value).length === 0 ? refuse('is empty') : value;
}
