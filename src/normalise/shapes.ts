/**
 * Derives the shape of every schema: what its values look like. A `$ref` stays a ref, so sharing and recursion need no
 * care; schemas that only one place uses are merged into it where that says the same more plainly.
 */
import { type Collector, quote } from '../diagnostics.js';
import { isPureReference, ReferenceChains } from '../ir/resolve.js';
import type { ObjectSchema, Schema, SchemaId } from '../ir/schema.js';
import type { ObjectShape, PropertyShape, Shape } from '../ir/shape.js';
import { baseShape } from './base-shape.js';
import { intersection, literalUnion, mergeObjects, union } from './combine-shapes.js';
import { conditionalShape, hasConditions, type MemberAround } from './conditional-shapes.js';
import { isSayable } from './cycles.js';
import { accessOf } from './directions.js';
import { Discriminators } from './discriminators.js';
import { withoutExcluded } from './excluded-shapes.js';

export class ShapeDeriver {
  readonly shapes = new Map<SchemaId, Shape>();
  /** The schemas whose shape is an intersection. */
  readonly intersections: SchemaId[] = [];
  /** The schemas that have a member which travels in one direction only. */
  readonly oneWayOwners = new Set<SchemaId>();
  /** The schemas that are being derived. */
  readonly #open = new Set<SchemaId>();
  readonly #schemas: ReadonlyMap<SchemaId, Schema>;
  readonly #referenced: ReadonlySet<SchemaId>;
  readonly #report: Collector;
  readonly #discriminators: Discriminators;
  readonly #chains: ReferenceChains;

