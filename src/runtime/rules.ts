// SPDX-License-Identifier: 0BSD
import { type Answers, codePoints, equal, type Members, memberCount, own } from './checks.js';
import {
  type At,
  apart,
  type Explain,
  explainBy,
  holds,
  isOfType,
  movedTo,
  partOf,
  pathOf,
  type Rule,
  refuse,
  type Test,
  type TypeName,
  tested,
} from './explain.js';
import { closest, escaped, type Findings, full, report, type Tags } from './issues.js';

/** Rules by the names of members. */
type Rules = Readonly<Record<string, Rule>>;

/** A rule at another place: below that of the rule around it. */
export function below(way: string, rule: Rule): Explain {
  return placed(rule, ({ place }) => place + way);
}

/** A rule at another place: below that of the schema. */
export function inside(way: string, rule: Rule): Explain {
  return placed(rule, ({ base }) => base + way);
}

/** A rule at a place of its own. */
export function elsewhere(place: string, rule: Rule): Explain {
  return placed(rule, () => place);
}

function placed(rule: Rule, placeFrom: (at: At) => string): Explain {
  const explain = explainBy(rule);
  return tested(explain.test, (value, at) => explain(value, movedTo(at, placeFrom(at))));
}

/** The rules of several schemas that say the same, for the one that is meant here. */
export function here(rules: Explain): Explain {
  return tested(rules.test, (value, at) => rules(value, at, at.place));
}

/** A rule of which a test says whether it holds. */
export function known(test: Test, rule: Rule): Explain {
  const explain = explainBy(rule);
  return tested(test, (value, at) => explain(value, at));
}

/** What is demanded of values of some types; of those of others, something else. */
export function byType(rules: { readonly [type in TypeName]?: Rule }, otherwise: Rule = true): Explain {
  const arms = Object.entries(rules).map(([type, rule]) => ({ type: type as TypeName, explain: explainBy(rule) }));
  const others = explainBy(otherwise);
  return (value, at) => {
    for (const { type, explain } of arms) if (isOfType(value, type)) return explain(value, at);
    others(value, at);
  };
}

/** A value of some types; what is demanded of some of them beyond that. */
export function types(
  names: readonly TypeName[],
  keyword = 'type',
  rules: { readonly [type in TypeName]?: Rule } = {},
): Explain {
  return byType(rules, (value, at) => {
    if (!names.some((type) => isOfType(value, type))) refuse(at, keyword, { types: names });
  });
}

/** A value of one type, and what is demanded of it beyond that. */
export function of(type: TypeName, ...rules: readonly Rule[]): Explain {
  const [only] = rules;
  return types([type], 'type', { [type]: only !== undefined && rules.length === 1 ? only : rules });
}

/** An object with some members that must be there, some that need not be, and what is demanded beyond that. */
export function object(required: Rules, optional?: Rules, ...rules: readonly Rule[]): Explain {
  return of('object', members(required, optional), ...rules);
}

/** An array of items. */
export function array(item: Rule, ...rules: readonly Rule[]): Explain {
  return of('array', items(item), ...rules);
}

/** Members of an object: some that must be there, and some that need not be. */
export function members(required: Rules, optional: Rules = {}): Explain {
  const all = [...membersBy(required, true), ...membersBy(optional, false)];
  return (value, at) => {
    const object = value as Members;
    for (const { name, read, isRequired, type, way, explain } of all) {
      const member = read(object, name);
      if (member === undefined) {
        if (isRequired) refuse(at, 'required', { property: name });
      } else if (!(type === undefined ? full(at.findings) : isOfType(member, type))) {
        explain(member, partOf(at, name, way));
      }
    }
  };
}

type Read = (object: Members, name: string) => unknown;

/** The rule of a member; a type alone is asked for before anything else is. */
interface MemberRule {
  readonly name: string;
  readonly read: Read;
  readonly isRequired: boolean;
  readonly type: TypeName | undefined;
  readonly way: string;
  readonly explain: Explain;
}

