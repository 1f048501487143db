/**
 * Adds handlers to a file that belongs to the user. The only home of ts-morph, which finds the place; what is written is
 * an insertion into the text as it stands, so that every byte of the user stays.
 */
import type { Node, ObjectLiteralExpression, SourceFile } from 'ts-morph';

/** A handler as the template prints it: a member with its comment and its comma, flush left, lines ended by `\n`. */
export interface HandlerSkeleton {
  readonly name: string;
  readonly text: string;
}

export type Insertion =
  | { readonly kind: 'inserted'; readonly text: string; readonly inserted: readonly string[] }
  /** Every handler is there. */
  | { readonly kind: 'complete' }
  /** The file is left alone; the message says why, for a diagnostic. */
  | { readonly kind: 'problem'; readonly message: string };

/** Brings a user's file up to date with a freshly printed one: adds the handlers that it does not have. */
export async function updateHandlers(existing: string, fresh: string): Promise<Insertion> {
  return insertMissingHandlers(existing, await skeletonsOf(fresh));
}

/** The members of the `handlers` object of a freshly printed file. Throws where it has none: a bug of the template. */
export async function skeletonsOf(fresh: string): Promise<readonly HandlerSkeleton[]> {
  const { Project } = await import('ts-morph');
  const found = handlersObject(parse(fresh, new Project(parseOptions)));
  if (!found) throw new Error('the printed handlers hold no handlers object');
  return found.getProperties().map((property) => {
    const from = property.getLeadingCommentRanges()[0]?.getPos() ?? property.getStart();
    const text = fresh.slice(from, property.getEnd());
    return { name: memberName(property) ?? '', text: `${unindented(text)},` };
  });
}

/** Inserts the handlers that are missing, behind the last one that is there. Does not change anything else. */
export async function insertMissingHandlers(
  existing: string,
  skeletons: readonly HandlerSkeleton[],
): Promise<Insertion> {
  const { Project } = await import('ts-morph');
  // The mark is no part of the text that is parsed, but it is a part of what the user wrote.
  const mark = existing.startsWith('\ufeff') ? '\ufeff' : '';
  const text = existing.slice(mark.length);
  const project = new Project(parseOptions);
  const file = parse(text, project);
  if (project.getProgram().getSyntacticDiagnostics(file).length > 0) {
    return problem('the file has syntax errors');
  }
  const found = handlersObject(file);
  if (!found) return problem('the file has no object literal named "handlers" at its top level');
  const names = found.getProperties().map(memberName);
  const missing = skeletons.filter(({ name }) => !names.includes(name));
  if (missing.length === 0) return { kind: 'complete' };
  if (names.includes(undefined)) {
    return problem(
      'the object "handlers" has a spread or a computed member, so nobody can tell which handlers are missing',
    );
  }
  return { kind: 'inserted', text: mark + insert(text, found, missing), inserted: missing.map(({ name }) => name) };
}

const parseOptions = {
  useInMemoryFileSystem: true,
  skipLoadingLibFiles: true,
  skipFileDependencyResolution: true,
  compilerOptions: { allowJs: true },
} as const;

function parse(text: string, project: import('ts-morph').Project): SourceFile {
  return project.createSourceFile('handlers.ts', text);
}

function problem(message: string): Insertion {
  return { kind: 'problem', message };
}

/** `handlers = { … }`, also behind `as`, `satisfies` and parentheses. */
function handlersObject(file: SourceFile): ObjectLiteralExpression | undefined {
  let value: Node | undefined = file.getVariableDeclaration('handlers')?.getInitializer();
  for (;;) {
    if (value === undefined) return undefined;
    switch (value.getKindName()) {
      case 'AsExpression':
      case 'SatisfiesExpression':
      case 'ParenthesizedExpression':
        value = value.getFirstChild((child) => child.getKindName() !== 'OpenParenToken');
        break;
      case 'ObjectLiteralExpression':
        return value as ObjectLiteralExpression;
      default:
        return undefined;
    }
  }
}

/** The name of a member; `undefined` for what has none that can be read: a spread, a computed name. */
function memberName(member: Node): string | undefined {
  const { name } = member.compilerNode as { readonly name?: { readonly text?: unknown } };
  return typeof name?.text === 'string' ? name.text : undefined;
}

function insert(text: string, found: ObjectLiteralExpression, missing: readonly HandlerSkeleton[]): string {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const close = found.getEnd() - 1;
  const last = found.getProperties().at(-1);
  const lineStart = text.lastIndexOf('\n', close - 1) + 1;
  const ownLine = text.slice(lineStart, close).trim() === '' && lineStart > found.getStart();
  const indent = memberIndent(text, found);
  const blank =
    last !== undefined && /\r?\n[ \t]*\r?\n/.test(text.slice(found.getStart(), last.getStart())) ? lineEnd : '';
  const lines = missing.map((skeleton) => blank + indented(skeleton.text, indent, lineEnd) + lineEnd).join('');
  // With the closing bracket on a line of its own, that line moves down; else it is given one.
  const at = ownLine ? lineStart : close;
  const between = ownLine ? lines : lineEnd + lines + closingIndent(text, found);
  const comma = last !== undefined && !found.compilerNode.properties.hasTrailingComma ? last.getEnd() : undefined;
  return comma === undefined
    ? text.slice(0, at) + between + text.slice(at)
    : `${text.slice(0, comma)},${text.slice(comma, at)}${between}${text.slice(at)}`;
}

function lineIndent(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, at))?.[0] ?? '';
}

/** The indentation of the members as the user writes it; one step more than the object's line where there are none. */
function memberIndent(text: string, found: ObjectLiteralExpression): string {
  for (const member of found.getProperties()) {
    const start = text.lastIndexOf('\n', member.getStart() - 1) + 1;
    const before = text.slice(start, member.getStart());
    if (before.trim() === '') return before;
  }
  const outer = closingIndent(text, found);
  return outer + (/\n\t/.test(text) ? '\t' : '  ');
}

function closingIndent(text: string, found: ObjectLiteralExpression): string {
  return lineIndent(text, found.getStart());
}

function indented(text: string, indent: string, lineEnd: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? line : indent + line))
    .join(lineEnd);
}

/** Removes the indentation that the first line of a printed member does not have any more. */
function unindented(text: string): string {
  return text
    .split('\n')
    .map((line, index) => (index === 0 ? line : line.replace(/^ {2}/, '')))
    .join('\n');
}
