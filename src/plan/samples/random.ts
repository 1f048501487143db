/** A linear congruential generator (Numerical Recipes): the same numbers for the same seed, on every machine. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
    this.below(2);
  }

  /** A whole number of at least 0 and below `limit`. */
  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * limit);
  }

  pick<T>(from: readonly T[]): T | undefined {
    return from[this.below(from.length)];
  }

  /** The list from another start on. */
  turned<T>(list: readonly T[]): readonly T[] {
    const start = this.below(list.length);
    return [...list.slice(start), ...list.slice(0, start)];
  }
}
