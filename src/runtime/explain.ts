// SPDX-License-Identifier: 0BSD
import { type Answers, depthLimit, tooDeep } from './checks.js';
import { type Findings, fork, type Path, report, takeOver } from './issues.js';
import { type CheckOptions, type Validation, ValidationError, type ValidationOptions } from './validation.js';

export type TypeName = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

/** A value that is being explained: where it stands, and which schema describes it. */
export interface At {
  readonly findings: Findings;
  /** What holds it, and the step from there; the checked value itself has none. */
  readonly around: At | undefined;
  readonly step: string | number;
  /** The place of the schema that the rules around it are for, … */
  readonly base: string;
  /** … and of the schema that describes it. */
  readonly place: string;
  readonly depth: number;
}

/** Answers for values of the class that is known where it is asked. */
export type Test = (value: never, depth: number, answers: Answers) => boolean;

/** Reports what is wrong with a value, if anything is; the rules of a schema can be told that they are to speak for another one. */
export interface Explain {
  (value: unknown, at: At, base?: string): void;
  /** Says the same by yes and no. */
  readonly test?: Test | undefined;
}

/** What is demanded of a value: nothing, a type, what a function reports, or all of some rules. */
export type Rule = true | TypeName | Explain | readonly Rule[];

const defaultLimit = 20;

/** The answer for a value that the first pass has refused; `base` is the place of the schema, where several share the rules. */
export function refusal(
  value: unknown,
  rules: Explain,
  options?: CheckOptions,
  base?: string,
): Extract<Validation<never>, { ok: false }> {
  const { limit = defaultLimit, message }: ValidationOptions = typeof options === 'object' ? options : {};
  const findings: Findings = { issues: [], limit: Math.max(limit, 1), message, answers: new Map() };
  const at: At = { findings, around: undefined, step: '', base: '', place: '', depth: -1 };
  try {
    rules(value, at, base);
  } catch (fault) {
    // The stack may end before the limit, where the caller has used most of it.
    if (fault !== tooDeep && !(fault instanceof RangeError)) throw fault;
    if (findings.issues.length === 0) report(findings, [], '', {}, 'depth');
  }
  return { ok: false, issues: findings.issues };
}

/** The error for a value that the first pass has refused. */
export function validationError(value: unknown, rules: Explain, options?: CheckOptions): ValidationError {
  return new ValidationError(refusal(value, rules, options).issues);
}

/** The rules of the schema at `base`; they are made when they are first asked for. Values that the test accepts have no issues. */
export function rules(base: string, test: Test, make: () => Rule): Explain {
  let explain: Explain | undefined;
  return tested(test, (value, { findings, around, step, depth }, place = base) => {
    // The outermost value has been tested.
    if (depth >= 0 && test(value as never, depth + 1, findings.answers)) return;
    explain ??= explainBy(make());
    explain(value, { findings, around, step, base: place, place, depth: depth + 1 });
  });
}

/** The rules of a schema that leads back to itself: a test at each level would ask for the deepest part again and again. */
export function deepRules(base: string, test: Test, make: () => Rule): Explain {
  let explain: Explain | undefined;
  return tested(test, (value, at, place = base) => {
    const { findings, around, step, depth } = at;
    if (depth >= depthLimit) return report(findings, pathOf(at), place, {}, 'depth');
    explain ??= explainBy(make());
    explain(value, { findings, around, step, base: place, place, depth: depth + 1 });
  });
}

/** The rules of a schema whose validator is somebody else's. */
export function foreignRules(validate: (value: unknown) => Validation<unknown>): Explain {
  return (value, at) => takeOver(at.findings, pathOf(at), validate(value));
}

/** What a test accepts and what a function does not report are the same values. */
export function tested(test: Test | undefined, explainTested: Explain): Explain {
  return test === undefined ? explainTested : Object.assign(explainTested, { test });
}

/** A rule as the function that reports. */
export function explainBy(rule: Rule): Explain {
  if (typeof rule === 'function') return rule;
  if (rule === true) return () => {};
  if (typeof rule === 'string') {
    return (value, at) => {
      if (!isOfType(value, rule)) refuse(at, 'type', { types: [rule] });
    };
  }
  const all = rule.map(explainBy);
  return (value, at) => {
    for (const explain of all) explain(value, at);
  };
}

/** Tells whether a rule would report anything. */
export function holds(rule: Explain, value: unknown, at: At): boolean {
  if (rule.test !== undefined) return rule.test(value as never, at.depth + 1, at.findings.answers);
  const branch = apart(at, at.place);
  rule(value, branch);
  return branch.findings.issues.length === 0;
}

export function pathOf(at: At): Path {
  const path: (string | number)[] = [];
  for (let { around, step } = at; around !== undefined; { around, step } = around) path.push(step);
  return path.reverse();
}

export function refuse(at: At, keyword: string, params: Readonly<Record<string, unknown>> = {}): void {
  report(at.findings, pathOf(at), `${at.place}/${keyword}`, params, keyword);
}

/** The same value, as another schema describes it. */
export function movedTo({ findings, around, step, base, depth }: At, place: string): At {
  return { findings, around, step, base, place, depth };
}

/** The same value; what is found is kept apart until it is known whether it is meant. */
export function apart(at: At, place: string): At {
  return { ...movedTo(at, place), findings: fork(at.findings) };
}

/** A part of a value, as the schema at `way` from the one at hand describes it. */
export function partOf(around: At, step: string | number, way: string): At {
  const { findings, base, place, depth } = around;
  return { findings, around, step, base, place: place + way, depth };
}

export function isOfType(value: unknown, type: TypeName): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      // NaN and the infinities are no JSON values.
      return Number.isFinite(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}
