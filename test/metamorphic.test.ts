/**
 * Text of a document never becomes syntax: a document with hostile texts and the same document with harmless ones give
 * files with the same tree of syntax kinds, and the output of the hostile one differs only where text stands.
 */
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { generate } from '../src/generate.js';
import type { JsonValue } from '../src/ir/schema.js';
import { memoryHost } from '../src/memory-host.js';

type Members = Readonly<Record<string, JsonValue>>;

/** The texts that one place of a document takes, for a harmless and for hostile documents. */
interface Texts {
  /** Descriptions, titles, examples: anything. */
  readonly prose: string;
  /** Values of enum, const and default: anything, but each its own. */
  readonly value: (number: number) => string;
  /** Names of members and parameters on the wire. */
  readonly wireName: (number: number) => string;
  readonly pattern: string;
  readonly literalPath: string;
  readonly mediaParameter: string;
}

const harmless: Texts = {
  prose: 'plain words',
  value: (number) => `value ${number}`,
  wireName: (number) => `name-${number}`,
  pattern: '^plain-words$',
  literalPath: 'plain words',
  mediaParameter: 'charset=utf-8',
};

function hostile(payload: string, pattern: string, literalPath: string): Texts {
  return {
    prose: payload,
    value: (number) => `${payload}${number}`,
    wireName: (number) => `${payload}-${number}`,
    pattern,
    literalPath,
    mediaParameter: 'profile="a\'b"',
  };
}

const payloads: readonly (readonly [string, Texts])[] = [
  ['closes comments', hostile('*/ globalThis.__PWNED = 1; /*', '^x*/ x /*', '*/ globalThis.__PWNED = 1; ')],
  ['closes double quotes', hostile('"+(globalThis.__PWNED=1)+"', '"\\+"', '"+(globalThis.__PWNED=1)+"')],
  ['closes single quotes', hostile("'+(globalThis.__PWNED=1)+'", "'\\+'", "'+(globalThis.__PWNED=1)+'")],
  ['closes template literals', hostile('`+(globalThis.__PWNED=1)+`', '`\\+`', '`+(globalThis.__PWNED=1)+`')],
  ['substitutes', hostile('$\u007bglobalThis.__PWNED=1}', '\\$x', '$(globalThis.__PWNED=1)')],
  ['ends lines', hostile('\n\r\u2028\u2029globalThis.__PWNED = 1//', '\n', '\u2028globalThis.__PWNED=1')],
  ['ends with a backslash', hostile('\\', '\\\\', '\\')],
  ['ends pages', hostile('</script><!--', '</script>', '</script>')],
  ['hides its direction', hostile('\u202e\u2066\u200b\ufeff', '\u202e', '\u202e')],
  ['is half a character', hostile('\ud800', '\\ud800', 'a\ud800'.slice(0, 1))],
  ['gives orders', hostile('@ts-nocheck\n// @ts-ignore\n/// <reference path="x" />\n//# sourceMappingURL=x', '#', '#')],
  ['walks prototypes', hostile('__proto__', '__proto__', '__proto__')],
  ['speaks Handlebars', hostile('{{{this}}}{{#each x}}', '\\{\\{this\\}\\}', 'this')],
];

function documentOf({ prose, value, wireName, pattern, literalPath, mediaParameter }: Texts): Members {
  const docs = { description: prose, title: prose, externalDocs: { url: 'https://a.example', description: prose } };
  const members = {
    [wireName(0)]: { type: 'string', ...docs, default: value(0), example: value(1) },
    [wireName(1)]: { type: 'string', enum: [value(1), value(2), value(3)], ...docs },
    [wireName(2)]: { type: 'string', pattern, ...docs },
    [wireName(3)]: { enum: [{ [wireName(4)]: value(4) }, [value(5)], 'x'] },
  };
  const body = { $ref: '#/components/schemas/Thing' };
  const plainId = { name: 'id', in: 'path', required: true, description: prose, schema: { type: 'string' } };
  return {
    openapi: '3.0.3',
    info: { title: prose, version: value(0), description: prose, contact: { name: prose } },
    tags: [{ name: prose, description: prose }],
    paths: {
      [`/a/${literalPath}/{id}`]: {
        summary: prose,
        post: {
          operationId: 'doIt',
          summary: prose,
          description: prose,
          tags: [prose],
          parameters: [
            plainId,
            { name: wireName(5), in: 'query', description: prose, schema: { type: 'string', default: value(6) } },
            { name: wireName(6), in: 'query', required: true, schema: { type: 'string', enum: [value(7), value(8)] } },
          ],
          requestBody: { description: prose, content: { [`application/json; ${mediaParameter}`]: { schema: body } } },
          responses: {
            200: { description: prose, content: { 'application/json': { schema: body, example: prose } } },
            default: { description: prose, content: { 'application/problem+json': { schema: body } } },
          },
        },
      },
    },
    components: {
      schemas: { Thing: { type: 'object', required: [wireName(0)], properties: members, ...docs } },
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key', description: prose } },
    },
  };
}

async function outputOf(document: Members): Promise<ReadonlyMap<string, string>> {
  const host = memoryHost({ '/project/document.json': JSON.stringify(document) }, { cwd: '/project' });
  const { ok, files, diagnostics } = await generate(
    { input: 'document.json', framework: ['fastify', 'node', 'fetch'] },
    host,
  );
  if (!ok) throw new Error(diagnostics.map(({ code, message }) => `${code}: ${message}`).join('\n'));
  return new Map(files.map(({ path, text }) => [path, text]));
}

/** The kinds of all nodes in order. Names of members may be identifiers, strings or computed: that is the encoder's choice. */
function kindsOf(path: string, text: string): readonly string[] {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
  const kinds: string[] = [];
  const visit = (node: ts.Node): void => {
    const name = memberName(node);
    kinds.push(ts.SyntaxKind[node.kind]);
    ts.forEachChild(node, (child) => {
      if (child === name) kinds.push('(name)');
      else visit(child);
    });
  };
  visit(tree);
  return kinds;
}

function memberName(node: ts.Node): ts.Node | undefined {
  if (!ts.isPropertySignature(node) && !ts.isPropertyAssignment(node)) return undefined;
  const { name } = node;
  return ts.isComputedPropertyName(name) && !ts.isStringLiteralLike(name.expression) ? undefined : name;
}

describe('text of a document never becomes syntax', () => {
  test.each(payloads)('text that %s', async (_, texts) => {
    const plain = await outputOf(documentOf(harmless));
    const output = await outputOf(documentOf(texts));
    expect([...output.keys()]).toEqual([...plain.keys()]);
    for (const [path, text] of output) {
      const { parseDiagnostics } = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext) as unknown as {
        readonly parseDiagnostics: readonly ts.Diagnostic[];
      };
      expect(
        parseDiagnostics.map(({ messageText }) => messageText),
        path,
      ).toEqual([]);
      expect(kindsOf(path, text), path).toEqual(kindsOf(path, plain.get(path) ?? ''));
    }
  });

  test('the comparison sees an injected statement', () => {
    const before = kindsOf('a.ts', 'export const a = "x";');
    expect(kindsOf('a.ts', 'export const a = ""+(globalThis.b=1)+"";')).not.toEqual(before);
    expect(kindsOf('a.ts', 'export const a = "y";')).toEqual(before);
  });
});
