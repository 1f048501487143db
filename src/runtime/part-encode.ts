// SPDX-License-Identifier: 0BSD
import type { EventSpec } from './event-spec.js';
import { bytesOf, delimiterOf, find } from './part-decode.js';
import type { SentPart } from './stream-part.js';

/** Writes the parts of a multipart body (RFC 2046 section 5.1), by position. */
export interface PartEncoder {
  readonly boundary: string;
  /** What stands before the first part. */
  readonly start: string;
  /** What stands behind the last one. */
  readonly end: string;
  /** Throws TypeError where the part is not what the contract declares; the message quotes nothing of it. */
  part(item: unknown): Uint8Array<ArrayBuffer>;
}

/**
 * `json` gives the text of a value by its contract, and checks it; `check` checks text. Each part is sent with the
 * delimiter behind it, so that a reader has it at once.
 */
export function partEncoder<E extends EventSpec>(
  specs: readonly E[],
  json: (value: unknown, spec: E) => string,
  check: (text: string, spec: E) => void = () => undefined,
): PartEncoder {
  const boundary = newBoundary();
  const delimiter = delimiterOf(boundary);
  let index = 0;
  return {
    boundary,
    start: `--${boundary}`,
    end: '--\r\n',
    part(item) {
      const spec = specs[Math.min(index, specs.length - 1)];
      if (!spec || typeof item !== 'object' || item === null) throw new TypeError('a part is not an object with data');
      index += 1;
      const { data, contentType, headers: further } = item as SentPart<unknown>;
      const type = contentType ?? spec.contentType ?? usualType(spec, data);
      const bytes = dataOf(data, spec, type, json, check);
      const headers = new Headers(further);
      headers.set('content-type', type);
      const lines = [...headers].map(([name, value]) => `${name}: ${value}\r\n`);
      const head = bytesOf(`\r\n${lines.join('')}\r\n`);
      const part = new Uint8Array(head.length + bytes.length + delimiter.length);
      part.set(head);
      part.set(bytes, head.length);
      // The data may begin with what would go on from the blank line before it.
      if (find(delimiter, part.subarray(head.length - 2, head.length + bytes.length)) >= 0)
        throw new TypeError('a part holds the boundary');
      part.set(delimiter, head.length + bytes.length);
      return part;
    },
  };
}

/** Of 128 random bits: nobody who does not know it can write it into a part. */
export function newBoundary(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `part-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

function usualType({ data: declared }: EventSpec, data: unknown): string {
  if (data instanceof Uint8Array) return 'application/octet-stream';
  const isText = declared === 'text' || (declared === 'any' && typeof data === 'string');
  return isText ? 'text/plain; charset=utf-8' : 'application/json';
}

function dataOf<E extends EventSpec>(
  data: unknown,
  spec: E,
  type: string,
  json: (value: unknown, spec: E) => string,
  check: (text: string, spec: E) => void,
): Uint8Array {
  const { data: declared } = spec;
  if (data instanceof Uint8Array) {
    if (declared === 'json' || declared === 'text') throw new TypeError(`a part is bytes in place of ${declared}`);
    return data;
  }
  if (declared === 'binary') throw new TypeError('the data of a part is no bytes');
  const isText = declared === 'text' || (declared === 'any' && typeof data === 'string' && !/[/+]json\b/i.test(type));
  if (!isText) return new TextEncoder().encode(json(data, spec));
  if (typeof data !== 'string') throw new TypeError('the data of a part is no text');
  check(data, spec);
  return new TextEncoder().encode(data);
}
