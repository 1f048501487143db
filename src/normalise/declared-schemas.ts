/**
 * A declaration graph → JSON Schemas, one for each named model, which are read like those of a document. Every object made
 * here has the declaration that it comes from as its place. The graph is lossy: what it does not say is an unknown value,
 * and a diagnostic.
 */
import { type Address, type Collector, childAddress, childPointer, quote } from '../diagnostics.js';
import type { JsonValue } from '../ir/schema.js';
import { isObject, type JsonObject, member, own } from '../json-object.js';
import type { Origins } from './origins.js';

export interface DeclaredSchema {
  readonly at: Address;
  readonly value: JsonValue;
}

export interface DeclaredModel extends DeclaredSchema {
  readonly name: string;
}

export interface DeclaredSchemas {
  readonly models: readonly DeclaredModel[];
  /** Declarations that are children of several others, which refer to them. */
  readonly shared: readonly DeclaredSchema[];
}

const modelPattern = /^\(resource\) (\S+) > \(model\) (\S+) > \(schema\)$/;

/** It has no place in a URI. */
const loneSurrogate = /[\ud800-\udfff]/u;

const constraintNames: ReadonlySet<string> = new Set([
  ...['minLength', 'maxLength', 'format', 'minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum', 'multipleOf'],
]);

/** The schemas that a graph names, in its order. */
export function readDeclarations(
  graph: JsonObject,
  at: Address,
  origins: Origins,
  report: Collector,
  maxDepth: number,
): DeclaredSchemas {
  const reader = new DeclarationReader(graph, at, origins, report, maxDepth);
  const functions = Object.values(graph).filter((one) => member(one, 'kind') === 'HttpDeclFunction').length;
  if (functions > 0) {
    const subject = functions === 1 ? 'one method is' : `${functions} methods are`;
    report.report('decls-methods', `${subject} left out: declarations say neither method nor path`, at);
  }
  const models = Object.entries(graph).flatMap(([id, declaration]) => {
    const [, resource, model] = modelPattern.exec(id) ?? [];
    if (resource === undefined || model === undefined || member(declaration, 'kind') !== 'HttpDeclTypeAlias') return [];
    const ident = member(declaration, 'ident');
    return [{ id, resource, ident: typeof ident === 'string' && ident !== '' ? ident : model }];
  });
  const uses = new Map<string, number>();
  for (const { ident } of models) uses.set(ident, (uses.get(ident) ?? 0) + 1);
  const read = models.map(({ id, resource, ident }) => ({
    // Names are unique within a resource only.
    name: uses.get(ident) === 1 ? ident : `${resource}.${ident}`,
    at: childAddress(at, id),
    value: reader.schema(id, 0),
  }));
  reader.reportUnread();
  return { models: read, shared: reader.shared };
}

class DeclarationReader {
  readonly #graph: JsonObject;
  readonly #at: Address;
  readonly #origins: Origins;
  readonly #report: Collector;
  readonly #maxDepth: number;
  readonly #made = new Map<string, JsonObject>();
  readonly #seen = new Set<string>();
  readonly #shared = new Set<string>();
  /** Stand for one of several types of a declaration, which share its children. */
  readonly #alternatives = new WeakSet<JsonObject>();

  constructor(graph: JsonObject, at: Address, origins: Origins, report: Collector, maxDepth: number) {
    this.#graph = graph;
    this.#at = at;
    this.#origins = origins;
    this.#report = report;
    this.#maxDepth = maxDepth;
  }

