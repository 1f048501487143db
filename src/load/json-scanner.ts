/**
 * A strict scanner of JSON texts (RFC 8259) that builds no value: it tells its visitor where keys and values stand. Used
 * where JSON.parse cannot answer: for duplicate keys, and for the places of errors, pointers and numbers. It keeps its own
 * stack, so no depth of nesting is too much for it.
 */
import { childPointer, type JsonPointer } from '../diagnostics.js';

export interface JsonFrame {
  /** The member's name or the item's index that is being read. */
  step: string | number;
  /** The offset at which each name of the object stood first; absent in arrays. */
  readonly names?: Map<string, number>;
}

export interface JsonVisitor {
  /** A key of the innermost object; `frames` ends with that object. */
  key?(name: string, offset: number, frames: readonly JsonFrame[]): void;
  /** A value starts at `offset`; `frames` lead to it. Scanning stops where it answers `stop`. */
  value?(offset: number, frames: readonly JsonFrame[]): 'stop' | undefined;
  number?(text: string, offset: number, frames: readonly JsonFrame[]): void;
}

export interface JsonFault {
  readonly message: string;
  readonly offset: number;
  readonly frames: readonly JsonFrame[];
}

export function framesPointer(frames: readonly JsonFrame[]): JsonPointer {
  return childPointer('' as JsonPointer, ...frames.map((frame) => frame.step));
}

/** Scans the text from `start` to its end; answers the first fault. */
export function scanJson(text: string, start: number, visitor: JsonVisitor): JsonFault | undefined {
  const scanner = new Scanner(text, start, visitor);
  try {
    scanner.run();
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return { message: error.message, offset: error.offset, frames: scanner.reached };
    throw error;
  }
}

/** Whether nothing of the array or object has been read yet. */
function isFresh(frame: JsonFrame): boolean {
  return frame.names === undefined ? frame.step === -1 : frame.names.size === 0;
}

class Fault extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const wordPattern = /[\p{L}\p{N}_$.+-]+/uy;
const escapes = new Map([
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

class Scanner {
  readonly frames: JsonFrame[] = [];
  readonly #text: string;
  readonly #visitor: JsonVisitor;
  #at: number;

  constructor(text: string, start: number, visitor: JsonVisitor) {
    this.#text = text;
    this.#at = start;
    this.#visitor = visitor;
  }

  /** The frames that lead to the place that was reached. */
  get reached(): readonly JsonFrame[] {
    const last = this.frames.at(-1);
    return last !== undefined && isFresh(last) ? this.frames.slice(0, -1) : this.frames;
  }

  run(): void {
    if (!this.#value()) return;
    while (this.frames.length > 0) {
      if (!this.#next()) return;
    }
    this.#skipSpace();
    if (this.#at < this.#text.length) this.#fail('there is text after the end of the value');
  }

  /** Goes on inside the innermost array or object: to its next value, or past its end. False where the visitor stops. */
  #next(): boolean {
    const frame = this.frames.at(-1) as JsonFrame;
    const close = frame.names === undefined ? ']' : '}';
    const first = isFresh(frame);
    this.#skipSpace();
    const character = this.#text[this.#at];
    if (character === close) {
      this.#at += 1;
      this.frames.pop();
      return true;
    }
    if (!first) {
      if (character !== ',') this.#fail(`expected "," or "${close}"`);
      this.#at += 1;
      this.#skipSpace();
      if (this.#text[this.#at] === close) this.#fail(`there is a comma before "${close}"`);
    }
    if (frame.names === undefined) frame.step = (frame.step as number) + 1;
    else this.#key(frame, frame.names);
    return this.#value();
  }

  #key(frame: JsonFrame, names: Map<string, number>): void {
    const offset = this.#at;
    if (this.#text[offset] !== '"') this.#fail('expected a key in double quotes');
    const name = this.#string();
    frame.step = name;
    this.#visitor.key?.(name, offset, this.frames);
    if (!names.has(name)) names.set(name, offset);
    this.#skipSpace();
    if (this.#text[this.#at] !== ':') this.#fail('expected ":" after the key');
    this.#at += 1;
  }

  #value(): boolean {
    this.#skipSpace();
    const offset = this.#at;
    if (this.#visitor.value?.(offset, this.frames) === 'stop') return false;
    const character = this.#text[offset];
    if (character === '{') {
      this.#at += 1;
      this.frames.push({ step: '', names: new Map() });
    } else if (character === '[') {
      this.#at += 1;
      this.frames.push({ step: -1 });
    } else if (character === '"') this.#string();
    else if (character === '-' || (character !== undefined && character >= '0' && character <= '9')) this.#number();
    else this.#word();
    return true;
  }

  #number(): void {
    const offset = this.#at;
    numberPattern.lastIndex = offset;
    const text = numberPattern.exec(this.#text)?.[0];
    if (text === undefined) this.#fail('expected a digit after "-"');
    this.#at += text.length;
    const following = this.#text[this.#at];
    if (following !== undefined && /[\w.+-]/.test(following)) this.#fail('the number is malformed', offset);
    this.#visitor.number?.(text, offset, this.frames);
  }

  #word(): void {
    const offset = this.#at;
    if (offset >= this.#text.length) this.#fail('the text ends too early');
    if (this.#text[offset] === '/' && /[/*]/.test(this.#text[offset + 1] ?? '')) this.#fail('JSON has no comments');
    wordPattern.lastIndex = offset;
    const word = wordPattern.exec(this.#text)?.[0];
    if (word !== 'true' && word !== 'false' && word !== 'null') this.#fail('expected a value');
    this.#at += word.length;
  }

  #string(): string {
    const open = this.#at;
    let from = open + 1;
    let value = '';
    for (let at = from; ; at += 1) {
      const code = this.#text.charCodeAt(at);
      if (code === 0x22) {
        this.#at = at + 1;
        return value + this.#text.slice(from, at);
      }
      if (code === 0x5c) {
        value += this.#text.slice(from, at);
        value += this.#escape(at);
        at += this.#text[at + 1] === 'u' ? 5 : 1;
        from = at + 1;
      } else if (!(code >= 0x20)) {
        if (at >= this.#text.length) this.#fail('the string has no end', open);
        this.#fail('a string holds a control character; write it as an escape', at);
      }
    }
  }

  #escape(at: number): string {
    const kind = this.#text[at + 1] ?? '';
    if (kind === '"' || kind === '\\' || kind === '/') return kind;
    if (kind === 'u') {
      const digits = this.#text.slice(at + 2, at + 6);
      if (/^[0-9a-fA-F]{4}$/.test(digits)) return String.fromCharCode(Number.parseInt(digits, 16));
    }
    return escapes.get(kind) ?? this.#fail('the escape is malformed', at);
  }

  #skipSpace(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at += 1;
    }
  }

  #fail(message: string, offset = this.#at): never {
    throw new Fault(offset >= this.#text.length ? 'the text ends too early' : message, offset);
  }
}
