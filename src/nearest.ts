/** Which of the known names somebody meant who misspelt one. */

/** The nearest name, or nothing where none is near: at most a third of it is wrong, letters of the other case and hyphens aside. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > 40) return undefined;
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const candidate of known) {
    const distance = editDistance(plain(name), plain(candidate));
    if (
      distance <= Math.max(1, Math.floor(candidate.length / 3)) &&
      distance < (best?.distance ?? Number.POSITIVE_INFINITY)
    )
      best = { name: candidate, distance };
  }
  return best?.name;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[-_]/g, '');
}

/** How many letters must be put in, taken out or replaced (Levenshtein), two neighbours that changed places counting once. */
function editDistance(from: string, to: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1] ? 0 : 1;
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const steps = [current[column - 1], last[column]].map((count = 0) => count + 1);
      steps.push((last[column - 1] ?? 0) + same);
      if (swapped && row > 1 && column > 1) steps.push((beforeLast[column - 2] ?? 0) + 1);
      current.push(Math.min(...steps));
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
}
