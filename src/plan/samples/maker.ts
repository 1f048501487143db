/** What the makers of arrays and objects need of the whole. */
import type { JsonValue, ObjectSchema, SchemaId } from '../../ir/schema.js';
import type { Direction } from '../target.js';
import type { Random } from './random.js';
import type { Validity } from './validity.js';

/** How many of the optional members and items a value has. */
export type Fullness = 'least' | 'some' | 'all';

export interface MakerOptions {
  readonly direction: Direction;
  readonly fullness: Fullness;
  readonly random: Random;
  /** Other values than the plainest. */
  readonly varied: boolean;
  /** The value that the document gives for a schema. */
  readonly documented: (id: SchemaId) => JsonValue | undefined;
  readonly heights: () => ReadonlyMap<SchemaId, number>;
}

export interface Maker {
  readonly validity: Validity;
  readonly options: MakerOptions;
  /** A value that all schemas accept. `varied`: other values than the plainest are wanted. */
  value(ids: readonly SchemaId[], depth: number, varied: boolean): JsonValue | undefined;
  /** A text that satisfies all nodes. */
  text(nodes: readonly ObjectSchema[]): string | undefined;
  wantsOptional(depth: number): boolean;
}
