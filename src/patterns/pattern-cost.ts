/**
 * How long an engine that goes back, as those of JavaScript do, may look for a match. Where two ways through a loop take
 * the same text, the time doubles with each character; where several loops in a row take the same text, it grows with a
 * power of its length (Weber and Seidl, "On the degree of ambiguity of finite automata").
 */
import { linearSteps } from './linear-steps.js';
import { loopsOf } from './loops.js';
import { type Pattern, readPattern } from './pattern-syntax.js';
import { type Positions, positionsOf, TooLarge } from './positions.js';

/** The power of the text's length that the time grows with: 1 for nearly all patterns, `Infinity` where it doubles. */
export type PatternCost = number;

/** The engine does so many steps in some hundredths of a second, … */
const quickSteps = 1e7;
/** … and so many in less than one. */
const mostSteps = 1e8;
/** The longest text for the engine where the time doubles with each character, or multiplies, … */
const quickDoubling = 12;
/** … and the longest one where nothing else can be done. */
const longestDoubling = 24;

/** How many UTF-16 units a text may have that is left to the engine; no bound for nearly all patterns. */
export function quickLength(cost: PatternCost): number {
  if (cost <= 1) return Number.POSITIVE_INFINITY;
  return Math.max(Math.floor(quickSteps ** (1 / cost)), quickDoubling);
}

/** The same where a longer one is not read at all. */
export function longestLength(cost: PatternCost): number {
  if (cost <= 1) return Number.POSITIVE_INFINITY;
  return Math.max(Math.floor(mostSteps ** (1 / cost)), longestDoubling);
}

/** Whether a bound on the length, in code points, keeps a pattern quick. */
export function isQuickWithin(cost: PatternCost, maxLength: number | undefined): boolean {
  return cost <= 1 || (maxLength !== undefined && 2 * maxLength <= quickLength(cost));
}

/** What people are told of a pattern, in words that follow it; nothing where there is no need. */
export function slowness(pattern: string, cost: PatternCost, maxLength: number | undefined): string | undefined {
  if (isQuickWithin(cost, maxLength)) return undefined;
  const isLinear = linearSteps(pattern) !== undefined;
  if (cost < 3 && isLinear) return undefined;
  const time = Number.isFinite(cost)
    ? `can take time that grows with the ${powers[cost] ?? `${cost}th`} power of the text's length`
    : 'can take time that doubles with every character of the text';
  if (isLinear) return time;
  const bound = longestLength(cost);
  return `${time}; validators refuse texts of more than ${bound.toLocaleString('en-US')} characters, since it cannot be read in one go`;
}

const powers: Readonly<Record<number, string>> = { 2: 'second', 3: 'third' };

/** So many steps of the analysis; what takes more is not said to be slow. */
const stepLimit = 400_000;

export class PatternCosts {
  readonly #known = new Map<string, PatternCost>();

  costOf(source: string): PatternCost {
    const known = this.#known.get(source);
    if (known !== undefined) return known;
    const cost = mayBeSlow(source) ? analysed(readPattern(source)) : 1;
    this.#known.set(source, cost);
    return cost;
  }
}

const endless = /[*+]|\{\d+,\d*\}/g;

/** Two loops, a loop of groups, or a loop in a search that may start anywhere: no other pattern is slow. */
function mayBeSlow(source: string): boolean {
  const loops = source.match(endless)?.length ?? 0;
  if (loops === 0) return false;
  return loops > 1 || !source.startsWith('^') || /\)(?:[*+]|\{\d+,)/.test(source);
}

function analysed(pattern: Pattern | undefined): PatternCost {
  if (pattern === undefined) return 1;
  try {
    return new Ambiguity(positionsOf(pattern)).cost();
  } catch (fault) {
    if (fault instanceof TooLarge) return 1;
    throw fault;
  }
}

class Ambiguity {
  readonly #positions: Positions;
  /** Of each place, the loop that it belongs to: places that lead to each other. */
  readonly #loops: readonly number[];
  #steps = 0;

  constructor(positions: Positions) {
    this.#positions = positions;
    this.#loops = loopsOf(positions.next.map((targets) => [...targets.keys()]));
  }

