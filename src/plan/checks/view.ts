/**
 * Check program → what the templates print. Each unit is lowered twice: the first pass answers and returns early, the
 * second collects issues and goes on. Statements here are those of TypeScript, not of JSON Schema.
 */
import { type Code, code, joinCode, literal, number } from '../../encode.js';
import { writtenId } from '../../ir/resolve.js';
import { ExpressionPrinter, objectVariable, readMember, type Shared, typed, variable } from './expressions.js';
import { lookedAt, namedByNone } from './looked-at.js';
import { MemberExplanations } from './member-explanations.js';
import { isNever } from './passes.js';
import type {
  Block,
  CallExpression,
  Fault,
  MembersStatement,
  Statement,
  Subject,
  UnevaluatedStatement,
  Unit,
  UnitKey,
} from './program.js';
import { type ArmView, type StatementView, statementText } from './statement-text.js';
import {
  chain,
  dispatch,
  dispatchByLength,
  guardOr,
  pathCode,
  placeOf,
  run,
  when,
  wrapped,
} from './statement-views.js';
import { isInside } from './structures.js';
import { anyOfMany, closest, type LoweringTools, longestCondition, type UnionStatement } from './union-views.js';
import { issuesCall, testCall, type UnitNames } from './unit-calls.js';

/** The body of a function. */
export interface FunctionBody {
  /** The variables of the body, declared on its top. */
  readonly locals?: { readonly declarations: Code };
  readonly statements: Code;
}

type NamesOf = (unit: UnitKey) => UnitNames;

export function testBody(unit: Unit, namesOf: NamesOf, shared: Shared): FunctionBody {
  return new Lowering(unit, namesOf, shared, 'test').body();
}

export function issuesBody(unit: Unit, namesOf: NamesOf, shared: Shared): FunctionBody {
  return new Lowering(unit, namesOf, shared, 'issues').body();
}

class Lowering {
  readonly #unit: Unit;
  readonly #namesOf: NamesOf;
  readonly #shared: Shared;
  readonly #pass: 'test' | 'issues';
  readonly #printer: ExpressionPrinter;
  readonly #locals = new Map<Code, Code>();
  #forks = 0;
  #base = false;

