/** What the printers of arrays and objects need of the whole. */
import type { Code } from '../../encode.js';
import type { SchemaId } from '../../ir/schema.js';
import type { Facts } from '../checks/facts.js';
import type { FormatModule } from '../checks/formats.js';
import type { TypeClass } from '../checks/program.js';
import type { Direction } from '../target.js';

/** A function of the runtime, by its private name. */
export type UseRuntime = (file: FormatModule | 'slow-pattern' | 'zod-checks', name: string) => Code;

/** Where a schema is printed. */
export interface Place {
  readonly direction: Direction;
  /** Members that a schema beside this one keeps out of this direction. */
  readonly ignored: ReadonlySet<string>;
  /** The schemas that are being printed around this place. */
  readonly around: ReadonlySet<SchemaId>;
}

export interface ZodPrinter {
  readonly facts: Facts;
  readonly use: UseRuntime;
  /** `within`: the classes that the value can be of. */
  of(place: Place, id: SchemaId, within?: ReadonlySet<TypeClass>): Code;
  member(print: () => Code): { readonly text: Code; readonly isLate: boolean };
}

/** Thrown and caught inside of `ZodText`: Zod has no word for a schema. */
export class Unsayable extends Error {}
