// SPDX-License-Identifier: 0BSD

/**
 * One step of a pattern. A text is that character, `in` a class of characters, a list of numbers goes on at each of them;
 * a number is a place: 0 the start of the text, 1 its end, 2 the edge of a word, 3 no edge. Behind the last step the
 * pattern holds.
 */
export type PatternStep = string | number | readonly number[] | { readonly in: string };

export interface TextTest {
  test(text: string): boolean;
}

/**
 * A pattern that an engine which goes back may look for without end. Texts up to `quick` UTF-16 units are left to the
 * engine; longer ones are read once, by all ways through the pattern at the same time. Without steps they are refused.
 */
export function slowPattern(pattern: RegExp, quick: number, steps?: readonly PatternStep[]): TextTest {
  let search: ((text: string) => boolean) | undefined;
  return {
    test(text: string): boolean {
      if (text.length <= quick) return pattern.test(text);
      if (steps === undefined) return false;
      search ??= linearSearch(steps, pattern.flags);
      return search(text);
    },
  };
}

function linearSearch(steps: readonly PatternStep[], flags: string): (text: string) => boolean {
  const classes = steps.map((step) =>
    typeof step === 'object' && 'in' in step ? new RegExp(`^(?:${step.in})$`, flags) : undefined,
  );
  return (text) => {
    const characters = flags.includes('u') ? Array.from(text) : text.split('');
    let now = new Set<number>();
    for (let at = 0; at <= characters.length; at += 1) {
      // A match may start anywhere.
      now.add(0);
      const character = characters[at];
      const next = new Set<number>();
      // The set grows while it is walked, by the steps that take no character.
      for (const index of now) {
        const step = steps[index];
        if (step === undefined) return true;
        if (Array.isArray(step)) for (const target of step) now.add(target);
        else if (typeof step === 'number') {
          if (isAt(step, characters, at)) now.add(index + 1);
        } else if (character !== undefined && (step === character || classes[index]?.test(character) === true)) {
          next.add(index + 1);
        }
      }
      now = next;
    }
    return false;
  };
}

function isAt(place: number, characters: readonly string[], at: number): boolean {
  if (place === 0) return at === 0;
  if (place === 1) return at === characters.length;
  const isEdge = isWord(characters[at - 1]) !== isWord(characters[at]);
  return isEdge === (place === 2);
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /^\w$/.test(character);
}
