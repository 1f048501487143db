// SPDX-License-Identifier: 0BSD
import { CallError } from './errors.js';
import type { EventSpec } from './event-spec.js';

/** One part as the wire gives it. */
export interface RawPart {
  readonly data: Uint8Array;
  readonly contentType: string;
  readonly headers: Headers;
  /** Why it is none, whatever it holds. */
  readonly fault?: string;
}

/** What stands between two parts (RFC 2046 section 5.1.1): it belongs to neither. */
export function delimiterOf(boundary: string): Uint8Array {
  return bytesOf(`\r\n--${boundary}`);
}

/** A byte for each character. */
export function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Where `wanted`, which begins with a byte that it has once, stands in `bytes`; -1 where it does not. Linear. */
export function find(wanted: Uint8Array, bytes: Uint8Array, from = 0): number {
  const first = wanted[0] ?? 0;
  for (let at = bytes.indexOf(first, from); at >= 0; at = bytes.indexOf(first, at + 1)) {
    let length = 1;
    while (length < wanted.length && bytes[at + length] === wanted[length]) length += 1;
    if (length === wanted.length) return at;
  }
  return -1;
}

/** The boundary that a media type names; nothing where it names none that can be one (RFC 2046 section 5.1.1). */
export function boundaryOf(contentType: string): string | undefined {
  const text = parameterOf(contentType, 'boundary');
  return text !== undefined && /^[\x20-\x7e]{0,69}[\x21-\x7e]$/.test(text) ? text : undefined;
}

/** The first parameter of this name, in lower case, without the quotes around it. */
export function parameterOf(contentType: string, wanted: string): string | undefined {
  for (const [, name = '', value = ''] of contentType.matchAll(/;\s*([^=;\s]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^;]*)/g)) {
    if (name.toLowerCase() !== wanted) continue;
    return value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value.trim();
  }
  return undefined;
}

const lineEnd = bytesOf('\r\n');
const blankLine = bytesOf('\r\n\r\n');

/** Takes the bytes of a multipart body apart (RFC 2046 section 5.1), in linear time. What stands around the parts is skipped. */
export class PartDecoder {
  readonly lastEventId = '';
  readonly retryMs: number | undefined = undefined;
  /** Whether the closing delimiter was there, or nothing at all. */
  complete = true;

  readonly #delimiter: Uint8Array;
  readonly #maxLength: number;
  #state: 'preamble' | 'delimiter' | 'padding' | 'headers' | 'body' | 'epilogue' = 'preamble';
  /** What could be the start of what is looked for. The first delimiter may stand where there is no line before it. */
  #rest: Uint8Array = lineEnd;
  #pieces: Uint8Array[] = [];
  #length = 0;
  #headers = '';

  /** `maxLength` limits a part with its headers, in bytes. */
  constructor(boundary: string, maxLength: number) {
    this.#delimiter = delimiterOf(boundary);
    this.#maxLength = maxLength;
  }

