/** Unions and intersections of shapes, simplified without expanding products. */
import type { JsonType, JsonValue, ObjectSchema } from '../ir/schema.js';
import type { ObjectShape, PropertyShape, Shape } from '../ir/shape.js';

/** A stable text of a shape, for equality. Shapes are small: everything else in them is a ref. */
function fingerprint(shape: Shape): string {
  return shape.kind === 'ref' ? `ref ${shape.target}` : JSON.stringify(shape);
}

/** Equal shapes once: the last of them, in the place of the first. */
function distinct(shapes: readonly Shape[]): readonly Shape[] {
  return shapes.length < 2 ? shapes : [...new Map(shapes.map((shape) => [fingerprint(shape), shape])).values()];
}

/** The union of shapes: nested unions flattened, equal members once, `never` dropped, `unknown` absorbing the rest. */
export function union(shapes: readonly Shape[]): Shape {
  const flat = shapes.flatMap((shape) => (shape.kind === 'union' ? shape.members : [shape]));
  if (flat.some((shape) => shape.kind === 'unknown')) return { kind: 'unknown' };
  const members = distinct(flat.filter((shape) => shape.kind !== 'never'));
  const [only] = members;
  if (only === undefined) return { kind: 'never' };
  return members.length === 1 ? only : { kind: 'union', members };
}

function isAnyObject(shape: Shape): boolean {
  return (
    shape.kind === 'object' &&
    shape.properties.length === 0 &&
    !shape.closed &&
    (shape.additional?.kind ?? 'unknown') === 'unknown'
  );
}

/** The intersection of shapes: `unknown` dropped, equal members once, "any object" dropped beside something that says more. */
export function intersection(shapes: readonly Shape[]): Shape {
  const flat = shapes.flatMap((shape) => (shape.kind === 'intersection' ? shape.members : [shape]));
  if (flat.some((shape) => shape.kind === 'never')) return { kind: 'never' };
  const all = distinct(flat.filter((shape) => shape.kind !== 'unknown'));
  const telling = all.filter((shape) => !isAnyObject(shape));
  const members = telling.length > 0 && telling.every(saysObject) ? telling : all;
  const [only] = members;
  if (only === undefined) return { kind: 'unknown' };
  return members.length === 1 ? only : { kind: 'intersection', members };
}

/** Whether the shape certainly or most likely speaks of objects, so that "any object" beside it adds nothing but noise. */
function saysObject(shape: Shape): boolean {
  if (shape.kind === 'union') return shape.members.every(saysObject);
  return shape.kind === 'object' || shape.kind === 'ref' || shape.kind === 'intersection';
}

/** The one of two shapes that already says what both say together; `undefined` where neither does. */
export function narrower(left: Shape, right: Shape): Shape | undefined {
  if (left.kind === 'unknown' || fingerprint(left) === fingerprint(right)) return right;
  if (right.kind === 'unknown') return left;
  if (isWithin(left, right)) return left;
  return isWithin(right, left) ? right : undefined;
}

/** Whether every value of the first shape is one of the second: literals in their type, unions part by part. */
function isWithin(inner: Shape, outer: Shape): boolean {
  if (inner.kind === 'union') return inner.members.every((member) => isWithin(member, outer));
  if (outer.kind === 'union') return outer.members.some((member) => isWithin(inner, member));
  if (inner.kind === 'literal') return outer.kind === typeof inner.value || fingerprint(inner) === fingerprint(outer);
  if (inner.kind === 'number' && outer.kind === 'number') return inner.integer || !outer.integer;
  return inner.kind === outer.kind && (inner.kind === 'string' || inner.kind === 'boolean' || inner.kind === 'null');
}

/** Merges the object shapes of a list into one, in place of the first; everything else stays. `resolve` looks through inline refs. */
export function mergeObjects(shapes: readonly Shape[], resolve: (shape: Shape) => Shape): readonly Shape[] {
  const flat = shapes.flatMap((shape) => (shape.kind === 'intersection' ? shape.members : [shape]));
  const objects = flat.filter((shape) => shape.kind === 'object').filter((shape) => !isAnyObject(shape));
  if (objects.length < 2) return flat;
  const merged: Shape = objects.reduce((left, right) => mergeTwo(left, right, resolve));
  const first = objects[0];
  return flat.flatMap((shape): readonly Shape[] =>
    shape === first ? [merged] : shape.kind === 'object' ? [] : [shape],
  );
}

function mergeTwo(left: ObjectShape, right: ObjectShape, resolve: (shape: Shape) => Shape): ObjectShape {
  const byName = new Map(left.properties.map((property) => [property.name, property]));
  for (const property of right.properties) {
    const other = byName.get(property.name);
    byName.set(property.name, other ? mergeProperty(other, property, resolve) : property);
  }
  const additional =
    left.additional && right.additional
      ? intersection([left.additional, right.additional])
      : (left.additional ?? right.additional);
  return {
    kind: 'object',
    properties: [...byName.values()],
    closed: left.closed && right.closed,
    ...(additional && { additional }),
  };
}

function mergeProperty(left: PropertyShape, right: PropertyShape, resolve: (shape: Shape) => Shape): PropertyShape {
  const [first, second] = [resolve(left.shape), resolve(right.shape)];
  const narrow = narrower(first, second);
  const shape =
    narrow === first ? left.shape : narrow === second ? right.shape : intersection([left.shape, right.shape]);
  return {
    name: left.name,
    shape,
    required: left.required || right.required,
    access: left.access === 'both' ? right.access : left.access,
  };
}

function jsonTypeOf(value: JsonValue): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value as 'boolean' | 'string' | 'object';
}

/** The values of `enum` and `const` that the schema's `type` allows, as literals. */
export function literalUnion(schema: ObjectSchema): Shape {
  const values = schema.const ? [schema.const.value] : (schema.enum ?? []);
  const allowed = values.filter((value) => {
    const type = jsonTypeOf(value);
    return !schema.types || schema.types.includes(type) || (type === 'integer' && schema.types.includes('number'));
  });
  return union(allowed.map((value): Shape => (value === null ? { kind: 'null' } : { kind: 'literal', value })));
}
