/** Writes the declarations of schemas: a named schema, then its members breadth first, then the named schemas that it led to. */
import { type Address, type DocumentUri, pointerSteps } from '../../diagnostics.js';
import type {
  AliasDeclaration,
  Declaration,
  DeclarationId,
  DeclaredSchemaType,
  DeclaredType,
  PropertyDeclaration,
  ReferenceDeclaration,
} from '../../ir/declaration-graph.js';
import type { SchemaId } from '../../ir/schema.js';
import { assertNever } from '../../ir/visit.js';
import { type DeclaredName, type DeclaredNames, pascalCase } from './declared-names.js';
import { endedView, intoMember, type MergedWay } from './merged-way.js';
import type { Part, ScalarName, View, Views } from './views.js';

type Children = Pick<PropertyDeclaration, 'childrenParentSchema' | 'children'>;

/** A property as it stands in its object, or a parameter. */
export interface PropertyPlace {
  readonly id: DeclarationId;
  readonly key: string;
  readonly part: Part;
  readonly required: boolean;
  readonly location?: string;
  /** Of a parameter: what is said of it beside its schema. */
  readonly at?: Address;
  readonly description?: string;
  readonly deprecated?: boolean;
  /** What it stands in. */
  readonly way?: MergedWay | undefined;
}

/** Where a value's own parts are declared. */
interface Declared {
  readonly view: View;
  readonly prefix: DeclarationId;
  /** Whether that is a named schema, which declares them itself. */
  readonly isModel: boolean;
}

interface DeclaredPart {
  readonly id: DeclarationId;
  readonly declare: () => void;
}

const scalarKinds = {
  string: 'HttpTypeString',
  number: 'HttpTypeNumber',
  integer: 'HttpTypeNumber',
  boolean: 'HttpTypeBoolean',
  null: 'HttpTypeNull',
  undefined: 'HttpTypeUndefined',
  unknown: 'HttpTypeUnknown',
} as const satisfies Record<ScalarName, DeclaredType['kind']>;

export class DeclarationWriter {
  readonly #graph = new Map<DeclarationId, Declaration>();
  readonly #views: Views;
  readonly #names: DeclaredNames;
  /** References are written without the name of this document. */
  readonly #root: DocumentUri;
  readonly #pending: (() => void)[] = [];
  readonly #models: SchemaId[] = [];
  readonly #reached = new Set<SchemaId>();
  /** What stands behind the named schemas that lists and references led to. */
  readonly #ends = new Map<SchemaId, Declared>();
  /** Where the members of merged objects are declared that may stand in many others. */
  readonly #homes = new Map<SchemaId, DeclarationId>();

  constructor(views: Views, names: DeclaredNames, root: DocumentUri) {
    this.#views = views;
    this.#names = names;
    this.#root = root;
  }

  get declarations(): ReadonlyMap<DeclarationId, Declaration> {
    return this.#graph;
  }

