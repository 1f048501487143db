/** What a reference page shows of a schema: one kind of value, with the wrappers that only say `null` or repeat a reference taken off. */
import type { Address } from '../../diagnostics.js';
import { isPureReference } from '../../ir/resolve.js';
import type { Docs, JsonType, JsonValue, ObjectSchema, Schema, SchemaId } from '../../ir/schema.js';
import { type MergedObject, mergeObjectParts } from './merge-parts.js';
import { isBareNull, nullableSchemas } from './nullable.js';
import { hasOwnShape, impliedType, isComposed, isTelling, says } from './telling.js';

export type Literal = string | number | boolean;

export type ScalarName = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'unknown' | 'undefined';

interface Facts {
  /** Where the document describes the value; what is taken off does not change it. */
  readonly at: Address;
  readonly docs: Docs;
  readonly constraints: Readonly<Record<string, JsonValue>>;
  /** Whether null was allowed; the kind says nothing of it. */
  readonly nullable: boolean;
}

/** A schema, or what stands for one that is nowhere in the document. */
export type Part = SchemaId | View;

export type View = Facts & Kind;

/** Of an object with the members of named schemas: only by way of those can what stands inline contain itself. */
export interface Merged {
  readonly id: SchemaId;
  readonly owners: MergedObject['owners'];
}

export type Kind =
  | { readonly kind: 'reference'; readonly target: SchemaId }
  | { readonly kind: 'scalar'; readonly name: ScalarName }
  | { readonly kind: 'binary'; readonly contentType: readonly string[] }
  | { readonly kind: 'enum'; readonly literals: readonly Literal[] }
  | { readonly kind: 'object'; readonly properties: MergedObject['properties']; readonly merged?: Merged }
  | { readonly kind: 'map' | 'array'; readonly element: Part }
  | { readonly kind: 'union' | 'intersection'; readonly parts: readonly Part[] };

const constraintNames = ['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum', 'multipleOf'] as const;

const unknownKind: Kind = { kind: 'scalar', name: 'unknown' };

export class Views {
  readonly #schemas: ReadonlyMap<SchemaId, Schema>;
  readonly #isModel: (id: SchemaId) => boolean;
  readonly #nullable: ReadonlySet<SchemaId>;
  readonly #known = new Map<SchemaId, View>();
  /** What the schemas are that references led to. */
  readonly #ends = new Map<SchemaId, View>();

  constructor(schemas: ReadonlyMap<SchemaId, Schema>, isModel: (id: SchemaId) => boolean) {
    this.#schemas = schemas;
    this.#isModel = isModel;
    this.#nullable = nullableSchemas(schemas);
  }

  schema(id: SchemaId): Schema {
    const schema = this.#schemas.get(id);
    if (schema === undefined) throw new Error(`there is no schema ${id}`);
    return schema;
  }

  /** What stands at a place that uses a schema: a schema with a name of its own is a reference there. */
  use(part: Part): View {
    if (typeof part !== 'string') return part;
    return this.#isModel(part) ? { ...this.#facts(this.schema(part)), kind: 'reference', target: part } : this.of(part);
  }

  /** What a schema is itself. Recursion follows what stands inline, whose depth the reader has bounded. */
  of(id: SchemaId): View {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const view = this.#view(this.schema(id));
    this.#known.set(id, view);
    return view;
  }

  /** What a view is through references; where these go round in a circle, it is one of them. */
  end(view: View): View {
    const way = new Set<SchemaId>();
    let end = view;
    while (end.kind === 'reference' && !way.has(end.target)) {
      const known = this.#ends.get(end.target);
      way.add(end.target);
      end = known ?? this.of(end.target);
    }
    for (const id of way) this.#ends.set(id, end);
    return end;
  }

  #facts(schema: Schema): Facts {
    const { at, docs } = schema;
    const constraints = schema.kind === 'boolean' ? {} : constraintsOf(schema);
    return { at, docs, constraints, nullable: this.#nullable.has(schema.id) };
  }

  #view(schema: Schema): View {
    const facts = this.#facts(schema);
    if (schema.kind === 'boolean') return { ...facts, kind: 'scalar', name: schema.value ? 'unknown' : 'undefined' };
    if (isPureReference(schema)) return { ...facts, kind: 'reference', target: schema.ref };
    if (isBareNull(schema)) return { ...facts, nullable: false, kind: 'scalar', name: 'null' };
    if (isComposed(schema)) {
      const pieces = this.#pieces(schema);
      const [only, ...more] = pieces;
      if (only !== undefined && more.length === 0) return this.#within(facts, only);
      if (only !== undefined) return { ...facts, ...this.#together(schema, pieces) };
    }
    return { ...facts, ...this.#plain(schema, facts) };
  }

  /** What is the only thing that a schema says, with what that schema says of it. */
  #within(facts: Facts, piece: Part): View {
    const inner = this.use(piece);
    const docs = { ...inner.docs, ...said(facts.docs) };
    const constraints = { ...inner.constraints, ...facts.constraints };
    return { ...inner, at: facts.at, docs, constraints, nullable: facts.nullable };
  }

