/** What the compilers of single keywords and of unions need of the whole. */

import type { Environment } from '../../ir/environment.js';
import type { ObjectSchema, SchemaId } from '../../ir/schema.js';
import type { PatternCosts } from '../../patterns/pattern-cost.js';
import type { Direction, ValidatorEntry } from '../target.js';
import type { AssertionOptions } from './asserted.js';
import type { Facts } from './facts.js';
import type { Block, Branch, CallExpression, Expression, Fault, Statement, Subject } from './program.js';

/** Where a schema is being compiled. */
export interface Scope {
  readonly owner: ValidatorEntry;
  readonly direction: Direction;
  /** Members that a schema beside this one keeps out of this direction (`readOnly` here, `required` there). */
  readonly ignored: ReadonlySet<string>;
  /** What dynamic references mean here. */
  readonly environment: Environment;
  /** The schemas being inlined around this place. */
  readonly around?: Around;
}

/** A schema that is being inlined, and those around it. */
interface Around {
  readonly schema: SchemaId;
  readonly outer?: Around | undefined;
}

export function isAround(scope: Scope, schema: SchemaId): boolean {
  for (let { around } = scope; around !== undefined; around = around.outer) if (around.schema === schema) return true;
  return false;
}

export const noNames: ReadonlySet<string> = new Set();

/** Compiles the schemas below the one at hand. */
export interface Checker {
  readonly facts: Facts;
  readonly assertions: AssertionOptions;
  readonly patternCosts: PatternCosts;
  /** The checks of a schema on a subject: a call where it has a function, else its statements. */
  check(scope: Scope, id: SchemaId, subject: Subject, reached?: 'ref' | 'inside'): Block;
  /** A branch of which it must be known whether it holds, without refusing. */
  branch(scope: Scope, id: SchemaId, subject: Subject): Branch;
  /** A call of the function of a schema, on a value that is no part of the subject. */
  aside(scope: Scope, id: SchemaId, subject: Subject): CallExpression;
  /** The scope for the schemas below this one. */
  enter(scope: Scope, schema: ObjectSchema): Scope;
  /** What the `$dynamicRef` of a schema means there. */
  dynamicTarget(scope: Scope, schema: ObjectSchema): SchemaId | undefined;
  fault(id: SchemaId, keyword: string, params: Fault['params'], subject: Subject, pointer?: string): Fault;
}

/** The test that no value passes. */
export const neverTrue: Expression = { kind: 'constant', value: false };

export function refuse(fault: Fault): Statement {
  return { kind: 'guard', test: neverTrue, fault };
}
