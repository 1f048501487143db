/** What the commands need of a terminal; `cli.ts` has the real one. */
export interface Console {
  /** Whether standard output is a terminal: only then is progress shown. */
  readonly isTerminal: boolean;
  readonly color: boolean;
  /** A line on standard output. */
  print(text: string): void;
  /** A line on standard error. */
  complain(text: string): void;
  /** Milliseconds since some moment. */
  now(): number;
}