  /** Takes the next bytes and gives the parts that they complete: each with its delimiter, not with what follows. */
  push(chunk: Uint8Array): readonly RawPart[] {
    if (this.#state === 'epilogue') return [];
    if (chunk.length > 0) this.complete = false;
    const parts: RawPart[] = [];
    const bytes = concat([this.#rest, chunk]);
    let at = 0;
    for (let next = this.#step(bytes, at, parts); next > at; next = this.#step(bytes, at, parts)) at = next;
    this.#rest = bytes.slice(at);
    return parts;
  }

  /** How far the bytes are used up; no further than `at` where more of them are needed. */
  #step(bytes: Uint8Array, at: number, parts: RawPart[]): number {
    switch (this.#state) {
      case 'preamble':
        return this.#until(this.#delimiter, bytes, at, 'delimiter');
      case 'delimiter':
        if (bytes.length < at + 2) return at;
        if (bytes[at] === 45 && bytes[at + 1] === 45) {
          this.#state = 'epilogue';
          this.complete = true;
          return bytes.length;
        }
        this.#state = 'padding';
        return this.#step(bytes, at, parts);
      case 'padding': {
        const end = find(lineEnd, bytes, at);
        if (end < 0) return Math.max(at, bytes.length - 1);
        // The line end stays: a blank line behind it says that there are no headers.
        this.#state = 'headers';
        return end > at ? end : this.#step(bytes, at, parts);
      }
      case 'headers': {
        const end = find(blankLine, bytes, at);
        if (end < 0) return this.#hold(bytes, at, bytes.length - blankLine.length + 1);
        this.#hold(bytes, at, end);
        this.#headers = textOf(concat(this.#pieces));
        this.#clear();
        this.#state = 'body';
        // The second line end stays: a delimiter may begin with it.
        return end + 2;
      }
      case 'body': {
        const end = find(this.#delimiter, bytes, at);
        if (end < 0) return this.#hold(bytes, at, bytes.length - this.#delimiter.length + 1);
        this.#hold(bytes, at, end);
        parts.push(partOf(this.#headers, concat(this.#pieces).slice(2)));
        this.#clear();
        this.#state = 'delimiter';
        return end + this.#delimiter.length;
      }
      case 'epilogue':
        return bytes.length;
    }
  }

  #until(wanted: Uint8Array, bytes: Uint8Array, at: number, then: 'delimiter'): number {
    const found = find(wanted, bytes, at);
    if (found < 0) return Math.max(at, bytes.length - wanted.length + 1);
    this.#state = then;
    return found + wanted.length;
  }

  /** Keeps the bytes up to `end`, and gives where the others start. */
  #hold(bytes: Uint8Array, at: number, end: number): number {
    if (end <= at) return at;
    this.#length += end - at;
    if (this.#length > this.#maxLength)
      throw new CallError('stream', `a part exceeds maxEventLength (${this.#maxLength})`);
    this.#pieces.push(bytes.slice(at, end));
    return end;
  }

  #clear(): void {
    this.#pieces = [];
    this.#length = 0;
  }
}

/** All of them as one. */
export function concat(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}

/** A character for each byte, as header values are held. */
function textOf(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

function partOf(block: string, data: Uint8Array): RawPart {
  const headers = new Headers();
  let fault: string | undefined;
  // A line that begins with white space goes on with the one before it (RFC 5322 section 2.2.3).
  for (const line of block.replace(/\r\n[ \t]/g, ' ').split('\r\n')) {
    if (line === '') continue;
    const colon = line.indexOf(':');
    try {
      headers.append(line.slice(0, Math.max(colon, 0)), line.slice(colon + 1).trim());
    } catch {
      fault = 'a header of the part is none';
    }
  }
  const contentType = headers.get('content-type') ?? '';
  return { data, contentType, headers, ...(fault !== undefined && { fault }) };
}

/** How a part is read; nothing where its media type is not one of those that are declared. */
export function readAs({ data: declared, types }: EventSpec, contentType: string): PartKind | undefined {
  const essence = essenceOf(contentType);
  // RFC 2046 section 5.1: a part that says nothing is text. Where one kind is declared, it is taken for that.
  if (essence === '' && declared !== 'any') return declared;
  if (types && !types.some((type) => covers(essenceOf(type), essence || 'text/plain'))) return undefined;
  const actual = kindOf(essence || 'text/plain');
  if (declared === 'any') return actual;
  return types || declared === 'binary' || actual !== 'binary' ? declared : undefined;
}

export type PartKind = 'json' | 'text' | 'binary';

/** What a media type says that a part is. */
export function kindOf(type: string): PartKind {
  const essence = essenceOf(type);
  return /[/+]json$/.test(essence) ? 'json' : essence.startsWith('text/') ? 'text' : 'binary';
}

function essenceOf(contentType: string): string {
  return (contentType.split(';')[0] ?? '').trim().toLowerCase();
}

/** A range covers what begins like it, and JSON every media type that is written in it (RFC 6839 section 3.1). */
function covers(declared: string, essence: string): boolean {
  if (declared === essence || declared === '*/*') return true;
  if (declared === 'application/json') return essence.endsWith('+json');
  return declared.endsWith('/*') && essence.startsWith(declared.slice(0, -1));
}

/**
 * The text that the bytes of a part are, of the charset that its media type says: UTF-8 where it says none, and for JSON
 * (RFC 8259 section 8.1). Nothing where they are no such text, or the platform does not know the charset.
 */
export function textOfPart(data: Uint8Array, contentType: string, kind: PartKind): string | undefined {
  const charset = kind === 'text' ? charsetOf(contentType) : 'utf-8';
  try {
    return new TextDecoder(charset, { fatal: true }).decode(data);
  } catch {
    return undefined;
  }
}

/** `utf-8` where a media type says none. */
export function charsetOf(contentType: string): string {
  return parameterOf(contentType, 'charset')?.toLowerCase() ?? 'utf-8';
}
