/**
 * Check program → the functions of the first pass, which answer and return early. Statements here are those of TypeScript,
 * not of JSON Schema. What the second pass walks by is in `rules.ts`.
 */
import { type Code, code, joinCode, literal, number } from '../../encode.js';
import {
  ExpressionPrinter,
  indexVariable,
  mentioned,
  objectVariable,
  readMember,
  type Shared,
  typed,
  variable,
} from './expressions.js';
import { lookedAt, namedByNone } from './looked-at.js';
import { isNever } from './passes.js';
import type {
  Block,
  Expression,
  MembersStatement,
  Statement,
  Subject,
  UnevaluatedStatement,
  Unit,
  UnitKey,
} from './program.js';
import { type StatementView, statementText } from './statement-text.js';
import { chain, dispatch, dispatchByLength, guardOr, run, when, wrapped } from './statement-views.js';
import { testCall, type UnitNames } from './unit-calls.js';

/** The body of a function. */
export interface FunctionBody {
  /** The variables of the body, declared on its top. */
  readonly locals?: { readonly declarations: Code };
  readonly statements: Code;
}

type NamesOf = (unit: UnitKey) => UnitNames;
type StatementOf<Kind extends Statement['kind']> = Statement & { readonly kind: Kind };

/** Unions of more branches than this are tested piece by piece. */
const longestCondition = 100;

export function testBody(unit: Unit, namesOf: NamesOf, shared: Shared): FunctionBody {
  return new Lowering(unit, namesOf, shared).body();
}

const refuse = code`return false`;

class Lowering {
  readonly #unit: Unit;
  readonly #shared: Shared;
  readonly #printer: ExpressionPrinter;
  readonly #locals = new Map<Code, Code>();
  #flags = 0;
  /** Whether there is a place where every value is refused: what is set on the way there may be read nowhere. */
  #refusesAll = false;

  constructor(unit: Unit, namesOf: NamesOf, shared: Shared) {
    this.#unit = unit;
    this.#shared = shared;
    const test = (key: UnitKey, subject: Code): Code => {
      shared.called.add(key);
      return testCall(namesOf(key), subject, code`answers`, shared);
    };
    this.#printer = new ExpressionPrinter(shared, { test }, false);
  }

