/** What `not` takes away from a type: only what a schema excludes exactly, so that no valid value is refused. */
import type { ObjectSchema, Schema, SchemaId } from '../ir/schema.js';
import type { Shape } from '../ir/shape.js';
import { union } from './combine-shapes.js';
import { without } from './meet-shapes.js';

/** The shape of a schema whose values are all the values of that shape: types, lists of values, and unions of those. */
function exactShape(
  id: SchemaId,
  schemas: ReadonlyMap<SchemaId, Schema>,
  shapeOf: (id: SchemaId) => Shape,
  depth = 0,
): Shape | undefined {
  const schema = schemas.get(id);
  if (schema?.kind === 'boolean') return { kind: schema.value ? 'unknown' : 'never' };
  if (schema === undefined || depth > 10) return undefined;
  const { ref, anyOf, types, enum: values, const: value } = schema;
  if (asserts(schema)) return undefined;
  const said = [ref, anyOf, values ?? value ?? types].filter((part) => part !== undefined);
  if (said.length === 0) return { kind: 'unknown' };
  if (said.length > 1) return undefined;
  if (ref !== undefined) return exactShape(ref, schemas, shapeOf, depth + 1);
  if (anyOf === undefined) return shapeOf(id);
  const parts = anyOf.map((part) => exactShape(part, schemas, shapeOf, depth + 1));
  return parts.includes(undefined) ? undefined : union(parts.filter((part) => part !== undefined));
}

/** Whether a schema says anything that a shape says only in part. */
function asserts(schema: ObjectSchema): boolean {
  const { string, number, array, object, format, allOf, oneOf, not, conditional, unevaluated } = schema;
  return [string, number, array, object, format, allOf, oneOf, not, conditional, unevaluated].some(
    (part) => part !== undefined,
  );
}

/** The shapes, which apply together, without the values that `not` refuses. */
export function withoutExcluded(
  parts: readonly Shape[],
  not: SchemaId,
  schemas: ReadonlyMap<SchemaId, Schema>,
  shapeOf: (id: SchemaId) => Shape,
): readonly Shape[] {
  const excluded = exactShape(not, schemas, shapeOf);
  if (excluded === undefined) return parts;
  return excluded.kind === 'unknown' ? [{ kind: 'never' }] : parts.map((part) => without(part, excluded));
}
