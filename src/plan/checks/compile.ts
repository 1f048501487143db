/**
 * Schema → check program. A named schema becomes a unit (a pair of functions) and is called wherever another refers to
 * it; everything else is inlined at its place. What one keyword says is in `assertions.ts`, unions are in `unions.ts`.
 */
import type { JsonType, ObjectSchema, Schema, SchemaId } from '../../ir/schema.js';
import type { Names, ValidatorEntry } from '../target.js';
import { arrayChecks, numberChecks, objectChecks, stringChecks } from './assertions.js';
import { allClasses, classOf, Facts, hasType } from './facts.js';
import { simplify } from './passes.js';
import {
  type Block,
  type Branch,
  callsOf,
  type Expression,
  type Fault,
  type Program,
  type Statement,
  type Subject,
  type TypeClass,
  type Unit,
  type UnitKey,
} from './program.js';
import { type Checker, isAround, neverTrue, noNames, refuse, type Scope } from './scope.js';
import { unionChecks } from './unions.js';

export interface CompileInput {
  readonly schemas: ReadonlyMap<SchemaId, Schema>;
  readonly names: Pick<Names, 'validatorOf' | 'validators'>;
  /** `format` refuses values; by default it is an annotation. */
  readonly assertFormats: boolean;
}

export function compileChecks(input: CompileInput): Program {
  return new Compiler(input).program();
}

interface Draft {
  readonly key: UnitKey;
  readonly schema: SchemaId;
  readonly scope: Scope;
  readonly entry?: ValidatorEntry;
}

const root: Subject = { role: 'value', level: 0, path: [], opaque: false };

/** An expression with more parts than this becomes a function of its own. */
const inlineTestLimit = 6;

class Compiler implements Checker {
  readonly facts: Facts;
  readonly #input: CompileInput;
  readonly #drafts = new Map<UnitKey, Draft>();
  readonly #bodies = new Map<UnitKey, Block>();

  constructor(input: CompileInput) {
    this.#input = input;
    this.facts = new Facts(input.schemas);
  }

  get assertFormats(): boolean {
    return this.#input.assertFormats;
  }