function membersBy(rules: Rules, isRequired: boolean): readonly MemberRule[] {
  return Object.entries(rules).map(([name, rule]) => ({
    name,
    read: readerOf(name),
    isRequired,
    type: typeof rule === 'string' ? rule : undefined,
    way: `/properties/${escaped(name)}`,
    explain: explainBy(rule),
  }));
}

/** What objects inherit is not theirs. */
function readerOf(name: string): Read {
  return name in Object.prototype ? own : (object) => object[name];
}

/** The members of an object that its schema does not name. */
export function others(known: readonly string[], rule: Rule): Explain {
  return eachMember({ known, rule });
}

/** Members by their names: what the names must be, what the members whose names match, and all others. */
export function eachMember(given: {
  /** Not looked at. */
  readonly ignored?: readonly string[];
  readonly names?: Rule;
  readonly patterns?: readonly (readonly [pattern: string, test: (name: string) => boolean, rule: Rule])[];
  readonly known?: readonly string[];
  readonly rule?: Rule;
}): Explain {
  const { ignored = [], known = [] } = given;
  const [names, others] = [explainBy(given.names ?? true), explainBy(given.rule ?? true)];
  const patterns = (given.patterns ?? []).map(([pattern, test, rule]) => ({ pattern, test, explain: explainBy(rule) }));
  return (value, at) => {
    for (const [name, member] of Object.entries(value as Members)) {
      if (member === undefined || ignored.includes(name)) continue;
      if (full(at.findings)) return;
      names(name, partOf(at, name, '/propertyNames'));
      let isTaken = known.includes(name);
      for (const { pattern, test, explain } of patterns) {
        if (!test(name)) continue;
        isTaken = true;
        explain(member, partOf(at, name, `/patternProperties/${escaped(pattern)}`));
      }
      if (!isTaken) others(member, partOf(at, name, '/additionalProperties'));
    }
  };
}

/** The items of an array, from a position on. */
export function items(rule: Rule, from = 0): Explain {
  const explain = explainBy(rule);
  return (value, at) => {
    const list = value as readonly unknown[];
    for (let index = from; index < list.length && !full(at.findings); index += 1)
      explain(list[index], partOf(at, index, '/items'));
  };
}

/** The item at a position, if there is one. */
export function item(position: number, rule: Rule): Explain {
  const explain = explainBy(rule);
  return (value, at) => {
    const list = value as readonly unknown[];
    if (list.length > position) explain(list[position], partOf(at, position, `/prefixItems/${position}`));
  };
}

/** A member or an item that may be left over. */
interface Part {
  readonly key: string;
  readonly value: unknown;
  readonly index: number;
  /** Whether a condition holds, by its index. */
  readonly holds: (condition: number) => boolean;
  readonly depth: number;
  readonly answers: Answers;
}

/** The members or items that no other part of a schema has looked at. */
export function unevaluated(
  keyword: 'unevaluatedProperties' | 'unevaluatedItems',
  conditions: readonly Test[],
  isLookedAt: (part: Part) => boolean,
  rule: Rule,
): Explain {
  const isOfItems = keyword === 'unevaluatedItems';
  const explain = explainBy(rule);
  return (whole, at) => {
    const { depth, findings } = at;
    const { answers } = findings;
    const found = conditions.map((test) => test(whole as never, depth, answers));
    const holds = (condition: number): boolean => found[condition] === true;
    for (const [index, [key, value]] of Object.entries(whole as Members).entries()) {
      if (full(findings)) return;
      if ((value === undefined && !isOfItems) || isLookedAt({ key, value, index, holds, depth, answers })) continue;
      explain(value, partOf(at, isOfItems ? index : key, `/${keyword}`));
    }
  };
}

/** Items of which so many pass a test. */
export function contains(test: Test, min: number, max?: number): Explain {
  return (value, at) => {
    const { depth, findings } = at;
    const { length } = (value as readonly unknown[]).filter((entry) => test(entry as never, depth, findings.answers));
    if (length < min) refuse(at, 'contains', { min });
    if (max !== undefined && length > max) refuse(at, 'maxContains', { max });
  };
}

