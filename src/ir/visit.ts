/** Traversal of the IR. A new kind of shape or a new applicator fails to compile here until it is handled. */
import type { Schema, SchemaId } from './schema.js';
import type { Shape } from './shape.js';

/** For a kind that the type says cannot be: a new member of a union fails to compile at the call. */
export function assertNever(value: never): never {
  throw new Error(`unexpected ${JSON.stringify(value)}`);
}

/** The schemas that are applied to the same value as this one. A cycle of these never ends. */
export function inPlaceChildren(schema: Schema): readonly SchemaId[] {
  const children: SchemaId[] = [];
  if (schema.kind === 'boolean') return children;
  const { ref, allOf, anyOf, oneOf, not, conditional, object } = schema;
  if (ref !== undefined) children.push(ref);
  for (const list of [allOf, anyOf, oneOf]) if (list !== undefined) for (const id of list) children.push(id);
  if (not !== undefined) children.push(not);
  if (conditional !== undefined) {
    for (const id of [conditional.if, conditional.then, conditional.else]) if (id !== undefined) children.push(id);
  }
  if (object !== undefined) for (const entry of object.dependentSchemas) children.push(entry.schema);
  return children;
}

/** The schemas that are applied to parts of the value: members, items, names, decoded content, and what is left over. */
export function partChildren(schema: Schema): readonly SchemaId[] {
  const children: SchemaId[] = [];
  if (schema.kind === 'boolean') return children;
  const { array, object, string, unevaluated } = schema;
  const add = (id: SchemaId | undefined): void => {
    if (id !== undefined) children.push(id);
  };
  if (array !== undefined) {
    for (const id of array.prefixItems ?? []) children.push(id);
    add(array.items);
    add(array.contains?.schema);
  }
  if (object !== undefined) {
    for (const entry of object.properties) children.push(entry.schema);
    for (const entry of object.patternProperties) children.push(entry.schema);
    add(object.additionalProperties);
    add(object.propertyNames);
  }
  add(string?.contentSchema);
  add(unevaluated?.properties);
  add(unevaluated?.items);
  return children;
}

/** Which schemas apply a schema, in place or to a part. */
export function schemaUsers(schemas: ReadonlyMap<SchemaId, Schema>): ReadonlyMap<SchemaId, readonly SchemaId[]> {
  const users = new Map<SchemaId, SchemaId[]>();
  for (const [id, schema] of schemas) {
    for (const children of [inPlaceChildren(schema), partChildren(schema)]) {
      for (const child of children) {
        const list = users.get(child);
        if (list) list.push(id);
        else users.set(child, [id]);
      }
    }
  }
  return users;
}

/** The shapes directly inside a shape. */
export function shapeChildren(shape: Shape): readonly Shape[] {
  switch (shape.kind) {
    case 'unknown':
    case 'never':
    case 'null':
    case 'boolean':
    case 'number':
    case 'string':
    case 'binary':
    case 'literal':
    case 'ref':
      return [];
    case 'array':
      return [shape.items];
    case 'tuple':
      return shape.rest ? [...shape.items, shape.rest] : shape.items;
    case 'object': {
      const properties = shape.properties.map((property) => property.shape);
      return shape.additional ? [...properties, shape.additional] : properties;
    }
    case 'union':
    case 'intersection':
      return shape.members;
    default:
      return assertNever(shape);
  }
}
