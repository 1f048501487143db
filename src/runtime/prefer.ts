// SPDX-License-Identifier: 0BSD

/** `Accept` for a wish: the other types stay listed at a low rank, because some servers demand them. */
export function prefer(accept: string, wish: string | undefined): string {
  if (wish === undefined) return accept;
  const others = accept.split(', ').filter((type) => type !== wish);
  return [wish, ...others.map((type) => `${type};q=0.1`)].join(', ');
}