  cost(): PatternCost {
    const loops = new Map<number, number[]>();
    for (const [place, loop] of this.#loops.entries()) {
      if (loop < 0) continue;
      loops.set(loop, [...(loops.get(loop) ?? []), place]);
    }
    // Where a match is found inside of a loop, nobody goes back.
    const failing = [...loops.values()].filter((places) => !places.some((place) => this.#positions.done.has(place)));
    for (const places of failing) if (this.#doubles(places)) return Number.POSITIVE_INFINITY;
    return 1 + this.#longestChain(failing);
  }

  #next(place: number): ReadonlyMap<number, number> {
    return this.#positions.next[place] ?? new Map();
  }

  #step(): void {
    this.#steps += 1;
    if (this.#steps > stepLimit) throw new TooLarge();
  }

  /** Whether a text leads from a place of the loop back to it in two ways. */
  #doubles(places: readonly number[]): boolean {
    const own = new Set(places);
    for (const place of places) for (const [to, ways] of this.#next(place)) if (ways > 1 && own.has(to)) return true;
    const size = this.#positions.takes.length;
    const pairs = new Set<number>();
    const edges = new Map<number, number[]>();
    const waiting = places.map((place) => place * size + place);
    for (const pair of waiting) pairs.add(pair);
    for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
      const [left, right] = [Math.floor(pair / size), pair % size];
      const targets: number[] = [];
      for (const one of this.#next(left).keys()) {
        if (!own.has(one)) continue;
        for (const other of this.#next(right).keys()) {
          this.#step();
          if (!own.has(other) || !this.#meet(one, other)) continue;
          const target = one * size + other;
          targets.push(target);
          if (!pairs.has(target)) {
            pairs.add(target);
            waiting.push(target);
          }
        }
      }
      edges.set(pair, targets);
    }
    const list = [...pairs];
    const indices = new Map(list.map((pair, index) => [pair, index]));
    const loops = loopsOf(list.map((pair) => (edges.get(pair) ?? []).map((target) => indices.get(target) ?? 0)));
    const same = new Set(loops.filter((loop, index) => loop >= 0 && isSame(list[index] ?? 0, size)));
    return loops.some((loop, index) => same.has(loop) && !isSame(list[index] ?? 0, size));
  }

  #meet(left: number, right: number): boolean {
    return ((this.#positions.takes[left] ?? 0n) & (this.#positions.takes[right] ?? 0n)) !== 0n;
  }

  /** The most loops in a row such that a text that goes round one of them leads to the next one, and goes round that one. */
  #longestChain(loops: readonly (readonly number[])[]): number {
    const after = loops.map((places, index) =>
      loops.flatMap((others, other) => (other !== index && this.#hands(places, others) ? [other] : [])),
    );
    const longest: (number | undefined)[] = loops.map(() => undefined);
    const from = (index: number): number => {
      const known = longest[index];
      if (known !== undefined) return known;
      longest[index] = 0;
      const found = (after[index] ?? []).reduce((most, other) => Math.max(most, 1 + from(other)), 0);
      longest[index] = found;
      return found;
    };
    return loops.reduce((most, _, index) => Math.max(most, from(index)), 0);
  }

  /** Whether some text leads from `p` of the one to `p`, from `p` to `q` of the other, and from `q` to `q`. */
  #hands(from: readonly number[], to: readonly number[]): boolean {
    const [one, other] = [new Set(from), new Set(to)];
    const takes = (places: readonly number[]): bigint =>
      places.reduce((all, place) => all | (this.#positions.takes[place] ?? 0n), 0n);
    if ((takes(from) & takes(to)) === 0n || !this.#reaches(from, other)) return false;
    return from.some((p) => to.some((q) => this.#together(p, q, one, other)));
  }

  #reaches(from: readonly number[], to: ReadonlySet<number>): boolean {
    const seen = new Set(from);
    const waiting = [...from];
    for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
      for (const target of this.#next(place).keys()) {
        if (to.has(target)) return true;
        if (!seen.has(target)) waiting.push(target);
        seen.add(target);
      }
    }
    return false;
  }

  #together(p: number, q: number, one: ReadonlySet<number>, other: ReadonlySet<number>): boolean {
    const size = this.#positions.takes.length;
    const key = (left: number, middle: number, right: number): number => (left * size + middle) * size + right;
    const goal = key(p, q, q);
    const seen = new Set<number>();
    const waiting: (readonly [number, number, number])[] = [[p, p, q]];
    for (let triple = waiting.pop(); triple !== undefined; triple = waiting.pop()) {
      for (const left of this.#next(triple[0]).keys()) {
        if (!one.has(left)) continue;
        for (const right of this.#next(triple[2]).keys()) {
          if (!other.has(right) || !this.#meet(left, right)) continue;
          for (const middle of this.#next(triple[1]).keys()) {
            this.#step();
            const { takes } = this.#positions;
            if (((takes[left] ?? 0n) & (takes[right] ?? 0n) & (takes[middle] ?? 0n)) === 0n) continue;
            const target = key(left, middle, right);
            if (target === goal) return true;
            if (!seen.has(target)) waiting.push([left, middle, right]);
            seen.add(target);
          }
        }
      }
    }
    return false;
  }
}

function isSame(pair: number, size: number): boolean {
  return Math.floor(pair / size) === pair % size;
}
