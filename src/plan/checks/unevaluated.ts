/**
 * `unevaluatedProperties` and `unevaluatedItems` (JSON Schema core, section 11). Which members and items the other parts of
 * a schema look at is known here, but for the parts that need not hold: whether those do is tested once, before the loop.
 * Nothing is collected while a value is checked, and schemas without these keywords pay nothing.
 */
import type { ObjectSchema, SchemaId } from '../../ir/schema.js';
import { child, inside } from './assertions.js';
import type { Block, Evaluated, Expression, Statement, Subject } from './program.js';
import type { Checker, Scope } from './scope.js';

type Parts = 'properties' | 'items';

/** The checks of what is left over; the subject is known to be valid by all other keywords. */
export function unevaluatedChecks(compiler: Checker, scope: Scope, schema: ObjectSchema, subject: Subject): Block {
  const statements: Statement[] = [];
  for (const parts of ['properties', 'items'] as const) {
    const known = parts === 'properties' ? 'object' : 'array';
    const left = schema.unevaluated?.[parts];
    if (left === undefined || (subject.known !== undefined && subject.known !== known)) continue;
    const whole: Subject = { ...subject, known };
    const level = subject.level + 1;
    const part = child(subject, parts === 'properties' ? { kind: 'key', level } : { kind: 'index', level });
    const body = compiler.check(inside(scope), left, part);
    const statement =
      body.length === 0 ? undefined : new Evaluations(compiler, parts, whole, part).statement(scope, schema, body);
    if (statement === undefined) continue;
    const block: Block = parts === 'properties' ? [{ kind: 'open', subject: whole }, statement] : [statement];
    if (subject.known === known) statements.push(...block);
    else {
      const test: Expression = { kind: 'type', subject, types: [known], narrow: true };
      statements.push({ kind: 'branch', arms: [{ test, body: block }], otherwise: [] });
    }
  }
  return statements;
}

type Where = Evaluated['where'];

class Evaluations {
  readonly #compiler: Checker;
  readonly #parts: Parts;
  readonly #whole: Subject;
  readonly #part: Subject;
  readonly #conditions: Expression[] = [];
  #evaluated: Evaluated[] = [];
  /** The schemas around the one at hand, all applied to the same value. */
  readonly #around = new Set<SchemaId>();

  constructor(compiler: Checker, parts: Parts, whole: Subject, part: Subject) {
    this.#compiler = compiler;
    this.#parts = parts;
    this.#whole = whole;
    this.#part = part;
  }

  /** Nothing where all parts are sure to have been looked at. */
  statement(scope: Scope, schema: ObjectSchema, body: Block): Statement | undefined {
    this.#addOwn(scope, schema, []);
    this.#addApplied(scope, schema, []);
    const sure = this.#evaluated.filter(({ where }) => where.length === 0);
    if (sure.some(({ all }) => all)) return undefined;
    const conditional = this.#evaluated.filter(({ where, matching }) => where.length > 0 || matching !== undefined);
    const names = [...new Set(sure.flatMap((entry) => entry.names))];
    const patterns = [...new Set(sure.flatMap((entry) => entry.patterns))];
    const positions = Math.max(0, ...sure.map((entry) => entry.positions));
    const [whole, part] = [this.#whole, this.#part];
    const key: Subject = { role: 'key', level: part.level, path: part.path, known: 'string', opaque: true };
    const ignored = [...scope.ignored];
    if (conditional.length > 0) {
      const common: Evaluated = { where: [], all: false, names, patterns, positions };
      return {
        kind: 'unevaluated',
        whole,
        ...(this.#parts === 'properties' && { key }),
        part,
        ignored,
        conditions: this.#conditions,
        evaluated: [common, ...conditional],
        body,
      };
    }
    if (this.#parts === 'items') return { kind: 'items', array: whole, from: positions, item: part, body };
    const taken = patterns.map((pattern) => ({ pattern, body: [] }));
    const loop = { kind: 'members', object: whole, key, member: part, ignored, names: [] } as const;
    return { ...loop, patterns: taken, known: names, additional: body };
  }

  #add(scope: Scope, id: SchemaId, where: Where): void {
    const schema = this.#compiler.facts.schema(id);
    if (schema.kind === 'boolean' || this.#around.has(id)) return;
    const inner = this.#compiler.enter(scope, schema);
    this.#around.add(id);
    this.#addOwn(inner, schema, where);
    this.#addApplied(inner, schema, where);
    const left = schema.unevaluated?.[this.#parts];
    if (left !== undefined) this.#evaluated.push({ ...nothing, where, all: true });
    this.#around.delete(id);
  }

  #addOwn(scope: Scope, schema: ObjectSchema, where: Where): void {
    const { object, array, behaviour } = schema;
    if (this.#parts === 'properties' && object !== undefined) {
      const all = object.additionalProperties !== undefined;
      const names = object.properties.map(({ name }) => name);
      const patterns = object.patternProperties.map(({ pattern }) => pattern);
      if (all || names.length > 0 || patterns.length > 0) {
        this.#evaluated.push({ ...nothing, where, all, names, patterns });
      }
    }
    if (this.#parts === 'properties' || array === undefined) return;
    const positions = array.prefixItems?.length ?? 0;
    if (positions > 0 || array.items !== undefined) {
      this.#evaluated.push({ ...nothing, where, all: array.items !== undefined, positions });
    }
    if (array.contains === undefined || !behaviour.containsEvaluates) return;
    const { test } = this.#compiler.branch(inside(scope), array.contains.schema, this.#part);
    this.#evaluated.push({ ...nothing, where, matching: test });
  }

  #addApplied(scope: Scope, schema: ObjectSchema, where: Where): void {
    const target = this.#compiler.dynamicTarget(scope, schema);
    for (const id of [schema.ref, target, ...(schema.allOf ?? [])]) if (id !== undefined) this.#add(scope, id, where);
    for (const branch of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) this.#addBranch(scope, branch, where);
    const { conditional, object } = schema;
    if (conditional !== undefined) {
      const condition = this.#later(scope, conditional.if);
      const on = (holds: boolean): Where => [...where, { condition: condition.index, holds }];
      this.#add(scope, conditional.if, on(true));
      if (conditional.then !== undefined) this.#add(scope, conditional.then, on(true));
      if (conditional.else !== undefined) this.#add(scope, conditional.else, on(false));
      condition.settle();
    }
    if (this.#parts === 'items') return;
    for (const { name, schema: id } of object?.dependentSchemas ?? []) {
      const before = this.#evaluated.length;
      const condition = this.#conditions.length;
      this.#conditions.push({ kind: 'present', subject: this.#whole, name });
      this.#add(scope, id, [...where, { condition, holds: true }]);
      if (this.#evaluated.length === before) this.#conditions.length = condition;
    }
  }

  #addBranch(scope: Scope, id: SchemaId, where: Where): void {
    const condition = this.#later(scope, id);
    this.#add(scope, id, [...where, { condition: condition.index, holds: true }]);
    condition.settle();
  }

  /** A condition that is compiled only where something has been found to depend on it. */
  #later(scope: Scope, id: SchemaId): { readonly index: number; settle(): void } {
    const before = this.#evaluated.length;
    const index = this.#conditions.length;
    this.#conditions.push({ kind: 'constant', value: true });
    const settle = (): void => {
      if (this.#evaluated.length === before) this.#conditions.length = index;
      else
        this.#conditions[index] = this.#compiler.branch(scope, id, { ...this.#whole, opaque: true, opened: true }).test;
    };
    return { index, settle };
  }
}

const nothing: Omit<Evaluated, 'where'> = { all: false, names: [], patterns: [], positions: 0 };
