/** Traversal of the IR. A new kind of shape or a new applicator fails to compile here until it is handled. */
import type { Schema, SchemaId } from './schema.js';
import type { Shape } from './shape.js';

/** For a kind that the type says cannot be: a new member of a union fails to compile at the call. */
export function assertNever(value: never): never {
  throw new Error(`unexpected ${JSON.stringify(value)}`);
}

const noChildren: readonly SchemaId[] = [];

/** The schemas that are applied to the same value as this one. A cycle of these never ends. */
export function inPlaceChildren(schema: Schema): readonly SchemaId[] {
  if (schema.kind === 'boolean') return noChildren;
  const { ref, allOf, anyOf, oneOf, not, conditional, object } = schema;
  const composed = allOf ?? anyOf ?? oneOf ?? not ?? conditional;
  if (composed === undefined && (object === undefined || object.dependentSchemas.length === 0))
    return ref === undefined ? noChildren : [ref];
  const children: SchemaId[] = [];
  if (ref !== undefined) children.push(ref);
  for (const list of [allOf, anyOf, oneOf]) if (list !== undefined) for (const id of list) children.push(id);
  if (not !== undefined) children.push(not);
  if (conditional !== undefined) {
    for (const id of [conditional.if, conditional.then, conditional.else]) if (id !== undefined) children.push(id);
  }
  if (object !== undefined) for (const entry of object.dependentSchemas) children.push(entry.schema);
  return children;
}

/**
 * The schemas that are applied to parts of the value (members, items, names, decoded content, what is left over), and those
 * that a dynamic reference may mean: whether those go round in a circle depends on the way to them.
 */
export function partChildren(schema: Schema): readonly SchemaId[] {
  if (schema.kind === 'boolean') return noChildren;
  const { array, object, string, unevaluated, dynamicRef } = schema;
  if (array === undefined && object === undefined && string === undefined && unevaluated === undefined)
    return dynamicRef?.candidates ?? noChildren;
  const children: SchemaId[] = [];
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
  for (const id of dynamicRef?.candidates ?? []) children.push(id);
  return children;
}

/** The schemas from which one of the given ones can be reached, themselves included. */
export function withUsers(
  owners: ReadonlySet<SchemaId>,
  schemas: ReadonlyMap<SchemaId, Schema>,
): ReadonlySet<SchemaId> {
  const found = new Set(owners);
  if (found.size === 0) return found;
  const users = schemaUsers(schemas);
  // The set grows while it is walked.
  for (const id of found) for (const user of usersOf(id, users)) found.add(user);
  return found;
}

/** Nearly all schemas are used in one place: those need no list. */
type Users = SchemaId | SchemaId[];

/** The schemas that apply this one. */
export function usersOf(id: SchemaId, users: ReadonlyMap<SchemaId, Users>): readonly SchemaId[] {
  const using = users.get(id);
  return typeof using === 'string' ? [using] : (using ?? noChildren);
}

/** Which schemas apply a schema, in place or to a part. */
export function schemaUsers(schemas: ReadonlyMap<SchemaId, Schema>): ReadonlyMap<SchemaId, Users> {
  const users = new Map<SchemaId, Users>();
  for (const schema of schemas.values()) {
    for (const child of inPlaceChildren(schema)) addUser(users, child, schema.id);
    for (const child of partChildren(schema)) addUser(users, child, schema.id);
  }
  return users;
}

function addUser(users: Map<SchemaId, Users>, child: SchemaId, user: SchemaId): void {
  const known = users.get(child);
  if (known === undefined) users.set(child, user);
  else if (typeof known === 'string') users.set(child, [known, user]);
  else known.push(user);
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

/** The JSON type of every value of a shape; `undefined` where the shape does not say. An integer is a number. */
export function jsonKind(shape: Shape): 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object' | undefined {
  switch (shape.kind) {
    case 'null':
    case 'boolean':
    case 'number':
    case 'string':
    case 'array':
    case 'object':
      return shape.kind;
    case 'tuple':
      return 'array';
    case 'literal':
      if (Array.isArray(shape.value)) return 'array';
      return typeof shape.value as 'boolean' | 'number' | 'string' | 'object';
    default:
      return undefined;
  }
}

/** What a shape is made of, through references: the groups of the given kinds taken apart, breadth first, each schema once. */
export function takenApart(
  start: Shape,
  shapes: ReadonlyMap<SchemaId, Shape>,
  groups: ReadonlySet<'union' | 'intersection'>,
): readonly Shape[] {
  const found: Shape[] = [];
  const seen = new Set<SchemaId>();
  const pending: Shape[] = [start];
  // The list grows while it is walked.
  for (const shape of pending) {
    if ((shape.kind === 'union' || shape.kind === 'intersection') && groups.has(shape.kind)) {
      for (const member of shape.members) pending.push(member);
    } else if (shape.kind !== 'ref') found.push(shape);
    else if (!seen.has(shape.target)) {
      seen.add(shape.target);
      const target = shapes.get(shape.target);
      if (target) pending.push(target);
    }
  }
  return found;
}
