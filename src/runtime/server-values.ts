// SPDX-License-Identifier: 0BSD
import { readScalar } from './scalar-text.js';
import type { ValueContract } from './server-contract.js';

/** The text of a parameter as it came. */
export interface Text {
  readonly raw: string;
  /** Whether it is percent-encoded; headers are not. */
  readonly encoded: boolean;
  /** White space at its ends belongs to it. */
  readonly isExact?: boolean;
}

/** The ways in which one text can be read. */
export interface Readings {
  /** The text as one scalar. */
  readonly whole: string | undefined;
  readonly items: readonly string[] | undefined;
  readonly pairs: readonly (readonly [name: string, value: string])[] | undefined;
}

export type Delimiter = ',' | ' ' | '|' | '.';

/** A space and a bar may have been encoded by the sender, the comma and the dot are not. */
const delimiters: Readonly<Record<Delimiter, RegExp>> = { ',': /,/, ' ': /%20| /, '|': /%7[Cc]|\|/, '.': /\./ };

/** Splits first and decodes then, so that an encoded delimiter stays text; `undefined` where the encoding is malformed. */
export function splitText(text: Text, delimiter: Delimiter | undefined): readonly string[] | undefined {
  const parts = delimiter === undefined ? [text.raw] : text.raw.split(delimiters[delimiter]);
  if (!text.encoded) return text.isExact ? parts : parts.map((part) => part.trim());
  try {
    return parts.map((part) => (part.includes('%') ? decodeURIComponent(part) : part));
  } catch {
    return undefined;
  }
}

/** The members of an object in one text: `a,1,b,2`, or exploded `a=1,b=2`; `undefined` where it is neither. */
export function memberPairs(items: readonly string[], explode: boolean): [string, string][] | undefined {
  const pairs: [string, string][] = [];
  if (explode) {
    for (const item of items) {
      const at = item.indexOf('=');
      if (at < 0) return undefined;
      pairs.push([item.slice(0, at), item.slice(at + 1)]);
    }
    return pairs;
  }
  if (items.length % 2 !== 0) return undefined;
  for (let index = 0; index < items.length; index += 2) pairs.push([items[index] ?? '', items[index + 1] ?? '']);
  return pairs;
}

/** The value that a text stands for; `undefined` where it cannot be read as any of the declared kinds. */
export function readValue(read: ValueContract | undefined, from: Readings): { readonly value: unknown } | undefined {
  if (read === undefined) return from.whole === undefined ? undefined : { value: from.whole };
  if (read.json === true) return from.whole === undefined ? undefined : parsed(from.whole);
  const single = from.whole !== undefined && (from.items === undefined || from.items.length <= 1);
  if (read.scalar !== undefined && from.whole !== undefined && (single || read.items === undefined)) {
    return { value: readScalar(read.scalar, from.whole) };
  }
  if (read.items !== undefined && from.items !== undefined) {
    const kinds = read.items;
    // `?tags=` is an array without items, as it is written for one.
    if (from.items.length === 1 && from.items[0] === '' && !kinds.includes('string')) return { value: [] };
    return { value: from.items.map((item) => readScalar(kinds, item)) };
  }
  if (read.members === undefined || from.pairs === undefined) return undefined;
  const value = Object.create(null) as Record<string, unknown>;
  for (const [name, text] of from.pairs) {
    if (Object.hasOwn(value, name)) return undefined;
    const kinds = read.members.find((member) => member.name === name)?.kinds ?? read.rest;
    value[name] = kinds === undefined ? text : readScalar(kinds, text);
  }
  return { value };
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
