/**
 * The statements of validators as text, flush left: layout indents them. They are Code and not templates because a large
 * description has a million of them, and a template costs ten times as much for each.
 */
import { type Code, code, joinCode } from '../../encode.js';

/** A statement to print; exactly one member is there. */
export interface StatementView {
  readonly guard?: GuardView;
  readonly run?: RunView;
  readonly branch?: BranchView;
  readonly loop?: LoopView;
  readonly dispatch?: DispatchView;
}
/** `if (condition) action;` */
export interface GuardView {
  readonly condition: Code;
  readonly action: Code;
}
export interface RunView {
  readonly action: Code;
}
export interface BranchView {
  readonly arms: readonly ArmView[];
  readonly otherwise?: readonly StatementView[];
}
export interface ArmView {
  readonly condition: Code;
  readonly statements: readonly StatementView[];
}
export interface LoopView {
  readonly head: Code;
  readonly statements: readonly StatementView[];
}
export interface DispatchView {
  readonly on: Code;
  readonly cases: readonly CaseView[];
  readonly otherwise: Code;
}
export interface CaseView {
  /** `case "a": case "b":` */
  readonly labels: Code;
  readonly statements: readonly StatementView[];
}

/** One line for each simple statement, without a line end behind the last. */
export function statementText(statements: readonly StatementView[]): Code {
  const lines: Code[] = [];
  append(statements, lines);
  return joinCode(lines, '\n');
}

function append(statements: readonly StatementView[], lines: Code[]): void {
  for (const { run, guard, branch, loop, dispatch } of statements) {
    if (run !== undefined) lines.push(code`${run.action};`);
    else if (guard !== undefined) lines.push(code`if (${guard.condition}) ${guard.action};`);
    else if (branch !== undefined) appendBranch(branch, lines);
    else if (loop !== undefined) {
      lines.push(code`for (${loop.head}) {`);
      append(loop.statements, lines);
      lines.push(code`}`);
    } else if (dispatch !== undefined) appendDispatch(dispatch, lines);
  }
}

function appendBranch({ arms, otherwise }: BranchView, lines: Code[]): void {
  arms.forEach(({ condition, statements }, index) => {
    lines.push(index === 0 ? code`if (${condition}) {` : code`} else if (${condition}) {`);
    append(statements, lines);
  });
  if (otherwise !== undefined) {
    lines.push(code`} else {`);
    append(otherwise, lines);
  }
  lines.push(code`}`);
}

function appendDispatch({ on, cases, otherwise }: DispatchView, lines: Code[]): void {
  lines.push(code`switch (${on}) {`);
  for (const { labels, statements } of cases) {
    lines.push(code`${labels} {`);
    append(statements, lines);
    lines.push(code`break;`, code`}`);
  }
  lines.push(code`default: ${otherwise};`, code`}`);
}
