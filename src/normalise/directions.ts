/** Which members travel in one direction only, and which schemas therefore have two views. */
import type { Schema, SchemaId } from '../ir/schema.js';
import type { PropertyShape } from '../ir/shape.js';
import { inPlaceChildren, partChildren } from '../ir/visit.js';

/** `readOnly` and `writeOnly` of a member, also where they stand on the schema that its `$ref` or `allOf` leads to. */
export function accessOf(id: SchemaId, schemas: ReadonlyMap<SchemaId, Schema>): PropertyShape['access'] {
  const seen = new Set<SchemaId>();
  const pending = [id];
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const schema = schemas.get(next);
    if (schema?.docs.readOnly === true) return schema.docs.writeOnly === true ? 'both' : 'read';
    if (schema?.docs.writeOnly === true) return 'write';
    if (schema?.kind === 'schema')
      pending.push(...(schema.ref === undefined ? [] : [schema.ref]), ...(schema.allOf ?? []));
  }
  return 'both';
}

/** The schemas from which a one-way member can be reached: their read and write views differ. */
export function findDirectional(schemas: ReadonlyMap<SchemaId, Schema>): ReadonlySet<SchemaId> {
  const users = new Map<SchemaId, SchemaId[]>();
  const found = new Set<SchemaId>();
  for (const [id, schema] of schemas) {
    for (const child of [...inPlaceChildren(schema), ...partChildren(schema)]) {
      const list = users.get(child);
      if (list) list.push(id);
      else users.set(child, [id]);
    }
    const properties = schema.kind === 'schema' ? (schema.object?.properties ?? []) : [];
    if (properties.some((property) => accessOf(property.schema, schemas) !== 'both')) found.add(id);
  }
  const pending = [...found];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    for (const user of users.get(id) ?? []) {
      if (found.has(user)) continue;
      found.add(user);
      pending.push(user);
    }
  }
  return found;
}
