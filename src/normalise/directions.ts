/** Which members travel in one direction only, and which schemas therefore have two views. */
import type { ObjectSchema, Schema, SchemaId } from '../ir/schema.js';
import type { PropertyShape } from '../ir/shape.js';

/** `readOnly` and `writeOnly` of a member, also where they stand on the schema that its `$ref` or `allOf` leads to. */
export function accessOf(id: SchemaId, schemas: ReadonlyMap<SchemaId, Schema>): PropertyShape['access'] {
  const schema = schemas.get(id);
  const said = schema && ownAccess(schema);
  if (said !== undefined || schema?.kind !== 'schema') return said ?? 'both';
  return schema.ref === undefined && schema.allOf === undefined ? 'both' : accessBehind(schema, schemas);
}

function ownAccess({ docs }: Schema): PropertyShape['access'] | undefined {
  if (docs.readOnly === true) return docs.writeOnly === true ? 'both' : 'read';
  return docs.writeOnly === true ? 'write' : undefined;
}

/** The first word on it behind `$ref` and `allOf`, breadth first. */
function accessBehind(start: ObjectSchema, schemas: ReadonlyMap<SchemaId, Schema>): PropertyShape['access'] {
  const seen = new Set<SchemaId>([start.id]);
  const pending = conjuncts(start);
  // The list grows while it is walked.
  for (const next of pending) {
    if (seen.has(next)) continue;
    seen.add(next);
    const schema = schemas.get(next);
    const said = schema && ownAccess(schema);
    if (said !== undefined) return said;
    if (schema?.kind === 'schema') for (const id of conjuncts(schema)) pending.push(id);
  }
  return 'both';
}

function conjuncts({ ref, allOf }: ObjectSchema): SchemaId[] {
  return ref === undefined ? [...(allOf ?? [])] : [ref, ...(allOf ?? [])];
}
