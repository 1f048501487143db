/**
 * Components that are nothing but a reference to what has no name of its own, such as another file: the name is that of what
 * it leads to. Two names for one type would be one too many, and the second a poor one (`type Shop = ShopFromShop`).
 */
import { pointerSteps } from '../diagnostics.js';
import type { Api, Component } from '../ir/api.js';
import { isPureReference } from '../ir/resolve.js';
import type { Schema, SchemaId } from '../ir/schema.js';
import { pascalCase } from './identifiers.js';

const namedLists: ReadonlySet<string> = new Set(['schemas', 'definitions', '$defs']);

/** The name that the author of another file gave a schema in a list of named ones. */
export function listedName(schema: Schema | undefined): string | undefined {
  const steps = schema ? pointerSteps(schema.at.pointer) : [];
  return namedLists.has(steps.at(-2) ?? '') ? steps.at(-1) : undefined;
}

/** The same, or the only step of a pointer: a file that is nothing but a map of schemas. */
function ownName(schema: Schema | undefined): string | undefined {
  const [first, ...others] = schema ? pointerSteps(schema.at.pointer) : [];
  return others.length === 0 ? first : listedName(schema);
}

/** By a component, and by each reference on its way, the schema that has the component's name. */
export function adoptedNames({ components, schemas }: Api): ReadonlyMap<SchemaId, SchemaId> {
  const named = new Set(components.map(({ schema }) => schema));
  const taken = new Set(components.map(({ name }) => pascalCase(name)));
  const claimants = new Map<SchemaId, (readonly SchemaId[])[]>();
  for (const component of components) {
    const way = wayFrom(component, schemas, named);
    const end = way.pop();
    if (end === undefined || way.length === 0) continue;
    // Its author may have named it otherwise, and it can have that name.
    const own = ownName(schemas.get(end));
    if (own !== undefined && pascalCase(own) !== pascalCase(component.name) && !taken.has(pascalCase(own))) continue;
    claimants.set(end, [...(claimants.get(end) ?? []), way]);
  }
  const adopted = new Map<SchemaId, SchemaId>();
  for (const [end, [way = [], ...others]] of claimants) {
    if (others.length > 0) continue;
    for (const schema of way) adopted.set(schema, end);
  }
  return adopted;
}

/** The component, the references that it leads through, and the end; nothing where that is a component, too. */
function wayFrom(
  { schema }: Component,
  schemas: ReadonlyMap<SchemaId, Schema>,
  named: ReadonlySet<SchemaId>,
): SchemaId[] {
  const way = new Set<SchemaId>([schema]);
  for (const id of way) {
    const node = schemas.get(id);
    if (!isPureReference(node)) break;
    if (node.docs.description !== undefined || node.docs.title !== undefined || node.docs.deprecated) return [];
    // What leads through it takes part in what dynamic references mean.
    if (node.anchors !== undefined && node.anchors.length > 0) return [];
    if (named.has(node.ref) || !schemas.has(node.ref)) return [];
    way.add(node.ref);
  }
  return [...way];
}