/** What is left over is looked at where nothing else is wrong. */
export function whenValid(first: Rule, then: Rule): Explain {
  const [explainFirst, explainThen] = [explainBy(first), explainBy(then)];
  return (value, at) => {
    const { issues } = at.findings;
    const before = issues.length;
    explainFirst(value, at);
    if (issues.length === before) explainThen(value, at);
  };
}

/** One rule for values that pass a test, another one for those that do not. */
export function when(test: Test, rule: Rule, otherwise: Rule = true): Explain {
  const [yes, no] = [explainBy(rule), explainBy(otherwise)];
  return (value, at) => (test(value as never, at.depth, at.findings.answers) ? yes : no)(value, at);
}

/** What the test of a keyword says. */
export function check(test: Test, keyword: string, params: Readonly<Record<string, unknown>> = {}): Explain {
  return (value, at) => {
    if (!test(value as never, at.depth, at.findings.answers)) refuse(at, keyword, params);
  };
}

/** No value is valid. */
export function refused(keyword: string, params?: Readonly<Record<string, unknown>>): Explain {
  return (_value, at) => refuse(at, keyword, params);
}

/** No value is valid, since the schema is `false`. */
export function never(keyword: string): Explain {
  return (_value, at) => report(at.findings, pathOf(at), at.place, {}, keyword);
}

/** One of some values. */
export function values(allowed: readonly unknown[]): Explain {
  return (value, at) => {
    if (!allowed.some((entry) => equal(value, entry))) refuse(at, 'enum', { allowed });
  };
}

export function constant(allowed: unknown): Explain {
  return (value, at) => {
    if (!equal(value, allowed)) refuse(at, 'const', { allowed });
  };
}

/** Bounds of a number, a text (in Unicode code points), an array or an object, by their keywords. */
export function limits(bounds: Readonly<Record<string, number>>): Explain {
  return (value, at) => {
    for (const [keyword, bound] of Object.entries(bounds)) {
      if (!isWithin(sizeOf(value), keyword, bound)) refuse(at, keyword, { [keyword]: bound });
    }
  };
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return codePoints(value);
  if (Array.isArray(value)) return value.length;
  return typeof value === 'number' ? value : memberCount(value as Members);
}

function isWithin(size: number, keyword: string, bound: number): boolean {
  if (keyword === 'exclusiveMinimum') return size > bound;
  if (keyword === 'exclusiveMaximum') return size < bound;
  return keyword.startsWith('min') ? size >= bound : size <= bound;
}

/** A union whose branches are told apart by a member. */
export function tagged(
  tag: string,
  keyword: string,
  ...cases: readonly (readonly [values: readonly unknown[], rule: Rule])[]
): Explain {
  const branches = cases.map(([named, rule]) => ({ named, explain: explainBy(rule) }));
  const read = readerOf(tag);
  return (value, at) => {
    const found = read(value as Members, tag);
    for (const { named, explain } of branches) if (named.includes(found)) return explain(value, at);
    const allowed = branches.flatMap(({ named }) => named);
    report(at.findings, [...pathOf(at), tag], `${at.place}/${keyword}`, { property: tag, allowed }, keyword);
  };
}

/** A union whose branches are tried one by one. */
export function union(keyword: 'anyOf' | 'oneOf', rules: readonly Rule[], tags?: Tags): Explain {
  const branches = rules.map(explainBy);
  return (value, at) => {
    const matching = branches.filter((branch) => holds(branch, value, at)).length;
    if (matching > 0) {
      if (keyword === 'oneOf' && matching > 1) refuse(at, keyword, { matching: true });
      return;
    }
    const found: Findings[] = [];
    for (const [index, branch] of branches.entries()) {
      const here = apart(at, `${at.place}/${keyword}/${index}`);
      branch(value, here);
      found.push(here.findings);
    }
    closest(at.findings, pathOf(at), `${at.place}/${keyword}`, found, value, tags);
  };
}
