/**
 * Tags that a schema has by inheritance: `allOf` with a reference to a schema that has a `discriminator` (OpenAPI, Discriminator
 * Object). A schema that others extend has their tags too: a value of theirs is a value of it.
 */
import { pointerSteps } from '../diagnostics.js';
import type { ReferenceChains } from '../ir/resolve.js';
import type { Discriminator, Schema, SchemaId } from '../ir/schema.js';

export interface InheritedTag {
  /** The member that carries the tag. */
  readonly name: string;
  /** The schema with the discriminator. */
  readonly parent: SchemaId;
  readonly values: ReadonlySet<string>;
}

export class InheritedTags {
  readonly #schemas: ReadonlyMap<SchemaId, Schema>;
  readonly #chains: ReferenceChains;
  readonly #tags = new Map<SchemaId, InheritedTag>();
  /** The values that the mappings of all discriminators give to a schema, by the name of the member. */
  readonly #mapped = new Map<string, Map<SchemaId, Set<string>>>();

  constructor(schemas: ReadonlyMap<SchemaId, Schema>, chains: ReferenceChains) {
    this.#schemas = schemas;
    this.#chains = chains;
    const parents: { readonly schema: SchemaId; readonly discriminator: Discriminator }[] = [];
    for (const schema of schemas.values()) {
      if (schema.kind !== 'schema' || schema.discriminator === undefined) continue;
      this.#readMapping(schema.discriminator);
      if (schema.oneOf === undefined && schema.anyOf === undefined)
        parents.push({ schema: schema.id, discriminator: schema.discriminator });
    }
    if (parents.length === 0) return;
    const children = this.#children();
    for (const { schema, discriminator } of parents) this.#collect(schema, discriminator, children);
  }

  /** The tag of a schema; nothing where it inherits none. */
  of(id: SchemaId): InheritedTag | undefined {
    return this.#tags.get(id);
  }

  #readMapping({ propertyName, mapping }: Discriminator): void {
    const byTarget = this.#mapped.get(propertyName) ?? new Map<SchemaId, Set<string>>();
    this.#mapped.set(propertyName, byTarget);
    for (const { value, schema } of mapping) {
      const { end } = this.#chains.endOf(schema);
      const values = byTarget.get(end);
      if (values) values.add(value);
      else byTarget.set(end, new Set([value]));
    }
  }

  /** Which schemas extend a schema directly. */
  #children(): ReadonlyMap<SchemaId, readonly SchemaId[]> {
    const children = new Map<SchemaId, SchemaId[]>();
    for (const schema of this.#schemas.values()) {
      if (schema.kind !== 'schema' || schema.allOf === undefined) continue;
      for (const part of schema.allOf) {
        const { end, length } = this.#chains.endOf(part);
        if (length === 0) continue;
        const known = children.get(end);
        if (known) known.push(schema.id);
        else children.set(end, [schema.id]);
      }
    }
    return children;
  }

  /** Everything below a schema, breadth first; then the tags from the leaves up. */
  #collect(
    parent: SchemaId,
    { propertyName, mapping }: Discriminator,
    children: ReadonlyMap<SchemaId, readonly SchemaId[]>,
  ): void {
    const below = new Set<SchemaId>([parent]);
    // The set grows while it is walked.
    for (const id of below) for (const child of children.get(id) ?? []) below.add(child);
    below.delete(parent);
    for (const id of [...below].reverse()) {
      const said = this.#mapped.get(propertyName)?.get(id) ?? (mapping.length === 0 ? this.#nameOf(id) : []);
      const values = new Set(said);
      const heirs = children.get(id) ?? [];
      for (const heir of heirs) for (const value of this.#tags.get(heir)?.values ?? []) values.add(value);
      // One that no mapping names, among those that are named, may carry anything.
      const untold = [...said].length === 0 || heirs.some((heir) => !this.#tags.has(heir));
      if (!untold) this.#tags.set(id, { name: propertyName, parent, values });
    }
  }

  #nameOf(id: SchemaId): readonly string[] {
    const at = this.#schemas.get(id)?.at;
    const steps = at ? pointerSteps(at.pointer) : [];
    const name = steps.at(-1);
    // A schema that stands inline has no name that a tag could be.
    return name !== undefined && ['schemas', 'definitions', '$defs'].includes(steps.at(-2) ?? '') ? [name] : [];
  }
}