  /** The parts that tell more than a plain type. */
  #pieces(schema: ObjectSchema): readonly Part[] {
    const own = hasOwnShape(schema);
    const pieces: Part[] = [];
    if (schema.ref !== undefined) pieces.push({ ...plainFacts(schema), kind: 'reference', target: schema.ref });
    for (const id of schema.allOf ?? []) if (isTelling(this.schema(id))) pieces.push(id);
    if (own) pieces.push(this.#ownView(schema));
    for (const branches of [schema.anyOf, schema.oneOf]) {
      const rest = branches?.filter((id) => !isBareNull(this.schema(id))) ?? [];
      const tells = own || pieces.length > 0 || schema.types !== undefined ? isTelling : says;
      if (rest.length === 0 || !rest.every((id) => tells(this.schema(id)))) continue;
      const [only] = rest;
      if (rest.length === 1 && only !== undefined) pieces.push(only);
      else pieces.push({ ...plainFacts(schema), kind: 'union', parts: rest });
    }
    return pieces;
  }

  #ownView(schema: ObjectSchema): View {
    const facts = { ...plainFacts(schema), constraints: constraintsOf(schema) };
    return { ...facts, ...this.#plain(schema, facts) };
  }

  /** Objects that apply together are one; of anything else all parts are named. */
  #together(schema: ObjectSchema, pieces: readonly Part[]): Kind {
    const merged = mergeObjectParts(schema, this.#schemas);
    if (merged === undefined) return { kind: 'intersection', parts: pieces };
    const { properties, owners } = merged;
    return { kind: 'object', properties, ...(owners.size > 0 && { merged: { id: schema.id, owners } }) };
  }

  /** By the type and the values that the schema names itself. */
  #plain(schema: ObjectSchema, facts: Facts): Kind {
    const literals = literalsOf(schema);
    if (literals !== undefined) return { kind: 'enum', literals };
    const types = (schema.types ?? []).filter((type) => type !== 'null');
    const [only] = types;
    if (types.length > 1) {
      const parts = types.map((type): View => ({ ...facts, docs: {}, nullable: false, ...this.#typed(schema, type) }));
      return { kind: 'union', parts };
    }
    return this.#typed(schema, only ?? impliedType(schema));
  }

  #typed(schema: ObjectSchema, type: JsonType | undefined): Kind {
    switch (type) {
      case 'object':
        return this.#object(schema);
      case 'array':
        return { kind: 'array', element: this.#element(schema) };
      case 'string': {
        if (schema.format !== 'binary') return { kind: 'scalar', name: 'string' };
        const mediaType = schema.string?.contentMediaType;
        return { kind: 'binary', contentType: mediaType === undefined ? [] : [mediaType] };
      }
      case undefined:
        return unknownKind;
      default:
        return { kind: 'scalar', name: type };
    }
  }

  #object(schema: ObjectSchema): Kind {
    const { properties = [], patternProperties = [], additionalProperties, required = [] } = schema.object ?? {};
    if (properties.length > 0) {
      const named = new Set(required);
      return { kind: 'object', properties: properties.map((one) => ({ ...one, required: named.has(one.name) })) };
    }
    const [pattern] = patternProperties;
    const rest = additionalProperties === undefined ? undefined : this.schema(additionalProperties);
    const isClosed = rest?.kind === 'boolean' && !rest.value;
    if (pattern !== undefined && patternProperties.length === 1 && (rest === undefined || isClosed))
      return { kind: 'map', element: pattern.schema };
    if (isClosed && pattern === undefined) return { kind: 'object', properties: [] };
    const isSaid = additionalProperties !== undefined && pattern === undefined;
    return { kind: 'map', element: isSaid ? additionalProperties : unknownPart(schema) };
  }

  #element(schema: ObjectSchema): Part {
    const { prefixItems = [], items } = schema.array ?? {};
    if (prefixItems.length === 0) return items ?? unknownPart(schema);
    const rest = items === undefined ? undefined : this.schema(items);
    // Where nothing may follow, that is no alternative.
    const follows = items !== undefined && rest?.kind === 'schema' && says(rest);
    const parts = follows ? [...prefixItems, items] : prefixItems;
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : { ...plainFacts(schema), kind: 'union', parts };
  }
}

function plainFacts({ at }: ObjectSchema): Facts {
  return { at, docs: {}, constraints: {}, nullable: false };
}

function unknownPart(schema: ObjectSchema): View {
  return { ...plainFacts(schema), ...unknownKind };
}

/** The values that the schema lists, without null; nothing where one of them is no literal. */
function literalsOf({ enum: values, const: constant }: ObjectSchema): readonly Literal[] | undefined {
  const listed = (constant === undefined ? values : [constant.value])?.filter((value) => value !== null);
  if (listed === undefined || listed.length === 0) return undefined;
  return listed.every((value): value is Literal => typeof value !== 'object') ? listed : undefined;
}

function constraintsOf({ string, number, format }: ObjectSchema): Readonly<Record<string, JsonValue>> {
  const found: Record<string, JsonValue> = {};
  if (string?.minLength !== undefined) found['minLength'] = string.minLength;
  if (string?.maxLength !== undefined) found['maxLength'] = string.maxLength;
  if (format !== undefined) found['format'] = format;
  for (const name of constraintNames) {
    const value = number?.[name];
    if (value !== undefined) found[name] = value;
  }
  return found;
}

function said(docs: Docs): Docs {
  return Object.fromEntries(Object.entries(docs).filter(([, value]) => value !== undefined));
}
