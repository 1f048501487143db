/**
 * A pattern as an automaton whose states are the places of its text that take a character (Glushkov's construction). What
 * counts here is in how many ways one place follows another: two ways between the same places, in a loop, are what makes
 * an engine that goes back search for ever. What looks ahead or behind is passed over.
 */
import type { Pattern, PatternNode } from './pattern-syntax.js';

export interface Positions {
  /** Of each place, the classes of characters that it takes, as the bits of a number. */
  readonly takes: readonly bigint[];
  /** Of each place, the places behind it, and in how many ways they follow (2 for more). */
  readonly next: readonly ReadonlyMap<number, number>[];
  /** The places that a match can start at. */
  readonly first: ReadonlyMap<number, number>;
  /** The places behind which the pattern holds, whatever follows. */
  readonly done: ReadonlySet<number>;
}

/** More places than this are not looked into. */
const mostPositions = 400;
/** How often what is repeated outside of loops is written out: a fixed number of times it costs a fixed factor. */
const mostCopies = 3;

interface Part {
  readonly first: ReadonlyMap<number, number>;
  readonly last: ReadonlyMap<number, number>;
  /** In how many ways it takes nothing. */
  readonly empty: number;
  /** Every way through it ends at the end of the text. */
  readonly ended: boolean;
  /** Every way through it begins at the start of the text. */
  readonly started: boolean;
}

const nothing: Part = { first: new Map(), last: new Map(), empty: 1, ended: false, started: false };

export class TooLarge extends Error {}

/** Throws `TooLarge`. */
export function positionsOf({ root, engine }: Pattern): Positions {
  const reader = new PositionReader(charactersOf(engine));
  // A search may start anywhere: as if there were a loop of anything in front.
  const { first, last, started, ended } = reader.read(root);
  const anywhere = started ? undefined : reader.anything();
  if (anywhere !== undefined) {
    reader.follow(new Map([[anywhere, 1]]), first);
    reader.follow(new Map([[anywhere, 1]]), new Map([[anywhere, 1]]));
  }
  return {
    takes: reader.takes,
    next: reader.next,
    first: anywhere === undefined ? first : new Map([...first, [anywhere, 1]]),
    done: ended ? new Set() : new Set(last.keys()),
  };
}

