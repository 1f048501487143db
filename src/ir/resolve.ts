/** Questions about schemas that several stages ask. */
import type { ObjectSchema, Schema, SchemaId } from './schema.js';

/** Whether a schema is nothing but a `$ref`: whatever is asked of it may be asked of its target. */
export function isPureReference(schema: Schema | undefined): schema is ObjectSchema & { readonly ref: SchemaId } {
  if (schema?.kind !== 'schema' || schema.ref === undefined) return false;
  return (
    schema.types === undefined &&
    schema.enum === undefined &&
    schema.const === undefined &&
    schema.format === undefined &&
    schema.string === undefined &&
    schema.number === undefined &&
    schema.array === undefined &&
    schema.object === undefined &&
    schema.allOf === undefined &&
    schema.anyOf === undefined &&
    schema.oneOf === undefined &&
    schema.not === undefined &&
    schema.conditional === undefined &&
    schema.unevaluated === undefined &&
    schema.dynamicRef === undefined
  );
}

/** Where a schema leads to by pure references. */
export interface ChainEnd {
  readonly end: SchemaId;
  /** The number of references on the way; 0 where the schema is none itself. */
  readonly length: number;
}

/** Follows chains of pure references; each schema is visited once, however long the chains are. Circles have been refused. */
export class ReferenceChains {
  readonly #schemas: ReadonlyMap<SchemaId, Schema>;
  readonly #ends = new Map<SchemaId, ChainEnd>();

  constructor(schemas: ReadonlyMap<SchemaId, Schema>) {
    this.#schemas = schemas;
  }

  endOf(id: SchemaId): ChainEnd {
    const way: SchemaId[] = [];
    let current = id;
    let known = this.#ends.get(current);
    for (
      let schema = this.#schemas.get(current);
      // A circle has been refused; where the rest is read all the same, it ends somewhere.
      !known && way.length <= this.#schemas.size && isPureReference(schema);
      schema = this.#schemas.get(current)
    ) {
      way.push(current);
      current = schema.ref;
      known = this.#ends.get(current);
    }
    const { end } = known ?? { end: current };
    let length = known?.length ?? 0;
    for (let step = way.pop(); step !== undefined; step = way.pop()) this.#ends.set(step, { end, length: ++length });
    return this.#ends.get(id) ?? { end, length };
  }
}

/**
 * The id of a schema that stands nowhere in a document but follows from one that does, such as the `null` of `nullable`. No
 * address ends like it: in a pointer `~` stands before 0 or 1 (RFC 6901 section 3).
 */
export function derivedId(base: SchemaId, what: string): SchemaId {
  const plain = what.replace(/[^\w=.-]/g, (unit) => `%${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `${base}~${plain}` as SchemaId;
}

/** The address that people are told of a schema: its own, or that of the one it follows from. */
export function writtenId(id: SchemaId): SchemaId {
  const end = id.lastIndexOf('~');
  if (end < 0) return id;
  const next = id[end + 1];
  // A document may have `~` in its name.
  return next === '0' || next === '1' || id.includes('#', end) ? id : (id.slice(0, end) as SchemaId);
}
