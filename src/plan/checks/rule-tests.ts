/** The tests that rules need beside the rules themselves, as functions of one value. */
import { type Code, code, joinCode } from '../../encode.js';
import { ExpressionPrinter, mentioned, type Shared } from './expressions.js';
import { lookedAt } from './looked-at.js';
import type { Expression, Subject, TypeClass, UnevaluatedStatement, UnitKey } from './program.js';
import { testCall, type UnitNames } from './unit-calls.js';

const typesOfClasses: Readonly<Record<Exclude<TypeClass, 'object'>, string>> = {
  null: 'null',
  boolean: 'boolean',
  number: 'number',
  string: 'string',
  array: 'readonly unknown[]',
};

/** What is known of a member or an item that may be left over. */
const partNames = ['key', 'value', 'index', 'holds', 'depth', 'answers'] as const;

export class TestPrinter {
  readonly #namesOf: (unit: UnitKey) => UnitNames;
  readonly #shared: Shared;
  readonly #printer: ExpressionPrinter;

  constructor(namesOf: (unit: UnitKey) => UnitNames, shared: Shared) {
    this.#namesOf = namesOf;
    this.#shared = shared;
    const test = (key: UnitKey, subject: Code): Code => {
      shared.called.add(key);
      return testCall(namesOf(key), subject, code`answers`, shared);
    };
    this.#printer = new ExpressionPrinter(shared, { test }, true);
  }

  /** `isPet`, `(value: string) => $pattern1.test(value)` */
  print(expression: Expression): Code {
    if (expression.kind === 'call' && !this.#namesOf(expression.unit).deep) {
      this.#shared.called.add(expression.unit);
      return this.#namesOf(expression.unit).test;
    }
    const test = this.#printer.print(retargeted(expression));
    return code`(${this.#parameters(expression, test)}) => ${test}`;
  }

  /** Tells whether a member's name matches a pattern. */
  ofName(pattern: string): Code {
    const subject: Subject = { role: 'key', level: 0, path: [], known: 'string', opaque: false };
    return code`(key) => ${this.#printer.print({ kind: 'pattern', subject, pattern })}`;
  }

  /** Tells whether another part of the schema looks at a member or an item. */
  lookedAt(statement: UnevaluatedStatement): Code {
    const part: Subject = { ...statement.part, level: 0 };
    const key: Subject = { role: 'key', level: 0, path: [], known: 'string', opaque: false };
    const evaluated = statement.evaluated.map((entry) =>
      entry.matching === undefined ? entry : { ...entry, matching: retargeted(entry.matching) },
    );
    const flags = statement.conditions.map((_, index) => code`holds(${index})`);
    const own = { ...statement, part, evaluated, ...(statement.key !== undefined && { key }) };
    const tests = [
      ...statement.ignored.map((name) => this.#printer.print({ kind: 'equal', subject: key, values: [name] })),
      ...lookedAt(own, flags, this.#printer, this.#shared),
    ];
    const text = tests.length === 0 ? code`false` : joinCode(tests, ' || ');
    const used = mentioned(text, partNames);
    return code`(${used.length === 0 ? code`` : code`{ ${joinCode(used as unknown as readonly Code[], ', ')} }`}) => ${text}`;
  }

  /** Whether the test asks a schema that leads back to itself. */
  callsDeep(expression: Expression): boolean {
    switch (expression.kind) {
      case 'call':
        return this.#namesOf(expression.unit).deep;
      case 'not':
        return this.callsDeep(expression.operand);
      case 'all':
      case 'any':
        return expression.operands.some((operand) => this.callsDeep(operand));
      case 'json':
        return expression.content !== undefined && this.callsDeep(expression.content);
      default:
        return false;
    }
  }

  /** The parameters up to the last one that the test mentions. */
  #parameters(expression: Expression, test: Code): Code {
    const isOfObject = expression.kind === 'count' || expression.kind === 'present';
    const [first, ...others] = mentioned(test, [isOfObject ? 'object' : 'value', 'depth', 'answers']);
    if (first === undefined) return code``;
    const type = isOfObject ? this.#shared.use('checks', 'Members') : this.#typeOf(subjectOf(expression));
    return joinCode(
      [code`${first as string as Code}: ${type}`, ...(others as readonly string[] as readonly Code[])],
      ', ',
    );
  }

  #typeOf(subject: Subject | undefined): Code {
    if (subject?.known === undefined || subject.opaque) return code`unknown`;
    return subject.known === 'object' ? this.#shared.use('checks', 'Members') : (typesOfClasses[subject.known] as Code);
  }
}

/** The value that an expression asks about: all parts of one ask about the same. */
function subjectOf(expression: Expression): Subject | undefined {
  switch (expression.kind) {
    case 'constant':
      return undefined;
    case 'not':
      return subjectOf(expression.operand);
    case 'all':
    case 'any':
      return expression.operands.map(subjectOf).find((subject) => subject !== undefined);
    default:
      return expression.subject;
  }
}

/** The same expression about the parameter `value`. */
function retargeted(expression: Expression): Expression {
  switch (expression.kind) {
    case 'constant':
      return expression;
    case 'not':
      return { ...expression, operand: retargeted(expression.operand) };
    case 'all':
    case 'any':
      return { ...expression, operands: expression.operands.map(retargeted) };
    default:
      return { ...expression, subject: { ...expression.subject, role: 'value', level: 0 } };
  }
}
