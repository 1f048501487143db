/** What the syntax tree of a generated file says about injected code. */
import ts from 'typescript';

export interface Inspection {
  /** Syntax errors, and forms that a generated file never has. */
  readonly problems: readonly string[];
  readonly identifiers: ReadonlySet<string>;
  /** The values of string literals. */
  readonly literals: ReadonlySet<string>;
  /** The names of members of types and objects, however they are written. */
  readonly keys: ReadonlySet<string>;
  /** The exported functions, with the name of their first parameter. */
  readonly functions: ReadonlyMap<string, string | undefined>;
}

export function inspect(name: string, text: string): Inspection {
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.ESNext, true);
  const problems: string[] = [];
  const identifiers = new Set<string>();
  const literals = new Set<string>();
  const keys = new Set<string>();
  const functions = new Map<string, string | undefined>();
  const { parseDiagnostics } = source as unknown as { readonly parseDiagnostics: readonly ts.Diagnostic[] };
  for (const { messageText, start } of parseDiagnostics)
    problems.push(`${name} does not parse: ${ts.flattenDiagnosticMessageText(messageText, ' ')} at ${start}`);
  const pending: ts.Node[] = [source];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) identifiers.add(node.text);
    if (ts.isStringLiteralLike(node)) literals.add(node.text);
    if (ts.isFunctionDeclaration(node) && node.name && isExported(node))
      functions.set(node.name.text, parameterName(node));
    const key = memberName(node);
    if (key !== undefined) {
      keys.add(key.text);
      if (key.text === '__proto__' && !key.computed && ts.isPropertyAssignment(node))
        problems.push(`${name} sets a prototype by a plain "__proto__" key at ${node.pos}`);
    }
    ts.forEachChild(node, (child) => void pending.push(child));
  }
  return { problems, identifiers, literals, keys, functions };
}

function isExported(node: ts.FunctionDeclaration): boolean {
  return node.modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword) ?? false;
}

function parameterName({ parameters }: ts.FunctionDeclaration): string | undefined {
  const [first] = parameters;
  return first && ts.isIdentifier(first.name) ? first.name.text : undefined;
}

function memberName(node: ts.Node): { readonly text: string; readonly computed: boolean } | undefined {
  if (!ts.isPropertySignature(node) && !ts.isPropertyAssignment(node)) return undefined;
  const { name } = node;
  if (ts.isComputedPropertyName(name))
    return ts.isStringLiteralLike(name.expression) ? { text: name.expression.text, computed: true } : undefined;
  return ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name)
    ? { text: name.text, computed: false }
    : undefined;
}
