/** The members and items of one value that some part of a schema has looked at (JSON Schema core, section 11). */
export class Evaluated {
  readonly #names = new Set<string>();
  readonly #items = new Set<number>();
  #all = false;

  addName(name: string): void {
    this.#names.add(name);
  }

  addItem(index: number): void {
    this.#items.add(index);
  }

  /** All items. */
  addAll(): void {
    this.#all = true;
  }

  add(other: Evaluated): void {
    for (const name of other.#names) this.#names.add(name);
    for (const index of other.#items) this.#items.add(index);
    this.#all ||= other.#all;
  }

  hasName(name: string): boolean {
    return this.#names.has(name);
  }

  hasItem(index: number): boolean {
    return this.#all || this.#items.has(index);
  }
}