  program(): Program {
    for (const entry of this.#input.names.validators) {
      this.#draft({
        key: entry.names.is as string as UnitKey,
        schema: entry.schema,
        scope: { owner: entry, direction: entry.direction, ignored: noNames },
        entry,
      });
    }
    // The map grows while it is walked: a unit is drafted where it is first called.
    for (const draft of this.#drafts.values()) {
      this.#bodies.set(draft.key, this.inline(draft.scope, draft.schema, root));
    }
    const bodies = simplify(this.#bodies);
    const calls = new Map([...bodies].map(([key, body]) => [key, callsOf(body)]));
    const used = reachable(
      calls,
      [...this.#drafts.values()].filter((draft) => draft.entry).map((draft) => draft.key),
    );
    const deep = reachingCycles(calls);
    const units: Unit[] = [];
    for (const draft of this.#drafts.values()) {
      if (!used.has(draft.key)) continue;
      const { key, schema, scope, entry } = draft;
      const body = bodies.get(key) ?? [];
      const { direction, owner } = scope;
      units.push({ key, schema, direction, ...(entry && { entry }), owner, body, deep: deep.has(key) });
    }
    return { units };
  }

  #draft(draft: Draft): UnitKey {
    if (!this.#drafts.has(draft.key)) this.#drafts.set(draft.key, draft);
    return draft.key;
  }

  /** A unit without a public name. */
  #part(scope: Scope, schema: SchemaId, ignored: ReadonlySet<string>): UnitKey {
    const key = JSON.stringify([schema, scope.direction, [...ignored].sort()]) as UnitKey;
    return this.#draft({ key, schema, scope: { owner: scope.owner, direction: scope.direction, ignored } });
  }

  /** The checks of a schema on a subject: a call where it has a function, else its statements. */
  check(scope: Scope, id: SchemaId, subject: Subject, reached: 'ref' | 'inside' = 'inside'): Block {
    const names = this.#input.names.validatorOf(id, scope.direction);
    const named = names !== undefined || reached === 'ref' || isAround(scope, id);
    if (!named || this.facts.schema(id).kind === 'boolean') return this.inline(scope, id, subject);
    const relevant = this.#relevantNames(scope, id);
    const unit =
      names !== undefined && relevant.size === 0 ? (names.is as string as UnitKey) : this.#part(scope, id, relevant);
    return [{ kind: 'call', unit, subject }];
  }

  /** The members kept out by the schemas around that this schema speaks of, and does not keep out itself. */
  #relevantNames({ ignored, direction }: Scope, id: SchemaId): ReadonlySet<string> {
    if (ignored.size === 0) return noNames;
    const own = this.facts.ignoredNames(id, direction);
    const mentioned = this.facts.mentionedNames(id);
    return new Set([...ignored].filter((name) => mentioned.has(name) && !own.has(name)));
  }

  /** A branch of which it must be known whether it holds, without refusing. */
  branch(scope: Scope, id: SchemaId, subject: Subject): Branch {
    const body = this.check(scope, id, subject);
    const test = expressionOf(body);
    if (test !== undefined && sizeOf(test) <= inlineTestLimit) return { test, body };
    const unit = this.#part(scope, id, scope.ignored);
    return { test: { kind: 'call', unit, subject }, body: [{ kind: 'call', unit, subject }] };
  }

  fault(id: SchemaId, keyword: string, params: Fault['params'], subject: Subject, pointer = keyword): Fault {
    return { keyword, schema: id, pointer, params, path: subject.path };
  }

  inline(scope: Scope, id: SchemaId, subject: Subject): Block {
    const schema = this.facts.schema(id);
    if (schema.kind === 'boolean') return schema.value ? [] : [refuse(falseFault(id, subject))];
    const inner: Scope = appliesNothing(schema)
      ? scope
      : {
          owner: scope.owner,
          direction: scope.direction,
          ignored: union(scope.ignored, this.facts.ignoredNames(id, scope.direction)),
          around: { schema: id, outer: scope.around },
        };
    const values = this.facts.valuesOf(schema);
    if (values !== undefined) {
      const fitting = subject.known === undefined ? values : values.filter((value) => fits(value, subject.known));
      const keyword = schema.const === undefined ? 'enum' : 'const';
      const params = keyword === 'const' ? { allowed: schema.const?.value ?? null } : { allowed: values };
      const guard: Statement = {
        kind: 'guard',
        test: { kind: 'equal', subject, values: fitting },
        fault: this.fault(id, keyword, params, subject),
      };
      if (this.#saysNothingMore(schema)) return [guard];
      const after: Subject = { ...subject, opaque: true };
      return [guard, ...this.#grouped(inner, schema, after, undefined)];
    }
    return this.#grouped(inner, schema, subject, schema.types);
  }

  /** The keywords of each class of values, behind the test of that class, and the applicators. */
  #grouped(scope: Scope, schema: ObjectSchema, subject: Subject, types: readonly JsonType[] | undefined): Block {
    const [single] = types ?? [];
    if (single !== undefined && types?.length === 1 && subject.known === undefined) {
      return this.#ofOneClass(scope, schema, subject, classOf(single), types);
    }
    const possible = allClasses.filter((entry) => subject.known === undefined || entry === subject.known);
    const allowed = types?.filter((type) => possible.includes(classOf(type)));
    const classes =
      allowed === undefined ? possible : possible.filter((entry) => allowed.some((t) => classOf(t) === entry));
    const typeFault = this.#typeFault(schema, types, subject);
    if (allowed !== undefined && classes.length === 0) return [refuse(typeFault)];
    const [only] = classes;
    if (only !== undefined && classes.length === 1) {
      const exact: readonly JsonType[] = allowed === undefined || allowed.includes(only) ? [only] : allowed;
      return this.#ofOneClass(scope, schema, subject, only, exact, types);
    }
    const statements: Statement[] = [];
    const arms: Branch[] = [];
    const left = new Set<JsonType>(allowed ?? classes);
    for (const entry of classes) {
      const body = this.#group(scope, schema, { ...subject, known: entry }, entry);
      if (body.length === 0) continue;
      const exact: readonly JsonType[] = left.has(entry) ? [entry] : ['integer'];
      arms.push({ test: { kind: 'type', subject, types: exact, narrow: true }, body });
      left.delete(entry);
      if (entry === 'number') left.delete('integer');
    }
    const complete = allowed === undefined || allClasses.every((entry) => allowed.includes(entry));
    const remaining: Statement = {
      kind: 'guard',
      test: left.size === 0 ? neverTrue : { kind: 'type', subject, types: [...left], narrow: false },
      fault: typeFault,
    };
    if (arms.length > 0) statements.push({ kind: 'branch', arms, otherwise: complete ? [] : [remaining] });
    else if (!complete) statements.push(remaining);
    return [...statements, ...this.#applicators(scope, schema, subject, statements.length > 0)];
  }

  /** Nothing but its types and values, which is what most schemas are. */
  #saysNothingMore(schema: ObjectSchema): boolean {
    const format = this.assertFormats && schema.format !== undefined;
    return !format && !schema.string && !schema.number && appliesNothing(schema);
  }

  #typeFault(schema: ObjectSchema, types: readonly JsonType[] = [], subject: Subject): Fault {
    return this.fault(schema.id, 'type', { types }, subject);
  }

  /** Where values of one class alone can be valid. */
  #ofOneClass(
    scope: Scope,
    schema: ObjectSchema,
    subject: Subject,
    only: TypeClass,
    exact: readonly JsonType[],
    types: readonly JsonType[] | undefined = exact,
  ): Block {
    const fault = this.#typeFault(schema, types, subject);
    const test: Expression = { kind: 'type', subject, types: exact, narrow: false };
    if (subject.known === undefined && this.#saysNothingMore(schema)) return [{ kind: 'guard', test, fault }];
    const group = this.#group(scope, schema, { ...subject, known: only }, only);
    const opened = subject.opened === true || (only === 'object' && group.length > 0);
    const rest = this.#applicators(scope, schema, { ...subject, known: only, opened }, true);
    const body = rest.length === 0 ? group : [...group, ...rest];
    if (subject.known === only && exact[0] === only) return body;
    if (body.length === 0) return [{ kind: 'guard', test, fault }];
    return [{ kind: 'branch', arms: [{ test: { ...test, narrow: true }, body }], otherwise: [refuse(fault)] }];
  }

  #group(scope: Scope, schema: ObjectSchema, subject: Subject, group: TypeClass): Block {
    switch (group) {
      case 'string':
        return stringChecks(this, schema, subject);
      case 'number':
        return numberChecks(this, schema, subject);
      case 'array':
        return arrayChecks(this, scope, schema, subject);
      case 'object':
        return objectChecks(this, scope, schema, subject);
      default:
        return [];
    }
  }

  /** The keywords that apply other schemas to the same value. */
  #applicators(scope: Scope, schema: ObjectSchema, subject: Subject, tested: boolean): Block {
    if (appliesNothingInPlace(schema)) return [];
    const statements: Statement[] = [];
    const next = (): Subject => (tested || statements.length > 0 ? { ...subject, opaque: true } : subject);
    if (schema.ref !== undefined) statements.push(...this.check(scope, schema.ref, next(), 'ref'));
    for (const part of schema.allOf ?? []) statements.push(...this.check(scope, part, next()));
    for (const mode of ['anyOf', 'oneOf'] as const) {
      const branches = schema[mode];
      if (branches === undefined) continue;
      const hint = schema.discriminator?.propertyName;
      const fault = this.fault(schema.id, mode, {}, subject);
      statements.push(...unionChecks(this, scope, { mode, branches, hint, fault, tried: noNames }, next()));
    }
    if (schema.not !== undefined) {
      const { test } = this.branch(scope, schema.not, next());
      statements.push({
        kind: 'guard',
        test: { kind: 'not', operand: test },
        fault: this.fault(schema.id, 'not', {}, subject),
      });
    }
    if (schema.conditional !== undefined) {
      const { test } = this.branch(scope, schema.conditional.if, next());
      const on = { ...subject, opaque: true };
      const body = schema.conditional.then === undefined ? [] : this.check(scope, schema.conditional.then, on);
      const otherwise = schema.conditional.else === undefined ? [] : this.check(scope, schema.conditional.else, on);
      statements.push({ kind: 'branch', arms: [{ test, body }], otherwise });
    }
    return statements;
  }
}

