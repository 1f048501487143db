/**
 * The check program: what a validator does, before anything is printed. Both passes of a validator, the one that answers
 * yes or no and the one that collects issues, are printed from the same program. Statements refuse or go on; expressions
 * have no effect. Both unions are closed: a new kind fails to compile until every walk handles it.
 */
import type { JsonType, JsonValue, SchemaId } from '../../ir/schema.js';
import type { Direction, ValidatorEntry } from '../target.js';
import type { ContentEncoding, FormatImport } from './asserted.js';

/** The six disjoint classes of JSON values; `integer` is a test within `number`. */
export type TypeClass = Exclude<JsonType, 'integer'>;

/** One step from the checked value to a part of it; `index` and `key` are loop variables of a level. */
export type Step =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'position'; readonly position: number }
  | { readonly kind: 'index'; readonly level: number }
  | { readonly kind: 'key'; readonly level: number };

/** A value under test: a variable of the generated function. Each level of nesting has one variable, used again and again. */
export interface Subject {
  readonly role: 'value' | 'key';
  readonly level: number;
  readonly path: readonly Step[];
  /** The only class that the value can have here, where an enclosing statement has made sure of it. */
  readonly known?: TypeClass;
  /** An `open` of this subject stands above. */
  readonly opened?: boolean;
  /**
   * Something else has tested this variable before, so the compiler of the output may have narrowed its type in a way
   * that makes a further test an error (`string` compared with `5`). Opaque subjects are printed behind a cast.
   */
  readonly opaque: boolean;
}

/** What is said when a guard refuses. */
export interface Fault {
  readonly keyword: string;
  /** The schema that refuses. */
  readonly schema: SchemaId;
  /** The way from there to the keyword; empty where the schema itself is meant. */
  readonly pointer: string;
  readonly params: { readonly [name: string]: JsonValue };
  readonly path: readonly Step[];
}

export type Operator = '<' | '<=' | '>' | '>=';

export type Expression =
  | { readonly kind: 'constant'; readonly value: boolean }
  | { readonly kind: 'not'; readonly operand: Expression }
  | { readonly kind: 'all' | 'any'; readonly operands: readonly Expression[] }
  /** `narrow`: what follows reads the value as that type, so the test must be one that TypeScript understands. */
  | {
      readonly kind: 'type';
      readonly subject: Subject;
      readonly types: readonly JsonType[];
      readonly narrow: boolean;
      /** A member that no array has is tested next, so the first pass need not tell arrays from objects. */
      readonly arraysExcluded?: boolean;
    }
  | { readonly kind: 'equal'; readonly subject: Subject; readonly values: readonly JsonValue[] }
  | { readonly kind: 'compare'; readonly subject: Subject; readonly operator: Operator; readonly bound: number }
  | { readonly kind: 'multiple'; readonly subject: Subject; readonly divisor: number }
  | { readonly kind: 'length'; readonly subject: Subject; readonly operator: '<=' | '>='; readonly bound: number }
  /** `maxLength`: texts that are longer, in code points, never come here. */
  | { readonly kind: 'pattern'; readonly subject: Subject; readonly pattern: string; readonly maxLength?: number }
  | { readonly kind: 'format'; readonly subject: Subject; readonly format: string; readonly own?: FormatImport }
  | { readonly kind: 'encoded'; readonly subject: Subject; readonly encoding: ContentEncoding }
  | {
      /** A text that holds JSON, or encodes it, for which the call holds. */
      readonly kind: 'json';
      readonly subject: Subject;
      readonly encoding?: ContentEncoding;
      readonly content?: CallExpression;
    }
  | { readonly kind: 'size'; readonly subject: Subject; readonly operator: '<=' | '>='; readonly bound: number }
  | { readonly kind: 'unique'; readonly subject: Subject }
  | { readonly kind: 'count'; readonly subject: Subject; readonly operator: '<=' | '>='; readonly bound: number }
  | { readonly kind: 'present'; readonly subject: Subject; readonly name: string }
  | CallExpression;

/** Runs another unit on a value. */
export interface CallExpression {
  readonly kind: 'call';
  readonly unit: UnitKey;
  readonly subject: Subject;
  /** Where the unit may speak for several schemas, the one that is meant: it stands inside the caller's own, … */
  readonly place?: SchemaId;
  /** … or elsewhere, so that it is the same whatever the caller speaks for. */
  readonly target?: SchemaId;
}

export type Block = readonly Statement[];

/** A test with the statements that say the same; the second pass runs the statements to explain why the test failed. */
export interface Branch {
  readonly test: Expression;
  readonly body: Block;
}

