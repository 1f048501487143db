/**
 * `anyOf` and `oneOf`. A value is sent to the one branch that can accept it wherever the branches tell themselves apart:
 * by the class of the value, or by a member that every branch demands and fixes (a tag). Only what is left runs all branches.
 */
import type { JsonValue, ObjectSchema, SchemaId } from '../../ir/schema.js';
import { type Facts, onlyTypes } from './facts.js';
import type { Block, Branch, Fault, Statement, Subject, TypeClass } from './program.js';
import { type Checker, refuse, type Scope } from './scope.js';

interface Union {
  readonly mode: 'anyOf' | 'oneOf';
  readonly branches: readonly SchemaId[];
  /** The discriminator's member, tried first. */
  readonly hint: string | undefined;
  readonly fault: Fault;
  /** Tags that have been used to get here. */
  readonly tried: ReadonlySet<string>;
}

export function unionChecks(compiler: Checker, scope: Scope, given: Union, subject: Subject): Block {
  const { facts } = compiler;
  const union = given.mode === 'anyOf' ? { ...given, branches: flattened(facts, given.branches) } : given;
  const possible = union.branches.filter((id) => {
    const classes = facts.classesOf(id);
    return subject.known === undefined ? classes.size > 0 : classes.has(subject.known);
  });
  const acceptsAll = (id: SchemaId): boolean => {
    const schema = facts.schema(id);
    return schema.kind === 'boolean' && schema.value;
  };
  if (union.mode === 'anyOf' && possible.some(acceptsAll)) return [];
  const needed = union.mode === 'anyOf' ? withoutSubsumed(compiler, possible) : possible;
  const [first] = needed;
  if (first === undefined) return [refuse(union.fault)];
  if (needed.length === 1) return compiler.check(scope, first, subject);
  const live = { ...union, branches: needed };
  return (
    splitByClass(compiler, scope, live, subject) ??
    splitByTag(compiler, scope, live, subject) ?? [runAll(compiler, scope, live, subject)]
  );
}

/**
 * A branch says nothing where another one accepts all values of its classes: `anyOf` of a described object and any object.
 * What the branches have looked at is asked of each by itself, where `unevaluatedProperties` or its like is there.
 */
function withoutSubsumed({ facts, assertions }: Checker, branches: readonly SchemaId[]): readonly SchemaId[] {
  const wide = new Map<TypeClass, SchemaId>();
  for (const id of branches) {
    for (const type of onlyTypes(facts.schema(id), assertions) ?? []) {
      if (type !== 'integer' && !wide.has(type)) wide.set(type, id);
    }
  }
  if (wide.size === 0) return branches;
  return branches.filter((id) => [...facts.classesOf(id)].some((known) => (wide.get(known) ?? id) === id));
}

/** Unions with more branches than this stay functions of their own. */
const smallUnion = 4;

/** A branch that is nothing but a small `anyOf`, such as the one beside `null` that OpenAPI 3.0's `nullable` makes, is its branches. */
function flattened(facts: Facts, branches: readonly SchemaId[]): readonly SchemaId[] {
  const inner = (id: SchemaId): readonly SchemaId[] => {
    const schema = facts.schema(id);
    if (schema.kind === 'boolean' || schema.anyOf === undefined || schema.anyOf.length > smallUnion) return [id];
    return saysOnlyAnyOf(schema) ? schema.anyOf : [id];
  };
  return branches.some((id) => inner(id)[0] !== id) ? [...new Set(branches.flatMap(inner))] : branches;
}

function saysOnlyAnyOf(schema: ObjectSchema): boolean {
  const { types, string, number, array, object, ref, dynamicRef, allOf, oneOf, not, conditional, anchors } = schema;
  const asserts = types ?? string ?? number ?? array ?? object ?? schema.enum ?? schema.const ?? schema.format;
  const applies =
    ref ?? dynamicRef ?? allOf ?? oneOf ?? not ?? conditional ?? schema.unevaluated ?? schema.discriminator;
  return asserts === undefined && applies === undefined && (anchors === undefined || anchors.length === 0);
}

/** Branches that accept different classes of values never meet: each class has its own, smaller union. */
function splitByClass(compiler: Checker, scope: Scope, union: Union, subject: Subject): Block | undefined {
  if (subject.known !== undefined) return undefined;
  const groups = new Map<TypeClass, readonly SchemaId[]>();
  let wide: SchemaId | undefined;
  for (const id of union.branches) {
    const [only, ...others] = compiler.facts.classesOf(id);
    if (only === undefined) return undefined;
    if (others.length === 0) groups.set(only, [...(groups.get(only) ?? []), id]);
    else if (wide === undefined) wide = id;
    else return undefined;
  }
  if (wide !== undefined) return besides(compiler, scope, { ...union, groups, wide }, subject);
  const taggable = groups.has('object') && chooseTag(compiler, scope, union, groups.get('object') ?? []) !== undefined;
  if (groups.size < 2 && !taggable) return undefined;
  const arms: Branch[] = [];
  for (const [known, branches] of groups) {
    const body = unionChecks(compiler, scope, { ...union, branches }, { ...subject, known });
    arms.push({ test: { kind: 'type', subject, types: [known], narrow: true }, body });
  }
  const fault = { ...union.fault, params: { types: [...groups.keys()] } };
  return [{ kind: 'branch', arms, otherwise: [refuse(fault)] }];
}

