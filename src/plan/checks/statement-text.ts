/**
 * The statements of validators as text, indented as they stand in a function. They are Code and not templates because a
 * large description has a million of them, and a template costs ten times as much for each; layout passes them by.
 */
import { type Code, code, joinCode } from '../../encode.js';
import { indentBy } from '../indentation.js';

/** A statement to print; exactly one member is there. */
export interface StatementView {
  readonly guard?: GuardView;
  readonly run?: RunView;
  readonly branch?: BranchView;
  readonly loop?: LoopView;
  readonly dispatch?: DispatchView;
}
/** `if (condition) action;` */
interface GuardView {
  readonly condition: Code;
  readonly action: Code;
  /** What follows builds on the type that it leaves, up to the reading of another value. */
  readonly narrows?: true;
}
interface RunView {
  readonly action: Code;
  /** It does nothing but set a variable. */
  readonly sets?: true;
}
interface BranchView {
  readonly arms: readonly ArmView[];
  readonly otherwise?: readonly StatementView[];
}
export interface ArmView {
  readonly condition: Code;
  readonly statements: readonly StatementView[];
}
interface LoopView {
  readonly head: Code;
  readonly statements: readonly StatementView[];
}
interface DispatchView {
  readonly on: Code;
  readonly cases: readonly CaseView[];
  readonly otherwise: Code;
}
interface CaseView {
  /** `case "a": case "b":` */
  readonly labels: Code;
  readonly statements: readonly StatementView[];
}

interface StatementText {
  readonly text: Code;
  /** Whether parts of it stand in functions inside: then the compiler cannot see that locals are set before they are read. */
  readonly split: boolean;
}

/** More than this in one list of statements is split: TypeScript gives up on functions with some thousand branches (TS2563). */
const longestList = 400;
const partSize = 150;

/** One line for each simple statement, without a line end behind the last. They return false, or go on. */
export function statementText(statements: readonly StatementView[]): StatementText {
  const writer = new StatementWriter(sizeOf(statements) > longestList);
  writer.append(statements);
  return { text: joinCode(writer.lines, '\n'), split: writer.parts > 0 };
}

class StatementWriter {
  readonly lines: Code[] = [];
  parts = 0;
  #depth = 1;
  /** Nearly every function is small as a whole: then no list in it is measured. */
  readonly #isLarge: boolean;

  constructor(isLarge: boolean) {
    this.#isLarge = isLarge;
  }

  append(statements: readonly StatementView[]): void {
    if (!this.#isLarge || statements.length < 2 || sizeOf(statements) <= longestList) {
      for (const statement of statements) this.#appendOne(statement);
      return;
    }
    const last = statements.at(-1);
    if (last?.run?.action.startsWith('return') === true) {
      this.append(statements.slice(0, -1));
      this.#appendOne(last);
      return;
    }
    // What a statement declares must be seen by all that follow, so nothing behind a declaration is split off.
    const declaration = statements.findIndex(({ run }) => run !== undefined && /^(?:const|let) /.test(run.action));
    const splittable = declaration <= 0 ? (declaration < 0 ? statements.length : 0) : declaration;
    const start = splittable === 0 ? 1 : 0;
    for (const statement of statements.slice(0, start)) this.#appendOne(statement);
    this.#appendParts(start === 0 ? statements.slice(0, splittable) : []);
    const rest = statements.slice(start === 0 ? splittable : start);
    if (start === 1) this.append(rest);
    else for (const statement of rest) this.#appendOne(statement);
  }

  /**
   * Groups of statements, each in a function of its own that is called at once. None starts between a narrowing and what
   * builds on it: the compiler forgets it in a function.
   */
  #appendParts(statements: readonly StatementView[]): void {
    let group: StatementView[] = [];
    let size = 0;
    let tied = false;
    const close = (): void => {
      if (group.length > 0) this.#appendPart(group);
      group = [];
      size = 0;
    };
    for (const statement of statements) {
      const own = sizeOf([statement]);
      if (statement.run !== undefined) tied = false;
      if (size + own > partSize && !tied) close();
      if (statement.guard?.narrows) tied = true;
      group.push(statement);
      size += own;
    }
    close();
  }

  #appendPart(group: readonly StatementView[]): void {
    if (group.length === 1) {
      for (const statement of group) this.#appendOne(statement);
      return;
    }
    const name = code`part${++this.parts}`;
    this.#line(code`const ${name} = (): boolean => {`);
    this.#depth += 1;
    for (const statement of group) this.#appendOne(statement);
    if (group.at(-1)?.run?.action !== 'return false') this.#line(code`return true;`);
    this.#depth -= 1;
    this.#line(code`};`);
    this.#line(code`if (!${name}()) return false;`);
  }

  #line(text: Code): void {
    this.lines.push(code`${indentBy(this.#depth)}${text}`);
  }

  #inside(statements: readonly StatementView[]): void {
    this.#depth += 1;
    this.append(statements);
    this.#depth -= 1;
  }

  #appendOne({ run, guard, branch, loop, dispatch }: StatementView): void {
    if (run !== undefined) this.#line(code`${run.action};`);
    else if (guard !== undefined) this.#line(code`if (${guard.condition}) ${guard.action};`);
    else if (branch !== undefined) this.#appendBranch(branch);
    else if (loop !== undefined) {
      this.#line(code`for (${loop.head}) {`);
      this.#inside(loop.statements);
      this.#line(code`}`);
    } else if (dispatch !== undefined) this.#appendDispatch(dispatch);
  }

  #appendBranch({ arms, otherwise }: BranchView): void {
    arms.forEach(({ condition, statements }, index) => {
      this.#line(index === 0 ? code`if (${condition}) {` : code`} else if (${condition}) {`);
      this.#inside(statements);
    });
    if (otherwise !== undefined) {
      this.#line(code`} else {`);
      this.#inside(otherwise);
    }
    this.#line(code`}`);
  }

  #appendDispatch({ on, cases, otherwise }: DispatchView): void {
    this.#line(code`switch (${on}) {`);
    this.#depth += 1;
    for (const { labels, statements } of cases) {
      this.#line(code`${labels} {`);
      this.#depth += 1;
      this.append(statements);
      this.#line(code`break;`);
      this.#depth -= 1;
      this.#line(code`}`);
    }
    this.#line(code`default: ${otherwise};`);
    this.#depth -= 1;
    this.#line(code`}`);
  }
}

/** The number of simple statements and branches, which is what the compiler's analysis grows with. */
function sizeOf(statements: readonly StatementView[]): number {
  let size = 0;
  for (const { branch, loop, dispatch } of statements) {
    size += 1;
    if (branch !== undefined) {
      for (const arm of branch.arms) size += 1 + sizeOf(arm.statements);
      if (branch.otherwise !== undefined) size += sizeOf(branch.otherwise);
    }
    if (loop !== undefined) size += sizeOf(loop.statements);
    if (dispatch !== undefined) for (const entry of dispatch.cases) size += 1 + sizeOf(entry.statements);
  }
  return size;
}
