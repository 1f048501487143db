/** The indentation of text that plan prints as finished lines. */
import { type Code, code, joinCode } from '../encode.js';

const indents: readonly Code[] = Array.from({ length: 40 }, (_, level) => '  '.repeat(level) as Code);

/** `= string`: the type behind the name of an alias, on the same line unless it starts with a line end. */
export function definedAs(type: Code): Code {
  return (type.startsWith('\n') ? `=${type}` : `= ${type}`) as Code;
}

/** Two spaces for each step. */
export function indentBy(level: number): Code {
  return indents[level] ?? ('  '.repeat(level) as Code);
}

/** Items between brackets, a line for each; `level` is that of the line where they start. */
export function onLines(items: readonly Code[], level: number, brackets: '[]' | '{}' = '[]'): Code {
  const [open, close] = brackets === '[]' ? [code`[`, code`]`] : [code`{`, code`}`];
  const start = code`\n${indentBy(level + 1)}`;
  return code`${open}${start}${joinCode(items, `,${start}`)},\n${indentBy(level)}${close}`;
}