  get shared(): readonly DeclaredSchema[] {
    return [...this.#shared].map((id) => ({ at: childAddress(this.#at, id), value: this.#made.get(id) ?? {} }));
  }

  /** Entries that say nothing and to which nothing led; those of methods are left out as a whole. */
  reportUnread(): void {
    for (const [id, declaration] of Object.entries(this.#graph)) {
      if (this.#seen.has(id)) continue;
      const kind = member(declaration, 'kind');
      const at = childAddress(this.#at, id);
      if (!isObject(declaration)) this.#unknown(`${quote(id)} is no declaration`, at);
      else if (typeof kind !== 'string') this.#declared(declaration, at, 0);
      else if (!id.startsWith('(resource) ')) this.#unknown(`${quote(id)} is no id of a declaration`, at);
    }
  }

  /** What a declaration says of a value. Written out once: whatever else has it as a child refers to it, itself included. */
  schema(id: string, depth: number): JsonObject {
    const at = childAddress(this.#at, id);
    const declaration = own(this.#graph, id);
    if (!isObject(declaration)) return this.#unknown(`there is no declaration ${quote(id)}`, this.#at);
    if (this.#seen.has(id)) {
      if (loneSurrogate.test(id)) return this.#unknown('a reference cannot name it', at);
      this.#shared.add(id);
      return this.#referenceTo(id);
    }
    this.#seen.add(id);
    const schema = depth > this.#maxDepth ? this.#tooDeep(at) : this.#declared(declaration, at, depth);
    this.#made.set(id, schema);
    this.#origins.note(schema, at);
    return schema;
  }

  #declared(declaration: JsonObject, at: Address, depth: number): JsonObject {
    if (typeof own(declaration, 'kind') !== 'string') {
      const said = own(declaration, 'message');
      return this.#unknown(typeof said === 'string' ? `its exporter says ${quote(said)}` : 'it has no kind', at);
    }
    const bare = this.#type(own(declaration, 'type'), declaration, at, depth);
    const isInteger = own(declaration, 'schemaType') === 'integer' && bare['type'] === 'number';
    const constrained = { ...bare, ...(isInteger && { type: 'integer' }), ...constraintsOf(declaration) };
    const whole = own(declaration, 'nullable') === true ? orNull(constrained) : constrained;
    return { ...whole, ...docsOf(declaration) };
  }

  #tooDeep(at: Address): JsonObject {
    this.#report.report('too-deep', `declarations are nested too deep: more than ${this.#maxDepth} levels`, at);
    return {};
  }

  #unknown(reason: string, at: Address): JsonObject {
    this.#report.report('decls-unknown', `read as unknown: ${reason}`, at);
    return {};
  }

  #type(type: JsonValue | undefined, declaration: JsonObject, at: Address, depth: number): JsonObject {
    const kind = member(type, 'kind');
    switch (kind) {
      case 'HttpTypeString':
        return { type: 'string' };
      case 'HttpTypeNumber':
        return { type: 'number' };
      case 'HttpTypeBoolean':
        return { type: 'boolean' };
      case 'HttpTypeNull':
        return { type: 'null' };
      case 'HttpTypeUndefined':
        return { not: {} };
      case 'HttpTypeUnknown':
        return {};
      case 'HttpTypeBinary':
        return binary(type);
      case 'HttpTypeLiteral':
        return this.#literals([type], at);
      case 'HttpTypeArray':
        return { type: 'array', items: this.#type(member(type, 'elementType'), declaration, at, depth + 1) };
      case 'HttpTypeReference':
        return this.#reference(type, declaration, at, depth);
      case 'HttpTypeObject':
        return this.#object(type, declaration, at, depth);
      case 'HttpTypeUnion':
      case 'HttpTypeIntersection':
        return this.#group(kind, type, declaration, at, depth);
      default:
        return this.#unknown(`${typeof kind === 'string' ? quote(kind) : 'a type without kind'} is not known`, at);
    }
  }

  #reference(type: JsonValue | undefined, declaration: JsonObject, at: Address, depth: number): JsonObject {
    const target = member(type, '$ref') ?? own(declaration, 'modelPath');
    if (member(type, 'ident') === 'Record' && member(type, '$ref') === undefined) {
      const value = listOf(member(type, 'typeParameters'))[1];
      return { type: 'object', additionalProperties: this.#type(value, declaration, at, depth + 1) };
    }
    if (typeof target !== 'string') return this.#unknown('the reference leads nowhere', at);
    const id = [target, `${target} > (schema)`].find(
      (one) => member(own(this.#graph, one), 'kind') === 'HttpDeclTypeAlias',
    );
    if (id === undefined || !modelPattern.test(id) || loneSurrogate.test(id))
      return this.#unknown(`there is no model ${quote(target)}`, at);
    return this.#referenceTo(id);
  }

  #referenceTo(id: string): JsonObject {
    return { $ref: `#${encodeURI(childPointer(this.#at.pointer, id)).replaceAll('#', '%23')}` };
  }

  #object(type: JsonValue | undefined, declaration: JsonObject, at: Address, depth: number): JsonObject {
    const properties: [string, JsonValue][] = [];
    const required: string[] = [];
    const members = listOf(member(type, 'members')).map((one) => member(one, 'ident'));
    const mayBe = this.#alternatives.has(declaration) ? new Set(members) : undefined;
    for (const id of childrenOf(declaration)) {
      const child = own(this.#graph, id);
      const key = member(child, 'key');
      if (typeof member(child, 'kind') !== 'string') this.schema(id, depth + 1);
      if (member(child, 'kind') !== 'HttpDeclProperty' || typeof key !== 'string') continue;
      if (mayBe?.has(key) === false) continue;
      properties.push([key, this.schema(id, depth + 1)]);
      if (member(child, 'optional') !== true) required.push(key);
    }
    const known = new Set(properties.map(([name]) => name));
    for (const name of members) {
      if (typeof name !== 'string' || known.has(name)) continue;
      properties.push([name, this.#unknown(`the member ${quote(name)} is not declared`, at)]);
    }
    return {
      type: 'object',
      ...(required.length > 0 && { required }),
      ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    };
  }

  /** An enumeration, or alternatives: those that are declared say more than the list of types. */
  #group(
    kind: 'HttpTypeUnion' | 'HttpTypeIntersection',
    type: JsonValue | undefined,
    declaration: JsonObject,
    at: Address,
    depth: number,
  ): JsonObject {
    const all = listOf(member(type, 'types'));
    const types = all.filter((one) => member(one, 'kind') !== 'HttpTypeNull');
    const withNull = types.length < all.length;
    if (types.length === 0) return withNull ? { type: 'null' } : this.#unknown('the union has no alternatives', at);
    if (types.every((one) => member(one, 'kind') === 'HttpTypeLiteral')) {
      const literals = this.#literals(types, at);
      return withNull ? orNull(literals) : literals;
    }
    // One alternative beside null is the value itself, and the children are its parts.
    const [only] = types;
    if (kind === 'HttpTypeUnion' && withNull && types.length === 1)
      return orNull(this.#type(only, declaration, at, depth));
    const declared = childrenOf(declaration);
    const isDeclared = declared.length === types.length && declared.every((id) => this.#isAlternative(id));
    const alternative = isDeclared ? declaration : this.#alternativeOf(declaration);
    const parts = types.map((one, index) =>
      isDeclared ? this.schema(declared[index] ?? '', depth + 1) : this.#type(one, alternative, at, depth + 1),
    );
    if (kind === 'HttpTypeIntersection') return { allOf: parts };
    return { anyOf: withNull ? [...parts, { type: 'null' }] : parts };
  }

  /** Members are told by their names; other children belong to something else. */
  #alternativeOf(declaration: JsonObject): JsonObject {
    const children = childrenOf(declaration).filter(
      (id) => member(own(this.#graph, id), 'kind') === 'HttpDeclProperty',
    );
    const alternative = { children };
    this.#alternatives.add(alternative);
    return alternative;
  }

  #isAlternative(id: string): boolean {
    const kind = member(own(this.#graph, id), 'kind');
    return kind === 'HttpDeclTypeAlias' || kind === 'HttpDeclReference';
  }

  #literals(types: readonly (JsonValue | undefined)[], at: Address): JsonObject {
    const values = types.map((one) => member(one, 'literal'));
    const found = values.filter((value) => value !== undefined && typeof value !== 'object');
    return found.length === values.length
      ? { enum: found as JsonValue[] }
      : this.#unknown('a literal has no value', at);
  }
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}

function childrenOf(declaration: JsonObject): readonly string[] {
  return listOf(own(declaration, 'children')).filter((id): id is string => typeof id === 'string');
}

function binary(type: JsonValue | undefined): JsonObject {
  const [mediaType] = listOf(member(type, 'contentType'));
  return { type: 'string', format: 'binary', ...(typeof mediaType === 'string' && { contentMediaType: mediaType }) };
}

/** Null as well, in the shortest form. */
function orNull(schema: JsonObject): JsonObject {
  const { type, enum: values, anyOf } = schema;
  if (typeof type === 'string' && values === undefined) return { ...schema, type: [type, 'null'] };
  if (Array.isArray(values) && type === undefined)
    return { ...schema, enum: [...(values as readonly JsonValue[]), null] };
  if (Array.isArray(anyOf) && Object.keys(schema).length === 1)
    return { anyOf: [...(anyOf as readonly JsonValue[]), { type: 'null' }] };
  return Object.keys(schema).length === 0 ? schema : { anyOf: [schema, { type: 'null' }] };
}

function constraintsOf(declaration: JsonObject): JsonObject {
  const constraints = own(declaration, 'constraints');
  if (!isObject(constraints)) return {};
  return Object.fromEntries(Object.entries(constraints).filter(([name]) => constraintNames.has(name)));
}

function docsOf(declaration: JsonObject): JsonObject {
  const description = own(declaration, 'docstring');
  const title = own(declaration, 'title');
  const deprecated = own(declaration, 'deprecated');
  const value = own(declaration, 'default');
  return {
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description }),
    // A message says so, too.
    ...((deprecated === true || (typeof deprecated === 'string' && deprecated !== '')) && { deprecated: true }),
    ...(value !== undefined && { default: value }),
  };
}
