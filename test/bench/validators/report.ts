/** Prints a row for each figure, with its limit where it has one, and counts what holds. */
export class Report {
  readonly #print: (line: string) => void;
  passed = 0;
  failed = 0;

  constructor(print: (line: string) => void) {
    this.#print = print;
  }

  title(text: string): void {
    this.#print(`\n${text}`);
  }

  row(name: string, said: string): void {
    this.#print(`  ${name.padEnd(44)} ${said}`);
  }

  /** A figure that must not be above its limit. */
  atMost(name: string, figure: number, limit: number, unit = ''): void {
    const holds = figure <= limit;
    if (holds) this.passed += 1;
    else this.failed += 1;
    const digits = limit >= 1000 ? 0 : 2;
    this.row(name, `${figure.toFixed(digits)}${unit}, at most ${limit.toFixed(digits)}${unit}${holds ? '' : '  FAIL'}`);
  }
}
