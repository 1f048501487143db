/** The indentation of text that plan prints as finished lines. */
import type { Code } from '../encode.js';

const indents: readonly Code[] = Array.from({ length: 40 }, (_, level) => '  '.repeat(level) as Code);

/** `= string`: the type behind the name of an alias, on the same line unless it starts with a line end. */
export function definedAs(type: Code): Code {
  return (type.startsWith('\n') ? `=${type}` : `= ${type}`) as Code;
}

/** Two spaces for each step. */
export function indentBy(level: number): Code {
  return indents[level] ?? ('  '.repeat(level) as Code);
}