function appliesNothingInPlace({ ref, allOf, anyOf, oneOf, not, conditional }: ObjectSchema): boolean {
  return !ref && !allOf && !anyOf && !oneOf && !not && !conditional;
}

/** Below such a schema nothing is compiled, so it needs no scope of its own. */
function appliesNothing(schema: ObjectSchema): boolean {
  return !schema.object && !schema.array && appliesNothingInPlace(schema);
}

export function union(left: ReadonlySet<string>, right: ReadonlySet<string>): ReadonlySet<string> {
  if (right.size === 0) return left;
  return left.size === 0 ? right : new Set([...left, ...right]);
}

function fits(value: Parameters<typeof hasType>[0], known: TypeClass | undefined): boolean {
  return known === undefined || hasType(value, [known]);
}

const falseKeywords = new Set(['additionalProperties', 'items', 'not', 'propertyNames', 'contains', 'then', 'else']);

/** The fault of a `false` schema: named after the keyword that holds it. */
function falseFault(id: SchemaId, subject: Subject): Fault {
  const keyword = id.slice(id.lastIndexOf('/') + 1);
  return {
    keyword: falseKeywords.has(keyword) ? keyword : 'false',
    schema: id,
    pointer: '',
    params: {},
    path: subject.path,
  };
}

/** A block as one expression, where its statements allow it. */
export function expressionOf(block: Block): Expression | undefined {
  const operands: Expression[] = [];
  for (const statement of block) {
    if (statement.kind === 'guard') operands.push(statement.test);
    else if (statement.kind === 'call') operands.push(statement);
    else if (statement.kind === 'branch') {
      const [arm, ...others] = statement.arms;
      const body = arm && expressionOf(arm.body);
      const otherwise = expressionOf(statement.otherwise);
      if (arm === undefined || body === undefined || otherwise === undefined || others.length > 0) return undefined;
      if (isConstant(otherwise, false)) operands.push({ kind: 'all', operands: [arm.test, body] });
      else if (isConstant(otherwise, true)) {
        operands.push({ kind: 'any', operands: [{ kind: 'not', operand: arm.test }, body] });
      } else return undefined;
    } else return undefined;
  }
  const [first] = operands;
  if (first !== undefined && operands.length === 1) return first;
  return first === undefined ? { kind: 'constant', value: true } : { kind: 'all', operands };
}

