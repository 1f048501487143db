/**
 * Lays a file out once: indentation by brackets, at most one blank line in a row, no blank line before a closing
 * bracket. Knows comments, strings and template literals, and never changes what is inside them; so templates and plan
 * may print flush left. Lines that start with two spaces are finished: types and bodies that plan prints with their
 * indentation. One pass over the text; what is large is printed as it is to stand, and does not come here.
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
  for (let start = 0, end = 0; start <= text.length; start = end + 1) {
    const finished = isFinished(text, start, state);
    const piece = finished ? endOfFinished(text, start) : endOfComment(text, start, state);
    if (piece > 0) {
      if (blank && !opensBlock(output)) output.push('');
      blank = false;
      output.push(indented(text.slice(start, piece), finished ? 0 : state.depth));
      end = piece;
      continue;
    }
    end = endOfLine(text, start);
    const raw = text.slice(start, end);
    if (state.templates.at(-1) === -1) {
      output.push(raw);
      scan(raw, state);
      continue;
    }
    const line = trimmed(raw);
    if (line === '' && !state.inBlockComment) {
      blank = output.length > 0;
      continue;
    }
    const closing = !state.inBlockComment && isCloser(line.charCodeAt(0));
    if (blank && !closing && !opensBlock(output)) output.push('');
    blank = false;
    output.push(indentOf(line, closing, state) + line);
    scan(line, state);
  }
  output.push('');
  return output.join('\n');
}

function isFinished(text: string, start: number, { inBlockComment, templates }: State): boolean {
  const indented = text.charCodeAt(start) === space && text.charCodeAt(start + 1) === space;
  return indented && !inBlockComment && templates.length === 0;
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end < 0 ? text.length : end;
}

/** The end of the last one of the finished lines that follow each other. */
function endOfFinished(text: string, start: number): number {
  let end = endOfLine(text, start);
  while (text.charCodeAt(end + 1) === space && text.charCodeAt(end + 2) === space) end = endOfLine(text, end + 1);
  return end;
}

/** The end of the block comment that stands on lines of its own from `start` on, in a form that needs no more than indentation; 0 where there is none. */
function endOfComment(text: string, start: number, { inBlockComment, templates }: State): number {
  if (!text.startsWith('/*', start) || inBlockComment || templates.length > 0) return 0;
  const end = text.indexOf('*/', start + 2) + 2;
  const next = text.charCodeAt(end);
  if (end < 2 || (next !== lineEnd && end < text.length)) return 0;
  otherCommentLine.lastIndex = start;
  const other = otherCommentLine.exec(text);
  return other === null || other.index >= end ? end : 0;
}

/** A line end behind which no line of a comment stands as it is to stay: ` * text` or ` *`. */
const otherCommentLine = / \n|\n(?! \*)/g;

function indented(lines: string, depth: number): string {
  if (depth === 0) return lines;
  const indentation = indentBy(depth);
  return indentation + lines.replaceAll('\n', `\n${indentation}`);
}

/** Hardly any line has space around it, and looking is cheaper than making another string. */
function trimmed(line: string): string {
  const first = line.charCodeAt(0);
  const last = line.charCodeAt(line.length - 1);
  const plain = first > space && first < firstBeyondAscii && last > space && last < firstBeyondAscii;
  return plain ? line : line.trim();
}

const lineEnd = 0x0a;
const space = 0x20;
const firstBeyondAscii = 0x80;

/** Whether the last line opens a bracket, behind which no blank line is wanted. */
function opensBlock(output: readonly string[]): boolean {
  const last = output.at(-1) ?? '';
  return isOpener(last.charCodeAt(last.length - 1));
}

// The characters that layout knows, as code units: comparing those makes no strings.
const quotation = 0x22;
const apostrophe = 0x27;
const roundOpen = 0x28;
const roundClose = 0x29;
const squareOpen = 0x5b;
const backslash = 0x5c;
const squareClose = 0x5d;
const backtick = 0x60;
const curlyOpen = 0x7b;
const curlyClose = 0x7d;

function isOpener(unit: number): boolean {
  return unit === curlyOpen || unit === roundOpen || unit === squareOpen;
}

function isCloser(unit: number): boolean {
  return unit === curlyClose || unit === roundClose || unit === squareClose;
}

const indents: readonly string[] = Array.from({ length: 40 }, (_, depth) => indent.repeat(depth));

function indentBy(depth: number): string {
  return indents[depth] ?? indent.repeat(depth);
}

function indentOf(line: string, closing: boolean, state: State): string {
  if (state.inBlockComment) return `${indentBy(state.depth)} `;
  if (closing) return indentBy(state.open.at(-leadingClosers(line))?.line ?? 0);
  return indentBy(state.depth + (isContinuation(line) ? 1 : 0));
}

/** A line that continues a union, an intersection, a condition or a chain stands one step further in. */
function isContinuation(line: string): boolean {
  switch (line[0]) {
    case '|':
    case '&':
    case '?':
    case ':':
    case '.':
      return !line.startsWith('..', 1);
    default:
      return false;
  }
}

function leadingClosers(line: string): number {
  let count = 0;
  while (isCloser(line.charCodeAt(count))) count++;
  return count;
}

/** Everything that scanning stops at. The engine finds it in compiled code, however young ours is. */
const telling = /["'()/[\]`{}]/g;

/** Follows the brackets, strings and comments of one line. */
function scan(line: string, state: State): void {
  const start = state.depth;
  const step = !state.inBlockComment && isContinuation(line) ? 1 : 0;
  let opened = 0;
  for (let index = 0; index < line.length; index++) {
    if (state.inBlockComment) {
      const end = line.indexOf('*/', index);
      if (end < 0) return;
      state.inBlockComment = false;
      index = end + 1;
      continue;
    }
    if (state.templates.length > 0 && state.templates.at(-1) === -1) {
      index = scanTemplate(line, index, state);
      continue;
    }
    telling.lastIndex = index;
    if (!telling.test(line)) break;
    index = telling.lastIndex - 1;
    const unit = line.charCodeAt(index);
    if (isOpener(unit)) {
      // Brackets that open on one line indent what follows by one step together.
      const depth = Math.min(state.depth, start);
      state.open.push({ line: depth + step, behind: depth });
      opened++;
      if (unit === curlyOpen) addBrace(state, 1);
    } else if (isCloser(unit)) {
      if (unit === curlyClose && addBrace(state, -1)) continue;
      state.depth = state.open.pop()?.behind ?? 0;
      if (opened > 0) opened--;
    } else if (unit === quotation || unit === apostrophe) {
      index = endOfString(line, index, unit);
    } else if (unit === backtick) {
      state.templates.push(-1);
    } else if (line[index + 1] === '/') {
      break;
    } else if (line[index + 1] === '*') {
      state.inBlockComment = true;
      index++;
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

/** The index of the quotation mark that ends the string, or of the line's end. */
function endOfString(line: string, start: number, quote: number): number {
  const mark = quote === quotation ? '"' : "'";
  for (let index = start + 1; ; ) {
    const end = line.indexOf(mark, index);
    if (end < 0) return line.length;
    let backslashes = 0;
    while (line.charCodeAt(end - 1 - backslashes) === backslash) backslashes++;
    if (backslashes % 2 === 0) return end;
    index = end + 1;
  }
}
