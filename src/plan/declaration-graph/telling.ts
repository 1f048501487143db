/** How much a schema tells of its values: only what tells something becomes part of a type. */
import type { JsonType, ObjectSchema, Schema } from '../../ir/schema.js';

/** A type is told by values or parts of it, or by other schemas. */
export function isComposed({ ref, allOf, anyOf, oneOf }: ObjectSchema): boolean {
  return ref !== undefined || allOf !== undefined || anyOf !== undefined || oneOf !== undefined;
}

export function hasOwnShape({ enum: values, const: constant, object, array, format }: ObjectSchema): boolean {
  if (values !== undefined || constant !== undefined || format === 'binary') return true;
  if (array?.items !== undefined || array?.prefixItems !== undefined) return true;
  return object !== undefined && (object.properties.length > 0 || object.additionalProperties !== undefined);
}

/** Whether a schema tells more than the plain type that another one around it has. */
export function isTelling(schema: Schema): boolean {
  if (schema.kind === 'boolean') return !schema.value;
  const isPlain = schema.types?.every((type) => type !== 'object' && type !== 'array');
  return isComposed(schema) || hasOwnShape(schema) || isPlain === true;
}

export function says(schema: Schema): boolean {
  return (
    isTelling(schema) || (schema.kind === 'schema' && (schema.types !== undefined || impliedType(schema) !== undefined))
  );
}

/** What the author of keywords without `type` meant. */
export function impliedType(schema: ObjectSchema): JsonType | undefined {
  const { object, array, string, number } = schema;
  if (object !== undefined && (object.properties.length > 0 || object.additionalProperties !== undefined))
    return 'object';
  if (array?.items !== undefined || array?.prefixItems !== undefined) return 'array';
  if (string !== undefined) return 'string';
  return number === undefined ? undefined : 'number';
}
