/** Unions and intersections of shapes, simplified without expanding products. */
import type { JsonType, JsonValue, ObjectSchema, SchemaId } from '../ir/schema.js';
import type { ObjectShape, PropertyShape, Shape, UnionShape } from '../ir/shape.js';
import { distinct, isWithin, meet } from './meet-shapes.js';

/**
 * The union of shapes: nested unions flattened, equal members once, `never` dropped, `unknown` absorbing the rest; null
 * stands at the end, wherever the document has it.
 */
export function union(shapes: readonly Shape[]): Shape {
  const isNested = shapes.some((shape) => shape.kind === 'union');
  const flat = isNested ? shapes.flatMap((shape) => (shape.kind === 'union' ? shape.members : [shape])) : shapes;
  if (flat.some((shape) => shape.kind === 'unknown')) return { kind: 'unknown' };
  const telling = distinct(flat.filter((shape) => shape.kind !== 'never'));
  const nullable = telling.find((shape) => shape.kind === 'null');
  const members = nullable ? [...telling.filter((shape) => shape !== nullable), nullable] : telling;
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

/**
 * The intersection of shapes: `unknown` dropped, what two members say together said once, "any object" dropped beside
 * something that says more, alternatives dropped that another member excludes.
 */
export function intersection(shapes: readonly Shape[]): Shape {
  const flat = shapes.flatMap((shape) => (shape.kind === 'intersection' ? shape.members : [shape]));
  const all = flat.length < 2 ? flat : meetAll(flat);
  if (all.some((shape) => shape.kind === 'never')) return { kind: 'never' };
  const telling = all.filter((shape) => !isAnyObject(shape));
  const members = telling.length > 0 && telling.every(saysObject) ? telling : all;
  const [only] = members;
  if (only === undefined) return { kind: 'unknown' };
  return members.length === 1 ? only : { kind: 'intersection', members };
}

/** Each shape is joined with the first one that it can be joined with; then unions lose what the others exclude. */
function meetAll(shapes: readonly Shape[]): readonly Shape[] {
  const met: Shape[] = [];
  for (const shape of shapes) {
    if (shape.kind === 'unknown') continue;
    let joined: Shape | undefined;
    const place = met.findIndex((other) => {
      joined = meet(other, shape);
      return joined !== undefined;
    });
    if (joined) met[place] = joined;
    else met.push(shape);
  }
  return met.map((shape) => (shape.kind === 'union' ? pruned(shape, met) : shape));
}

function pruned(shape: UnionShape, others: readonly Shape[]): Shape {
  const members = shape.members.filter((member) =>
    others.every((other) => other === shape || meet(member, other)?.kind !== 'never'),
  );
  return members.length === shape.members.length ? shape : union(members);
}

/** Whether the shape certainly or most likely speaks of objects, so that "any object" beside it adds nothing but noise. */
function saysObject(shape: Shape): boolean {
  if (shape.kind === 'union') return shape.members.every(saysObject);
  return shape.kind === 'object' || shape.kind === 'ref' || shape.kind === 'intersection';
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
  const met = meet(first, second);
  // A ref stays one where it says it all: its docs are printed with the member.
  const shape =
    met === first ? left.shape : met === second ? right.shape : (met ?? intersection([left.shape, right.shape]));
  const remainderOf = remainder(left, first, right, second);
  return {
    name: left.name,
    shape,
    required: left.required || right.required,
    access: left.access === 'both' ? right.access : left.access,
    ...(remainderOf !== undefined && { remainderOf }),
  };
}

/** What conditions leave of an enumeration stays that beside the whole, and beside what other conditions leave of it; not beside values that one tests for. */
function remainder(left: PropertyShape, first: Shape, right: PropertyShape, second: Shape): SchemaId | undefined {
  if (left.remainderOf !== undefined && right.remainderOf !== undefined) return left.remainderOf;
  const isRest = (rest: Shape, whole: Shape): boolean => isWithin(rest, whole) && !isWithin(whole, rest);
  if (left.remainderOf !== undefined) return isRest(first, second) ? left.remainderOf : undefined;
  return right.remainderOf !== undefined && isRest(second, first) ? right.remainderOf : undefined;
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