function isConstant(expression: Expression, value: boolean): boolean {
  return expression.kind === 'constant' && expression.value === value;
}

function sizeOf(expression: Expression): number {
  if (expression.kind === 'not') return sizeOf(expression.operand);
  if (expression.kind !== 'all' && expression.kind !== 'any') return 1;
  return expression.operands.reduce((sum, operand) => sum + sizeOf(operand), 0);
}

type Calls = ReadonlyMap<UnitKey, ReadonlySet<UnitKey>>;

function reachable(calls: Calls, from: readonly UnitKey[]): ReadonlySet<UnitKey> {
  const seen = new Set<UnitKey>(from);
  for (const key of seen) for (const callee of calls.get(key) ?? []) seen.add(callee);
  return seen;
}

/** The units from which some cycle of calls can be reached: what is left when callers of nothing but finished units are finished. */
function reachingCycles(calls: Calls): ReadonlySet<UnitKey> {
  const callers = new Map<UnitKey, UnitKey[]>();
  const open = new Map<UnitKey, number>();
  const finished: UnitKey[] = [];
  for (const [key, callees] of calls) {
    open.set(key, callees.size);
    if (callees.size === 0) finished.push(key);
    for (const callee of callees) {
      const known = callers.get(callee);
      if (known === undefined) callers.set(callee, [key]);
      else known.push(key);
    }
  }
  const deep = new Set(calls.keys());
  for (let key = finished.pop(); key !== undefined; key = finished.pop()) {
    deep.delete(key);
    for (const caller of callers.get(key) ?? []) {
      const left = (open.get(caller) ?? 0) - 1;
      open.set(caller, left);
      if (left === 0) finished.push(caller);
    }
  }
  return deep;
}
