/** The sources of `src/` as a graph: who imports whom, for values or for types only. */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';
import { repository } from './paths.js';
import { walkFiles } from './walk-files.js';

export interface ImportEdge {
  readonly from: string;
  /** A path below `src/`, or the specifier of a library. */
  readonly to: string;
  readonly kind: 'value' | 'type' | 'dynamic';
  readonly own: boolean;
}

export interface SourceUnit {
  /** The path below `src/`. */
  readonly path: string;
  readonly tree: ts.SourceFile;
  readonly lines: number;
  readonly imports: readonly ImportEdge[];
}

export function readSources(): readonly SourceUnit[] {
  return walkFiles(join(repository, 'src'))
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
    .map((path) => {
      const text = readFileSync(join(repository, 'src', path), 'utf8');
      const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
      return { path, tree, lines: text.split('\n').length - 1, imports: importsOf(path, tree) };
    });
}

function importsOf(path: string, tree: ts.SourceFile): readonly ImportEdge[] {
  const found: ImportEdge[] = [];
  const add = (specifier: ts.Node | undefined, kind: ImportEdge['kind']): void => {
    if (!specifier || !ts.isStringLiteral(specifier)) return;
    const own = specifier.text.startsWith('.');
    const to = own ? posix.join(posix.dirname(path), specifier.text).replace(/\.js$/, '.ts') : specifier.text;
    found.push({ from: path, to, kind, own });
  };
  eachNode(tree, (node) => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, typeOnlyImport(node) ? 'type' : 'value');
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, typeOnlyExport(node) ? 'type' : 'value');
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, 'type');
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], 'dynamic');
  });
  return found;
}

function typeOnlyImport({ importClause }: ts.ImportDeclaration): boolean {
  if (!importClause) return false;
  if (importClause.isTypeOnly) return true;
  const { name, namedBindings } = importClause;
  return !name && namedBindings !== undefined && ts.isNamedImports(namedBindings)
    ? namedBindings.elements.every((element) => element.isTypeOnly)
    : false;
}

function typeOnlyExport({ isTypeOnly, exportClause }: ts.ExportDeclaration): boolean {
  if (isTypeOnly) return true;
  return exportClause !== undefined && ts.isNamedExports(exportClause)
    ? exportClause.elements.every((element) => element.isTypeOnly)
    : false;
}

export function eachNode(root: ts.Node, visit: (node: ts.Node) => void): void {
  const pending: ts.Node[] = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    visit(node);
    ts.forEachChild(node, (child) => void pending.push(child));
  }
}

/** Groups of files that import one another in a circle (strongly connected components), types included. */
export function importCycles(units: readonly SourceUnit[]): readonly (readonly string[])[] {
  const targets = new Map(
    units.map(({ path, imports }) => [path, imports.filter(({ own }) => own).map(({ to }) => to)]),
  );
  const reach = (start: string): ReadonlySet<string> => {
    const seen = new Set<string>();
    const pending = [...(targets.get(start) ?? [])];
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      pending.push(...(targets.get(at) ?? []));
    }
    return seen;
  };
  const reached = new Map([...targets.keys()].map((path) => [path, reach(path)]));
  const inCycle = [...reached].filter(([path, seen]) => seen.has(path)).map(([path]) => path);
  const groups = new Map<string, string[]>();
  for (const path of inCycle) {
    const mates = inCycle.filter((other) => reached.get(path)?.has(other) && reached.get(other)?.has(path)).sort();
    groups.set(mates.join(' '), mates);
  }
  return [...groups.values()];
}
