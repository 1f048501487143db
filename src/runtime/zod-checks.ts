// SPDX-License-Identifier: 0BSD
// What JSON Schema says and Zod has no word for. Each function makes an argument of `.refine` or `.superRefine`.
import * as z from 'zod';
import { codePoints, equal, type Members, memberCount, multipleOf, own, unique } from './checks.js';
import type { Validator } from './validation.js';

export type Refinement = (value: unknown, context: z.core.$RefinementCtx) => void;

/** A text of so many Unicode code points. */
export function hasLength(least: number, most: number = Number.POSITIVE_INFINITY): (text: string) => boolean {
  return (text) => {
    const length = codePoints(text);
    return length >= least && length <= most;
  };
}

/** A multiple, as decimals. */
export function isMultipleOf(divisor: number): (value: number) => boolean {
  return (value) => multipleOf(value, divisor, 0);
}

/** One of the JSON values. */
export function isEqualTo(...values: readonly unknown[]): (value: unknown) => boolean {
  return (value) => values.some((one) => equal(value, one));
}

export function isUnique(items: readonly unknown[]): boolean {
  return unique(items);
}

/** An object that has so many members. */
export function hasMembers(least: number, most: number = Number.POSITIVE_INFINITY): (value: unknown) => boolean {
  return (value) => {
    const count = memberCount(value as Members);
    return count >= least && count <= most;
  };
}

function isPresent(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && own(value as Members, name) !== undefined;
}

/** An object that has the members. */
export function has(...names: readonly string[]): (value: unknown) => boolean {
  return (value) => names.every((name) => isPresent(value, name));
}

/** An object that has the members where it has `name`. */
export function needs(name: string, ...others: readonly string[]): (value: unknown) => boolean {
  return (value) => !isPresent(value, name) || others.every((other) => isPresent(value, other));
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** A value of none of the JSON types: what is said of these does not concern it. */
export function isNo(...types: readonly string[]): (value: unknown) => boolean {
  return (value) => value !== undefined && !types.includes(typeOf(value));
}

/** What exactly one of the schemas accepts. */
export function oneOf(...schemas: readonly z.ZodType[]): z.ZodType {
  const isExact = (value: unknown): boolean => schemas.filter((one) => one.safeParse(value).success).length === 1;
  return z.union(schemas).refine(isExact, 'must be exactly one of the alternatives');
}

export function isNot(schema: z.ZodType): (value: unknown) => boolean {
  return (value) => !schema.safeParse(value).success;
}

/** An array of which so many items are valid by a schema. */
export function contains(
  schema: z.ZodType,
  least: number,
  most: number = Number.POSITIVE_INFINITY,
): (items: readonly unknown[]) => boolean {
  return (items) => {
    const count = items.filter((item) => schema.safeParse(item).success).length;
    return count >= least && count <= most;
  };
}

/** A value that is valid by another schema, too. */
export function also(schema: z.ZodType): Refinement {
  return (value, context) => apply(schema, value, [], context);
}

function apply(schema: z.ZodType, value: unknown, path: readonly PropertyKey[], context: z.core.$RefinementCtx): void {
  const { error } = schema.safeParse(value);
  for (const issue of error?.issues ?? []) {
    context.addIssue({ code: 'custom', message: issue.message, path: [...path, ...issue.path] });
  }
}

/** `if`, `then` and `else`. */
export function when(
  condition: z.ZodType,
  then: z.ZodType | undefined,
  otherwise: z.ZodType | undefined = undefined,
): Refinement {
  return (value, context) => {
    const next = condition.safeParse(value).success ? then : otherwise;
    if (next !== undefined) apply(next, value, [], context);
  };
}

/** An object that is valid by the schema where it has a member. */
export function whenPresent(name: string, schema: z.ZodType): Refinement {
  return (value, context) => {
    if (isPresent(value, name)) apply(schema, value, [], context);
  };
}

/** The names of the members are valid by a schema. */
export function hasNames(schema: z.ZodType, ...ignored: readonly string[]): Refinement {
  return (value, context) => {
    for (const name of Object.keys(value as Members)) if (!ignored.includes(name)) apply(schema, name, [name], context);
  };
}

/** Members by patterns of their names, and all that neither `known` nor a pattern names. */
export function byPattern(
  patterns: readonly (readonly [Pick<RegExp, 'test'>, z.ZodType])[],
  additional: z.ZodType | undefined,
  known: readonly string[],
  ignored: readonly string[] = [],
): Refinement {
  return (value, context) => {
    const members = value as Members;
    for (const name of Object.keys(members)) {
      if (members[name] === undefined || ignored.includes(name)) continue;
      const fitting = patterns.filter(([pattern]) => pattern.test(name));
      for (const [, schema] of fitting) apply(schema, members[name], [name], context);
      const named = fitting.length > 0 || known.includes(name);
      if (!named && additional !== undefined) apply(additional, members[name], [name], context);
    }
  };
}

/** A value that a generated validator accepts. */
export function validated(validate: Validator<unknown>): Refinement {
  return (value, context) => {
    const answer = validate(value);
    if (answer.ok) return;
    for (const { message, path } of answer.issues) context.addIssue({ code: 'custom', message, path: [...path] });
  };
}
