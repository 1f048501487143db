/** Names of types as names of files, and as json-schema-to-typescript spells them: ASCII, and distinct without regard to case. */

/** Names that Windows keeps for devices, whatever their ending. */
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/** Latin letters that are no letter with a mark, in the spelling that people use where they have no such key. */
const spelt: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'Ae',
  œ: 'oe',
  Œ: 'Oe',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
};

/** `Größe` → `Grosse`: marks are dropped, letters of other scripts become their code points. */
function asciiOf(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(
      /[^A-Za-z0-9_]/gu,
      (letter) => spelt[letter] ?? `U${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase()}`,
    )
    .slice(0, 120);
}

/** Distinct on disks that know no case, and allowed on Windows. */
export function fileStem(name: string): string {
  const stem = asciiOf(name);
  return devices.test(stem) ? `${stem}_` : stem;
}

/** What the library makes of a name, so that it finds nothing to change: `Retirement401k` → `Retirement401K`. */
export function librarySpelling(name: string): string {
  const upper = (text: string): string => text.toUpperCase();
  return asciiOf(name)
    .replace(/^_?[a-z]/, upper)
    .replace(/(?!^)_([a-z])/g, (_, letter: string) => upper(letter))
    .replace(/\d+[A-Za-z]/g, upper);
}

/** Names under another spelling. */
export class Respelling {
  readonly #given = new Map<string, string>();

  /** Respells every name, in this order: of those that would be equal, the first keeps it. */
  constructor(names: readonly string[], spell: (name: string) => string) {
    const taken = new Set<string>();
    for (const name of names) {
      if (this.#given.has(name)) continue;
      const wanted = spell(name);
      let given = wanted;
      for (let number = 2; taken.has(given.toLowerCase()); number++) given = `${wanted}_${number}`;
      taken.add(given.toLowerCase());
      this.#given.set(name, given);
    }
  }

  of(name: string): string {
    const given = this.#given.get(name);
    if (given === undefined) throw new Error(`${name} has no other spelling`);
    return given;
  }
}
