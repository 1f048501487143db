/**
 * Tags for the branches of a discriminated union (OpenAPI, Discriminator Object), so that the type narrows by the
 * discriminating member. What the branch itself says wins, then what it inherits, then `mapping`, which may name a branch more
 * than once, then the schema's name.
 */
import { pointerSteps } from '../diagnostics.js';
import type { ReferenceChains } from '../ir/resolve.js';
import type { Discriminator, Schema, SchemaId } from '../ir/schema.js';
import type { ObjectShape, Shape } from '../ir/shape.js';
import { type InheritedTag, InheritedTags } from './inherited-tags.js';
import { meet } from './meet-shapes.js';

/** Questions about the members of schemas, which only the derivation of shapes can answer. */
export interface MemberLookup {
  /** The schema that describes a member first, through `$ref` and `allOf`. */
  find(target: SchemaId, name: string): SchemaId | undefined;
  /** What a schema looks like, references followed to their end. */
  shapeOf(schema: SchemaId): Shape;
}

export class Discriminators {
  readonly #schemas: ReadonlyMap<SchemaId, Schema>;
  readonly #chains: ReferenceChains;
  readonly #members: MemberLookup;
  readonly #inherited: InheritedTags;

  constructor(schemas: ReadonlyMap<SchemaId, Schema>, chains: ReferenceChains, members: MemberLookup) {
    this.#schemas = schemas;
    this.#chains = chains;
    this.#members = members;
    this.#inherited = new InheritedTags(schemas, chains);
  }

  /** The branch, with its tag where it has none of its own. Inline branches have no name and no mapping: they stay. */
  tagBranch(branch: Shape, discriminator: Discriminator): Shape {
    if (branch.kind !== 'ref') return branch;
    const { defaultMapping } = discriminator;
    // What no other branch takes: any value of the member, or none.
    if (defaultMapping !== undefined && this.#isSame(branch.target, defaultMapping)) return branch;
    const name = discriminator.propertyName;
    if (this.#ownTag(branch.target, name)) return branch;
    const { end } = this.#chains.endOf(branch.target);
    const inherited = this.#inherited.of(end);
    const values = this.#tagValues(branch.target, discriminator);
    if (inherited?.name === name) {
      const fewer = values.filter((value) => inherited.values.has(value));
      if (fewer.length === 0 || fewer.length === inherited.values.size) return branch;
      return { kind: 'intersection', members: [branch, tagOf(name, fewer, true)] };
    }
    return values.length === 0 ? branch : { kind: 'intersection', members: [branch, tagOf(name, values, true)] };
  }

  /** What a schema inherits, as a part of its shape; nothing where it says more itself. */
  inheritedTag(id: SchemaId): ObjectShape | undefined {
    const tag = this.#inherited.of(id);
    if (tag === undefined || this.#ownTag(id, tag.name)) return undefined;
    const values = this.#admitted(id, tag);
    const parent = this.#schemas.get(tag.parent);
    const required = parent?.kind === 'schema' && parent.object?.required.includes(tag.name) === true;
    return values.length === 0 ? undefined : tagOf(tag.name, values, required);
  }

  /** The values that what is inherited admits: a tag that contradicts it is none. */
  #admitted(id: SchemaId, { name, values }: InheritedTag): readonly string[] {
    const around = this.#members.find(id, name);
    const shape = around && this.#members.shapeOf(around);
    return [...values].filter((value) => !shape || meet(shape, { kind: 'literal', value })?.kind !== 'never');
  }

  /** Whether the schema, or what it refers to, describes the member by values of its own. */
  #ownTag(target: SchemaId, name: string): boolean {
    const member = this.#members.find(target, name);
    if (member === undefined) return false;
    const { kind } = this.#members.shapeOf(member);
    if (kind === 'string' || kind === 'unknown') return false;
    const inherited = this.#inherited.of(this.#chains.endOf(target).end);
    // The parent's list of all the tags there are tells no branch from another.
    return inherited?.name !== name || this.#members.find(inherited.parent, name) !== member;
  }

  #isSame(one: SchemaId, other: SchemaId): boolean {
    return this.#chains.endOf(one).end === this.#chains.endOf(other).end;
  }

  #tagValues(target: SchemaId, { mapping }: Discriminator): readonly string[] {
    const { end } = this.#chains.endOf(target);
    const mapped = mapping.filter((entry) => this.#chains.endOf(entry.schema).end === end).map((entry) => entry.value);
    if (mapped.length > 0) return mapped;
    const at = this.#schemas.get(target)?.at;
    const name = at && pointerSteps(at.pointer).at(-1);
    return name === undefined ? [] : [name];
  }
}

function tagOf(name: string, values: readonly string[], required: boolean): ObjectShape {
  const literals = values.map((value): Shape => ({ kind: 'literal', value }));
  const [only] = literals;
  const shape: Shape = only !== undefined && literals.length === 1 ? only : { kind: 'union', members: literals };
  return { kind: 'object', closed: false, properties: [{ name, shape, required, access: 'both' }] };
}
