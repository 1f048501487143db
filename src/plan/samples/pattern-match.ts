/**
 * Whether a text matches a pattern, found without ever waiting long: both may come from a hostile document, and the
 * engine may look for a match for years. So the same search is done first by steps that are counted.
 */
import { type Pattern, type PatternNode, readPattern } from '../../patterns/pattern-syntax.js';

/** So many steps of the counted search; the engine takes far fewer than a millisecond for as many. */
const stepLimit = 50_000;
/** The search uses the call stack. */
const depthLimit = 1200;
const longestText = 20_000;

class Exhausted extends Error {}

/** Patterns by their source, each read once. */
export class PatternMatcher {
  readonly #patterns = new Map<string, Pattern | undefined>();

  pattern(source: string): Pattern | undefined {
    if (!this.#patterns.has(source)) this.#patterns.set(source, readPattern(source));
    return this.#patterns.get(source);
  }

  /** `undefined` where it cannot be told within bounds. */
  matches(source: string, text: string): boolean | undefined {
    const pattern = this.pattern(source);
    if (pattern === undefined || text.length > longestText) return undefined;
    try {
      new Search(pattern.split(text)).run(pattern.root);
    } catch (fault) {
      if (fault instanceof Exhausted) return undefined;
      throw fault;
    }
    return pattern.engine.test(text);
  }
}

type Next = (at: number) => boolean;

class Search {
  readonly #text: readonly string[];
  readonly #groups = new Map<string, readonly [number, number]>();
  #steps = 0;
  #depth = 0;

  constructor(text: readonly string[]) {
    this.#text = text;
  }

  run(root: PatternNode): boolean {
    for (let start = 0; start <= this.#text.length; start++) if (this.#at(root, start, () => true)) return true;
    return false;
  }

  #at(node: PatternNode, at: number, next: Next): boolean {
    if (++this.#steps > stepLimit || ++this.#depth > depthLimit) throw new Exhausted();
    const found = this.#match(node, at, next);
    this.#depth--;
    return found;
  }

  #match(node: PatternNode, at: number, next: Next): boolean {
    switch (node.kind) {
      case 'literal':
      case 'character':
        return this.#fits(node, at) && next(at + 1);
      case 'start':
        return at === 0 && next(at);
      case 'end':
        return at === this.#text.length && next(at);
      case 'edge':
        return (this.#isWord(at - 1) !== this.#isWord(at)) !== node.negated && next(at);
      case 'sequence':
        return this.#sequence(node.parts, 0, at, next);
      case 'choice':
        return node.parts.some((part) => this.#at(part, at, next));
      case 'repeat':
        if (node.part.kind === 'literal' || node.part.kind === 'character')
          return this.#run(node.part, node.min, node.max, at, next);
        return this.#repeat(node.part, node.min, node.max, at, next);
      case 'look':
        return this.#look(node, at) !== node.negated && next(at);
      case 'group':
        return this.#at(node.part, at, (end) => {
          this.#groups.set(node.name, [at, end]);
          return next(end);
        });
      case 'repetition': {
        const [start, end] = this.#groups.get(node.name) ?? [0, 0];
        const text = this.#text.slice(start, end);
        return text.every((character, index) => this.#text[at + index] === character) && next(at + text.length);
      }
    }
  }

  #fits(node: PatternNode & { readonly kind: 'literal' | 'character' }, at: number): boolean {
    const character = this.#text[at];
    if (character === undefined) return false;
    return node.kind === 'literal' ? node.text === character : node.matcher.test(character);
  }

  #isWord(at: number): boolean {
    return /^\w$/.test(this.#text[at] ?? '');
  }

  #sequence(parts: readonly PatternNode[], index: number, at: number, next: Next): boolean {
    const part = parts[index];
    if (part === undefined) return next(at);
    return this.#at(part, at, (end) => this.#sequence(parts, index + 1, end, next));
  }

  /** One character again and again: as far as it goes, then back. */
  #run(
    part: PatternNode & { readonly kind: 'literal' | 'character' },
    min: number,
    max: number,
    at: number,
    next: Next,
  ): boolean {
    let count = 0;
    while (count < max && this.#fits(part, at + count)) {
      count++;
      if (++this.#steps > stepLimit) throw new Exhausted();
    }
    for (; count >= min; count--) {
      if (++this.#steps > stepLimit) throw new Exhausted();
      if (next(at + count)) return true;
    }
    return false;
  }

  #repeat(part: PatternNode, min: number, max: number, at: number, next: Next): boolean {
    const again =
      max > 0 && this.#at(part, at, (end) => (end > at || min > 0) && this.#repeat(part, min - 1, max - 1, end, next));
    return again || (min <= 0 && next(at));
  }

  #look({ ahead, part }: PatternNode & { readonly kind: 'look' }, at: number): boolean {
    if (ahead) return this.#at(part, at, () => true);
    for (let start = at; start >= 0; start--) if (this.#at(part, start, (end) => end === at)) return true;
    return false;
  }
}
