/** Texts that most likely match a pattern. Whoever uses one asks the pattern: what looks ahead or behind is passed over here. */
import type { PatternNode } from '../../patterns/pattern-syntax.js';
import type { Random } from './random.js';

const letters = 'abcdefghijklmnopqrstuvwxyz';
/** The most readable first. */
const candidates: readonly string[] = [
  ...letters,
  ...'0123456789',
  ...letters.toUpperCase(),
  ...' -_.:/@+,;=!#$%&\'*()?~^|<>[]{}"\\`',
  ...'éжя中あ\t\n\u00a0',
];
const lastScanned = 0x3000;
const longestText = 20_000;

export class PatternStrings {
  readonly #random: Random;
  readonly #characters = new Map<RegExp, readonly string[]>();
  #groups = new Map<string, string>();
  #length = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** `further`: how many times more than it must each part is repeated. */
  text(root: PatternNode, further: number): string | undefined {
    this.#groups = new Map();
    this.#length = 0;
    return this.#of(root, further);
  }

  #of(node: PatternNode, further: number): string | undefined {
    switch (node.kind) {
      case 'literal':
        return node.text;
      case 'character':
        return this.#random.pick(this.#charactersOf(node.matcher));
      case 'start':
      case 'end':
      case 'edge':
      case 'look':
        return '';
      case 'sequence':
        return this.#joined(node.parts, further);
      case 'choice':
        return this.#of(this.#random.pick(node.parts) ?? node, further);
      case 'repeat':
        return this.#joined(
          Array.from({ length: Math.min(node.max, node.min + further, longestText) }, () => node.part),
          // What repeats inside of what repeats grows fast.
          Math.min(further, 3),
        );
      case 'group': {
        const text = this.#of(node.part, further);
        if (text !== undefined) this.#groups.set(node.name, text);
        return text;
      }
      case 'repetition':
        return this.#groups.get(node.name) ?? '';
    }
  }

  #joined(parts: readonly PatternNode[], further: number): string | undefined {
    let text = '';
    for (const part of parts) {
      if (this.#length > longestText) return undefined;
      const next = this.#of(part, further);
      if (next === undefined) return undefined;
      text += next;
      this.#length += part.kind === 'literal' || part.kind === 'character' ? 1 : 0;
    }
    return text;
  }

  /** Some characters that a class has: all of the first kind of which it has any. */
  #charactersOf(matcher: RegExp): readonly string[] {
    const known = this.#characters.get(matcher);
    if (known !== undefined) return known;
    let found = candidates.filter((character) => matcher.test(character));
    const plain = found.filter((character) => /[a-z0-9]/.test(character));
    if (plain.length > 0) found = plain;
    for (let code = 0; found.length === 0 && code < lastScanned; code++) {
      const character = String.fromCharCode(code);
      if (matcher.test(character)) found = [character];
    }
    this.#characters.set(matcher, found);
    return found;
  }
}
