/**
 * Schema → check program. A named schema becomes a unit (a pair of functions) and is called wherever another refers to
 * it; everything else is inlined at its place. What one keyword says is in `assertions.ts`, unions are in `unions.ts`.
 */
import { dynamicTarget, Environments, noEnvironment, wayLimit, withAnchors } from '../../ir/environment.js';
import type { JsonType, ObjectSchema, Schema, SchemaId } from '../../ir/schema.js';
import { PatternCosts } from '../../patterns/pattern-cost.js';
import type { Names, ValidatorEntry, ValidatorNames } from '../target.js';
import { type AssertionOptions, assertedFormat } from './asserted.js';
import { arrayChecks, numberChecks, objectChecks, stringChecks } from './assertions.js';
import { reachable, reaching, reachingCycles, speakingForSeveral } from './call-graph.js';
import { allClasses, classOf, Facts, hasType, onlyTypes } from './facts.js';
import { simplify } from './passes.js';
import type {
  Block,
  Branch,
  CallExpression,
  Expression,
  Fault,
  Program,
  Statement,
  Subject,
  TypeClass,
  Unit,
  UnitKey,
} from './program.js';
import { repeatedUnits } from './repeated-calls.js';
import { type Checker, isAround, neverTrue, noNames, refuse, type Scope } from './scope.js';
import { Structures } from './structures.js';
import { unevaluatedChecks } from './unevaluated.js';
import { unionChecks } from './unions.js';

interface CompileInput {
  readonly schemas: ReadonlyMap<SchemaId, Schema>;
  readonly names: Pick<Names, 'validatorOf' | 'validators'>;
  readonly assertions: AssertionOptions;
  /** Schemas whose functions are somebody else's: nothing is called from inside them, and nothing shares them. */
  readonly imported?: ReadonlySet<SchemaId>;
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

function keyOf(entry: ValidatorEntry): UnitKey {
  return entry.names.validate as string as UnitKey;
}

/** An expression with more parts than this becomes a function of its own. */
const inlineTestLimit = 6;

class Compiler implements Checker {
  readonly facts: Facts;
  readonly patternCosts = new PatternCosts();
  readonly #input: CompileInput;
  readonly #structures: Structures;
  readonly #environments: Environments;
  /** How many units have been made because of them. */
  #ways = 0;
  readonly #entries: ReadonlyMap<ValidatorNames, ValidatorEntry>;
  readonly #drafts = new Map<UnitKey, Draft>();
  readonly #bodies = new Map<UnitKey, Block>();
  /** The calls of the unit that is being compiled. */
  #calls: CallExpression[] = [];

