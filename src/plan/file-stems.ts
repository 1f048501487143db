/** Names of types as names of files: ASCII, and distinct and allowed on disks that know no case and on Windows. */

/** Names that Windows keeps for devices, whatever their ending. */
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

export class FileStems {
  readonly #stems = new Map<string, string>();

  /** Gives every name its stem, in this order: of names whose stems would be equal, the first keeps it. */
  constructor(names: readonly string[]) {
    const taken = new Set<string>();
    for (const name of names) {
      if (this.#stems.has(name)) continue;
      const wanted = asciiOf(name);
      let stem = wanted;
      for (let number = 2; taken.has(stem.toLowerCase()); number++) stem = `${wanted}_${number}`;
      taken.add(stem.toLowerCase());
      this.#stems.set(name, stem);
    }
  }

  of(name: string): string {
    const stem = this.#stems.get(name);
    if (stem === undefined) throw new Error(`${name} has no stem`);
    return stem;
  }
}

/** `Größe` → `GroUDFe`: marks are dropped, other letters become their code point. */
function asciiOf(name: string): string {
  const plain = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9_]/gu, (letter) => `U${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase()}`)
    .slice(0, 120);
  return devices.test(plain) ? `${plain}_` : plain;
}
