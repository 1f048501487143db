/** Makes the statements that `statement-text.ts` prints: conditions and chains of them. */
import { type Code, code, joinCode, literal, number } from '../../encode.js';
import type { JsonValue } from '../../ir/schema.js';
import type { ArmView, StatementView } from './statement-text.js';

/** Runs statements on a condition; a single action as a guard. */
export function when(condition: Code, statements: readonly StatementView[]): StatementView {
  const [only] = statements;
  if (only?.run !== undefined && statements.length === 1) return { guard: { condition, action: only.run.action } };
  return { branch: { arms: [{ condition, statements }] } };
}

/** `if … else if … else`: what stands alone behind the last `else` continues the chain. */
export function chain(arms: readonly ArmView[], otherwise: readonly StatementView[]): StatementView {
  const [only] = otherwise;
  if (only !== undefined && otherwise.length === 1) {
    if (only.guard !== undefined) {
      const { condition, action } = only.guard;
      return { branch: { arms: [...arms, { condition, statements: [run(action)] }] } };
    }
    if (only.branch !== undefined) {
      return { branch: { ...only.branch, arms: [...arms, ...only.branch.arms] } };
    }
  }
  return { branch: { arms, ...(otherwise.length > 0 && { otherwise }) } };
}

export function run(action: Code): StatementView {
  return { run: { action } };
}

/** A guard, or its action alone where the condition always holds. */
export function guardOr(condition: Code, action: Code): StatementView {
  return condition === 'true' ? run(action) : { guard: { condition, action } };
}

export function wrapped(condition: Code): Code {
  return condition.includes(' || ') ? code`(${condition})` : condition;
}

interface TaggedCase {
  readonly values: readonly JsonValue[];
  readonly statements: readonly StatementView[];
}

/** Runs the case that names the value of a member. */
export function dispatch(on: Code, cases: readonly TaggedCase[], otherwise: Code): StatementView {
  const labelled = cases.map(({ values, statements }) => ({ labels: labelsOf(values), statements }));
  return { dispatch: { on, cases: labelled, otherwise } };
}

/** So many texts are compared one by one. */
const fewTexts = 8;

/**
 * The same by the length of the text first: many comparisons of long texts cost more than all else that is asked of a value.
 * Nothing where the values are few, are no texts, or are of one length.
 */
export function dispatchByLength(tag: Code, cases: readonly TaggedCase[], otherwise: Code): StatementView | undefined {
  const byLength = new Map<number, TaggedCase[]>();
  let count = 0;
  for (const { values, statements } of cases) {
    for (const value of values) {
      if (typeof value !== 'string') return undefined;
      count += 1;
      const known = byLength.get(value.length) ?? [];
      const same = known.find((entry) => entry.statements === statements);
      if (same !== undefined) known[known.indexOf(same)] = { values: [...same.values, value], statements };
      else known.push({ values: [value], statements });
      byLength.set(value.length, known);
    }
  }
  const parts = [...byLength.values()].flat();
  const repeated = parts.length > cases.length && parts.some(({ statements }) => statements.length > 1);
  if (count <= fewTexts || byLength.size === 1 || repeated) return undefined;
  const lengths = [...byLength].sort(([left], [right]) => left - right);
  return {
    dispatch: {
      on: code`${tag}.length`,
      cases: lengths.map(([length, same]) => ({
        labels: code`case ${number(length)}:`,
        statements: [dispatch(tag, same, otherwise)],
      })),
      otherwise,
    },
  };
}

function labelsOf(values: readonly JsonValue[]): Code {
  return joinCode(
    values.map((value) => code`case ${literal(value)}:`),
    ' ',
  );
}
