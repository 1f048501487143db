/**
 * Makes the JSON Schema of the IR out of the declarations in `src/ir/`, which hold nothing that JSON Schema cannot say. Reads
 * the syntax only, so that names stay names: each interface and alias becomes a definition.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { repository } from './paths.js';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type Schema = { readonly [key: string]: Json };
type Declaration = ts.InterfaceDeclaration | ts.TypeAliasDeclaration;

const files = ['api.ts', 'details.ts', 'print.ts', 'schema.ts', 'security.ts', 'shape.ts'];

/** The form of the output of `oasmith ir`, as the text of the published file. */
export function irSchemaText(): string {
  return `${JSON.stringify(new Definitions().schema('PrintedApi'), null, 2)}\n`;
}

class Definitions {
  readonly #declarations = new Map<string, Declaration>();
  readonly #constants = new Map<string, Json>();
  readonly #done = new Map<string, Schema>();
  readonly #open: string[] = [];

  constructor() {
    for (const file of files) {
      const path = join(repository, 'src/ir', file);
      const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ES2022, true);
      for (const statement of source.statements) {
        if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) {
          const name = statement.name.text;
          if (this.#declarations.has(name)) throw new Error(`${name} is declared twice below src/ir`);
          this.#declarations.set(name, statement);
        } else if (ts.isVariableStatement(statement)) this.#addConstants(statement);
      }
    }
  }

  #addConstants({ declarationList }: ts.VariableStatement): void {
    for (const { name, initializer } of declarationList.declarations) {
      if (ts.isIdentifier(name) && initializer && ts.isNumericLiteral(initializer))
        this.#constants.set(name.text, Number(initializer.text));
    }
  }

  schema(root: string): Schema {
    this.#reference(root);
    for (let name = this.#open.pop(); name !== undefined; name = this.#open.pop()) {
      if (this.#done.has(name)) continue;
      const declaration = this.#declarations.get(name);
      if (!declaration) throw new Error(`${name} is not declared below src/ir`);
      this.#done.set(name, { ...describe(declaration), ...this.#declared(declaration) });
    }
    const { [root]: main, ...others } = Object.fromEntries([...this.#done].sort(([a], [b]) => (a < b ? -1 : 1)));
    return {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'urn:oasmith:ir:1',
      title: 'The intermediate representation of oasmith',
      ...main,
      $defs: others,
    };
  }

  #reference(name: string): Schema {
    if (!this.#done.has(name)) this.#open.push(name);
    return { $ref: `#/$defs/${name}` };
  }

  #declared(declaration: Declaration): Schema {
    return ts.isInterfaceDeclaration(declaration) ? closed(this.#membersOf(declaration)) : this.#type(declaration.type);
  }

  /** The members of an interface, with those that it inherits. */
  #membersOf(
    declaration: ts.InterfaceDeclaration,
    omitted: ReadonlySet<string> = new Set(),
  ): ReadonlyMap<string, Member> {
    const members = new Map<string, Member>();
    for (const { types } of declaration.heritageClauses ?? []) {
      for (const type of types) for (const [name, member] of this.#inherited(type)) members.set(name, member);
    }
    for (const [name, member] of this.#literalMembers(declaration.members, omitted)) members.set(name, member);
    return members;
  }

  #inherited(base: ts.ExpressionWithTypeArguments): ReadonlyMap<string, Member> {
    const name = base.expression.getText();
    if (name !== 'Omit') return this.#membersOf(this.#interface(name));
    const [from, omitted] = base.typeArguments ?? [];
    const parts = omitted && ts.isUnionTypeNode(omitted) ? omitted.types : [];
    return this.#membersOf(
      this.#interface(from?.getText() ?? ''),
      new Set(parts.map((part) => part.getText().slice(1, -1))),
    );
  }

  #interface(name: string): ts.InterfaceDeclaration {
    const found = this.#declarations.get(name);
    if (found === undefined || !ts.isInterfaceDeclaration(found)) throw new Error(`${name} is no interface`);
    return found;
  }

  #literalMembers(
    elements: ts.NodeArray<ts.TypeElement>,
    omitted: ReadonlySet<string> = new Set(),
  ): ReadonlyMap<string, Member> {
    const members = new Map<string, Member>();
    for (const element of elements) {
      if (!ts.isPropertySignature(element) || !element.type || omitted.has(element.name.getText())) continue;
      const schema = { ...describe(element), ...this.#type(element.type) };
      members.set(element.name.getText(), { schema, required: element.questionToken === undefined });
    }
    return members;
  }

  #type(node: ts.TypeNode): Schema {
    if (ts.isParenthesizedTypeNode(node) || ts.isTypeOperatorNode(node)) return this.#type(node.type);
    if (ts.isArrayTypeNode(node)) return { type: 'array', items: this.#type(node.elementType) };
    if (ts.isTypeLiteralNode(node)) return this.#object(node);
    if (ts.isUnionTypeNode(node)) return this.#union(node);
    if (ts.isIntersectionTypeNode(node)) return this.#intersection(node);
    if (ts.isLiteralTypeNode(node)) return { const: literalOf(node) };
    if (ts.isTypeQueryNode(node)) return { const: this.#constants.get(node.exprName.getText()) ?? null };
    if (ts.isTypeReferenceNode(node)) return this.#named(node);
    const text = node.getText();
    if (text === 'string' || text === 'boolean' || text === 'number') return { type: text };
    throw new Error(`no schema for ${text}`);
  }

  #object(node: ts.TypeLiteralNode): Schema {
    const [index] = node.members;
    if (index && ts.isIndexSignatureDeclaration(index)) {
      return { type: 'object', additionalProperties: this.#type(index.type) };
    }
    return closed(this.#literalMembers(node.members));
  }

  #union({ types }: ts.UnionTypeNode): Schema {
    const parts = types.map((type) => this.#type(type));
    if (parts.every((part) => Object.keys(part).join() === 'const')) {
      return { enum: parts.map((part) => part['const'] ?? null) };
    }
    return { anyOf: parts };
  }

  /** A branded text is a text. Objects are merged, once for each alternative, because closed ones exclude each other. */
  #intersection({ types }: ts.IntersectionTypeNode): Schema {
    if (types.some((type) => type.getText() === 'string')) return { type: 'string' };
    const alternatives = types.map((type) => this.#alternatives(type));
    const merged = alternatives.reduce((left, right) =>
      left.flatMap((one) => right.map((other) => new Map([...one, ...other]))),
    );
    const schemas = merged.map((members) => closed(members));
    const [only] = schemas;
    return only !== undefined && schemas.length === 1 ? only : { anyOf: schemas };
  }

  #alternatives(node: ts.TypeNode): readonly ReadonlyMap<string, Member>[] {
    if (ts.isParenthesizedTypeNode(node)) return this.#alternatives(node.type);
    if (ts.isUnionTypeNode(node)) return node.types.flatMap((type) => this.#alternatives(type));
    if (ts.isTypeLiteralNode(node)) return [this.#literalMembers(node.members)];
    return [this.#membersOf(this.#interface(node.getText()))];
  }

  #named(node: ts.TypeReferenceNode): Schema {
    const name = node.typeName.getText();
    const [first, second] = node.typeArguments ?? [];
    if (name === 'JsonValue') return {};
    if (name === 'DocumentUri' || name === 'JsonPointer') return { type: 'string' };
    if (name === 'Address') return address;
    if (name === 'Readonly' && first) return this.#type(first);
    if (name === 'Record' && second) return { type: 'object', additionalProperties: this.#type(second) };
    return this.#reference(name);
  }
}

interface Member {
  readonly schema: Schema;
  readonly required: boolean;
}

/** Declared in `diagnostics.ts`. */
const address: Schema = {
  type: 'object',
  properties: { document: { type: 'string' }, pointer: { type: 'string' } },
  required: ['document', 'pointer'],
  additionalProperties: false,
};

function closed(members: ReadonlyMap<string, Member>): Schema {
  const required = [...members].filter(([, member]) => member.required).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries([...members].map(([name, { schema }]) => [name, schema])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function describe(node: ts.Node): Schema {
  const text = ts
    .getJSDocCommentsAndTags(node)
    .map((entry) => (typeof entry.comment === 'string' ? entry.comment : ''))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
  return text === '' ? {} : { description: text };
}

function literalOf({ literal }: ts.LiteralTypeNode): Json {
  if (ts.isStringLiteral(literal)) return literal.text;
  if (ts.isNumericLiteral(literal)) return Number(literal.text);
  if (literal.kind === ts.SyntaxKind.NullKeyword) return null;
  return literal.kind === ts.SyntaxKind.TrueKeyword;
}