  constructor(schemas: ReadonlyMap<SchemaId, Schema>, referenced: ReadonlySet<SchemaId>, report: Collector) {
    this.#schemas = schemas;
    this.#referenced = referenced;
    this.#report = report;
    this.#chains = new ReferenceChains(schemas);
    this.#discriminators = new Discriminators(schemas, this.#chains, {
      find: (target, name) => this.#findProperty([target], name),
      shapeOf: (schema) => this.shapeOf(this.#chains.endOf(schema).end),
    });
  }

  deriveAll(): ReadonlyMap<SchemaId, Shape> {
    for (const id of this.#schemas.keys()) this.shapeOf(id);
    return this.shapes;
  }

  /** The shape of a schema. Recursion follows inline applicators only, whose depth the reader has bounded. */
  shapeOf(id: SchemaId): Shape {
    const known = this.shapes.get(id);
    if (known) return known;
    // A condition may ask for a member whose schema is the very one that is being derived.
    if (this.#open.has(id)) return { kind: 'ref', target: id };
    this.#open.add(id);
    const schema = this.#schemas.get(id);
    const shape = schema ? this.#derive(schema) : { kind: 'unknown' as const };
    this.#open.delete(id);
    this.shapes.set(id, shape);
    if (shape.kind === 'intersection') this.intersections.push(id);
    return shape;
  }

  /** The shape of an applied schema: its own where it stands inline, a ref where something else refers to it too. */
  #applied(id: SchemaId): Shape {
    return this.#referenced.has(id) ? { kind: 'ref', target: id } : this.shapeOf(id);
  }

  /** What an inline schema looks like; a schema that has a place of its own stays a ref. */
  #inline(shape: Shape): Shape {
    return shape.kind === 'ref' && !this.#referenced.has(shape.target) ? this.shapeOf(shape.target) : shape;
  }

  #derive(schema: Schema): Shape {
    if (schema.kind === 'boolean') return { kind: schema.value ? 'unknown' : 'never' };
    if (isPureReference(schema)) return { kind: 'ref', target: schema.ref };
    const base = schema.const || schema.enum ? literalUnion(schema) : this.#base(schema);
    const { not } = schema;
    if (!isComposed(schema)) {
      if (not === undefined) return base;
      return intersection(withoutExcluded([base], not, this.#schemas, (id) => this.shapeOf(id)));
    }
    const shape = this.#compose(schema, base);
    if (isEmptied(shape)) {
      const place = quote(schema.at.pointer);
      this.#report.report('type-empty', `no value can be valid by all that ${place} combines`, schema.at);
    }
    return shape;
  }

  /** Everything that applies to the same value: references first, then what stands here, then the alternatives. */
  #compose(schema: ObjectSchema, base: Shape): Shape {
    const constituents: Shape[] = [];
    const conditions: ObjectSchema[] = hasConditions(schema) ? [schema] : [];
    const tag = this.#discriminators.inheritedTag(schema.id);
    if (tag) constituents.push(tag);
    if (schema.ref !== undefined) constituents.push({ kind: 'ref', target: schema.ref });
    for (const id of schema.allOf ?? []) constituents.push(this.#conjunct(id, conditions));
    constituents.push(base);
    const alternatives = [schema.anyOf, schema.oneOf].flatMap((list) =>
      list ? [list.map((id) => this.#applied(id))] : [],
    );
    const merged = this.#requireInherited(mergeObjects(constituents, (shape) => this.#inline(shape)));
    const { discriminator } = schema;
    const { dynamicRef } = schema;
    if (dynamicRef && isSayable(schema, this.#schemas)) {
      alternatives.push(dynamicRef.candidates.map((target): Shape => ({ kind: 'ref', target })));
    }
    const unions = alternatives.map((members) =>
      union(discriminator ? members.map((member) => this.#discriminators.tagBranch(member, discriminator)) : members),
    );
    const condition = conditions.length > 0 ? this.#condition(conditions, merged) : undefined;
    const parts = [...merged, ...unions, ...(condition ? [condition] : [])];
    const told =
      schema.not === undefined ? parts : withoutExcluded(parts, schema.not, this.#schemas, (id) => this.shapeOf(id));
    const filled = told.map((part) => this.#fillRequired(part, merged));
    const isRef = (part: Shape): boolean => part.kind === 'ref';
    return intersection([...filled.filter(isRef), ...filled.filter((part) => !isRef(part))]);
  }

  /** A part of `allOf`. The conditions of one that stands inline are this schema's: only here its members are known. */
  #conjunct(id: SchemaId, conditions: ObjectSchema[]): Shape {
    const schema = this.#schemas.get(id);
    if (schema?.kind !== 'schema' || this.#referenced.has(id) || !hasConditions(schema)) return this.#applied(id);
    conditions.push(schema);
    const { conditional: _, object, ...rest } = schema;
    return this.#derive({ ...rest, ...(object && { object: { ...object, dependentSchemas: [] } }) });
  }

  /** What conditions add. Where the value may be something else than an object, they are left to the validator. */
  #condition(conditions: readonly ObjectSchema[], merged: readonly Shape[]): Shape | undefined {
    if (!merged.every(({ kind }) => kind === 'object' || kind === 'ref' || kind === 'unknown')) return undefined;
    return conditionalShape(conditions, {
      schemas: this.#schemas,
      applied: (id) => this.#applied(id),
      resolve: (shape) => this.#inline(shape),
      member: (name) => this.#memberAround(name, merged),
    });
  }

  #memberAround(name: string, merged: readonly Shape[]): MemberAround | undefined {
    const own = merged.flatMap((shape) => (shape.kind === 'object' ? shape.properties : []));
    const found = own.find((property) => property.name === name);
    const target = this.#findProperty(refsOf(merged), name);
    const shape = found?.shape ?? (target && { kind: 'ref' as const, target });
    if (shape === undefined) return undefined;
    const schema = shape.kind === 'ref' ? this.#chains.endOf(shape.target).end : undefined;
    const end = schema === undefined ? shape : this.shapeOf(schema);
    return { name, shape: end, required: found?.required ?? false, access: 'both', ...(schema && { schema }) };
  }

  #base(schema: ObjectSchema): Shape {
    const property = (name: string, id: SchemaId, required: boolean): PropertyShape => {
      const access = accessOf(id, this.#schemas);
      if (access !== 'both') this.oneWayOwners.add(schema.id);
      return { name, shape: { kind: 'ref', target: id }, required, access };
    };
    return baseShape(schema, this.#schemas, property);
  }

  /** `required` beside a `$ref` or `allOf` speaks of members that the other schema describes: their shape is taken from there. */
  #requireInherited(constituents: readonly Shape[]): readonly Shape[] {
    const refs = refsOf(constituents);
    if (refs.length === 0) return constituents;
    return constituents.map((shape) =>
      shape.kind === 'object' ? this.#fill(shape, (name) => this.#findShape(refs, name)) : shape,
    );
  }

  /** A branch such as `{ required: [a] }` speaks of members that the schema around it describes. */
  #fillRequired(part: Shape, around: readonly Shape[]): Shape {
    if (part.kind !== 'union' || !part.members.some(needsFilling)) return part;
    const objects = around.filter((shape) => shape.kind === 'object');
    const refs = refsOf(around);
    const find = (name: string): Shape | undefined =>
      objects.flatMap(({ properties }) => properties).find((property) => property.name === name)?.shape ??
      this.#findShape(refs, name);
    const fill = (shape: Shape): Shape => {
      if (shape.kind === 'object') return this.#fill(shape, find);
      return shape.kind === 'intersection' ? { ...shape, members: shape.members.map(fill) } : shape;
    };
    return { ...part, members: part.members.map(fill) };
  }

  #fill(shape: ObjectShape, find: (name: string) => Shape | undefined): ObjectShape {
    if (!needsFilling(shape)) return shape;
    return {
      ...shape,
      properties: shape.properties.map((property) =>
        property.shape.kind === 'unknown' ? { ...property, shape: find(property.name) ?? property.shape } : property,
      ),
    };
  }

  #findShape(targets: readonly SchemaId[], name: string): Shape | undefined {
    const target = this.#findProperty(targets, name);
    return target && { kind: 'ref', target };
  }

  /** The schema of a member in the first of the schemas that describes it, through `$ref` and `allOf`. */
  #findProperty(targets: readonly SchemaId[], name: string): SchemaId | undefined {
    const seen = new Set<SchemaId>();
    const pending = [...targets];
    for (let id = pending.shift(); id !== undefined; id = pending.shift()) {
      if (seen.has(id)) continue;
      seen.add(id);
      const schema = this.#schemas.get(id);
      if (schema?.kind !== 'schema') continue;
      const found = schema.object?.properties.find((property) => property.name === name);
      if (found) return found.schema;
      pending.push(...(schema.ref === undefined ? [] : [schema.ref]), ...(schema.allOf ?? []));
    }
    return undefined;
  }
}

function isComposed(schema: ObjectSchema): boolean {
  const { ref, dynamicRef, allOf, anyOf, oneOf } = schema;
  const isReference = ref !== undefined || dynamicRef !== undefined;
  return isReference || allOf !== undefined || anyOf !== undefined || oneOf !== undefined || hasConditions(schema);
}

function refsOf(shapes: readonly Shape[]): readonly SchemaId[] {
  return shapes.flatMap((shape) => (shape.kind === 'ref' ? [shape.target] : []));
}

function needsFilling(shape: Shape): boolean {
  if (shape.kind === 'intersection') return shape.members.some(needsFilling);
  return shape.kind === 'object' && shape.properties.some((property) => property.shape.kind === 'unknown');
}

/** Whether what was combined contradicts itself: the whole of it, or a member. */
function isEmptied(shape: Shape): boolean {
  if (shape.kind === 'never') return true;
  return shape.kind === 'object' && shape.properties.some((property) => property.shape.kind === 'never');
}
