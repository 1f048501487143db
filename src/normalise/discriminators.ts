/**
 * Tags for the branches of a discriminated union (OpenAPI, Discriminator Object), so that the type narrows by the
 * discriminating member. What the branch itself says wins, then `mapping`, which may name a branch more than once, then
 * the schema's name.
 */
import { pointerSteps } from '../diagnostics.js';
import type { ReferenceChains } from '../ir/resolve.js';
import type { Discriminator, Schema, SchemaId } from '../ir/schema.js';
import type { Shape } from '../ir/shape.js';

export interface TagContext {
  readonly schemas: ReadonlyMap<SchemaId, Schema>;
  readonly chains: ReferenceChains;
  /** The shape of a member of a schema, through references; `undefined` where nothing describes it. */
  memberShape(target: SchemaId, name: string): Shape | undefined;
}

/** The branch, with its tag where it has none of its own. Inline branches have no name and no mapping: they stay. */
export function tagBranch(branch: Shape, discriminator: Discriminator, context: TagContext): Shape {
  if (branch.kind !== 'ref') return branch;
  const { propertyName: name, defaultMapping } = discriminator;
  // What no other branch takes: any value of the member, or none.
  if (defaultMapping !== undefined && isSame(branch.target, defaultMapping, context)) return branch;
  const own = context.memberShape(branch.target, name);
  if (own !== undefined && own.kind !== 'string' && own.kind !== 'unknown') return branch;
  const values = tagValues(branch.target, discriminator, context);
  const literals = values.map((value): Shape => ({ kind: 'literal', value }));
  const [only] = literals;
  if (only === undefined) return branch;
  const shape: Shape = literals.length === 1 ? only : { kind: 'union', members: literals };
  const tag: Shape = { kind: 'object', closed: false, properties: [{ name, shape, required: true, access: 'both' }] };
  return { kind: 'intersection', members: [branch, tag] };
}

function isSame(one: SchemaId, other: SchemaId, { chains }: TagContext): boolean {
  return chains.endOf(one).end === chains.endOf(other).end;
}

function tagValues(target: SchemaId, { mapping }: Discriminator, { schemas, chains }: TagContext): readonly string[] {
  const { end } = chains.endOf(target);
  const mapped = mapping.filter((entry) => chains.endOf(entry.schema).end === end).map((entry) => entry.value);
  if (mapped.length > 0) return mapped;
  const at = schemas.get(target)?.at;
  const name = at && pointerSteps(at.pointer).at(-1);
  return name === undefined ? [] : [name];
}
