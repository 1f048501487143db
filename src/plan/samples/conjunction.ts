/** All schema nodes that one value has to satisfy, once a branch has been chosen of each union on the way. */
import { pointerSteps } from '../../diagnostics.js';
import type { Discriminator, ObjectSchema, SchemaId } from '../../ir/schema.js';
import type { Facts } from '../checks/facts.js';

export interface Conjunction {
  readonly nodes: readonly ObjectSchema[];
  /** Members that a `not` keeps out. */
  readonly forbidden: ReadonlySet<string>;
  /** What discriminators want their member to be. */
  readonly tags: ReadonlyMap<string, string>;
  /** The branches of `oneOf` that must not hold, where it is worth while to see to that. */
  readonly others: readonly SchemaId[];
  /** A branch was chosen, so that other choices may do where this one does not. */
  readonly chosen: boolean;
  /** Not all that the nodes say is looked at when a value is made. */
  readonly risky: boolean;
}

/** Chooses one of several branches. */
export type Choose = (branches: readonly SchemaId[]) => SchemaId | undefined;

const mostNodes = 2000;

/** `undefined` where no value can satisfy all, because one of them is `false`. */
export function conjunctionOf(
  ids: readonly SchemaId[],
  facts: Facts,
  choose: Choose,
  withOthers = false,
): Conjunction | undefined {
  const others: SchemaId[] = [];
  const found: ObjectSchema[] = [];
  const forbidden = new Set<string>();
  const tags = new Map<string, string>();
  const seen = new Set<SchemaId>(ids);
  let chosen = false;
  let risky = ids.length > 1;
  const add = (id: SchemaId | undefined): void => {
    if (id !== undefined) seen.add(id);
  };
  // The set grows while it is walked.
  for (const id of seen) {
    const node = facts.schema(id);
    if (node.kind === 'boolean' ? !node.value : found.length > mostNodes) return undefined;
    if (node.kind === 'boolean') continue;
    found.push(node);
    add(node.ref);
    add(node.dynamicRef?.target);
    for (const part of node.allOf ?? []) add(part);
    for (const branches of [node.anyOf, node.oneOf]) {
      const branch = branches && choose(branches);
      if (branches === undefined) continue;
      if (branch === undefined) return undefined;
      chosen ||= branches.length > 1;
      add(branch);
      if (withOthers && branches === node.oneOf) others.push(...branches.filter((id) => id !== branch));
      if (node.discriminator) addTag(tags, node.discriminator, branch, facts);
    }
    if (node.discriminator && !node.anyOf && !node.oneOf) {
      addTag(tags, node.discriminator, ids[0] ?? id, facts);
    }
    if (node.conditional !== undefined) {
      const holds = choose([node.conditional.if, node.id]) === node.conditional.if;
      chosen = true;
      add(holds ? node.conditional.if : node.conditional.else);
      if (holds) add(node.conditional.then);
    }
    for (const name of forbiddenBy(node, facts)) forbidden.add(name);
    risky ||= isRisky(node);
  }
  return { nodes: found, forbidden, tags, others, chosen, risky: risky || chosen };
}

function isRisky(node: ObjectSchema): boolean {
  const { anyOf, oneOf, not, conditional, unevaluated, dynamicRef, array, object } = node;
  if (anyOf || oneOf || not !== undefined || conditional || unevaluated || dynamicRef) return true;
  if (node.enum || node.const || array?.contains || array?.uniqueItems) return true;
  if (object === undefined) return false;
  const { minProperties, maxProperties, propertyNames, dependentSchemas, dependentRequired } = object;
  const sized = minProperties !== undefined || maxProperties !== undefined || propertyNames !== undefined;
  return sized || dependentSchemas.length > 0 || dependentRequired.length > 0;
}

/** `not: { required: [a] }`, also inside of `anyOf`: without `a` nothing of it holds. */
function forbiddenBy({ not }: ObjectSchema, facts: Facts): readonly string[] {
  const refused = not === undefined ? undefined : facts.schema(not);
  if (refused?.kind !== 'schema') return [];
  const parts = [refused, ...(refused.anyOf ?? []).map((id) => facts.schema(id))];
  return parts.flatMap((part) => (part.kind === 'schema' ? (part.object?.required.slice(0, 1) ?? []) : []));
}

/** The word of `mapping` that leads to a branch, else the branch's own name. */
function addTag(
  tags: Map<string, string>,
  { propertyName, mapping }: Discriminator,
  branch: SchemaId,
  facts: Facts,
): void {
  const schema = facts.schema(branch);
  const target = (schema.kind === 'schema' ? schema.ref : undefined) ?? branch;
  const entry = mapping.find((one) => one.schema === target || one.schema === branch);
  const name = entry?.value ?? pointerSteps(facts.schema(target).at.pointer).at(-1);
  if (name !== undefined && !tags.has(propertyName)) tags.set(propertyName, name);
}
