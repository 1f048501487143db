/**
 * What dynamic references mean on the way that led to a schema. The way is known when checks are compiled: a schema that
 * dynamic references can be reached from is compiled once for each different way, so that nothing is looked up later.
 */
import type { DynamicAnchor, Schema, SchemaId } from '../../ir/schema.js';
import { inPlaceChildren, partChildren } from '../../ir/visit.js';

/** For each name the anchor of the outermost schema resource that has one. */
export interface Environment {
  /** Tells environments apart. */
  readonly key: string;
  readonly anchors: ReadonlyMap<string, SchemaId>;
}

export const noEnvironment: Environment = { key: '', anchors: new Map() };

/** The environment inside of a schema resource: what has been met before counts (JSON Schema core, section 8.2.3.2). */
export function withAnchors(around: Environment, anchors: readonly DynamicAnchor[] | undefined): Environment {
  const added = anchors?.filter(({ name }) => !around.anchors.has(name)) ?? [];
  if (added.length === 0) return around;
  const all = new Map(around.anchors);
  for (const { name, schema } of added) all.set(name, schema);
  return { key: JSON.stringify([...all].sort(([left], [right]) => (left < right ? -1 : 1))), anchors: all };
}

/** The schemas from which a reference that depends on the way can be reached; none in nearly all documents. */
export function reachingDynamicReferences(schemas: ReadonlyMap<SchemaId, Schema>): ReadonlySet<SchemaId> {
  const found = new Set<SchemaId>();
  for (const schema of schemas.values()) {
    if (schema.kind === 'schema' && schema.dynamicRef?.name !== undefined) found.add(schema.id);
  }
  if (found.size === 0) return found;
  const users = new Map<SchemaId, SchemaId[]>();
  for (const [id, schema] of schemas) {
    for (const child of [...inPlaceChildren(schema), ...partChildren(schema)]) {
      const known = users.get(child);
      if (known === undefined) users.set(child, [id]);
      else known.push(id);
    }
  }
  // The set grows while it is walked.
  for (const id of found) for (const user of users.get(id) ?? []) found.add(user);
  return found;
}