  constructor(input: CompileInput) {
    const { validators } = input.names;
    this.#input = input;
    this.facts = new Facts(input.schemas);
    this.#environments = new Environments(input.schemas);
    const alone = new Set([...this.#environments.keys(), ...(input.imported ?? [])]);
    this.#structures = new Structures(this.facts, input.assertions, validators, alone);
    this.#entries = new Map(validators.map((entry) => [entry.names, entry]));
  }

  get assertions(): AssertionOptions {
    return this.#input.assertions;
  }

  program(): Program {
    for (const entry of this.#input.names.validators) {
      const environment = this.#environments.inside(noEnvironment, entry.schema);
      const scope: Scope = { owner: entry, direction: entry.direction, ignored: noNames, environment };
      this.#draft({ key: keyOf(entry), schema: entry.schema, scope, entry });
    }
    // The map grows while it is walked: a unit is drafted where it is first called.
    const calls = new Map<UnitKey, readonly CallExpression[]>();
    for (const draft of this.#drafts.values()) {
      if (this.#ways > wayLimit) return { units: [], tooDynamic: draft.schema };
      this.#calls = [];
      this.#bodies.set(draft.key, this.#bodyOf(draft));
      calls.set(draft.key, draft.entry && this.#input.imported?.has(draft.schema) ? [] : this.#calls);
    }
    const bodies = simplify(this.#bodies);
    const used = reachable(
      calls,
      [...this.#drafts.values()].filter((draft) => draft.entry).map((draft) => draft.key),
    );
    const deep = reachingCycles(calls);
    const once = repeatedUnits(bodies, calls, deep);
    const answers = reaching(calls, once);
    const shared = speakingForSeveral(calls, used, (key) => this.#drafted(key).schema);
    const units: Unit[] = [];
    for (const draft of this.#drafts.values()) {
      if (!used.has(draft.key)) continue;
      const { key, schema, scope, entry } = draft;
      const body = bodies.get(key) ?? [];
      const { direction, owner } = scope;
      units.push({
        key,
        schema,
        direction,
        ...(entry && { entry }),
        owner,
        body,
        deep: deep.has(key),
        once: once.has(key),
        answers: answers.has(key),
        shared: shared.has(key),
      });
    }
    return { units };
  }

  #bodyOf({ key, schema, scope, entry }: Draft): Block {
    const twin = entry && this.#structures.twin(entry);
    const shared = entry && (this.#sharedUnit(scope, schema) ?? (twin && keyOf(twin)));
    if (shared === undefined || shared === key) return this.inline(scope, schema, root);
    return [this.#call(shared, root, schema, 'inside')];
  }

  /** Every call is noted, so that nobody need look for it in the finished program. */
  #call(unit: UnitKey, subject: Subject, meant: SchemaId, reached: 'ref' | 'inside'): CallExpression {
    const call: CallExpression = {
      kind: 'call',
      unit,
      subject,
      ...(reached === 'inside' ? { place: meant } : { target: meant }),
    };
    this.#calls.push(call);
    return call;
  }

  #drafted(key: UnitKey): Draft {
    const draft = this.#drafts.get(key);
    if (draft === undefined) throw new Error(`no unit ${JSON.stringify(key)}`);
    return draft;
  }

  #draft(draft: Draft): UnitKey {
    if (!this.#drafts.has(draft.key)) this.#drafts.set(draft.key, draft);
    return draft.key;
  }

  /** A unit without a public name. */
  #part({ owner, direction, environment: around }: Scope, schema: SchemaId, ignored: ReadonlySet<string>): UnitKey {
    const environment = this.#environments.inside(around, schema);
    const key = JSON.stringify([schema, direction, [...ignored].sort(), environment.key]) as UnitKey;
    if (environment !== noEnvironment && !this.#drafts.has(key)) this.#ways += 1;
    return this.#draft({ key, schema, scope: { owner, direction, ignored, environment } });
  }

  /** The public validator that checks a schema in the environment at hand. */
  #entryOf(scope: Scope, id: SchemaId): ValidatorEntry | undefined {
    const names = this.#input.names.validatorOf(id, scope.direction);
    const entry = names && this.#entries.get(names);
    if (entry === undefined || !this.#environments.has(id)) return entry;
    // What references lead through takes part in the environment, so none of them is passed over.
    const same =
      this.#environments.inside(scope.environment, id).key === this.#environments.inside(noEnvironment, id).key;
    return same && entry.schema === id ? entry : undefined;
  }

  /** The unit that speaks for all schemas that say what this one says, if there are several. */
  #sharedUnit({ owner, direction }: Scope, id: SchemaId): UnitKey | undefined {
    const structure = direction === 'read' ? this.#structures.shared(id) : undefined;
    if (structure === undefined) return undefined;
    if (structure.entry !== undefined) return keyOf(structure.entry);
    const scope: Scope = { owner, direction, ignored: noNames, environment: noEnvironment };
    return this.#draft({ key: structure.key as UnitKey, schema: id, scope });
  }

  /** The checks of a schema on a subject: a call where it has a function, else its statements. */
  check(scope: Scope, id: SchemaId, subject: Subject, reached: 'ref' | 'inside' = 'inside'): Block {
    const schema = this.facts.schema(id);
    if (reached === 'inside' && subject.known === undefined) {
      const types = onlyTypes(schema, this.assertions);
      if (types?.length === 1) {
        const test: Expression = { kind: 'type', subject, types, narrow: false };
        return [{ kind: 'guard', test, fault: this.fault(id, 'type', { types }, subject) }];
      }
    }
    if (schema.kind === 'boolean') return this.inline(scope, id, subject);
    const entry = this.#entryOf(scope, id);
    const relevant = this.#relevantNames(scope, id);
    const meant = entry?.schema ?? id;
    const way = meant === id ? reached : 'ref';
    if (relevant.size === 0) {
      const direction = entry?.direction ?? scope.direction;
      const shared = this.#sharedUnit({ ...scope, direction }, meant);
      if (shared !== undefined) return [this.#call(shared, subject, meant, way)];
    }
    if (entry === undefined && reached === 'inside' && !isAround(scope, id)) return this.inline(scope, id, subject);
    const unit = entry !== undefined && relevant.size === 0 ? keyOf(entry) : this.#part(scope, id, relevant);
    return [this.#call(unit, subject, meant, way)];
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
    const before = this.#calls.length;
    const body = this.check(scope, id, subject);
    const test = expressionOf(body);
    if (test !== undefined && sizeOf(test) <= inlineTestLimit) return { test, body };
    this.#calls.length = before;
    const call = this.aside(scope, id, subject);
    return { test: call, body: [call] };
  }

  aside(scope: Scope, id: SchemaId, subject: Subject): CallExpression {
    return this.#call(this.#part(scope, id, scope.ignored), subject, id, 'inside');
  }

  fault(id: SchemaId, keyword: string, params: Fault['params'], subject: Subject, pointer = keyword): Fault {
    return { keyword, schema: id, pointer, params, path: subject.path };
  }

  inline(scope: Scope, id: SchemaId, subject: Subject): Block {
    const schema = this.facts.schema(id);
    if (schema.kind === 'boolean') return schema.value ? [] : [refuse(falseFault(id, subject))];
    const inner = appliesNothing(schema) ? scope : this.enter(scope, schema);
    const block = this.#asserted(inner, schema, subject);
    if (schema.unevaluated === undefined) return block;
    // It is looked at behind all the rest, so the value has the class that the rest demands.
    const [only, ...others] = this.facts.classesOf(id);
    const known = only !== undefined && others.length === 0 ? { known: only } : {};
    const left = unevaluatedChecks(this, inner, schema, { ...subject, ...known, opaque: true, opened: false });
    return left.length === 0 ? block : [{ kind: 'whenValid', first: block, then: left }];
  }

  enter(scope: Scope, { id, anchors }: ObjectSchema): Scope {
    return {
      owner: scope.owner,
      direction: scope.direction,
      ignored: union(scope.ignored, this.facts.ignoredNames(id, scope.direction)),
      environment: withAnchors(scope.environment, anchors),
      around: { schema: id, outer: scope.around },
    };
  }

  dynamicTarget({ environment }: Scope, schema: ObjectSchema): SchemaId | undefined {
    return dynamicTarget(environment, schema);
  }

  /** All that a schema says but what it says of members and items that are left over. */
  #asserted(inner: Scope, schema: ObjectSchema, subject: Subject): Block {
    const { id } = schema;
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
    return (
      assertedFormat(schema, this.assertions) === undefined &&
      !schema.string &&
      !schema.number &&
      appliesNothing(schema)
    );
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
        return stringChecks(this, scope, schema, subject);
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
    const target = this.dynamicTarget(scope, schema);
    if (target !== undefined) statements.push(...this.check(scope, target, next(), 'ref'));
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
        test: test.kind === 'constant' ? { kind: 'constant', value: !test.value } : { kind: 'not', operand: test },
        fault: this.fault(schema.id, 'not', {}, subject),
      });
    }
    if (schema.conditional !== undefined) {
      const on = { ...subject, opaque: true };
      const body = schema.conditional.then === undefined ? [] : this.check(scope, schema.conditional.then, on);
      const otherwise = schema.conditional.else === undefined ? [] : this.check(scope, schema.conditional.else, on);
      if (body.length > 0 || otherwise.length > 0) {
        const { test } = this.branch(scope, schema.conditional.if, next());
        if (test.kind === 'constant') statements.push(...(test.value ? body : otherwise));
        else statements.push({ kind: 'branch', arms: [{ test, body }], otherwise });
      }
    }
    return statements;
  }
}

function appliesNothingInPlace({ ref, dynamicRef, allOf, anyOf, oneOf, not, conditional }: ObjectSchema): boolean {
  return !ref && !dynamicRef && !allOf && !anyOf && !oneOf && !not && !conditional;
}

/** Below such a schema nothing is compiled, so it needs no scope of its own. */
function appliesNothing(schema: ObjectSchema): boolean {
  return !schema.object && !schema.array && !schema.unevaluated && appliesNothingInPlace(schema);
}

function union(left: ReadonlySet<string>, right: ReadonlySet<string>): ReadonlySet<string> {
  if (right.size === 0) return left;
  return left.size === 0 ? right : new Set([...left, ...right]);
}

function fits(value: Parameters<typeof hasType>[0], known: TypeClass | undefined): boolean {
  return known === undefined || hasType(value, [known]);
}

const falseKeywords = new Set(
  'additionalProperties items not propertyNames contains then else unevaluatedProperties unevaluatedItems'.split(' '),
);

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
function expressionOf(block: Block): Expression | undefined {
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
