/** Traversal of the IR. A new kind of shape or a new applicator fails to compile here until it is handled. */
import type { Schema, SchemaId } from './schema.js';
import type { Shape } from './shape.js';

/** For a kind that the type says cannot be: a new member of a union fails to compile at the call. */
export function assertNever(value: never): never {
  throw new Error(`unexpected ${JSON.stringify(value)}`);
}

/** The schemas that are applied to the same value as this one. A cycle of these never ends. */
export function inPlaceChildren(schema: Schema): readonly SchemaId[] {
  if (schema.kind === 'boolean') return [];
  const { ref, allOf, anyOf, oneOf, not, conditional, object } = schema;
  return [
    ...(ref === undefined ? [] : [ref]),
    ...(allOf ?? []),
    ...(anyOf ?? []),
    ...(oneOf ?? []),
    ...(not === undefined ? [] : [not]),
    ...(conditional ? [conditional.if, conditional.then, conditional.else].filter((id) => id !== undefined) : []),
    ...(object?.dependentSchemas.map((entry) => entry.schema) ?? []),
  ];
}

/** The schemas that are applied to parts of the value: members, items, names, decoded content, and what is left over. */
export function partChildren(schema: Schema): readonly SchemaId[] {
  if (schema.kind === 'boolean') return [];
  const { array, object, string, unevaluated } = schema;
  const single = [
    array?.items,
    array?.contains?.schema,
    object?.additionalProperties,
    object?.propertyNames,
    string?.contentSchema,
    unevaluated?.properties,
    unevaluated?.items,
  ];
  return [
    ...(array?.prefixItems ?? []),
    ...(object?.properties.map((entry) => entry.schema) ?? []),
    ...(object?.patternProperties.map((entry) => entry.schema) ?? []),
    ...single.filter((id) => id !== undefined),
  ];
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
