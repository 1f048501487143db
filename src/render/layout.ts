/**
 * Lays a file out once: indentation by brackets, at most one blank line in a row, no blank line before a closing
 * bracket. Knows comments, strings and template literals, and never changes what is inside them; so templates and plan
 * print flush left. One pass over the text.
 */
const indent = '  ';

interface State {
  /** Brackets that are open, each with the depth of the line that closes it and the depth behind that line. */
  readonly open: { readonly line: number; readonly behind: number }[];
  depth: number;
  inBlockComment: boolean;
  /** Open template literals: for each, how many braces are open inside its current substitution; -1 in its text. */
  readonly templates: number[];
}

export function layout(text: string): string {
  const state: State = { open: [], depth: 0, inBlockComment: false, templates: [] };
  const output: string[] = [];
  let blank = false;
  for (const raw of text.split('\n')) {
    if (state.templates.at(-1) === -1) {
      output.push(raw);
      scan(raw, state);
      continue;
    }
    const line = raw.trim();
    if (line === '' && !state.inBlockComment) {
      blank = output.length > 0;
      continue;
    }
    const closing = !state.inBlockComment && /^[})\]]/.test(line);
    if (blank && !closing && !opensBlock(output)) output.push('');
    blank = false;
    output.push(indentOf(line, closing, state) + line);
    scan(line, state);
  }
  return `${output.join('\n')}\n`;
}

/** Whether the last line opens a bracket, behind which no blank line is wanted. */
function opensBlock(output: readonly string[]): boolean {
  return /[{([]$/.test(output.at(-1) ?? '');
}

function indentOf(line: string, closing: boolean, state: State): string {
  if (state.inBlockComment) return `${indent.repeat(state.depth)} `;
  if (closing) return indent.repeat(state.open.at(-leadingClosers(line))?.line ?? 0);
  return indent.repeat(state.depth + (isContinuation(line) ? 1 : 0));
}

/** A line that continues a union, an intersection, a condition or a chain stands one step further in. */
function isContinuation(line: string): boolean {
  return /^[|&?:.](?!\.\.)/.test(line);
}

function leadingClosers(line: string): number {
  return /^[})\]]+/.exec(line)?.[0].length ?? 0;
}

/** Follows the brackets, strings and comments of one line. */
function scan(line: string, state: State): void {
  const start = state.depth;
  const step = !state.inBlockComment && isContinuation(line) ? 1 : 0;
  let opened = 0;
  for (let index = 0; index < line.length; index++) {
    const character = line[index];
    if (state.inBlockComment) {
      const end = line.indexOf('*/', index);
      if (end < 0) return;
      state.inBlockComment = false;
      index = end + 1;
    } else if (state.templates.at(-1) === -1) {
      index = scanTemplate(line, index, state);
    } else if (character === '"' || character === "'") {
      index = endOfString(line, index, character);
    } else if (character === '`') {
      state.templates.push(-1);
    } else if (character === '/' && line[index + 1] === '/') {
      break;
    } else if (character === '/' && line[index + 1] === '*') {
      state.inBlockComment = true;
      index++;
    } else if (character === '{' || character === '(' || character === '[') {
      // Brackets that open on one line indent what follows by one step together.
      const depth = Math.min(state.depth, start);
      state.open.push({ line: depth + step, behind: depth });
      opened++;
      if (character === '{') addBrace(state, 1);
    } else if (character === '}' || character === ')' || character === ']') {
      if (character === '}' && addBrace(state, -1)) continue;
      state.depth = state.open.pop()?.behind ?? 0;
      if (opened > 0) opened--;
    }
  }
  if (opened > 0) state.depth = (state.open.at(-1)?.line ?? 0) + 1;
}

/** Counts braces inside a template literal's substitution; true where a brace ends the substitution. */
function addBrace(state: State, change: 1 | -1): boolean {
  const last = state.templates.length - 1;
  const count = state.templates[last];
  if (count === undefined || count < 0) return false;
  if (change < 0 && count === 0) {
    state.templates[last] = -1;
    return true;
  }
  state.templates[last] = count + change;
  return false;
}

function scanTemplate(line: string, index: number, state: State): number {
  if (line[index] === '\\') return index + 1;
  if (line[index] === '`') state.templates.pop();
  else if (line[index] === '$' && line[index + 1] === '{') {
    state.templates[state.templates.length - 1] = 0;
    return index + 1;
  }
  return index;
}

function endOfString(line: string, start: number, quote: string): number {
  let index = start + 1;
  while (index < line.length && line[index] !== quote) index += line[index] === '\\' ? 2 : 1;
  return index;
}
