// SPDX-License-Identifier: 0BSD
import { concat } from './part-decode.js';

/** Why a body could not be read; the message is for the caller of the server. */
export class BodyFault extends Error {
  readonly reason: 'too-large' | 'malformed';

  constructor(reason: 'too-large' | 'malformed', message: string) {
    super(message);
    this.name = 'BodyFault';
    this.reason = reason;
  }
}

/** Reads at most `limit` bytes. Throws BodyFault as soon as there are more; what follows is not kept. */
export async function readBytes(chunks: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.byteLength;
    if (length > limit) throw new BodyFault('too-large', `the body is larger than ${limit} bytes`);
    parts.push(chunk);
  }
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  return concat(parts);
}

/** UTF-8, refused rather than repaired. Throws BodyFault. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new BodyFault('malformed', 'the body is not valid UTF-8');
  }
}

/**
 * Parses JSON of a stranger. Throws BodyFault on text that is not JSON, on nesting beyond `depth`, and, unless they are
 * kept, on the members that change a prototype where somebody copies the value (`__proto__`, `constructor.prototype`).
 */
export function parseJson(text: string, depth: number, prototypeKeys: 'refuse' | 'keep'): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text) as unknown;
  } catch {
    throw new BodyFault('malformed', 'the body is not valid JSON');
  }
  const pending: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 1 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value: current } = next;
    if (typeof current !== 'object' || current === null) continue;
    if (next.depth > depth) throw new BodyFault('malformed', `the body is nested deeper than ${depth} levels`);
    if (prototypeKeys === 'refuse') refusePrototypeKeys(current);
    for (const member of Object.values(current)) pending.push({ value: member, depth: next.depth + 1 });
  }
  return value;
}

function refusePrototypeKeys(value: object): void {
  if (Array.isArray(value)) return;
  const own = value as Readonly<Record<string, unknown>>;
  const inner: unknown = Object.hasOwn(own, 'constructor') ? own['constructor'] : undefined;
  const nested = typeof inner === 'object' && inner !== null && Object.hasOwn(inner, 'prototype');
  if (Object.hasOwn(own, '__proto__') || nested) {
    throw new BodyFault('malformed', 'the body holds a member that is not accepted');
  }
}
