/**
 * The shape layer of the IR: what a value looks like, derived from the assertions by `normalise/shapes.ts`. Types are
 * printed from it. One shape per schema; inside a shape, every other schema appears as a `ref`, so a shape is as small
 * as the schema node it comes from and sharing is kept. Whether a ref is printed as a name or inline is plan's choice.
 */
import type { JsonValue, SchemaId } from './schema.js';

export type Shape =
  | UnknownShape
  | NeverShape
  | NullShape
  | BooleanShape
  | NumberShape
  | StringShape
  | BinaryShape
  | LiteralShape
  | ArrayShape
  | TupleShape
  | ObjectShape
  | UnionShape
  | IntersectionShape
  | RefShape;

/** Any JSON value. */
export interface UnknownShape {
  readonly kind: 'unknown';
}
/** No value at all. */
export interface NeverShape {
  readonly kind: 'never';
}
export interface NullShape {
  readonly kind: 'null';
}
export interface BooleanShape {
  readonly kind: 'boolean';
}
export interface NumberShape {
  readonly kind: 'number';
  readonly integer: boolean;
  readonly format?: string;
}
export interface StringShape {
  readonly kind: 'string';
  readonly format?: string;
}
/** Bytes outside JSON (a body or a part); never inside a JSON value. */
export interface BinaryShape {
  readonly kind: 'binary';
}
export interface LiteralShape {
  readonly kind: 'literal';
  readonly value: JsonValue;
}
export interface ArrayShape {
  readonly kind: 'array';
  readonly items: Shape;
}
export interface TupleShape {
  readonly kind: 'tuple';
  readonly items: readonly Shape[];
  /** How many of `items` must be there. */
  readonly required: number;
  /** The shape of what follows; absent where nothing may follow. */
  readonly rest?: Shape;
}
export interface ObjectShape {
  readonly kind: 'object';
  readonly properties: readonly PropertyShape[];
  /** What `additionalProperties` and `patternProperties` say of other members; absent where the document says nothing. */
  readonly additional?: Shape;
  /** `additionalProperties: false`. */
  readonly closed: boolean;
}
export interface PropertyShape {
  readonly name: string;
  readonly shape: Shape;
  readonly required: boolean;
  /** In which direction the member travels: `read` is `readOnly`, `write` is `writeOnly`. */
  readonly access: 'both' | 'read' | 'write';
  /** The enumeration of which the shape says the values that conditions leave. */
  readonly remainderOf?: SchemaId;
}
export interface UnionShape {
  readonly kind: 'union';
  readonly members: readonly Shape[];
}
export interface IntersectionShape {
  readonly kind: 'intersection';
  readonly members: readonly Shape[];
}
export interface RefShape {
  readonly kind: 'ref';
  readonly target: SchemaId;
}
