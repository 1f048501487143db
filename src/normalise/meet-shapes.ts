/** What two shapes have in common, where that can be said without writing an intersection. */
import type { JsonValue } from '../ir/schema.js';
import type { LiteralShape, NumberShape, Shape, StringShape, UnionShape } from '../ir/shape.js';
import { jsonKind } from '../ir/visit.js';

const nothing: Shape = { kind: 'never' };

/** A stable text of a shape, for equality. Shapes are small: everything else in them is a ref. */
export function fingerprint(shape: Shape): string {
  // Nearly all parts of unions are of these kinds, and writing JSON costs several times as much.
  if (shape.kind === 'ref') return `ref ${shape.target}`;
  if (shape.kind === 'literal' && typeof shape.value === 'string') return `"${shape.value}`;
  return shape.kind === 'null' ? 'null' : JSON.stringify(shape);
}

/** Equal shapes once: the last of them, in the place of the first. */
export function distinct(shapes: readonly Shape[]): readonly Shape[] {
  const [first, second] = shapes;
  // Most unions are something or null.
  if (second === undefined || (shapes.length === 2 && first?.kind !== second.kind)) return shapes;
  return [...new Map(shapes.map((shape) => [fingerprint(shape), shape])).values()];
}

/**
 * The shape that says what both say together; `undefined` where only an intersection can. `never` where no value is both:
 * JSON types are disjoint, and so are different literals.
 */
export function meet(left: Shape, right: Shape): Shape | undefined {
  if (left.kind === 'unknown') return right;
  if (right.kind === 'unknown') return left;
  if (left.kind === 'never' || right.kind === 'never') return nothing;
  if (left.kind === 'union') return meetUnion(left, right);
  if (right.kind === 'union') return meetUnion(right, left);
  const [first, second] = [jsonKind(left), jsonKind(right)];
  if (first === undefined || second === undefined) return fingerprint(left) === fingerprint(right) ? left : undefined;
  if (first !== second) return nothing;
  if (left.kind === 'literal') return meetLiteral(left, right);
  if (right.kind === 'literal') return meetLiteral(right, left);
  if (left.kind === 'number' && right.kind === 'number') return meetNumbers(left, right);
  if (left.kind === 'string' && right.kind === 'string') return moreTelling(left, right);
  if (left.kind === 'null' || left.kind === 'boolean') return left;
  return fingerprint(left) === fingerprint(right) ? left : undefined;
}

/** Part by part; undecided where one part is. Two lists of literals, which may be long, are compared as sets. */
function meetUnion(union: UnionShape, other: Shape): Shape | undefined {
  if (fingerprint(union) === fingerprint(other)) return union;
  const literals = other.kind === 'union' ? primitives(other) : undefined;
  const parts: Shape[] = [];
  for (const member of union.members) {
    const value = primitive(member);
    const met = literals && value !== undefined ? (literals.has(value) ? member : nothing) : meet(member, other);
    if (met === undefined) return undefined;
    if (met.kind === 'union') parts.push(...met.members);
    else if (met.kind !== 'never') parts.push(met);
  }
  const members = distinct(parts);
  const [only] = members;
  if (only === undefined) return nothing;
  return members.length === 1 ? only : { kind: 'union', members };
}

/** A literal's value where `===` compares it; null is a shape of its own. */
function primitive(shape: Shape): string | number | boolean | null | undefined {
  if (shape.kind === 'null') return null;
  return shape.kind === 'literal' && typeof shape.value !== 'object' ? shape.value : undefined;
}

function primitives({ members }: UnionShape): ReadonlySet<JsonValue> | undefined {
  const values = new Set<JsonValue>();
  for (const member of members) {
    const value = primitive(member);
    if (value === undefined) return undefined;
    values.add(value);
  }
  return values;
}

function meetLiteral(literal: LiteralShape, other: Shape): Shape | undefined {
  if (other.kind === 'literal') return fingerprint(literal) === fingerprint(other) ? literal : nothing;
  if (other.kind === 'number') return !other.integer || Number.isInteger(literal.value) ? literal : nothing;
  return other.kind === 'string' || other.kind === 'boolean' ? literal : undefined;
}

function meetNumbers(left: NumberShape, right: NumberShape): Shape {
  return left.integer === right.integer ? moreTelling(left, right) : left.integer ? left : right;
}

function moreTelling<S extends StringShape | NumberShape>(left: S, right: S): S {
  return left.format === undefined ? right : left;
}

/**
 * What is left of a shape without the values of another one. `excluded` must be exact: every value that it describes is
 * excluded. Only whole parts are taken away; where a part is excluded in part, it stays.
 */
export function without(shape: Shape, excluded: Shape): Shape {
  if (shape.kind === 'union') {
    const rest = shape.members.map((member) => without(member, excluded)).filter(({ kind }) => kind !== 'never');
    const [only] = rest;
    if (only === undefined) return nothing;
    return rest.length === 1 ? only : { kind: 'union', members: rest };
  }
  if (shape.kind === 'boolean') {
    const left = [true, false].filter((value) => !isWithin({ kind: 'literal', value }, excluded));
    const [only] = left;
    if (left.length === 1 && only !== undefined) return { kind: 'literal', value: only };
  }
  return isWithin(shape, excluded) ? nothing : shape;
}

/** Whether every value of the first shape is certainly one of the second. */
export function isWithin(inner: Shape, outer: Shape): boolean {
  if (outer.kind === 'unknown' || inner.kind === 'never') return true;
  if (inner.kind === 'union') return inner.members.every((member) => isWithin(member, outer));
  if (outer.kind === 'union') return outer.members.some((member) => isWithin(inner, member));
  if (inner.kind === 'literal') {
    const met = meetLiteral(inner, outer);
    return met !== undefined && met.kind !== 'never' && jsonKind(inner) === jsonKind(outer);
  }
  if (inner.kind === 'number' && outer.kind === 'number') return inner.integer || !outer.integer;
  if (inner.kind === outer.kind && (inner.kind === 'string' || inner.kind === 'boolean' || inner.kind === 'null'))
    return true;
  return isAny(outer) && jsonKind(inner) === jsonKind(outer);
}

/** Any array, any object: a shape whose kind says everything. */
function isAny(shape: Shape): boolean {
  if (shape.kind === 'array') return shape.items.kind === 'unknown';
  return (
    shape.kind === 'object' &&
    shape.properties.length === 0 &&
    !shape.closed &&
    (shape.additional?.kind ?? 'unknown') === 'unknown'
  );
}
