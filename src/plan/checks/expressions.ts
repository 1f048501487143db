/** Expressions of check programs as TypeScript, in the positive or the negated form, with as few parentheses as they need. */
import { type Code, code, joinCode, literal, number } from '../../encode.js';
import type { JsonType, JsonValue } from '../../ir/schema.js';
import { PatternCosts } from '../../patterns/pattern-cost.js';
import type { FormatImport } from './asserted.js';
import { type FormatModule, numberFormats, textFormats } from './formats.js';
import { patternTest } from './pattern-test.js';
import type { Expression, Operator, Subject, UnitKey } from './program.js';

/** A constant on top of the file. */
export interface ConstantView {
  readonly declaration: Code;
  readonly value: Code;
}

type RuntimeFile =
  | FormatModule
  | 'checks'
  | 'content'
  | 'explain'
  | 'issues'
  | 'json-schema'
  | 'once'
  | 'rules'
  | 'slow-pattern'
  | 'standard-schema'
  | 'validation';

/** What the expressions of one file share: the runtime functions that they use and the constants that stand on top of it. */
export class Shared {
  readonly runtime = new Map<string, Set<string>>();
  /** The units whose tests are called in what has been printed since somebody began to note them. */
  called = new Set<UnitKey>();
  readonly constants: ConstantView[] = [];
  readonly #byValue = new Map<Code, Code>();
  readonly #tests = new Map<string, Code>();
  readonly #costs = new PatternCosts();
  readonly #issueLimit: number | undefined;
  /** Functions of the user's, by the module that they come from, under the names that they have here. */
  readonly imported = new Map<string, Map<string, Code>>();
  #foreign = 1;

  constructor(issueLimit?: number) {
    this.#issueLimit = issueLimit;
  }

  /** A function that the user provides. */
  foreign({ from, name }: FormatImport): Code {
    const names = this.imported.get(from) ?? new Map<string, Code>();
    const known = names.get(name) ?? (`$format${this.#foreign++}_${name}` as Code);
    this.imported.set(from, names.set(name, known));
    return known;
  }

