/**
 * Regular expressions as trees: for making texts that match, and for telling how long the engine would look for a match.
 * What the tree does not tell, such as what a class contains, the engine is asked, one character at a time.
 */
import { regexFlags } from '../encode.js';

export type PatternNode =
  | { readonly kind: 'character'; readonly matcher: RegExp }
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'start' | 'end' }
  | { readonly kind: 'edge'; readonly negated: boolean }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly part: PatternNode; readonly min: number; readonly max: number }
  | { readonly kind: 'look'; readonly ahead: boolean; readonly negated: boolean; readonly part: PatternNode }
  | { readonly kind: 'group'; readonly part: PatternNode; readonly name: string }
  /** What a group has matched; groups without a name are named by their number. */
  | { readonly kind: 'repetition'; readonly name: string };

export interface Pattern {
  readonly root: PatternNode;
  readonly engine: RegExp;
  /** The pieces that the engine goes by: code points or UTF-16 units. */
  readonly split: (text: string) => readonly string[];
}

/** `undefined` where the pattern is no regular expression, or one that uses what is not known here. */
export function readPattern(source: string): Pattern | undefined {
  const flags = regexFlags(source);
  if (flags === undefined || source.length > longestPattern) return undefined;
  const split = flags === 'u' ? (text: string) => Array.from(text) : (text: string) => text.split('');
  const root = new PatternReader(split(source), flags).read();
  return root && { root, engine: new RegExp(source, flags), split };
}

const longestPattern = 5000;
const deepest = 100;
/** More repetitions than this are not told apart. */
const manyTimes = 100_000;

class Unknown extends Error {}

class PatternReader {
  readonly #source: readonly string[];
  readonly #flags: string;
  #at = 0;
  #depth = 0;
  #groups = 0;

  constructor(source: readonly string[], flags: string) {
    this.#source = source;
    this.#flags = flags;
  }

  read(): PatternNode | undefined {
    try {
      const root = this.#choice();
      return this.#at === this.#source.length ? root : undefined;
    } catch (fault) {
      if (fault instanceof Unknown) return undefined;
      throw fault;
    }
  }

  #peek(ahead = 0): string | undefined {
    return this.#source[this.#at + ahead];
  }

  /** Goes on behind a text, where it stands here. */
  #skip(text: string): boolean {
    if ([...text].some((character, index) => this.#peek(index) !== character)) return false;
    this.#at += text.length;
    return true;
  }

  #until(end: string): string {
    const start = this.#at;
    while (this.#peek() !== end) {
      if (this.#peek() === undefined) throw new Unknown();
      this.#at++;
    }
    this.#at++;
    return this.#source.slice(start, this.#at - 1).join('');
  }

  #choice(): PatternNode {
    if (++this.#depth > deepest) throw new Unknown();
    const parts = [this.#sequence()];
    while (this.#skip('|')) parts.push(this.#sequence());
    this.#depth--;
    const [only] = parts;
    return only !== undefined && parts.length === 1 ? only : { kind: 'choice', parts };
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    for (let next = this.#peek(); next !== undefined && next !== '|' && next !== ')'; next = this.#peek())
      parts.push(this.#repeated(this.#atom()));
    return { kind: 'sequence', parts };
  }

  #repeated(part: PatternNode): PatternNode {
    const bounds = this.#bounds();
    if (bounds === undefined) return part;
    this.#skip('?');
    return { kind: 'repeat', part, ...bounds };
  }

  #bounds(): { readonly min: number; readonly max: number } | undefined {
    if (this.#skip('*')) return { min: 0, max: manyTimes };
    if (this.#skip('+')) return { min: 1, max: manyTimes };
    if (this.#skip('?')) return { min: 0, max: 1 };
    const [whole, least = '', comma, most = ''] =
      /^\{(\d+)(,?)(\d*)\}/.exec(this.#source.slice(this.#at, this.#at + 24).join('')) ?? [];
    if (whole === undefined) return undefined;
    this.#at += whole.length;
    const min = Math.min(Number(least), manyTimes);
    return { min, max: comma === '' ? min : most === '' ? manyTimes : Math.min(Number(most), manyTimes) };
  }

  #atom(): PatternNode {
    if (this.#skip('^')) return { kind: 'start' };
    if (this.#skip('$')) return { kind: 'end' };
    if (this.#skip('(')) return this.#group();
    if (this.#skip('.')) return this.#character('.');
    if (this.#skip('[')) return this.#class();
    if (this.#skip('\\')) return this.#escape();
    return { kind: 'literal', text: this.#source[this.#at++] ?? '' };
  }

  #character(source: string): PatternNode {
    return { kind: 'character', matcher: new RegExp(`^(?:${source})$`, this.#flags) };
  }

  #class(): PatternNode {
    const start = this.#at;
    for (;;) {
      const next = this.#peek();
      if (next === undefined) throw new Unknown();
      if (next === ']') break;
      this.#at += next === '\\' ? 2 : 1;
    }
    this.#at++;
    return this.#character(`[${this.#source.slice(start, this.#at).join('')}`);
  }

  #group(): PatternNode {
    const inside = (): PatternNode => {
      const part = this.#choice();
      if (!this.#skip(')')) throw new Unknown();
      return part;
    };
    if (this.#skip('?:')) return inside();
    for (const [mark, ahead, negated] of looks) {
      if (this.#skip(mark)) return { kind: 'look', ahead, negated, part: inside() };
    }
    this.#groups++;
    const name = this.#skip('?<') ? this.#until('>') : String(this.#groups);
    if (this.#peek() === '?') throw new Unknown();
    return { kind: 'group', name, part: inside() };
  }

  #escape(): PatternNode {
    const next = this.#source[this.#at++] ?? '';
    if (next === 'b' || next === 'B') return { kind: 'edge', negated: next === 'B' };
    if (next === 'k' && this.#skip('<')) return { kind: 'repetition', name: this.#until('>') };
    if (/[1-9]/.test(next)) return { kind: 'repetition', name: next };
    if ((next === 'p' || next === 'P') && this.#skip('{')) return this.#character(`\\${next}{${this.#until('}')}}`);
    if (next === 'u' && this.#skip('{')) return this.#character(`\\u{${this.#until('}')}}`);
    const rest = this.#source.slice(this.#at, this.#at + 10).join('');
    const [more = ''] =
      (next === 'u' && /^[0-9a-fA-F]{4}(?:\\u[dD][c-fC-F][0-9a-fA-F]{2})?/.exec(rest)) ||
      (next === 'x' && /^[0-9a-fA-F]{2}/.exec(rest)) ||
      (next === 'c' && /^[A-Za-z]/.exec(rest)) ||
      [];
    this.#at += more.length;
    return this.#character(`\\${next}${more}`);
  }
}

const looks = [
  ['?=', true, false],
  ['?!', true, true],
  ['?<=', false, false],
  ['?<!', false, true],
] as const;