  /** Sees to it that a named schema is declared. */
  reach(model: SchemaId): void {
    if (this.#reached.has(model)) return;
    this.#reached.add(model);
    this.#models.push(model);
  }

  add(id: DeclarationId, declaration: Declaration): void {
    if (this.#graph.has(id)) throw new Error(`two declarations have the id ${id}`);
    this.#graph.set(id, declaration);
  }

  /** Declares everything that was promised so far. */
  finish(): void {
    for (;;) {
      // The lists grow while they are walked.
      for (const declare of this.#pending) declare();
      this.#pending.length = 0;
      const model = this.#models.shift();
      if (model === undefined) return;
      const name = this.#nameOf(model);
      this.#alias(rootId(name), this.#views.of(model), pascalCase(name.name));
    }
  }

  /** A named schema that no schema of the document has. */
  declareAs(name: DeclaredName, view: View): DeclaredType {
    const id = rootId(name);
    this.#pending.push(() => this.#alias(id, view, pascalCase(name.name)));
    return { kind: 'HttpTypeReference', ident: pascalCase(name.name), $ref: id };
  }

  #nameOf(model: SchemaId): DeclaredName {
    const name = this.#names.models.get(model);
    if (name === undefined) throw new Error(`no name was given to ${model}`);
    return name;
  }

  #use(part: Part, way: MergedWay | undefined): View {
    return endedView(this.#views.use(part), way);
  }

  #alias(id: DeclarationId, view: View, ident: string, way?: MergedWay): void {
    const docstring = this.#docstring(view);
    this.add(id, {
      kind: 'HttpDeclTypeAlias',
      oasRef: this.oasRef(view.at),
      ...(docstring !== undefined && { docstring }),
      ident,
      type: this.orNull(view, way),
      ...this.#children(view, id, way),
    } satisfies AliasDeclaration);
  }

  /** Declares a property when its turn comes, and gives its id. */
  property(place: PropertyPlace): DeclarationId {
    this.#pending.push(() => this.add(place.id, this.#property(place)));
    return place.id;
  }

  #property({
    id,
    key,
    part,
    required,
    location,
    at,
    description,
    deprecated,
    way,
  }: PropertyPlace): PropertyDeclaration {
    const view = this.#use(part, way);
    const { docs, constraints, nullable } = view;
    const docstring = description ?? this.#docstring(view);
    const isModel = view.kind === 'reference';
    return {
      kind: 'HttpDeclProperty',
      oasRef: this.oasRef(at ?? view.at),
      deprecated: deprecated ?? docs.deprecated ?? false,
      key,
      ...(docstring !== undefined && { docstring }),
      ...(docs.title !== undefined && { title: docs.title }),
      ...(location !== undefined && { location }),
      type: this.type(view, way),
      ...(Object.keys(constraints).length > 0 && { constraints }),
      ...(docs.default !== undefined && { default: docs.default.value }),
      optional: !required,
      nullable,
      ...(isModel && { modelImplicit: false }),
      schemaType: schemaTypeOf(this.#views.end(view)),
      ...(isModel && { modelPath: modelPath(this.#nameOf(view.target)) }),
      ...this.#children(view, id, way),
    };
  }

  /** What is said of a value at its place or, where it has a name, there. */
  #docstring(view: View): string | undefined {
    const { docs } = view;
    return docs.description ?? (view.kind === 'reference' ? this.#views.of(view.target).docs.description : undefined);
  }

  oasRef({ document, pointer }: Address): string {
    const steps = pointerSteps(pointer).map((step) => `/${step.replaceAll('/', '%2F')}`);
    return `${document === this.#root ? '' : document}#${steps.join('')}`;
  }

  type(view: View, way?: MergedWay): DeclaredType {
    switch (view.kind) {
      case 'reference':
        this.reach(view.target);
        return this.#reference(this.#nameOf(view.target));
      case 'scalar':
        return { kind: scalarKinds[view.name] };
      case 'binary':
        return { kind: 'HttpTypeBinary', contentType: view.contentType };
      case 'enum': {
        const types = view.literals.map((literal): DeclaredType => ({ kind: 'HttpTypeLiteral', literal }));
        return { kind: 'HttpTypeUnion', oasRef: this.oasRef(view.at), types };
      }
      case 'object':
        return { kind: 'HttpTypeObject', members: inOrder(view.properties).map(({ name }) => ({ ident: name })) };
      case 'map': {
        const typeParameters: DeclaredType[] = [{ kind: 'HttpTypeString' }, this.orNull(view.element, way)];
        return { kind: 'HttpTypeReference', oasRef: this.oasRef(view.at), ident: 'Record', typeParameters };
      }
      case 'array':
        return {
          kind: 'HttpTypeArray',
          oasRef: this.oasRef(view.at),
          elementType: this.orNull(view.element, way),
        };
      case 'union':
      case 'intersection': {
        const kind = view.kind === 'union' ? 'HttpTypeUnion' : 'HttpTypeIntersection';
        const types = view.parts.map((part) => this.type(this.#use(part, way), way));
        return { kind, oasRef: this.oasRef(view.at), types };
      }
      default:
        return assertNever(view);
    }
  }

  #reference(name: DeclaredName): DeclaredType {
    return { kind: 'HttpTypeReference', ident: pascalCase(name.name), $ref: rootId(name) };
  }

  /** Only properties can say that they are nullable: elsewhere null is an alternative like others. */
  orNull(part: Part, way?: MergedWay): DeclaredType {
    const view = this.#use(part, way);
    const type = this.type(view, way);
    if (!view.nullable) return type;
    const types: readonly DeclaredType[] = type.kind === 'HttpTypeUnion' ? type.types : [type];
    return { kind: 'HttpTypeUnion', oasRef: this.oasRef(view.at), types: [...types, { kind: 'HttpTypeNull' }] };
  }

  /** The parts of a value: of a list those of its items, of a named schema its own. */
  #children(start: View, at: DeclarationId, way: MergedWay | undefined): Children {
    const { view, prefix, isModel } = this.#declared(start, at, way);
    const home = isModel ? prefix : this.#homeOf(view, prefix, way);
    const parts = this.#parts(view, home, way);
    if (parts.length === 0) return { children: [] };
    if (home === prefix && !isModel) for (const { declare } of parts) this.#pending.push(declare);
    return { childrenParentSchema: schemaTypeOf(view), children: parts.map(({ id }) => id) };
  }

  /** Objects in each other are written out once: otherwise each level of them would have a copy of all that are below. */
  #homeOf(view: View, prefix: DeclarationId, way: MergedWay | undefined): DeclarationId {
    if (view.kind !== 'object' || view.merged === undefined) return prefix;
    const { id } = view.merged;
    const known = this.#homes.get(id);
    if (known === undefined) this.#homes.set(id, prefix);
    return way === undefined ? prefix : (known ?? prefix);
  }

  /** The ids of the same, where somebody else declares them. */
  childIds(start: View, at: DeclarationId): readonly DeclarationId[] {
    const { view, prefix } = this.#declared(start, at, undefined);
    return this.#parts(view, prefix, undefined).map(({ id }) => id);
  }

  /** Each named schema is passed once, however long the chains of them are; a list of itself has no parts. */
  #declared(start: View, at: DeclarationId, inside: MergedWay | undefined): Declared {
    const way = new Set<SchemaId>();
    let here: Declared = { view: start, prefix: at, isModel: false };
    for (;;) {
      const { view, prefix, isModel } = here;
      if (view.kind === 'array' || view.kind === 'map') {
        here = { view: this.#use(view.element, isModel ? undefined : inside), prefix: `${prefix} > (items)`, isModel };
      } else if (view.kind === 'reference' && !way.has(view.target)) {
        const { target } = view;
        this.reach(target);
        const known = this.#ends.get(target);
        if (known === undefined) way.add(target);
        here = known ?? { view: this.#views.of(target), prefix: rootId(this.#nameOf(target)), isModel: true };
      } else break;
    }
    const { view, prefix, isModel } = here;
    const end: Declared =
      view.kind === 'reference' ? { view: { ...view, kind: 'scalar', name: 'unknown' }, prefix, isModel } : here;
    for (const id of way) this.#ends.set(id, end);
    return end;
  }

  #parts(view: View, prefix: DeclarationId, way: MergedWay | undefined): readonly DeclaredPart[] {
    if (view.kind === 'object') {
      return inOrder(view.properties).map(({ name, schema, required }) => {
        const id = `${prefix} > (property) ${stepText(name)}`;
        const inner = intoMember(view, name, way);
        return {
          id,
          declare: () => this.add(id, this.#property({ id, key: name, part: schema, required, way: inner })),
        };
      });
    }
    if (view.kind === 'enum') {
      return view.literals.map((literal, index) => {
        const id = `${prefix} > (member) ${index}`;
        const type: DeclaredType = { kind: 'HttpTypeLiteral', literal };
        return { id, declare: () => this.add(id, { kind: 'HttpDeclReference', type }) };
      });
    }
    if (view.kind !== 'union' && view.kind !== 'intersection') return [];
    return view.parts.map((part, index) => {
      const id = `${prefix} > (variant) ${index}`;
      return { id, declare: () => this.#variant(id, this.#use(part, way), index, way) };
    });
  }

  #variant(id: DeclarationId, view: View, index: number, way: MergedWay | undefined): void {
    if (view.kind !== 'reference') {
      this.#alias(id, view, pascalCase(view.docs.title ?? '') || `UnionMember${index}`, way);
      return;
    }
    const type = this.type(view, way);
    this.add(id, { kind: 'HttpDeclReference', type, ...this.#children(view, id, way) } satisfies ReferenceDeclaration);
  }
}

function schemaTypeOf(view: View): DeclaredSchemaType {
  switch (view.kind) {
    case 'scalar':
      return view.name === 'undefined' ? 'unknown' : view.name;
    case 'binary':
      return 'string';
    case 'intersection':
      return 'object';
    case 'reference':
      return 'unknown';
    default:
      return view.kind;
  }
}

/** Required members first, then optional ones; of each `id` and `token` first, then by the alphabet. */
export function inOrder<T extends { readonly name: string; readonly required: boolean }>(
  members: readonly T[],
): readonly T[] {
  const rank = ({ name, required }: T): number => (required ? 0 : 2) + (name === 'id' || name === 'token' ? 0 : 1);
  return [...members].sort(
    (left, right) => rank(left) - rank(right) || (left.name < right.name ? -1 : left.name > right.name ? 1 : 0),
  );
}

function modelPath({ resource, name }: DeclaredName): string {
  return `(resource) ${resource} > (model) ${name}`;
}

export function rootId(name: DeclaredName): DeclarationId {
  return `${modelPath(name)} > (schema)`;
}

/**
 * Document text as one step of an id. What could be taken for the next step is percent-encoded, and so is what looks like
 * that already: no two names become one.
 */
export function stepText(name: string): string {
  if (!/ > \(|%(?:25)*20%(?:25)*3E/.test(name)) return name;
  return name.replaceAll('%', '%25').replaceAll(' ', '%20').replaceAll('>', '%3E');
}