  readonly #tools: LoweringTools = {
    block: (block, findings) => this.#block(block, findings),
    at: (fault) => this.#at(fault),
    fresh: (prefix) => `${prefix}${this.#forks++}` as Code,
    local: (name, type) => void this.#locals.set(name, type),
    tags: (value) => this.#shared.constant('$tags', value),
    use: (name) => this.#shared.use('issues', name),
  };

  readonly #members: MemberExplanations;

  constructor(unit: Unit, namesOf: NamesOf, shared: Shared, pass: 'test' | 'issues') {
    this.#unit = unit;
    this.#namesOf = namesOf;
    this.#shared = shared;
    this.#pass = pass;
    this.#members = new MemberExplanations({
      block: (block, findings) => this.#block(block, findings),
      place: (at) => this.#place(at),
      local: (name, type) => void this.#locals.set(name, type),
      isShared: unit.shared,
      namesOf,
      shared,
    });
    const known = pass === 'test' ? code`answers` : code`findings.answers`;
    const test = (key: UnitKey, subject: Code): Code => testCall(namesOf(key), subject, known, shared);
    this.#printer = new ExpressionPrinter(shared, { test }, pass === 'issues');
  }

  body(): FunctionBody {
    const [only] = this.#unit.body;
    if (only?.kind === 'call' && this.#unit.body.length === 1 && !this.#unit.deep) return this.#delegation(only);
    const statements: StatementView[] = [];
    const lowered = this.#block(this.#unit.body, code`findings`);
    const guards = this.#unit.deep ? this.#depthGuard() : [];
    if (this.#pass === 'issues' && this.#base && !this.#unit.shared)
      statements.push(run(code`const base = ${literal(writtenId(this.#unit.schema))}`));
    statements.push(...guards, ...lowered);
    if (this.#pass === 'test' && lowered.at(-1)?.run?.action !== 'return false')
      statements.push(run(code`return true`));
    const { text, split } = statementText(statements, this.#pass);
    const declarations = joinCode(
      [...this.#locals].map(([name, type]) => (split ? code`${name}!: ${type}` : code`${name}: ${type}`)),
      ', ',
    );
    return { ...(this.#locals.size > 0 && { locals: { declarations } }), statements: text };
  }

  /** All that it does is what another unit does. */
  #delegation(call: CallExpression): FunctionBody {
    if (this.#pass === 'test') return { statements: code`  return ${this.#printer.print(call)};` };
    const { issues } = this.#namesOf(call.unit);
    const { place } = call;
    const meant = this.#meant(call);
    if (meant === undefined) return { statements: code`  ${issues}(value, path, findings);` };
    const said = place === undefined || this.#unit.shared ? meant : literal(writtenId(place));
    return { statements: code`  ${issues}(value, path, findings, ${said});` };
  }

  #depthGuard(): readonly StatementView[] {
    const condition = code`depth > ${this.#shared.use('checks', 'depthLimit')}`;
    if (this.#pass === 'test') {
      return [{ guard: { condition, action: code`throw ${this.#shared.use('checks', 'tooDeep')}` } }];
    }
    const fault: Fault = { keyword: 'depth', schema: this.#unit.schema, pointer: '', params: {}, path: [] };
    return [{ guard: { condition, action: code`return ${this.#report(fault, code`findings`)}` } }];
  }

  #block(block: Block, findings: Code): StatementView[] {
    const views: StatementView[] = [];
    const places = new Map<string, Code>();
    for (let index = 0; index < block.length; index++) {
      const explained = this.#pass === 'issues' ? this.#members.explain(block, index, places, findings) : undefined;
      if (explained !== undefined) {
        views.push(...explained.views);
        index += explained.count - 1;
        continue;
      }
      const statement = block[index];
      if (statement !== undefined) views.push(...this.#statement(statement, findings));
      if (views.at(-1)?.run?.action === 'return false') break;
    }
    return views;
  }

  #statement(statement: Statement, findings: Code): readonly StatementView[] {
    switch (statement.kind) {
      case 'guard':
        return [guardOr(this.#printer.printNegated(statement.test), this.#refusal(statement.fault, findings))];
      case 'call':
        return [this.#call(statement, findings)];
      case 'branch':
        return this.#branch(statement, findings);
      case 'open': {
        const object = objectVariable(statement.subject);
        const members = this.#shared.use('checks', 'Members');
        this.#locals.set(object, members);
        const value = variable(statement.subject);
        const cast = statement.subject.opaque ? code`${value} as unknown as ${members}` : code`${value} as ${members}`;
        return [run(code`${object} = ${cast}`)];
      }
      case 'member':
        return this.#member(statement, findings);
      case 'item': {
        const array = typed(statement.array, 'readonly unknown[]');
        const position = number(statement.position);
        const statements = [
          this.#assign(statement.item, code`${array}[${position}]`),
          ...this.#block(statement.body, findings),
        ];
        return [{ branch: { arms: [{ condition: code`${array}.length > ${position}`, statements }] } }];
      }
      case 'items':
        return [this.#items(statement.array, statement.from, statement.item, this.#block(statement.body, findings))];
      case 'members':
        return this.#loop(statement, findings);
      case 'unevaluated':
        return this.#unevaluated(statement, findings);
      case 'whenValid':
        return this.#whenValid(statement.first, statement.then, findings);
      case 'contains':
        return this.#contains(statement, findings);
      case 'union':
        return this.#union(statement, findings);
      case 'dispatch':
        return this.#dispatch(statement, findings);
    }
  }

  #assign(target: Subject, value: Code): StatementView {
    this.#locals.set(variable(target), code`unknown`);
    return run(code`${variable(target)} = ${value}`);
  }

  #refusal(fault: Fault, findings: Code): Code {
    return this.#pass === 'test' ? code`return false` : this.#report(fault, findings);
  }

  /** The keyword is the last step of its place but for `false` schemas and the depth, where it is said. */
  #report(fault: Fault, findings: Code): Code {
    const said = !placeOf(fault).endsWith(`/${fault.keyword}`);
    const parts = [findings, pathCode(fault.path), this.#at(fault)];
    if (said || Object.keys(fault.params).length > 0) parts.push(this.#shared.params(fault.params));
    if (said) parts.push(literal(fault.keyword));
    return code`${this.#shared.use('issues', 'report')}(${joinCode(parts, ', ')})`;
  }

  #at(fault: Fault): Code {
    return this.#place(placeOf(fault));
  }

  /** A place in the document; what all places in a unit share is written once. */
  #place(at: string): Code {
    const { schema } = this.#unit;
    if (!isInside(at, schema)) return literal(at);
    this.#base = true;
    const below = at.slice(writtenId(schema).length);
    return below === '' ? code`base` : code`base + ${literal(below)}`;
  }

  #call(call: CallExpression, findings: Code): StatementView {
    const condition = this.#printer.printNegated(call);
    if (this.#pass === 'test') return { guard: { condition, action: code`return false` } };
    const { unit, subject } = call;
    const callee = this.#namesOf(unit);
    const { deep } = callee;
    const given = [variable(subject), pathCode(subject.path), findings];
    const action = issuesCall(callee, given, this.#meant(call), this.#shared);
    // Guarded by the first pass, which is cheaper, but for recursive units: there, each level would walk all below it.
    return deep || this.#unit.body[0] === call ? run(action) : { guard: { condition, action } };
  }

  /** The place that a unit is told to speak for, where it must be told. */
  #meant({ unit, place, target = place }: CallExpression): Code | undefined {
    const { shared, schema } = this.#namesOf(unit);
    if (!shared || target === undefined || (target === schema && (place === undefined || !this.#unit.shared)))
      return undefined;
    return place === undefined ? literal(writtenId(target)) : this.#place(writtenId(place));
  }

  #branch(statement: Statement & { readonly kind: 'branch' }, findings: Code): readonly StatementView[] {
    const [arm, ...more] = statement.arms;
    const [refusal] = statement.otherwise;
    // The first pass leaves as soon as it can, so that the rest of the function need not be nested.
    if (this.#pass === 'test' && arm !== undefined && more.length === 0 && refusal?.kind === 'guard') {
      if (statement.otherwise.length === 1 && isNever(refusal.test)) {
        const condition = this.#printer.printNegated(arm.test);
        const guard = { condition, action: code`return false`, narrows: true } as const;
        return [{ guard }, ...this.#block(arm.body, findings)];
      }
    }
    const arms = statement.arms.map((entry) => ({
      condition: this.#printer.print(entry.test),
      statements: this.#block(entry.body, findings),
    }));
    const statements = this.#block(statement.otherwise, findings);
    const only = arms[0];
    if (only !== undefined && arms.length === 1 && only.statements.length === 0 && statement.arms[0] !== undefined) {
      const condition = this.#printer.printNegated(statement.arms[0].test);
      return [{ branch: { arms: [{ condition, statements }] } }];
    }
    return [chain(arms, statements)];
  }

  #member(statement: Statement & { readonly kind: 'member' }, findings: Code): readonly StatementView[] {
    const read = this.#assign(statement.member, readMember(statement.object, statement.name, this.#shared));
    const value = variable(statement.member);
    const body = this.#block(statement.body, findings);
    if (statement.required !== undefined && this.#pass === 'test') {
      if (statement.impliesPresence) return [read, ...body];
      return [read, { guard: { condition: code`${value} === undefined`, action: code`return false` } }, ...body];
    }
    if (statement.required !== undefined) {
      const action = this.#report(statement.required, findings);
      const absent = code`${value} === undefined`;
      if (body.length === 0) return [read, { guard: { condition: absent, action } }];
      const arms = [{ condition: absent, statements: [run(action)] }];
      return [read, chain(arms, body)];
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
    const index = code`index${item.level}`;
    const enough = this.#pass === 'test' ? code`` : code` && !${this.#shared.use('issues', 'full')}(findings)`;
    return {
      loop: {
        head: code`let ${index} = ${number(from)}; ${index} < ${list}.length${enough}; ${index} += 1`,
        statements: [this.#assign(item, code`${list}[${index}]`), ...statements],
      },
    };
  }

  #loop(statement: MembersStatement, findings: Code): readonly StatementView[] {
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
    inner.push(...this.#block(statement.names, findings));
    inner.push(...this.#patterns(statement, findings));
    const loop: StatementView = { loop: { head: code`const ${key} of Object.keys(${object})`, statements: inner } };
    if (this.#pass === 'issues' || !statement.certain) return [loop];
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
    return { guard: { condition: both, action: code`return false` } };
  }

  /** `patternProperties`, and `additionalProperties` for the members that neither a pattern nor a name takes. */
  #patterns(statement: MembersStatement, findings: Code): readonly StatementView[] {
    const views: StatementView[] = [];
    const patterns = statement.patterns.map(({ pattern, body }) => ({
      condition: this.#printer.print({ kind: 'pattern', subject: { ...statement.key, opaque: false }, pattern }),
      statements: this.#block(body, findings),
    }));
    const additional = this.#block(statement.additional, findings);
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

  #whenValid(first: Block, then: Block, findings: Code): readonly StatementView[] {
    const before = code`before${this.#forks++}`;
    const views = this.#block(first, findings);
    if (this.#pass === 'test') return [...views, ...this.#block(then, findings)];
    this.#locals.set(before, code`number`);
    const condition = code`${findings}.issues.length === ${before}`;
    return [run(code`${before} = ${findings}.issues.length`), ...views, when(condition, this.#block(then, findings))];
  }

  /** A loop that passes over what other parts have looked at. */
  #unevaluated(statement: UnevaluatedStatement, findings: Code): readonly StatementView[] {
    const { whole, key, part, conditions, ignored } = statement;
    const flags = conditions.map(() => code`holds${this.#forks++}`);
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
    const body = [skip, ...this.#block(statement.body, findings)];
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

  #contains(statement: Statement & { readonly kind: 'contains' }, findings: Code): readonly StatementView[] {
    const count = code`count${statement.item.level}`;
    const step = { guard: { condition: this.#printer.print(statement.test), action: code`${count} += 1` } };
    this.#locals.set(count, code`number`);
    const views: StatementView[] = [run(code`${count} = 0`), this.#items(statement.array, 0, statement.item, [step])];
    if (statement.min > 0) {
      const action = this.#refusal(statement.tooFew, findings);
      views.push({ guard: { condition: code`${count} < ${number(statement.min)}`, action } });
    }
    if (statement.max !== undefined) {
      const action = this.#refusal(statement.tooMany, findings);
      views.push({ guard: { condition: code`${count} > ${number(statement.max)}`, action } });
    }
    return views;
  }

  #union(statement: UnionStatement, findings: Code): readonly StatementView[] {
    const tests = statement.branches.map((branch) => this.#printer.print(branch.test));
    const views: StatementView[] = [];
    if (statement.mode === 'anyOf' && tests.length > longestCondition)
      return anyOfMany(statement, findings, this.#pass, this.#printer, this.#tools);
    if (statement.mode === 'anyOf') {
      const test = { kind: 'any', operands: statement.branches.map((branch) => branch.test) } as const;
      const condition = this.#printer.printNegated(test);
      if (this.#pass === 'test') return [{ guard: { condition, action: code`return false` } }];
      return [{ branch: { arms: [{ condition, statements: closest(statement, findings, this.#tools) }] } }];
    }
    const level = this.#forks++;
    const count = code`matches${level}`;
    this.#locals.set(count, code`number`);
    views.push(run(code`${count} = 0`));
    for (const condition of tests) views.push({ guard: { condition, action: code`${count} += 1` } });
    if (this.#pass === 'test') {
      views.push({ guard: { condition: code`${count} !== 1`, action: code`return false` } });
      return views;
    }
    const several = this.#report({ ...statement.fault, params: { matching: true } }, findings);
    const arms: ArmView[] = [
      { condition: code`${count} === 0`, statements: closest(statement, findings, this.#tools) },
      { condition: code`${count} > 1`, statements: [run(several)] },
    ];
    views.push({ branch: { arms } });
    return views;
  }

  #dispatch(statement: Statement & { readonly kind: 'dispatch' }, findings: Code): readonly StatementView[] {
    const on = readMember(statement.object, statement.tag, this.#shared);
    const cases = statement.cases.map(({ values, body }) => ({ values, statements: this.#block(body, findings) }));
    const otherwise = this.#refusal(statement.fault, findings);
    const tag = code`tag`;
    const quick = this.#pass === 'test' ? dispatchByLength(tag, cases, otherwise) : undefined;
    if (quick === undefined) return [dispatch(on, cases, otherwise)];
    this.#locals.set(tag, code`unknown`);
    const guard = { condition: code`typeof ${tag} !== "string"`, action: otherwise, narrows: true } as const;
    return [run(code`${tag} = ${on}`), { guard }, quick];
  }
}