/** Characters that tell the classes of a pattern apart: those that it names with their neighbours, and some of each kind. */
function charactersOf({ source, unicode }: RegExp): readonly string[] {
  const codes = new Set<number>();
  for (let code = 0; code < 128; code++) codes.add(code);
  const add = (code: number): void => {
    for (const near of [code - 1, code, code + 1]) if (near >= 0 && near <= 0x10ffff) codes.add(near);
  };
  for (const character of source) add(character.codePointAt(0) ?? 0);
  for (const [, hex = ''] of source.matchAll(/\\[ux]\{?([0-9a-fA-F]{2,6})/g)) add(Number.parseInt(hex, 16));
  for (const character of '\u00a0\u00e9\u00df\u017f\u0436\u05d0\u0661\u212a\u2028\u3042\u4e2d\uac00\ufeff\u{1f600}')
    add(character.codePointAt(0) ?? 0);
  return [...codes].filter((code) => unicode || code < 0x10000).map((code) => String.fromCodePoint(code));
}

class PositionReader {
  readonly takes: bigint[] = [];
  readonly next: Map<number, number>[] = [];
  readonly #characters: readonly string[];
  readonly #masks = new Map<string, bigint>();
  #loops = 0;

  constructor(characters: readonly string[]) {
    this.#characters = characters;
  }

  anything(): number {
    return this.#position((1n << BigInt(this.#characters.length)) - 1n);
  }

  #position(takes: bigint): number {
    if (this.takes.length >= mostPositions) throw new TooLarge();
    this.next.push(new Map());
    return this.takes.push(takes) - 1;
  }

  #mask(name: string, test: (character: string) => boolean): bigint {
    const known = this.#masks.get(name);
    if (known !== undefined) return known;
    let mask = 0n;
    for (const [index, character] of this.#characters.entries()) if (test(character)) mask |= 1n << BigInt(index);
    this.#masks.set(name, mask);
    return mask;
  }

  follow(last: ReadonlyMap<number, number>, first: ReadonlyMap<number, number>): void {
    for (const [from, ways] of last) {
      for (const [to, more] of first) {
        const targets = this.next[from];
        targets?.set(to, Math.min((targets.get(to) ?? 0) + ways * more, 2));
      }
    }
  }

  read(node: PatternNode): Part {
    switch (node.kind) {
      case 'literal':
        return this.#one(this.#mask(`=${node.text}`, (character) => character === node.text));
      case 'character':
        return this.#one(this.#mask(node.matcher.source, (character) => node.matcher.test(character)));
      case 'start':
        return { ...nothing, started: true };
      case 'end':
        return { ...nothing, ended: true };
      case 'edge':
      case 'look':
        return nothing;
      case 'group':
        return this.read(node.part);
      case 'repetition':
        throw new TooLarge();
      case 'sequence':
        return node.parts.reduce<Part>((before, part) => this.#then(before, this.read(part)), nothing);
      case 'choice':
        return this.#choice(node.parts.map((part) => this.read(part)));
      case 'repeat':
        return this.#repeat(node.part, node.min, node.max);
    }
  }

  #one(mask: bigint): Part {
    const here = new Map([[this.#position(mask), 1]]);
    return { first: here, last: here, empty: 0, ended: false, started: false };
  }

  #then(before: Part, after: Part): Part {
    this.follow(before.last, after.first);
    return {
      first: before.empty > 0 ? sum(before.first, after.first) : before.first,
      last: after.empty > 0 ? sum(after.last, before.last) : after.last,
      empty: Math.min(before.empty * after.empty, 2),
      ended: before.ended || after.ended,
      started: before.started || (after.started && before.first.size === 0),
    };
  }

  #choice(parts: readonly Part[]): Part {
    return {
      first: parts.reduce((all, { first }) => sum(all, first), nothing.first),
      last: parts.reduce((all, { last }) => sum(all, last), nothing.last),
      empty: Math.min(
        parts.reduce((count, { empty }) => count + empty, 0),
        2,
      ),
      ended: parts.every(({ ended }) => ended),
      started: parts.every(({ started }) => started),
    };
  }

  #repeat(node: PatternNode, min: number, max: number): Part {
    if (max === 0) return nothing;
    if (max === 1) return this.#optional(this.read(node), min);
    const endless = max >= manyTimes || (this.#loops > 0 && max > mostCopies && min < max);
    if (!endless) {
      const copies = Math.min(max, mostCopies);
      const needed = min === max ? copies : Math.min(min, copies - 1);
      let all = nothing;
      for (let copy = 0; copy < copies; copy++)
        all = this.#then(all, this.#optional(this.read(node), copy < needed ? 1 : 0));
      return all;
    }
    this.#loops += 1;
    const part = this.read(node);
    this.#loops -= 1;
    this.follow(part.last, part.first);
    // A round that takes nothing is no round.
    return {
      ...part,
      empty: min === 0 ? 1 : Math.min(part.empty, 1),
      started: min > 0 && part.started,
      ended: min > 0 && part.ended,
    };
  }

  #optional(part: Part, min: number): Part {
    if (min > 0) return part;
    return { ...part, empty: 1, started: false, ended: false };
  }
}

const manyTimes = 100_000;

function sum(left: ReadonlyMap<number, number>, right: ReadonlyMap<number, number>): ReadonlyMap<number, number> {
  if (left.size === 0) return right;
  if (right.size === 0) return left;
  const all = new Map(left);
  for (const [position, ways] of right) all.set(position, Math.min((all.get(position) ?? 0) + ways, 2));
  return all;
}
