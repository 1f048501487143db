// SPDX-License-Identifier: 0BSD

import { readScalar } from './scalar-text.js';
import type { ParameterContract, ValueContract } from './server-contract.js';

export interface QueryPair {
  readonly name: string;
  /** Still percent-encoded. */
  readonly raw: string;
}

/** What became of a parameter. */
export type Read =
  | { readonly kind: 'absent' }
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'fault'; readonly keyword: string; readonly message: string };

export const twice: Read = { kind: 'fault', keyword: 'duplicate', message: 'is given more than once' };
export const malformed: Read = { kind: 'fault', keyword: 'encoding', message: 'has a malformed percent-encoding' };
export const misshapen: Read = { kind: 'fault', keyword: 'style', message: 'is not written in its declared style' };

/** The query as one value: JSON, a form, or plain text (OpenAPI 3.2, Parameter Object). */
export function readQuerystring(parameter: ParameterContract, text: string, pairs: readonly QueryPair[]): Read {
  const { read, required } = parameter;
  if (read?.members !== undefined) {
    // A form without members is no query at all.
    return pairs.length === 0 && !required ? { kind: 'absent' } : readForm(read, pairs);
  }
  if (text === '') return { kind: 'absent' };
  const whole = decode(text);
  if (whole === undefined) return malformed;
  return read?.json === true ? readJson(whole) : { kind: 'value', value: whole };
}

function readForm(read: ValueContract, pairs: readonly QueryPair[]): Read {
  const texts = new Map<string, string[]>();
  for (const { name, raw } of pairs) {
    const text = decode(raw.replaceAll('+', '%20'));
    if (text === undefined) return malformed;
    const known = texts.get(name);
    if (known) known.push(text);
    else texts.set(name, [text]);
  }
  const value = Object.create(null) as Record<string, unknown>;
  for (const [name, found] of texts) {
    const member = read.members?.find((one) => one.name === name);
    if (found.length > 1 && member?.list !== true) return twice;
    const items: unknown[] = [];
    for (const text of found) {
      const json = member?.json === true ? readJson(text) : undefined;
      if (json && json.kind !== 'value') return json;
      items.push(json ? json.value : readScalar(member?.kinds ?? read.rest ?? ['string'], text));
    }
    value[name] = member?.list === true ? items : items[0];
  }
  return { kind: 'value', value };
}

function readJson(text: string): Read {
  try {
    return { kind: 'value', value: JSON.parse(text) as unknown };
  } catch {
    return misshapen;
  }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
