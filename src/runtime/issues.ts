// SPDX-License-Identifier: 0BSD
import type { Answers } from './checks.js';
import type { Issue, Validation, ValidationOptions } from './validation.js';

/** The place of a value inside the checked one. */
export type Path = readonly (string | number)[];

/** Where the second pass of a validator collects what it finds. */
export interface Findings {
  readonly issues: Issue[];
  /** How many issues are kept at most. */
  readonly limit: number;
  readonly message?: ValidationOptions['message'];
  readonly answers: Answers;
}

/** Findings of a branch, kept apart until it is known which branch is meant. */
export function fork(findings: Findings): Findings {
  return { ...findings, issues: [] };
}

export function full(findings: Findings): boolean {
  return findings.issues.length >= findings.limit;
}

/** Adds an issue, unless there are enough. The keyword is the last step of its pointer, unless it is given. */
export function report(
  findings: Findings,
  path: Path,
  schemaPointer: string,
  params: Readonly<Record<string, unknown>> = {},
  keyword: string = schemaPointer.slice(schemaPointer.lastIndexOf('/') + 1),
): void {
  if (full(findings)) return;
  const pointer = pointerOf(path);
  const { message } = findings;
  const own = message === undefined ? undefined : message({ pointer, path, schemaPointer, keyword, params });
  const said = own ?? messageOf(keyword, params);
  findings.issues.push({ pointer, path, schemaPointer, keyword, params, message: said });
}

/** Adds what a validator of another package found, each issue with the way to the value in front of its own. */
export function takeOver(findings: Findings, path: Path, answer: Validation<unknown>): void {
  if (answer.ok) return;
  for (const issue of answer.issues) {
    if (full(findings)) return;
    findings.issues.push({ ...issue, pointer: pointerOf(path) + issue.pointer, path: [...path, ...issue.path] });
  }
}

function pointerOf(path: Path): string {
  let pointer = '';
  for (const step of path) pointer += `/${escaped(step)}`;
  return pointer;
}

