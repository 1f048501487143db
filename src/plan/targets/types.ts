/** Target `types`: every schema as a documented, flat, exported declaration. */
import { type Code, code, type Identifier, joinCode, key, literal } from '../../encode.js';
import { ReferenceChains } from '../../ir/resolve.js';
import type { Schema, SchemaId } from '../../ir/schema.js';
import type { Shape } from '../../ir/shape.js';
import { outputPath } from '../../output.js';
import { codecFiles } from '../codec-files.js';
import { docComment, docText, schemaTags } from '../doc-comment.js';
import { enumMembers } from '../enum-keys.js';
import { Heritages } from '../heritage.js';
import { type ImportedTypesView, importedTypes, packageOf } from '../imported-types.js';
import { definedAs, indentBy } from '../indentation.js';
import type { PlanContext, PlannedFile, Target, TypeEntry } from '../target.js';
import { TypePrinter } from '../type-text.js';

export interface TypesView {
  readonly imported: readonly ImportedTypesView[];
  readonly declarations: readonly DeclarationView[];
}

export interface DeclarationView {
  /** A comment with its line end, or empty. */
  readonly doc: Code;
  readonly name: Identifier;
  /** An interface where the shape is a plain object, else an alias. */
  readonly isInterface: boolean;
  /** What the interface extends, with the keyword; or empty. */
  readonly heritage: Code;
  /** The members of an object of constants with the type's name; empty where there is none. */
  readonly constants: Code;
  /** The members of the interface; or the aliased type, with the `=`. */
  readonly body: Code;
}

export const typesTarget: Target = {
  name: 'types',
  plan(context: PlanContext): readonly PlannedFile[] {
    const printer = new TypePrinter(context.api, context.names, context.options);
    const chains = new ReferenceChains(context.api.schemas);
    const isForeign = (schema: SchemaId): boolean => packageOf({ schema }, context) !== undefined;
    const lookups = { chains, heritages: new Heritages(context.api, chains, isForeign) };
    const own = context.names.types.filter((entry) => packageOf(entry, context) === undefined);
    const declarations = own.map((entry) => declare(entry, context, printer, lookups));
    const { dated } = context.names;
    if (dated.size > 0) {
      const wire = new TypePrinter(context.api, context.names, context.options, 'wire');
      // Also of what a package provides: the codecs are made here.
      for (const entry of context.names.types.filter(({ schema }) => dated.has(schema))) {
        const name = context.names.wireOf(entry.schema, entry.direction) ?? entry.name;
        declarations.push(declare({ ...entry, name }, context, wire, lookups));
      }
    }
    const view: TypesView = { imported: importedTypes(context), declarations };
    const path = outputPath('types.ts');
    return [
      { kind: 'template', path, template: 'types/types', view, ownership: 'generated', finished: true },
      ...codecFiles(context),
    ];
  },
};

/** An alias of an alias reads well; the compiler recurses along a chain of them, so a longer one is cut short. */
const longestChain = 20;

interface Lookups {
  readonly chains: ReferenceChains;
  readonly heritages: Heritages;
}

function declare(
  { schema, direction, name }: TypeEntry,
  { api, names, options }: PlanContext,
  printer: TypePrinter,
  { chains, heritages }: Lookups,
): DeclarationView {
  const node = api.schemas.get(schema);
  const shape = api.shapes.get(schema);
  const place = node && `${node.at.document}#${node.at.pointer}`;
  const doc = docComment({
    text: node && docText(node.docs),
    deprecated: node?.docs.deprecated,
    tags: schemaTags(node),
    ...(place !== undefined && { address: place }),
  });
  if (shape?.kind === 'object' && (shape.properties.length > 0 || shape.additional)) {
    return {
      doc,
      name,
      isInterface: true,
      heritage: code``,
      constants: code``,
      body: printer.members(shape, direction, schema),
    };
  }
  const extending = heritages.of(shape);
  if (extending) {
    const bases = extending.bases.map((base) => printer.typeOf(base, direction));
    const heritage = code` extends ${joinCode(bases, ', ')}`;
    const body = printer.members(extending.own, direction, schema);
    return { doc, name, isInterface: true, heritage, constants: code``, body };
  }
  const constants = options.enums === 'const' ? constantsOf(node, shape) : undefined;
  if (constants !== undefined) {
    const body = enumType(names.typeOf(schema, 'read') ?? name, shape, printer.isOpen(schema, direction));
    return {
      doc,
      name,
      isInterface: false,
      heritage: code``,
      constants: direction === 'read' ? constants : code``,
      body: definedAs(body),
    };
  }
  const { end, length } = chains.endOf(schema);
  const body = length > longestChain ? printer.typeOf(end, direction) : printer.bodyOf(schema, direction);
  return { doc, name, isInterface: false, heritage: code``, constants: code``, body: definedAs(body) };
}

/** The members of the object of constants that an enumeration is; nothing where it is none. */
function constantsOf(node: Schema | undefined, shape: Shape | undefined): Code | undefined {
  if (node?.kind !== 'schema' || node.enum === undefined || shape === undefined) return undefined;
  const parts = shape.kind === 'union' ? shape.members : [shape];
  const values = parts.flatMap((part) => (part.kind === 'literal' ? [part.value] : []));
  const nulls = parts.filter((part) => part.kind === 'null').length;
  if (values.length + nulls < parts.length) return undefined;
  const members = enumMembers(node, values);
  return (
    members &&
    joinCode(
      members.map(
        ({ key: name, value, description }) =>
          code`${docComment({ text: description }, indentBy(1))}${indentBy(1)}${key(name)}: ${literal(value)},`,
      ),
      '\n',
    )
  );
}

function enumType(name: Identifier, shape: Shape | undefined, isOpen: boolean): Code {
  const isNullable = shape?.kind === 'union' && shape.members.some(({ kind }) => kind === 'null');
  const rest = code`${isOpen ? code` | (string & {})` : code``}${isNullable ? code` | null` : code``}`;
  return code`(typeof ${name})[keyof typeof ${name}]${rest}`;
}
