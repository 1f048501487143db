/** Questions about schemas that several stages ask. */
import type { ObjectSchema, Schema, SchemaId } from './schema.js';

/** Whether a schema is nothing but a `$ref`: whatever is asked of it may be asked of its target. */
export function isPureReference(schema: Schema | undefined): schema is ObjectSchema & { readonly ref: SchemaId } {
  if (schema?.kind !== 'schema' || schema.ref === undefined) return false;
  const {
    types,
    const: constant,
    format,
    string,
    number,
    array,
    object,
    allOf,
    anyOf,
    oneOf,
    not,
    conditional,
  } = schema;
  const others = [
    types,
    schema.enum,
    constant,
    format,
    string,
    number,
    array,
    object,
    allOf,
    anyOf,
    oneOf,
    not,
    conditional,
  ];
  return others.every((assertion) => assertion === undefined);
}

/** The schema that a chain of pure references ends at; itself where it is none. Chains may be long, circles have been refused. */
export function resolveReferences(id: SchemaId, schemas: ReadonlyMap<SchemaId, Schema>): SchemaId {
  let current = id;
  for (let schema = schemas.get(current); isPureReference(schema); schema = schemas.get(current)) current = schema.ref;
  return current;
}