/** One step of a pointer (RFC 6901); nearly all are written as they are. */
export function escaped(step: string | number): string | number {
  if (typeof step === 'number' || (!step.includes('~') && !step.includes('/'))) return step;
  return step.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Of each branch of a union, the members that it demands with one of a few values. */
export type Tags = readonly { readonly [member: string]: readonly unknown[] | undefined }[];

/** Reports that no branch of a union holds, and why the one that comes closest does not. */
export function closest(
  findings: Findings,
  path: Path,
  schemaPointer: string,
  branches: readonly Findings[],
  value?: unknown,
  tags: Tags = [],
): void {
  let best = 0;
  let least: readonly number[] | undefined;
  branches.forEach((branch, index) => {
    const now = distances(branch, path, value, tags[index] ?? {});
    if (least !== undefined && !isLess(now, least)) return;
    least = now;
    best = index;
  });
  report(findings, path, schemaPointer, { branches: branches.length, closest: best });
  for (const issue of branches[best]?.issues ?? []) if (!full(findings)) findings.issues.push(issue);
}

/**
 * How far a branch is from what the value means, the weightiest first: whether it refuses the value as a whole, how many of the
 * members that tell branches apart have one of its values, how many issues there are, and how deep the shallowest lies.
 */
function distances({ issues }: Findings, path: Path, value: unknown, tags: Tags[number]): readonly number[] {
  const whole = issues.some(
    (issue) => issue.path.length === path.length && /^(?:type|const|enum|false)$/.test(issue.keyword),
  );
  const depth = Math.min(...issues.map((issue) => issue.path.length));
  return [whole ? 1 : 0, -tagsMatched(value, tags), issues.length, -depth];
}

/** A member with another value counts against the branch, one that is absent says nothing. */
function tagsMatched(value: unknown, tags: Tags[number]): number {
  if (typeof value !== 'object' || value === null) return 0;
  let matched = 0;
  for (const [name, values = []] of Object.entries(tags)) {
    const member: unknown = Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
    if (member !== undefined) matched += values.includes(member) ? 1 : -1;
  }
  return matched;
}

function isLess(left: readonly number[], right: readonly number[]): boolean {
  const index = left.findIndex((entry, at) => entry !== right[at]);
  return index >= 0 && (left[index] ?? 0) < (right[index] ?? 0);
}

/** What is wrong, in words; the subject of the sentence is the value at the issue's pointer. */
function messageOf(keyword: string, params: Readonly<Record<string, unknown>>): string {
  const operand = params[keyword];
  const many = (unit: string): string => `${String(operand)} ${unit}${operand === 1 ? '' : 's'}`;
  switch (keyword) {
    case 'type':
      return `must be ${typeNames(params['types'])}`;
    case 'const':
    case 'enum':
      return oneOf(params['allowed']);
    case 'minimum':
      return `must be at least ${String(operand)}`;
    case 'maximum':
      return `must be at most ${String(operand)}`;
    case 'exclusiveMinimum':
      return `must be greater than ${String(operand)}`;
    case 'exclusiveMaximum':
      return `must be less than ${String(operand)}`;
    case 'multipleOf':
      return `must be a multiple of ${String(operand)}`;
    case 'minLength':
      return `must have at least ${many('character')}`;
    case 'maxLength':
      return `must have at most ${many('character')}`;
    case 'pattern':
      return `must match the pattern ${quote(operand)}`;
    case 'format':
      return `must be a valid ${String(operand)}`;
    case 'minItems':
      return `must have at least ${many('item')}`;
    case 'maxItems':
      return `must have at most ${many('item')}`;
    case 'uniqueItems':
      return 'must not have the same item twice';
    case 'contains':
      return `must have at least ${demanded(params['min'])}`;
    case 'maxContains':
      return `must have at most ${demanded(params['max'])}`;
    case 'minProperties':
      return `must have at least ${String(operand)} propert${operand === 1 ? 'y' : 'ies'}`;
    case 'maxProperties':
      return `must have at most ${String(operand)} propert${operand === 1 ? 'y' : 'ies'}`;
    case 'required':
      return `must have the property ${quote(params['property'])}`;
    case 'dependentRequired':
      return `must have the property ${quote(params['property'])}, since it has ${quote(params['because'])}`;
    case 'not':
      return 'must not be a value of the excluded kind';
    case 'anyOf':
    case 'oneOf':
      return unionMessage(params);
    case 'depth':
      return 'is nested too deep';
    default:
      return contentMessage(keyword, operand) ?? 'is not allowed here';
  }
}

function contentMessage(keyword: string, operand: unknown): string | undefined {
  if (keyword === 'contentEncoding') return `must be bytes in ${String(operand)}`;
  if (keyword === 'contentMediaType') return `must hold a document of the type ${String(operand)}`;
  return keyword === 'contentSchema' ? 'must hold a document as its schema describes it' : undefined;
}

function demanded(count: unknown): string {
  return `${String(count)} item${count === 1 ? '' : 's'} of the demanded kind`;
}

function unionMessage(params: Readonly<Record<string, unknown>>): string {
  if (params['types'] !== undefined) return `must be ${typeNames(params['types'])}`;
  if (params['allowed'] !== undefined) return oneOf(params['allowed']);
  if (params['matching'] !== undefined) return 'must be of exactly one of the alternatives, but is of several';
  if (params['branches'] === undefined) return 'must be of one of the alternatives';
  return `must be of one of ${String(params['branches'])} alternatives; the closest is number ${Number(params['closest']) + 1}`;
}

function quote(value: unknown): string {
  if (typeof value === 'string' && /^[ !#-[\]-~]*$/.test(value)) return `"${value}"`;
  return JSON.stringify(value) ?? String(value);
}

const typePhrases: Readonly<Record<string, string>> = {
  null: 'null',
  boolean: 'a boolean',
  integer: 'an integer',
  number: 'a number',
  string: 'a string',
  array: 'an array',
  object: 'an object',
};

function typeNames(types: unknown): string {
  const [first = 'absent', ...more] = (types as readonly string[]).map((type) => typePhrases[type] ?? type);
  const last = more.pop();
  return last === undefined ? first : `${[first, ...more].join(', ')} or ${last}`;
}

const listed = 20;

function oneOf(allowed: unknown): string {
  if (!Array.isArray(allowed)) return `must be ${quote(allowed)}`;
  if (allowed.length === 0) return 'is not allowed here';
  const values = allowed.slice(0, listed).map(quote);
  const more = allowed.length > listed ? ` or one of ${allowed.length - listed} more` : '';
  return `must be ${allowed.length === 1 ? '' : 'one of '}${values.join(', ')}${more}`;
}
