/** The indentation of text that plan prints as finished lines. */
import type { Code } from '../encode.js';

const indents: readonly Code[] = Array.from({ length: 40 }, (_, level) => '  '.repeat(level) as Code);

/** Two spaces for each step. */
export function indentBy(level: number): Code {
  return indents[level] ?? ('  '.repeat(level) as Code);
}
