/**
 * Derives the shape of every schema: what its values look like. A `$ref` stays a ref, so sharing and recursion need no
 * care; schemas that only one place uses are merged into it where that says the same more plainly.
 */
import { isPureReference, ReferenceChains } from '../ir/resolve.js';
import type { ObjectSchema, Schema, SchemaId } from '../ir/schema.js';
import type { ObjectShape, PropertyShape, Shape } from '../ir/shape.js';
import { baseShape } from './base-shape.js';
import { intersection, literalUnion, mergeObjects, union } from './combine-shapes.js';
import { accessOf } from './directions.js';
import { type TagContext, tagBranch } from './discriminators.js';

export class ShapeDeriver {
  readonly shapes = new Map<SchemaId, Shape>();
  /** The schemas that have a member which travels in one direction only. */
  readonly oneWayOwners = new Set<SchemaId>();
  readonly #schemas: ReadonlyMap<SchemaId, Schema>;
  readonly #referenced: ReadonlySet<SchemaId>;

  readonly #tags: TagContext;

  constructor(schemas: ReadonlyMap<SchemaId, Schema>, referenced: ReadonlySet<SchemaId>) {
    this.#schemas = schemas;
    this.#referenced = referenced;
    const chains = new ReferenceChains(schemas);
    this.#tags = {
      schemas,
      chains,
      memberShape: (target, name) => {
        const found = this.#findProperty([target], name);
        return found?.kind === 'ref' ? this.shapeOf(chains.endOf(found.target).end) : found;
      },
    };
  }

  deriveAll(): ReadonlyMap<SchemaId, Shape> {
    for (const id of this.#schemas.keys()) this.shapeOf(id);
    return this.shapes;
  }

  /** The shape of a schema. Recursion follows inline applicators only, whose depth the reader has bounded. */
  shapeOf(id: SchemaId): Shape {
    const known = this.shapes.get(id);
    if (known) return known;
    const schema = this.#schemas.get(id);
    const shape = schema ? this.#derive(schema) : { kind: 'unknown' as const };
    this.shapes.set(id, shape);
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
    if (!schema.ref && !schema.allOf && !schema.anyOf && !schema.oneOf) return base;
    const constituents: Shape[] = [];
    if (schema.ref !== undefined) constituents.push({ kind: 'ref', target: schema.ref });
    for (const id of schema.allOf ?? []) constituents.push(this.#applied(id));
    constituents.push(base);
    const alternatives = [schema.anyOf, schema.oneOf].flatMap((list) =>
      list ? [list.map((id) => this.#applied(id))] : [],
    );
    const merged = this.#requireInherited(mergeObjects(constituents, (shape) => this.#inline(shape)));
    const object = merged.find((shape) => shape.kind === 'object');
    const { discriminator } = schema;
    const unions = alternatives.map((members) => {
      const filled = members.map((member) => this.#fillRequired(member, object, merged));
      return union(discriminator ? filled.map((member) => tagBranch(member, discriminator, this.#tags)) : filled);
    });
    return intersection([...merged, ...unions]);
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
    const refs = constituents.filter((shape) => shape.kind === 'ref');
    if (refs.length === 0) return constituents;
    return constituents.map((shape) =>
      shape.kind === 'object'
        ? this.#fill(shape, (name) =>
            this.#findProperty(
              refs.map((ref) => ref.target),
              name,
            ),
          )
        : shape,
    );
  }

  /** A branch such as `{ required: [a] }` speaks of members that the schema around it describes. */
  #fillRequired(branch: Shape, around: ObjectShape | undefined, constituents: readonly Shape[]): Shape {
    if (branch.kind !== 'object') return branch;
    const refs = constituents.flatMap((shape) => (shape.kind === 'ref' ? [shape.target] : []));
    return this.#fill(
      branch,
      (name) => around?.properties.find((property) => property.name === name)?.shape ?? this.#findProperty(refs, name),
    );
  }

  #fill(shape: ObjectShape, find: (name: string) => Shape | undefined): ObjectShape {
    if (!shape.properties.some((property) => property.shape.kind === 'unknown')) return shape;
    return {
      ...shape,
      properties: shape.properties.map((property) =>
        property.shape.kind === 'unknown' ? { ...property, shape: find(property.name) ?? property.shape } : property,
      ),
    };
  }

  /** The member's shape in the first of the schemas that describes it, through `$ref` and `allOf`. */
  #findProperty(targets: readonly SchemaId[], name: string): Shape | undefined {
    const seen = new Set<SchemaId>();
    const pending = [...targets];
    for (let id = pending.shift(); id !== undefined; id = pending.shift()) {
      if (seen.has(id)) continue;
      seen.add(id);
      const schema = this.#schemas.get(id);
      if (schema?.kind !== 'schema') continue;
      const found = schema.object?.properties.find((property) => property.name === name);
      if (found) return { kind: 'ref', target: found.schema };
      pending.push(...(schema.ref === undefined ? [] : [schema.ref]), ...(schema.allOf ?? []));
    }
    return undefined;
  }
}
