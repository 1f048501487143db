/**
 * Check program → the rules that the second pass of a validator walks by (`runtime/rules.ts`). They are data, a line for
 * each member: what is wrong with a value is asked for seldom, and a walk is smaller and reads better than code for each case.
 */
import { childPointer, type JsonPointer } from '../../diagnostics.js';
import { type Code, code, joinCode, key, literal, number } from '../../encode.js';
import { writtenId } from '../../ir/resolve.js';
import type { JsonType, JsonValue } from '../../ir/schema.js';
import { indentBy } from '../indentation.js';
import { isInherited, type Shared } from './expressions.js';
import { isNever } from './passes.js';
import type {
  Block,
  CallExpression,
  Expression,
  MembersStatement,
  Statement,
  UnevaluatedStatement,
  Unit,
  UnitKey,
} from './program.js';
import { homeOf, propertyWay, wayBelow } from './rule-places.js';
import { TestPrinter } from './rule-tests.js';
import type { UnitNames } from './unit-calls.js';

type NamesOf = (unit: UnitKey) => UnitNames;
type StatementOf<Kind extends Statement['kind']> = Statement & { readonly kind: Kind };

/** The rules of a unit as the expression that a function without parameters gives. */
export function rulesOf(unit: Unit, namesOf: NamesOf, shared: Shared): Code {
  return new RulePrinter(unit, namesOf, shared).print();
}

/** Where rules are printed: the place of the schema that they speak of, and how deep the line is indented. */
interface Around {
  readonly place: string;
  readonly depth: number;
}

class RulePrinter {
  readonly #unit: Unit;
  readonly #namesOf: NamesOf;
  readonly #shared: Shared;
  readonly #tests: TestPrinter;

  constructor(unit: Unit, namesOf: NamesOf, shared: Shared) {
    this.#unit = unit;
    this.#namesOf = namesOf;
    this.#shared = shared;
    this.#tests = new TestPrinter(namesOf, shared);
  }

  readonly #placeOf = (call: CallExpression): string | undefined => this.#meant(call)?.place;

  print(): Code {
    return this.#rule(this.#unit.body, { place: writtenId(this.#unit.schema), depth: 0 });
  }

