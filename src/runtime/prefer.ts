// SPDX-License-Identifier: 0BSD

/** The entries of `Accept` for a wish: the other types stay listed at a low rank, because some servers demand them. */
export function prefer(types: readonly string[], wish: string): readonly string[] {
  return [wish, ...types.filter((type) => type !== wish).map((type) => `${type};q=0.1`)];
}