  body(): FunctionBody {
    const [only] = this.#unit.body;
    // All that it does is what another unit does.
    if (only?.kind === 'call' && this.#unit.body.length === 1 && !this.#unit.deep)
      return { statements: code`  return ${this.#printer.print(only)};` };
    const statements: StatementView[] = [];
    const lowered = this.#block(this.#unit.body);
    if (this.#unit.deep) {
      const condition = code`depth > ${this.#shared.use('checks', 'depthLimit')}`;
      statements.push({ guard: { condition, action: code`throw ${this.#shared.use('checks', 'tooDeep')}` } });
    }
    statements.push(...lowered);
    if (lowered.at(-1)?.run?.action !== refuse) statements.push(run(code`return true`));
    const { text, split } = statementText(this.#refusesAll ? withoutUnread(statements) : statements);
    const used = this.#refusesAll ? mentioned(text, [...this.#locals.keys()]) : [...this.#locals.keys()];
    const declarations = joinCode(
      used.map((name) => code`${name}${split ? code`!` : code``}: ${this.#locals.get(name) ?? code`unknown`}`),
      ', ',
    );
    return { ...(used.length > 0 && { locals: { declarations } }), statements: text };
  }

  #block(block: Block): StatementView[] {
    const views: StatementView[] = [];
    for (const statement of block) {
      views.push(...this.#statement(statement));
      if (views.at(-1)?.run?.action !== refuse) continue;
      this.#refusesAll = true;
      break;
    }
    return views;
  }

  #statement(statement: Statement): readonly StatementView[] {
    switch (statement.kind) {
      case 'guard':
        return [guardOr(this.#printer.printNegated(statement.test), refuse)];
      case 'call':
        return [{ guard: { condition: this.#printer.printNegated(statement), action: refuse } }];
      case 'branch':
        return this.#branch(statement);
      case 'open': {
        const object = objectVariable(statement.subject);
        const members = this.#shared.use('checks', 'Members');
        this.#locals.set(object, members);
        const value = variable(statement.subject);
        const cast = statement.subject.opaque ? code`${value} as unknown as ${members}` : code`${value} as ${members}`;
        return [{ run: { action: code`${object} = ${cast}`, sets: true } }];
      }
      case 'member':
        return this.#member(statement);
      case 'item': {
        const array = typed(statement.array, 'readonly unknown[]');
        const position = number(statement.position);
        const statements = [this.#assign(statement.item, code`${array}[${position}]`), ...this.#block(statement.body)];
        return [{ branch: { arms: [{ condition: code`${array}.length > ${position}`, statements }] } }];
      }
      case 'items':
        return [this.#items(statement.array, statement.from, statement.item, this.#block(statement.body))];
      case 'members':
        return this.#loop(statement);
      case 'unevaluated':
        return this.#unevaluated(statement);
      case 'whenValid':
        return [...this.#block(statement.first), ...this.#block(statement.then)];
      case 'contains':
        return this.#contains(statement);
      case 'union':
        return this.#union(statement);
      case 'dispatch':
        return this.#dispatch(statement);
    }
  }

  #assign(target: Subject, value: Code): StatementView {
    this.#locals.set(variable(target), code`unknown`);
    return { run: { action: code`${variable(target)} = ${value}`, sets: true } };
  }

  #branch(statement: StatementOf<'branch'>): readonly StatementView[] {
    const [arm, ...more] = statement.arms;
    const [refusal] = statement.otherwise;
    // The first pass leaves as soon as it can, so that the rest of the function need not be nested.
    if (arm !== undefined && more.length === 0 && refusal?.kind === 'guard') {
      if (statement.otherwise.length === 1 && isNever(refusal.test)) {
        const condition = this.#printer.printNegated(arm.test);
        const guard = { condition, action: refuse, narrows: true } as const;
        return [{ guard }, ...this.#block(arm.body)];
      }
    }
    const arms = statement.arms.map((entry) => ({
      condition: this.#printer.print(entry.test),
      statements: this.#block(entry.body),
    }));
    const statements = this.#block(statement.otherwise);
    const only = arms[0];
    if (only !== undefined && arms.length === 1 && only.statements.length === 0 && statement.arms[0] !== undefined) {
      const condition = this.#printer.printNegated(statement.arms[0].test);
      return [{ branch: { arms: [{ condition, statements }] } }];
    }
    return [chain(arms, statements)];
  }

  #member(statement: StatementOf<'member'>): readonly StatementView[] {
    const read = this.#assign(statement.member, readMember(statement.object, statement.name, this.#shared));
    const value = variable(statement.member);
    const body = this.#block(statement.body);
    if (statement.required !== undefined) {
      if (statement.impliesPresence) return [read, ...body];
      return [read, { guard: { condition: code`${value} === undefined`, action: refuse } }, ...body];
    }
    const [only] = body;
    if (only?.guard !== undefined && body.length === 1) {
      const { condition, action } = only.guard;
      const [test] = statement.body;
      const either = test?.kind === 'guard' || test?.kind === 'branch' ? wrapped(condition) : condition;
      return [read, { guard: { condition: code`${value} !== undefined && ${either}`, action } }];
    }
    return [read, { branch: { arms: [{ condition: code`${value} !== undefined`, statements: body }] } }];
  }

  #items(array: Subject, from: number, item: Subject, statements: readonly StatementView[]): StatementView {
    const list = typed(array, 'readonly unknown[]');
    const index = indexVariable(item);
    return {
      loop: {
        head: code`let ${index} = ${number(from)}; ${index} < ${list}.length; ${index} += 1`,
        statements: [this.#assign(item, code`${list}[${index}]`), ...statements],
      },
    };
  }

  #loop(statement: MembersStatement): readonly StatementView[] {
    const object = objectVariable(statement.object);
    const key = variable(statement.key);
    const value = variable(statement.member);
    const inner: StatementView[] = [
      this.#assign(statement.member, code`${object}[${key}]`),
      { guard: { condition: code`${value} === undefined`, action: code`continue` } },
    ];
    if (statement.ignored.length > 0) {
      const condition = joinCode(
        statement.ignored.map((name) => code`${key} === ${literal(name)}`),
        ' || ',
      );
      inner.push({ guard: { condition, action: code`continue` } });
    }
    inner.push(...this.#block(statement.names));
    inner.push(...this.#patterns(statement));
    const loop: StatementView = { loop: { head: code`const ${key} of Object.keys(${object})`, statements: inner } };
    if (!statement.certain) return [loop];
    const count = code`count${statement.member.level}`;
    this.#locals.set(count, code`number`);
    const counting = { head: code`const _name in ${object}`, statements: [run(code`${count} += 1`)] };
    const condition = code`${count} !== ${number(statement.certain)}`;
    return [run(code`${count} = 0`), { loop: counting }, this.#unlessAll(condition, statement, loop)];
  }

  /** The loop of an object that need not have further members; where these are refused, out of the way of the rest. */
  #unlessAll(condition: Code, { object, additional, known }: MembersStatement, loop: StatementView): StatementView {
    const [refusal, ...more] = additional;
    if (refusal?.kind !== 'guard' || more.length > 0 || !isNever(refusal.test))
      return { branch: { arms: [{ condition, statements: [loop] }] } };
    const others = this.#shared.use('checks', 'hasOthers');
    const both = code`${condition} && ${others}(${objectVariable(object)}, ${literal(known)})`;
    return { guard: { condition: both, action: refuse } };
  }

  /** `patternProperties`, and `additionalProperties` for the members that neither a pattern nor a name takes. */
  #patterns(statement: MembersStatement): readonly StatementView[] {
    const views: StatementView[] = [];
    const patterns = statement.patterns.map(({ pattern, body }) => ({
      condition: this.#printer.print({ kind: 'pattern', subject: { ...statement.key, opaque: false }, pattern }),
      statements: this.#block(body),
    }));
    const additional = this.#block(statement.additional);
    const names = namedByNone(statement.known, statement.key, this.#shared);
    const [only] = patterns;
    if (only !== undefined && patterns.length === 1 && additional.length > 0) {
      const rest = names.length === 0 ? additional : [when(joinCode(names, ' && '), additional)];
      return [chain([{ ...only }], rest)];
    }
    for (const { condition, statements } of patterns)
      if (statements.length > 0) views.push(when(condition, statements));
    if (additional.length === 0) return views;
    const untaken = joinCode([...names, ...patterns.map(({ condition }) => code`!${condition}`)], ' && ');
    return [...views, ...(untaken === '' ? additional : [when(untaken, additional)])];
  }

  /** A loop that passes over what other parts have looked at. */
  #unevaluated(statement: UnevaluatedStatement): readonly StatementView[] {
    const { whole, key, part, conditions, ignored } = statement;
    const flags = conditions.map(() => code`holds${this.#flags++}`);
    const views = conditions.map((condition, index) => {
      const flag = flags[index] ?? code``;
      this.#locals.set(flag, code`boolean`);
      return run(code`${flag} = ${this.#printer.print(condition)}`);
    });
    const looked = lookedAt(statement, flags, this.#printer, this.#shared);
    const skip = when(
      joinCode([...ignored.map((name) => code`key${part.level} === ${literal(name)}`), ...looked], ' || '),
      [run(code`continue`)],
    );
    const body = [skip, ...this.#block(statement.body)];
    if (key === undefined) return [...views, this.#items(whole, 0, part, body)];
    const object = objectVariable(whole);
    const value = variable(part);
    const inner = [
      this.#assign(part, code`${object}[${variable(key)}]`),
      { guard: { condition: code`${value} === undefined`, action: code`continue` } },
      ...body,
    ];
    return [...views, { loop: { head: code`const ${variable(key)} of Object.keys(${object})`, statements: inner } }];
  }

  #contains(statement: StatementOf<'contains'>): readonly StatementView[] {
    const count = code`count${statement.item.level}`;
    const step = { guard: { condition: this.#printer.print(statement.test), action: code`${count} += 1` } };
    this.#locals.set(count, code`number`);
    const views: StatementView[] = [run(code`${count} = 0`), this.#items(statement.array, 0, statement.item, [step])];
    if (statement.min > 0) {
      views.push({ guard: { condition: code`${count} < ${number(statement.min)}`, action: refuse } });
    }
    if (statement.max !== undefined) {
      views.push({ guard: { condition: code`${count} > ${number(statement.max)}`, action: refuse } });
    }
    return views;
  }

  #union({ mode, branches }: StatementOf<'union'>): readonly StatementView[] {
    const tests = branches.map((branch) => branch.test);
    if (mode === 'anyOf' && tests.length > longestCondition) return this.#anyOfMany(tests);
    if (mode === 'anyOf') {
      const condition = this.#printer.printNegated({ kind: 'any', operands: tests });
      return [{ guard: { condition, action: refuse } }];
    }
    const count = code`matches${this.#flags++}`;
    this.#locals.set(count, code`number`);
    const views: StatementView[] = [run(code`${count} = 0`)];
    for (const test of tests)
      views.push({ guard: { condition: this.#printer.print(test), action: code`${count} += 1` } });
    views.push({ guard: { condition: code`${count} !== 1`, action: refuse } });
    return views;
  }

  /** A condition of as many parts as there are branches may be too long for the compiler of the output. */
  #anyOfMany(tests: readonly Expression[]): readonly StatementView[] {
    const flag = code`holds${this.#flags++}`;
    this.#locals.set(flag, code`boolean`);
    const views: StatementView[] = [run(code`${flag} = false`)];
    for (let start = 0; start < tests.length; start += longestCondition) {
      const condition = this.#printer.print({ kind: 'any', operands: tests.slice(start, start + longestCondition) });
      views.push({ guard: { condition: code`!${flag}`, action: code`${flag} = ${condition}` } });
    }
    return [...views, { guard: { condition: code`!${flag}`, action: refuse } }];
  }

  #dispatch(statement: StatementOf<'dispatch'>): readonly StatementView[] {
    const on = readMember(statement.object, statement.tag, this.#shared);
    const cases = statement.cases.map(({ values, body }) => ({ values, statements: this.#block(body) }));
    const tag = code`tag`;
    const quick = dispatchByLength(tag, cases, refuse);
    if (quick === undefined) return [dispatch(on, cases, refuse)];
    this.#locals.set(tag, code`unknown`);
    const guard = { condition: code`typeof ${tag} !== "string"`, action: refuse, narrows: true } as const;
    return [run(code`${tag} = ${on}`), { guard }, quick];
  }
}

/** The same without variables that are set right before every value is refused. */
function withoutUnread(views: readonly StatementView[]): readonly StatementView[] {
  const kept: StatementView[] = [];
  for (const view of views) {
    if (view.run?.action === refuse) while (kept.at(-1)?.run?.sets === true) kept.pop();
    kept.push(withinUnread(view));
  }
  return kept;
}

function withinUnread({ run: alone, guard, branch, loop, dispatch: chosen }: StatementView): StatementView {
  if (branch !== undefined) {
    const arms = branch.arms.map((arm) => ({ ...arm, statements: withoutUnread(arm.statements) }));
    const { otherwise } = branch;
    return { branch: { arms, ...(otherwise !== undefined && { otherwise: withoutUnread(otherwise) }) } };
  }
  if (loop !== undefined) return { loop: { ...loop, statements: withoutUnread(loop.statements) } };
  if (chosen !== undefined) {
    const cases = chosen.cases.map((one) => ({ ...one, statements: withoutUnread(one.statements) }));
    return { dispatch: { ...chosen, cases } };
  }
  return { ...(alone !== undefined && { run: alone }), ...(guard !== undefined && { guard }) };
}