  #use(name: string): Code {
    return this.#shared.use('rules', name);
  }

  #call(name: string, parts: readonly Code[]): Code {
    return code`${this.#use(name)}(${joinCode(parts, ', ')})`;
  }

  /** All that a block demands, as one rule. */
  #rule(block: Block, around: Around): Code {
    const [first] = block;
    if (first === undefined) return code`true`;
    // Nearly every block is one statement.
    if (block.length === 1) {
      const place = this.#homeOf(first) ?? around.place;
      if (place === around.place) return this.#single(first, around);
      return this.#placed([this.#single(first, { ...around, place })], place, around.place);
    }
    const rules = this.#rules(block, around);
    const [only] = rules;
    if (only === undefined) return code`true`;
    return rules.length === 1 ? only : code`[${joinCode(rules, ', ')}]`;
  }

  #single(statement: Statement, around: Around): Code {
    if (statement.kind === 'open') return code`true`;
    if (statement.kind === 'member') return this.#call('members', this.#members([statement], around));
    const bound = boundOf(statement);
    if (bound === undefined) return this.#statement(statement, around);
    return this.#call('limits', [literal({ [bound.keyword]: bound.value })]);
  }

  /** What follows each other and speaks of one schema stands at one place. */
  #rules(block: Block, around: Around): readonly Code[] {
    const rules: Code[] = [];
    for (let start = 0; start < block.length; ) {
      const { home, end } = this.#sameHome(block, start);
      const place = home ?? around.place;
      const printed = this.#atOnePlace(block.slice(start, end), { ...around, place });
      rules.push(...(place === around.place ? printed : [this.#placed(printed, place, around.place)]));
      start = end;
    }
    return rules;
  }

  #sameHome(block: Block, start: number): { readonly home: string | undefined; readonly end: number } {
    let home: string | undefined;
    let end = start;
    for (; end < block.length; end++) {
      const statement = block[end];
      const own = statement && this.#homeOf(statement);
      if (own !== undefined && home !== undefined && own !== home) break;
      home ??= own;
    }
    return { home, end };
  }

  #homeOf(statement: Statement): string | undefined {
    return homeOf(statement, this.#placeOf);
  }

  /** Rules at a place that is not the one around them. */
  #placed(rules: readonly Code[], place: string, around: string): Code {
    const [only] = rules;
    const rule = only !== undefined && rules.length === 1 ? only : code`[${joinCode(rules, ', ')}]`;
    const base = writtenId(this.#unit.schema);
    const below = wayBelow(place, around);
    if (below !== undefined) return this.#call('below', [literal(below), rule]);
    const inside = place === base ? '' : wayBelow(place, base);
    if (inside !== undefined) return this.#call('inside', [literal(inside), rule]);
    return this.#call('elsewhere', [literal(place), rule]);
  }

  #atOnePlace(block: Block, around: Around): readonly Code[] {
    const rules: Code[] = [];
    for (let index = 0; index < block.length; index++) {
      const statement = block[index];
      if (statement === undefined || statement.kind === 'open') continue;
      if (statement.kind === 'member') {
        const end = endOfMembers(block, index);
        rules.push(this.#call('members', this.#members(block.slice(index, end), around)));
        index = end - 1;
        continue;
      }
      const limits = this.#limits(block, index);
      if (limits !== undefined) {
        rules.push(limits.rule);
        index += limits.count - 1;
      } else rules.push(this.#statement(statement, around));
    }
    return rules;
  }

  #statement(statement: Exclude<Statement, StatementOf<'open' | 'member'>>, around: Around): Code {
    switch (statement.kind) {
      case 'guard':
        return this.#guard(statement);
      case 'call':
        return this.#unitCall(statement);
      case 'branch':
        return this.#typed(statement, around) ?? this.#branch(statement, around);
      case 'item': {
        const way = `/prefixItems/${statement.position}`;
        const rule = this.#rule(statement.body, stepped(around, way));
        return this.#call('item', [number(statement.position), rule]);
      }
      case 'items':
        return this.#call('items', this.#items(statement, around));
      case 'members':
        return this.#loop(statement, around);
      case 'unevaluated':
        return this.#unevaluated(statement, around);
      case 'whenValid':
        return this.#call('whenValid', [this.#rule(statement.first, around), this.#rule(statement.then, around)]);
      case 'contains': {
        const { test, min, max } = statement;
        const bounds = [number(min), ...(max === undefined ? [] : [number(max)])];
        return this.#call('contains', [this.#tests.print(test), ...bounds]);
      }
      case 'union':
        return this.#union(statement, around);
      case 'dispatch': {
        const cases = statement.cases.map(
          ({ values, body }) => code`[${literal([...values])}, ${this.#rule(body, deeper(around))}]`,
        );
        return this.#listed('tagged', [literal(statement.tag), literal(statement.fault.keyword)], cases, around);
      }
    }
  }

  /** A call whose last arguments stand on lines of their own. */
  #listed(name: string, first: readonly Code[], parts: readonly Code[], { depth }: Around): Code {
    const lines = parts.map((part) => code`\n${indentBy(depth + 1)}${part},`);
    return code`${this.#use(name)}(${joinCode(first, ', ')},${joinCode(lines, '')}\n${indentBy(depth)})`;
  }

  #guard({ test, fault }: StatementOf<'guard'>): Code {
    const { keyword, params, pointer } = fault;
    if (pointer === '') return this.#call('never', [literal(keyword)]);
    const operands = Object.keys(params).length === 0 ? [] : [literal(params)];
    if (isNever(test)) return this.#call('refused', [literal(keyword), ...operands]);
    const types = typesOf(test);
    if (types !== undefined && sameList(params['types'], types)) {
      const [only] = types;
      if (only !== undefined && types.length === 1 && keyword === 'type') return literal(only);
      return this.#call('types', [literal([...types]), ...(keyword === 'type' ? [] : [literal(keyword)])]);
    }
    const { allowed } = params;
    if (test.kind === 'equal' && keyword === 'enum' && Array.isArray(allowed))
      return this.#call('values', [this.#shared.list(allowed)]);
    if (test.kind === 'equal' && keyword === 'const') return this.#call('constant', [literal(allowed ?? null)]);
    return this.#call('check', [this.#tests.print(test), literal(keyword), ...operands]);
  }

  /** Bounds that follow each other are one rule. */
  #limits(block: Block, start: number): { readonly rule: Code; readonly count: number } | undefined {
    const bounds: { [keyword: string]: number } = {};
    let count = 0;
    for (; start + count < block.length; count++) {
      const bound = boundOf(block[start + count]);
      if (bound === undefined || bound.keyword in bounds) break;
      bounds[bound.keyword] = bound.value;
    }
    return count === 0 ? undefined : { rule: this.#call('limits', [literal(bounds)]), count };
  }

  /** The place that a unit is to speak for, where it must be told. */
  #meant({ unit, place, target = place }: CallExpression): { readonly place: string } | undefined {
    const { shared, schema } = this.#namesOf(unit);
    if (!shared || target === undefined || (target === schema && (place === undefined || !this.#unit.shared)))
      return undefined;
    return { place: writtenId(place ?? target) };
  }

  #unitCall(call: CallExpression): Code {
    const { rules } = this.#namesOf(call.unit);
    return this.#meant(call) === undefined ? rules : this.#call('here', [rules]);
  }

  /** Values of some types, each with what is demanded of it: the branch that nearly every schema with a type is. */
  #typed({ arms, otherwise }: StatementOf<'branch'>, around: Around): Code | undefined {
    const [refusal, ...more] = otherwise;
    if (refusal?.kind !== 'guard' || more.length > 0) return undefined;
    const { test, fault } = refusal;
    const others = isNever(test) ? [] : test.kind === 'type' ? test.types : undefined;
    const said = fault.params['types'];
    if (others === undefined || fault.pointer === '' || !isTypes(said)) return undefined;
    const own = arms.flatMap(({ test: ofArm }) => onlyType(ofArm) ?? []);
    if (own.length < arms.length) return undefined;
    const all = new Set([...own, ...others]);
    if (said.length !== all.size || !said.every((type) => all.has(type))) return undefined;
    const [arm] = arms;
    if (arm !== undefined && said.length === 1 && fault.keyword === 'type') return this.#ofType(said, arm.body, around);
    const rules = arms.map(({ body }, index) => code`${own[index] as string as Code}: ${this.#rule(body, around)}`);
    return this.#call('types', [literal([...said]), literal(fault.keyword), code`{ ${joinCode(rules, ', ')} }`]);
  }

  #ofType([type]: readonly JsonType[], body: Block, around: Around): Code {
    const [first, second] = body;
    const [start] = first?.kind === 'open' ? [second] : [first];
    const isHere = start !== undefined && (this.#homeOf(start) ?? around.place) === around.place;
    if (type === 'object' && isHere && start.kind === 'member') {
      const from = first === start ? 0 : 1;
      const end = this.#endOfMembersHere(body, from, around.place);
      const [required, optional] = this.#members(body.slice(from, end), around);
      const rest = this.#rules(body.slice(end), around);
      const more = optional === undefined && rest.length > 0 ? [code`{}`, ...rest] : rest;
      return this.#call('object', [required ?? code`{}`, ...(optional === undefined ? [] : [optional]), ...more]);
    }
    if (type === 'array' && isHere && start.kind === 'items' && start.from === 0 && start === first) {
      return this.#call('array', [...this.#items(start, around), ...this.#rules(body.slice(1), around)]);
    }
    return this.#call('of', [literal(type ?? 'null'), ...this.#rules(body, around)]);
  }

  #endOfMembersHere(block: Block, from: number, place: string): number {
    let end = from;
    for (; end < block.length; end++) {
      const statement = block[end];
      if (statement?.kind !== 'member' || (this.#homeOf(statement) ?? place) !== place) break;
    }
    return end;
  }

  /** The rules of members that must be there, and of others. */
  #members(block: Block, around: Around): readonly Code[] {
    const required: Code[] = [];
    const optional: Code[] = [];
    for (const statement of block) {
      if (statement.kind !== 'member') continue;
      const way = propertyWay(statement.name);
      const found = this.#rule(statement.body, stepped(around, way));
      // For TypeScript these members are those of every object, whatever the type of the whole says of its members.
      const rule = isInherited(statement.name) ? this.#call('below', [literal(''), found]) : found;
      (statement.required === undefined ? optional : required).push(code`${key(statement.name)}: ${rule},`);
    }
    const object = (lines: readonly Code[]): Code => {
      if (lines.length === 0) return code`{}`;
      const inside = lines.map((line) => code`\n${indentBy(around.depth + 1)}${line}`);
      return code`{${joinCode(inside, '')}\n${indentBy(around.depth)}}`;
    };
    return [object(required), ...(optional.length === 0 ? [] : [object(optional)])];
  }

  #items({ from, body }: StatementOf<'items'>, around: Around): readonly Code[] {
    const rule = this.#rule(body, { ...around, place: `${around.place}/items` });
    return [rule, ...(from === 0 ? [] : [number(from)])];
  }

  #loop(statement: MembersStatement, around: Around): Code {
    const { ignored, names, patterns, known, additional } = statement;
    const below = (way: string, block: Block): Code => this.#rule(block, { ...around, place: around.place + way });
    const rest = additional.length === 0 ? undefined : below('/additionalProperties', additional);
    if (ignored.length === 0 && names.length === 0 && patterns.length === 0 && rest !== undefined)
      return this.#call('others', [literal([...known]), rest]);
    const matching = patterns.map(({ pattern, body }) => {
      const way = childPointer('' as JsonPointer, 'patternProperties', pattern);
      return code`[${literal(pattern)}, ${this.#tests.ofName(pattern)}, ${below(way, body)}]`;
    });
    const parts = [
      ...(ignored.length === 0 ? [] : [code`ignored: ${literal([...ignored])}`]),
      ...(names.length === 0 ? [] : [code`names: ${below('/propertyNames', names)}`]),
      ...(matching.length === 0 ? [] : [code`patterns: [${joinCode(matching, ', ')}]`]),
      ...(rest === undefined ? [] : [code`known: ${literal([...known])}`, code`rule: ${rest}`]),
    ];
    return this.#call('eachMember', [code`{ ${joinCode(parts, ', ')} }`]);
  }

  #unevaluated(statement: UnevaluatedStatement, around: Around): Code {
    const keyword = statement.key === undefined ? 'unevaluatedItems' : 'unevaluatedProperties';
    const conditions = statement.conditions.map((condition) => this.#tests.print(condition));
    return this.#call('unevaluated', [
      literal(keyword),
      code`[${joinCode(conditions, ', ')}]`,
      this.#tests.lookedAt(statement),
      this.#rule(statement.body, { ...around, place: `${around.place}/${keyword}` }),
    ]);
  }

  #branch({ arms, otherwise }: StatementOf<'branch'>, around: Around): Code {
    let rest = otherwise.length === 0 ? undefined : this.#rule(otherwise, around);
    const types = arms.map(({ test }) => onlyType(test));
    if (types.every((type) => type !== undefined)) {
      const rules = arms.map(({ body }, index) => code`${types[index] as string as Code}: ${this.#rule(body, around)}`);
      return this.#call('byType', [code`{ ${joinCode(rules, ', ')} }`, ...(rest === undefined ? [] : [rest])]);
    }
    for (const { test, body } of [...arms].reverse()) {
      const parts = [this.#tests.print(test), this.#rule(body, around)];
      rest = this.#call('when', rest === undefined ? parts : [...parts, rest]);
    }
    return rest ?? code`true`;
  }

  #union({ mode, branches, tags }: StatementOf<'union'>, around: Around): Code {
    const rules = branches.map(({ test, body }, index) => {
      const place = `${around.place}/${mode}/${index}`;
      const rule = this.#rule(body, { place, depth: around.depth + 1 });
      const [only] = body;
      const isCall = only?.kind === 'call' && body.length === 1;
      return isCall || !this.#tests.callsDeep(test) ? rule : this.#call('known', [this.#tests.print(test), rule]);
    });
    const list = rules.map((rule) => code`\n${indentBy(around.depth + 1)}${rule},`);
    const parts = [literal(mode), code`[${joinCode(list, '')}\n${indentBy(around.depth)}]`];
    if (tags.some((entries) => entries.length > 0)) {
      const said = literal(tags.map((entries) => Object.fromEntries(entries)));
      parts.push(this.#shared.constant('$tags', said));
    }
    return this.#call('union', parts);
  }
}