  /** The options of a call, with the defaults of the configuration behind them. */
  defaults(): Code {
    if (this.#issueLimit === undefined) return code`options`;
    const limits = this.constant('$limits', code`{ limit: ${number(this.#issueLimit)} }`);
    return code`{ ...${limits}, ...(options as object | undefined) }`;
  }

  /** A function or type of a runtime file; private names start with `$`, which no name of the document does. */
  use(file: RuntimeFile, name: string): Code {
    const names = this.runtime.get(file) ?? new Set();
    this.runtime.set(file, names.add(name));
    return `$${name}` as Code;
  }

  /** Most tests of most programs are the same few: each is put into words once. */
  once(test: string, print: () => Code): Code {
    const text = this.#tests.get(test) ?? print();
    this.#tests.set(test, text);
    return text;
  }

  /** A pattern as a constant that tests texts; one that the engine may look for too long is a search of our own. */
  pattern(pattern: string, maxLength: number | undefined): Code {
    const { text } = patternTest(pattern, this.#costs, () => this.use('slow-pattern', 'slowPattern'), maxLength);
    return this.constant('$pattern', code`/* @__PURE__ */ ${text}`);
  }

  set(values: readonly JsonValue[]): Code {
    return this.constant('$set', code`/* @__PURE__ */ new Set<unknown>([${joinCode(values.map(literal), ', ')}])`);
  }

  /** A list of values; those that stand in a set are taken from there. */
  list(values: readonly JsonValue[]): Code {
    const isSet =
      values.length > comparisonLimit && values.every((value) => value === null || typeof value !== 'object');
    return isSet ? code`[...${this.set(values)}]` : literal([...values]);
  }

  /** A constant that is made once, where the module is loaded. */
  constant(prefix: '$pattern' | '$constant' | '$limits' | '$set' | '$tags', value: Code): Code {
    const known = this.#byValue.get(value);
    if (known !== undefined) return known;
    const name = `${prefix}${this.constants.length + 1}` as Code;
    this.#byValue.set(value, name);
    // Without a type, an empty array would have none under the strictest settings, and `{}` beside a member `toString` a wrong one.
    const type =
      prefix === '$constant' ? code`: unknown` : prefix === '$tags' ? code`: ${this.use('issues', 'Tags')}` : code``;
    this.constants.push({ declaration: code`${name}${type}`, value });
    return name;
  }
}

/** How calls of units are printed: decided by the view, which knows the names and the depths. */
export interface Calls {
  test(unit: UnitKey, subject: Code): Code;
}

const inherited = new Set(Object.getOwnPropertyNames(Object.prototype));

/** Whether every object has a member of this name, though not of its own. */
export function isInherited(name: string): boolean {
  return inherited.has(name);
}

/** Equality with more values than this is a look-up in a set. */
const comparisonLimit = 24;

export function variable(subject: Subject): Code {
  return `${subject.role}${subject.level === 0 ? '' : subject.level}` as Code;
}

export function objectVariable(subject: Subject): Code {
  return `object${subject.level === 0 ? '' : subject.level}` as Code;
}

/** The loop variable of the array that an item is read from. */
export function indexVariable(item: Subject): Code {
  return `index${item.level === 0 ? '' : item.level}` as Code;
}

const words = new Map<string, RegExp>();

/** Which of some names a piece of code mentions outside of its texts. */
export function mentioned<Name extends string>(text: Code, names: readonly Name[]): readonly Name[] {
  const plain = text.includes('"') ? text.replace(/"(?:[^"\\]|\\.)*"/g, '') : text;
  return names.filter((name) => {
    const word = words.get(name) ?? new RegExp(`\\b${name}\\b`);
    words.set(name, word);
    return word.test(plain);
  });
}

/** The subject as a value of unknown type. */
export function plain(subject: Subject): Code {
  return subject.opaque ? code`(${variable(subject)} as unknown)` : variable(subject);
}

/** The subject as a value of the type that a test before has found. */
export function typed(subject: Subject, type: 'string' | 'number' | 'readonly unknown[]'): Code {
  if (!subject.opaque) return variable(subject);
  return `(${variable(subject)} as unknown as ${type})` as Code;
}

/** Reads an own member: names on `Object.prototype` would else be found on every object. */
export function readMember(object: Subject, name: string, shared: Shared): Code {
  const target = objectVariable(object);
  if (inherited.has(name)) return code`${shared.use('checks', 'own')}(${target}, ${literal(name)})`;
  return code`${target}[${literal(name)}]`;
}

type Tree =
  | { readonly kind: 'atom'; readonly yes: Code; readonly no: Code }
  | { readonly kind: 'all' | 'any'; readonly parts: readonly Tree[] };

export class ExpressionPrinter {
  readonly #shared: Shared;
  readonly #calls: Calls;
  /** The second pass names the type that is wrong, so it tells arrays from objects by itself. */
  readonly #exactTypes: boolean;

  constructor(shared: Shared, calls: Calls, exactTypes: boolean) {
    this.#exactTypes = exactTypes;
    this.#shared = shared;
    this.#calls = calls;
  }

  print(expression: Expression): Code {
    return this.#print(expression, true);
  }

  printNegated(expression: Expression): Code {
    return this.#print(expression, false);
  }

