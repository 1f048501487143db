/** What the commands need of a terminal; `cli.ts` has the real one. */
export interface Console {
  /** Whether standard output is a terminal. */
  readonly isTerminal: boolean;
  readonly color: boolean;
  /** A line on standard output. */
  print(text: string): void;
  /** A line on standard error. */
  complain(text: string): void;
  /** Shows one line that the next one replaces; the empty one takes it away. Does nothing where nobody watches. */
  progress(line: string): void;
  /** Milliseconds since some moment. */
  now(): number;
}
