// SPDX-License-Identifier: 0BSD
import { disposition } from './disposition.js';
import type { EventSpec } from './event-spec.js';
import { bytesOf, charsetOf, delimiterOf, find, kindOf, readAs, textOfPart } from './part-decode.js';
import { randomHex } from './random-hex.js';
import type { NamedPart, SentPart } from './stream-part.js';

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
      const { data, contentType } = item as SentPart<unknown>;
      const held = heldBytes(data) ?? data;
      const type = contentType ?? usualType(spec, held);
      const bytes = dataOf(held, spec, type, json, check);
      const headers = headersOf(item, spec, type);
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

/** Nobody who does not know it can write it into a part. */
export function newBoundary(): string {
  return `part-${randomHex()}`;
}

function headersOf(
  part: Partial<NamedPart<unknown>>,
  { headers: declared = {}, named }: EventSpec,
  type: string,
): Headers {
  const { name: field, filename, headers: given } = part;
  const headers = new Headers();
  const further = given instanceof Headers ? [...given] : Object.entries(given ?? {});
  const said =
    named && field !== undefined ? [['content-disposition', utf8(disposition(field, filename))] as const] : [];
  for (const [name, value] of [...Object.entries(declared), ...said, ...further, ['content-type', type] as const]) {
    try {
      headers.set(name, value);
    } catch {
      // What the platform throws quotes the value.
      throw new TypeError(`the header ${JSON.stringify(name)} of a part cannot be sent`);
    }
  }
  if (named && !headers.has('content-disposition')) throw new TypeError('a part of a form has no name');
  return headers;
}

/** A character for each byte, as headers are held. */
function utf8(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');
}

/** The bytes of what holds bytes. */
function heldBytes(data: unknown): Uint8Array | undefined {
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  return ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : undefined;
}

/** Of the declared types the one that the data can be; of bytes it says nothing where there are several. */
function usualType({ data: declared, types = [] }: EventSpec, data: unknown): string {
  const isBytes = data instanceof Uint8Array;
  const isText = declared === 'text' || (declared === 'any' && typeof data === 'string');
  const kind = isBytes ? 'binary' : isText ? 'text' : 'json';
  const concrete = types.filter((type) => !type.includes('*') && (declared !== 'any' || kindOf(type) === kind));
  const [first] = concrete;
  if (first !== undefined && (concrete.length === 1 || !isBytes)) return first;
  return isBytes ? 'application/octet-stream' : isText ? 'text/plain; charset=utf-8' : 'application/json';
}

function dataOf<E extends EventSpec>(
  data: unknown,
  spec: E,
  type: string,
  json: (value: unknown, spec: E) => string,
  check: (text: string, spec: E) => void,
): Uint8Array {
  const kind = readAs(spec, type);
  if (kind === undefined) throw new TypeError('the media type of a part is not declared');
  if (data instanceof Uint8Array) {
    if (kind === 'json' || spec.data === 'text') throw new TypeError(`a part is bytes in place of ${kind}`);
    if (kind === 'text' && textOfPart(data, type, kind) === undefined)
      throw new TypeError('the data of a part is not text of its charset');
    return data;
  }
  if (spec.data === 'binary') throw new TypeError('the data of a part is no bytes');
  if (kind !== 'binary' && !/^utf-?8$/.test(charsetOf(type))) throw new TypeError('a part is sent as UTF-8 only');
  if (kind === 'json') {
    if (isLost(data)) throw new TypeError('the data of a part is an object that JSON cannot hold');
    return new TextEncoder().encode(json(data, spec));
  }
  if (typeof data !== 'string') throw new TypeError('the data of a part is no text');
  if (kind === 'text' && spec.data === 'text') check(data, spec);
  return new TextEncoder().encode(data);
}

/** Whether JSON would make nothing of an object that holds something: a `Blob`, a `Map`, a stream. */
function isLost(data: unknown): boolean {
  const isOther = typeof data === 'object' && !/ (?:Object|Array|Null)\]$/.test(Object.prototype.toString.call(data));
  return isOther && JSON.stringify(data) === '{}';
}