  #print(expression: Expression, positive: boolean): Code {
    if (expression.kind !== 'type') return printTree(this.#tree(expression), positive);
    const { subject, types, narrow, arraysExcluded = false } = expression;
    const parts = [positive, narrow, arraysExcluded && !this.#exactTypes, plain(subject), ...types];
    return this.#shared.once(parts.join(' '), () => printTree(this.#tree(expression), positive));
  }

  #tree(expression: Expression): Tree {
    switch (expression.kind) {
      case 'constant':
        return atom(code`${literal(expression.value)}`, code`${literal(!expression.value)}`);
      case 'not':
        return negate(this.#tree(expression.operand));
      case 'all':
      case 'any':
        return { kind: expression.kind, parts: expression.operands.map((operand) => this.#tree(operand)) };
      case 'type':
        return typeTree(this.#exactTypes ? { ...expression, arraysExcluded: false } : expression);
      case 'equal':
        return this.#equal(expression.subject, expression.values);
      case 'compare':
        return comparison(typed(expression.subject, 'number'), expression.operator, expression.bound);
      case 'multiple':
        return this.#multiple(expression.subject, expression.divisor);
      case 'length':
        return this.#length(expression.subject, expression.operator, expression.bound);
      case 'pattern': {
        const pattern = this.#shared.pattern(expression.pattern, expression.maxLength);
        return call(code`${pattern}.test(${typed(expression.subject, 'string')})`);
      }
      case 'format': {
        const { format, subject, own } = expression;
        if (own !== undefined) return call(code`${this.#shared.foreign(own)}(${typed(subject, 'string')})`);
        const check = textFormats.get(format) ?? numberFormats.get(format);
        if (check === undefined) throw new Error(`no check for the format ${JSON.stringify(format)}`);
        const value = typed(subject, textFormats.has(format) ? 'string' : 'number');
        return call(code`${this.#shared.use(check.module, check.name)}(${value})`);
      }
      case 'encoded': {
        const parts = [typed(expression.subject, 'string'), literal(expression.encoding)];
        return call(code`${this.#shared.use('content', 'isEncoded')}(${joinCode(parts, ', ')})`);
      }
      case 'json':
        return call(this.#holdsJson(expression));
      case 'size':
        return comparison(
          code`${typed(expression.subject, 'readonly unknown[]')}.length`,
          expression.operator,
          expression.bound,
        );
      case 'unique':
        return call(code`${this.#shared.use('checks', 'unique')}(${typed(expression.subject, 'readonly unknown[]')})`);
      case 'count': {
        const members = code`${this.#shared.use('checks', 'memberCount')}(${objectVariable(expression.subject)})`;
        return comparison(members, expression.operator, expression.bound);
      }
      case 'present': {
        const member = readMember(expression.subject, expression.name, this.#shared);
        return atom(code`${member} !== undefined`, code`${member} === undefined`);
      }
      case 'call':
        return call(this.#calls.test(expression.unit, variable(expression.subject)));
    }
  }

  #equal(subject: Subject, values: readonly JsonValue[]): Tree {
    const primitives = values.filter((value) => value === null || typeof value !== 'object');
    const parts: Tree[] = [];
    if (primitives.length > comparisonLimit) {
      parts.push(call(code`${this.#shared.set(primitives)}.has(${plain(subject)})`));
    } else {
      for (const value of primitives) {
        const [left, right] = [plain(subject), literal(value)];
        parts.push(atom(code`${left} === ${right}`, code`${left} !== ${right}`));
      }
    }
    for (const value of values) {
      if (value === null || typeof value !== 'object') continue;
      const constant = this.#shared.constant('$constant', literal(value));
      parts.push(call(code`${this.#shared.use('checks', 'equal')}(${plain(subject)}, ${constant})`));
    }
    return parts.length === 0 ? atom(code`false`, code`true`) : { kind: 'any', parts };
  }

  #multiple(subject: Subject, divisor: number): Tree {
    const value = typed(subject, 'number');
    const scale = decimalScale(divisor);
    return call(code`${this.#shared.use('checks', 'multipleOf')}(${value}, ${number(divisor)}, ${number(scale)})`);
  }

  #holdsJson({ subject, encoding, content }: Expression & { readonly kind: 'json' }): Code {
    const parts = [typed(subject, 'string')];
    if (encoding !== undefined || content !== undefined) {
      parts.push(encoding === undefined ? code`undefined` : literal(encoding));
    }
    if (content !== undefined) parts.push(code`(content) => ${this.#calls.test(content.unit, code`content`)}`);
    return code`${this.#shared.use('content', 'holdsJson')}(${joinCode(parts, ', ')})`;
  }

  /** Lengths are counted in code points; the number of UTF-16 units decides wherever it can, since it costs nothing. */
  #length(subject: Subject, operator: '<=' | '>=', bound: number): Tree {
    const value = typed(subject, 'string');
    const units = code`${value}.length`;
    if ((operator === '<=' && bound < 1) || (operator === '>=' && bound <= 1))
      return comparison(units, operator, bound);
    const points = comparison(code`${this.#shared.use('checks', 'codePoints')}(${value})`, operator, bound);
    if (operator === '<=') {
      const counted: Tree = { kind: 'all', parts: [comparison(units, '<=', 2 * bound), points] };
      return { kind: 'any', parts: [comparison(units, '<=', bound), counted] };
    }
    const counted: Tree = { kind: 'all', parts: [comparison(units, '>=', bound), points] };
    return { kind: 'any', parts: [comparison(units, '>=', 2 * bound), counted] };
  }
}

/** 10 to the number of decimals of a divisor, or 0 where that is too large for quick arithmetic. */
function decimalScale(divisor: number): number {
  const decimals = /^\d+(?:\.(\d+))?$/.exec(String(divisor));
  const count = decimals === null ? 99 : (decimals[1]?.length ?? 0);
  return count > 9 ? 0 : 10 ** count;
}

function atom(yes: Code, no: Code): Tree {
  return { kind: 'atom', yes, no };
}

function call(text: Code): Tree {
  return atom(text, code`!${text}`);
}

const negatedOperators: Readonly<Record<Operator, Operator>> = { '<': '>=', '<=': '>', '>': '<=', '>=': '<' };

/** Exact in both forms: the values are numbers other than NaN. */
function comparison(left: Code, operator: Operator, bound: number): Tree {
  const form = (sign: Operator): Code => `${left} ${sign} ${number(bound)}` as Code;
  return atom(form(operator), form(negatedOperators[operator]));
}

function typeTree(expression: Expression & { readonly kind: 'type' }): Tree {
  const { subject, types, narrow } = expression;
  const parts = types.map((type) => oneType(plain(subject), type, narrow, expression.arraysExcluded === true));
  return { kind: 'any', parts };
}

function oneType(value: Code, type: JsonType, narrow: boolean, arraysExcluded: boolean): Tree {
  const kindOf = (name: 'string' | 'number' | 'boolean' | 'object'): Tree =>
    atom(`typeof ${value} === "${name}"` as Code, `typeof ${value} !== "${name}"` as Code);
  switch (type) {
    case 'null':
      return atom(code`${value} === null`, code`${value} !== null`);
    case 'string':
    case 'boolean':
      return kindOf(type);
    case 'number':
    case 'integer': {
      // NaN and the infinities are no JSON values. These functions answer false for what is no number at all.
      const test = call(type === 'number' ? code`Number.isFinite(${value})` : code`Number.isInteger(${value})`);
      return narrow ? { kind: 'all', parts: [kindOf('number'), test] } : test;
    }
    case 'array':
      return call(code`Array.isArray(${value})`);
    case 'object': {
      const parts = [kindOf('object'), atom(code`${value} !== null`, code`${value} === null`)];
      if (!arraysExcluded) parts.push(atom(code`!Array.isArray(${value})`, code`Array.isArray(${value})`));
      return { kind: 'all', parts };
    }
  }
}

function negate(tree: Tree): Tree {
  if (tree.kind === 'atom') return atom(tree.no, tree.yes);
  return { kind: tree.kind === 'all' ? 'any' : 'all', parts: tree.parts.map(negate) };
}

function printTree(tree: Tree, positive: boolean): Code {
  if (tree.kind === 'atom') return positive ? tree.yes : tree.no;
  const [only] = tree.parts;
  if (only !== undefined && tree.parts.length === 1) return printTree(only, positive);
  const isAll = (tree.kind === 'all') === positive;
  const { parts: all } = tree;
  if (all.every(isAtom)) {
    const atoms = all.map((part) => (positive ? part.yes : part.no));
    return joinCode(atoms, isAll ? ' && ' : ' || ');
  }
  const flat = flatten(positive ? tree : negate(tree));
  if (flat.kind === 'atom') return flat.yes;
  const parts = flat.parts.map((part) => (part.kind === 'atom' ? part.yes : code`(${printTree(part, true)})`));
  return joinCode(parts, flat.kind === 'all' ? ' && ' : ' || ');
}

function isAtom(tree: Tree): tree is Tree & { readonly kind: 'atom' } {
  return tree.kind === 'atom';
}

/** Merges parts of the same kind and unwraps single parts. */
function flatten(tree: Tree): Tree {
  if (tree.kind === 'atom') return tree;
  const parts = tree.parts.map(flatten).flatMap((part) => (part.kind === tree.kind ? part.parts : [part]));
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  return { kind: tree.kind, parts };
}