interface Divided extends Union {
  readonly groups: ReadonlyMap<TypeClass, readonly SchemaId[]>;
  /** The one branch that accepts several classes. */
  readonly wide: SchemaId;
}

/** The branch of several classes has what the classes of the others leave, if it accepts none of those. */
function besides(compiler: Checker, scope: Scope, union: Divided, subject: Subject): Block | undefined {
  const { groups, wide } = union;
  const accepted = compiler.facts.classesOf(wide);
  if ([...groups.keys()].some((known) => accepted.has(known))) return undefined;
  const arms = [...groups].map(([known, branches]): Branch => {
    const body = unionChecks(compiler, scope, { ...union, branches }, { ...subject, known });
    return { test: { kind: 'type', subject, types: [known], narrow: body.length > 0 }, body };
  });
  return [{ kind: 'branch', arms, otherwise: compiler.check(scope, wide, { ...subject, opaque: true }) }];
}

interface TagCase {
  readonly values: JsonValue[];
  readonly branches: readonly SchemaId[];
}

/** The cases of a tag: values that lead to the same branches are one case. */
function casesOf(compiler: Checker, scope: Scope, branches: readonly SchemaId[], tag: string): readonly TagCase[] {
  const byValue = new Map<JsonValue, SchemaId[]>();
  for (const id of branches) {
    for (const value of compiler.facts.tagsOf(id, scope.direction).get(tag) ?? []) {
      const known = byValue.get(value);
      if (known === undefined) byValue.set(value, [id]);
      else if (!known.includes(id)) known.push(id);
    }
  }
  const cases = new Map<string, TagCase>();
  for (const [value, ids] of byValue) {
    const key = JSON.stringify(ids);
    const known = cases.get(key);
    if (known === undefined) cases.set(key, { values: [value], branches: ids });
    else known.values.push(value);
  }
  return [...cases.values()];
}

/** The tag that splits the branches best, or `undefined` where none splits them at all. */
function chooseTag(compiler: Checker, scope: Scope, union: Union, branches: readonly SchemaId[]): string | undefined {
  const tags = branches.map((id) => compiler.facts.tagsOf(id, scope.direction));
  const shared = [...(tags[0]?.keys() ?? [])].filter(
    (name) => !union.tried.has(name) && !scope.ignored.has(name) && tags.every((entry) => entry.has(name)),
  );
  let best: { readonly name: string; readonly largest: number } | undefined;
  for (const name of shared) {
    const cases = casesOf(compiler, scope, branches, name);
    const largest = Math.max(...cases.map((entry) => entry.branches.length));
    if (largest === branches.length) continue;
    const better = best === undefined || largest < best.largest || (largest === best.largest && name === union.hint);
    if (better) best = { name, largest };
  }
  return best?.name;
}

function splitByTag(compiler: Checker, scope: Scope, union: Union, subject: Subject): Block | undefined {
  if (subject.known !== 'object') return undefined;
  const tag = chooseTag(compiler, scope, union, union.branches);
  if (tag === undefined) return undefined;
  const tried = new Set([...union.tried, tag]);
  const cases = casesOf(compiler, scope, union.branches, tag).map(({ values, branches }) => ({
    values,
    body: unionChecks(compiler, scope, { ...union, branches, tried }, { ...subject, opaque: true, opened: true }),
  }));
  const allowed = cases.flatMap((entry) => entry.values);
  const fault: Fault = {
    ...union.fault,
    params: { property: tag, allowed },
    path: [...union.fault.path, { kind: 'name', name: tag }],
  };
  const dispatch: Statement = { kind: 'dispatch', object: subject, tag, cases, fault };
  return subject.opened === true ? [dispatch] : [{ kind: 'open', subject }, dispatch];
}

/** A member of more values than this tells nobody which branch is meant. */
const longestTag = 20;

function runAll(compiler: Checker, scope: Scope, union: Union, subject: Subject): Statement {
  const branches = union.branches.map((id) => compiler.branch(scope, id, { ...subject, opaque: true }));
  const tags = union.branches.map((id) =>
    [...compiler.facts.tagsOf(id, scope.direction)].filter(
      ([name, values]) => !union.tried.has(name) && !scope.ignored.has(name) && values.length <= longestTag,
    ),
  );
  return { kind: 'union', mode: union.mode, branches, subject, tags, fault: union.fault };
}