export type Statement =
  | { readonly kind: 'guard'; readonly test: Expression; readonly fault: Fault }
  | CallExpression
  /** The body of the first arm whose test holds, else `otherwise`. */
  | { readonly kind: 'branch'; readonly arms: readonly Branch[]; readonly otherwise: Block }
  /** Makes the members of an object readable; stands before every statement that reads them. */
  | { readonly kind: 'open'; readonly subject: Subject }
  | {
      readonly kind: 'member';
      readonly object: Subject;
      readonly name: string;
      readonly member: Subject;
      /** Present where the member must be there. */
      readonly required?: Fault;
      /** The body refuses `undefined` by itself, so that the first pass needs no test of presence. */
      readonly impliesPresence: boolean;
      readonly body: Block;
    }
  /** The item at a fixed position, where the array is long enough. */
  | {
      readonly kind: 'item';
      readonly array: Subject;
      readonly position: number;
      readonly item: Subject;
      readonly body: Block;
    }
  /** All items from a position on. */
  | {
      readonly kind: 'items';
      readonly array: Subject;
      readonly from: number;
      readonly item: Subject;
      readonly body: Block;
    }
  | MembersStatement
  | UnevaluatedStatement
  /** What is left over of a value is looked at only where nothing else is wrong with it: else, all of it might seem to be left. */
  | { readonly kind: 'whenValid'; readonly first: Block; readonly then: Block }
  | {
      readonly kind: 'contains';
      readonly array: Subject;
      readonly item: Subject;
      readonly test: Expression;
      readonly min: number;
      readonly max?: number;
      readonly tooFew: Fault;
      readonly tooMany: Fault;
    }
  | {
      readonly kind: 'union';
      readonly mode: 'anyOf' | 'oneOf';
      readonly branches: readonly Branch[];
      readonly subject: Subject;
      /** Of each branch, the members that it demands with one of a few values: the branch that a value means has them. */
      readonly tags: readonly (readonly (readonly [name: string, values: readonly JsonValue[]])[])[];
      readonly fault: Fault;
    }
  /** Chooses a branch by the value of a member that every branch fixes. */
  | {
      readonly kind: 'dispatch';
      readonly object: Subject;
      readonly tag: string;
      readonly cases: readonly { readonly values: readonly JsonValue[]; readonly body: Block }[];
      readonly fault: Fault;
    };

/** A loop over the own members of an object. */
export interface MembersStatement {
  readonly kind: 'members';
  readonly object: Subject;
  readonly key: Subject;
  readonly member: Subject;
  /** Members that the other direction alone may carry: not looked at. */
  readonly ignored: readonly string[];
  readonly names: Block;
  readonly patterns: readonly { readonly pattern: string; readonly body: Block }[];
  /** The members that `properties` names; `additional` does not apply to them. */
  readonly known: readonly string[];
  readonly additional: Block;
  /** So many members are there for certain: an object with exactly so many has no further one. */
  readonly certain?: number;
}

/**
 * Checks the members or items that no other part of a schema has looked at, where that depends on which parts hold. The
 * parts that are sure to have looked at something are statements of other kinds.
 */
export interface UnevaluatedStatement {
  readonly kind: 'unevaluated';
  /** An object with its loop variable, or an array. */
  readonly whole: Subject;
  readonly key?: Subject;
  readonly part: Subject;
  /** Members that the other direction alone may carry: not looked at. */
  readonly ignored: readonly string[];
  /** Each is tested once, before the loop. */
  readonly conditions: readonly Expression[];
  readonly evaluated: readonly Evaluated[];
  readonly body: Block;
}

/** What one part of a schema has looked at. */
export interface Evaluated {
  /** Where all of these are as said; empty where the part holds whenever the value is valid. */
  readonly where: readonly { readonly condition: number; readonly holds: boolean }[];
  /** All members or items. */
  readonly all: boolean;
  readonly names: readonly string[];
  readonly patterns: readonly string[];
  /** So many items from the start. */
  readonly positions: number;
  /** The items that this test accepts. */
  readonly matching?: Expression;
}

/** Tells units apart; not a name. */
export type UnitKey = string & { readonly __brand: 'UnitKey' };

/** One pair of functions: a public validator, or a private part of one. */
export interface Unit {
  readonly key: UnitKey;
  readonly schema: SchemaId;
  readonly direction: Direction;
  /** Present on public validators. */
  readonly entry?: ValidatorEntry;
  /** The public validator that the part was first needed for. */
  readonly owner: ValidatorEntry;
  readonly body: Block;
  /** A cycle of calls can be reached from here, so the functions count their depth. */
  readonly deep: boolean;
  /** One value can come here in ways that double with each level, so that it is asked once for each value. */
  readonly once: boolean;
  /** Such a unit can be reached from here, so the functions carry the answers that are known. */
  readonly answers: boolean;
  /** It speaks for several schemas, so the second pass is told which one is meant. */
  readonly shared: boolean;
}

export interface Program {
  /** Where dynamic references may mean more than can be compiled: then there are no units. */
  readonly tooDynamic?: SchemaId;
  /** Public validators in the order of the names, then their parts. */
  readonly units: readonly Unit[];
}

/** The bodies directly inside a statement, for walks that do not care what they mean. */
export function bodiesOf(statement: Statement): readonly Block[] {
  switch (statement.kind) {
    case 'guard':
    case 'call':
    case 'open':
    case 'contains':
      return [];
    case 'branch':
      return [...statement.arms.map((arm) => arm.body), statement.otherwise];
    case 'member':
    case 'item':
    case 'items':
    case 'unevaluated':
      return [statement.body];
    case 'whenValid':
      return [statement.first, statement.then];
    case 'members':
      return [statement.names, ...statement.patterns.map((entry) => entry.body), statement.additional];
    case 'union':
      return statement.branches.map((branch) => branch.body);
    case 'dispatch':
      return statement.cases.map((entry) => entry.body);
  }
}
