// SPDX-License-Identifier: 0BSD
import { CallError } from './errors.js';
import type { EventSpec } from './event-spec.js';
import type { Issue } from './validation.js';

/** The data of an event, an item or a part, or what is wrong with it. */
export interface Value {
  readonly value?: unknown;
  readonly issues?: readonly Issue[];
}

/** Reads the text of an event or an item by its contract; `off` checks no schema. */
export function readValue({ data: kind, validate, codec }: EventSpec, text: string, onInvalid: string): Value {
  let value: unknown = text;
  try {
    if (kind === 'json') value = JSON.parse(text);
  } catch {
    return refused('contentMediaType', 'the data is not JSON', { contentMediaType: 'application/json' });
  }
  const verdict = onInvalid === 'off' ? undefined : validate?.(value);
  if (verdict && !verdict.ok) return verdict;
  try {
    return { value: codec ? codec.decode(value) : value };
  } catch {
    return refused('format', 'is no date');
  }
}

export function refused(keyword: string, message: string, params: Issue['params'] = {}): Value {
  return { issues: [{ pointer: '', path: [], schemaPointer: '', keyword, params, message }] };
}

/** What is made of an event, an item or a part that the contract refuses. */
export function invalid<V extends { readonly issues: readonly Issue[] }>(
  what: string,
  value: V,
  onInvalid: string,
): V | undefined {
  if (onInvalid === 'throw') throw new CallError('stream', `${what} breaks the contract`, value);
  return onInvalid === 'skip' ? undefined : value;
}
