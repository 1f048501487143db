/** Which schemas say that a value may be null. A schema that says nothing of its values is none of them. */
import type { ObjectSchema, Schema, SchemaId } from '../../ir/schema.js';
import { inPlaceChildren } from '../../ir/visit.js';

/** Whether the schema is null and nothing else. */
export function isBareNull(schema: Schema | undefined): boolean {
  if (schema?.kind !== 'schema') return false;
  const { types, enum: values, const: constant } = schema;
  if (constant !== undefined) return constant.value === null;
  if (values !== undefined) return values.length > 0 && values.every((value) => value === null);
  return types?.length === 1 && types[0] === 'null';
}

/** By way of their users, so that neither the length of a chain of references nor the number of its uses matters. */
export function nullableSchemas(schemas: ReadonlyMap<SchemaId, Schema>): ReadonlySet<SchemaId> {
  const found = new Set<SchemaId>();
  const users = new Map<SchemaId, SchemaId[]>();
  for (const [id, schema] of schemas) {
    if (schema.kind === 'boolean') continue;
    if (saysNull(schema, found)) found.add(id);
    for (const child of inPlaceChildren(schema)) {
      const known = users.get(child);
      if (known === undefined) users.set(child, [id]);
      else known.push(id);
    }
  }
  // The set grows while it is walked.
  for (const id of found) {
    for (const user of users.get(id) ?? []) {
      const schema = schemas.get(user);
      if (schema?.kind === 'schema' && saysNull(schema, found)) found.add(user);
    }
  }
  return found;
}

/** By what is known so far of the schemas that it is composed of. */
function saysNull(schema: ObjectSchema, found: ReadonlySet<SchemaId>): boolean {
  const { types, enum: values, const: constant, ref, allOf = [], anyOf, oneOf } = schema;
  if (types !== undefined && !types.includes('null')) return false;
  if (values !== undefined) return values.includes(null);
  if (constant !== undefined) return constant.value === null;
  const parts = ref === undefined ? allOf : [ref, ...allOf];
  if (!parts.every((part) => found.has(part))) return false;
  const unions = [anyOf, oneOf].filter((branches) => branches !== undefined);
  if (!unions.every((branches) => branches.some((branch) => found.has(branch)))) return false;
  return types !== undefined || parts.length > 0 || unions.length > 0;
}