function stepped({ place, depth }: Around, way: string): Around {
  return { place: place + way, depth: depth + 1 };
}

function deeper({ place, depth }: Around): Around {
  return { place, depth: depth + 1 };
}

function endOfMembers(block: Block, start: number): number {
  let end = start;
  while (block[end]?.kind === 'member') end++;
  return end;
}

const boundKeywords = new Set(
  'minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength minItems maxItems minProperties maxProperties'.split(
    ' ',
  ),
);

/** The bound that a guard holds a value to, if it says nothing else. */
function boundOf(statement: Statement | undefined): { readonly keyword: string; readonly value: number } | undefined {
  if (statement?.kind !== 'guard') return undefined;
  const { test, fault } = statement;
  if (test.kind !== 'compare' && test.kind !== 'length' && test.kind !== 'size' && test.kind !== 'count')
    return undefined;
  const { keyword, pointer, params } = fault;
  const isBound = boundKeywords.has(keyword) && pointer === keyword && params[keyword] === test.bound;
  return isBound ? { keyword, value: test.bound } : undefined;
}

function onlyType(test: Expression): JsonType | undefined {
  return test.kind === 'type' && test.types.length === 1 ? test.types[0] : undefined;
}

/** The types that a test accepts, if it asks for nothing else. */
function typesOf(test: Expression): readonly JsonType[] | undefined {
  if (test.kind === 'type') return test.types;
  if (test.kind === 'equal') return test.values.every((value) => value === null) ? ['null'] : undefined;
  if (test.kind !== 'any') return undefined;
  const all: JsonType[] = [];
  for (const operand of test.operands) {
    const types = typesOf(operand);
    if (types === undefined) return undefined;
    all.push(...types);
  }
  return all;
}

function isTypes(value: JsonValue | undefined): value is readonly JsonType[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

function sameList(said: JsonValue | undefined, tested: readonly JsonValue[]): boolean {
  return (
    Array.isArray(said) &&
    said.length === tested.length &&
    said.every((entry, index) => Object.is(entry, tested[index]))
  );
}
