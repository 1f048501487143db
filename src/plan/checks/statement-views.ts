/** Makes the statements that `statement-text.ts` prints: conditions, chains of them, and the places that issues name. */
import { type Code, code, joinCode, literal, number } from '../../encode.js';
import { writtenId } from '../../ir/resolve.js';
import type { Fault, Step } from './program.js';
import type { ArmView, StatementView } from './statement-text.js';

export function placeOf({ schema, pointer }: Fault): string {
  const written = writtenId(schema);
  return pointer === '' ? written : `${written}/${pointer}`;
}

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

export function pathCode(path: readonly Step[]): Code {
  return path.length === 0 ? code`path` : code`[...path, ${joinCode(path.map(stepCode), ', ')}]`;
}

function stepCode(step: Step): Code {
  switch (step.kind) {
    case 'name':
      return literal(step.name);
    case 'position':
      return number(step.position);
    case 'index':
      return code`index${step.level}`;
    case 'key':
      return code`key${step.level}`;
  }
}
