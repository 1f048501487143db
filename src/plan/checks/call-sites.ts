/** Where the checks of a unit call others, on which part of the value, and which of these places exclude each other. */
import { type Block, bodiesOf, type CallExpression, type Expression, type Statement, type UnitKey } from './program.js';

/** One step of the way to a part, with what is known of the parts that a loop takes. */
export type WayStep =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'position'; readonly position: number }
  | { readonly kind: 'index'; readonly from: number }
  | { readonly kind: 'key'; readonly without: readonly string[] };

/** One of the ways on from a statement, of which a value takes one alone. */
interface Choice {
  readonly of: Statement;
  readonly way: number;
}

export interface CallSite {
  readonly unit: UnitKey;
  /** From the checked value to the part; empty where that is the value itself. */
  readonly way: readonly WayStep[];
  readonly choices: readonly Choice[];
}

/** The calls of the first pass of a body. */
export function callSites(body: Block): readonly CallSite[] {
  const found: CallSite[] = [];
  collect(body, { loops: new Map(), choices: [] }, found);
  return found;
}

/** Whether no value comes by both of two sites of one body. */
export function exclude(left: CallSite, right: CallSite): boolean {
  return left.choices.some(({ of, way }) => right.choices.some((other) => other.of === of && other.way !== way));
}

/** Whether two steps may lead to the same part. */
export function meet(left: WayStep, right: WayStep): boolean {
  if (left.kind === right.kind) {
    if (left.kind === 'name') return left.name === (right as typeof left).name;
    return left.kind !== 'position' || left.position === (right as typeof left).position;
  }
  return isTakenBy(left, right) || isTakenBy(right, left);
}

function isTakenBy(part: WayStep, loop: WayStep): boolean {
  if (part.kind === 'name') return loop.kind === 'key' && !loop.without.includes(part.name);
  return part.kind === 'position' && loop.kind === 'index' && part.position >= loop.from;
}

interface Around {
  /** What the loop of each level takes. */
  readonly loops: ReadonlyMap<number, WayStep>;
  readonly choices: readonly Choice[];
}

function collect(block: Block, around: Around, found: CallSite[]): void {
  for (const statement of block) collectFrom(statement, around, found);
}

function collectFrom(statement: Statement, around: Around, found: CallSite[]): void {
  const add = (call: CallExpression): void => void found.push(siteOf(call, around));
  const choosing = (body: Block, way: number): void =>
    collect(body, { ...around, choices: [...around.choices, { of: statement, way }] }, found);
  switch (statement.kind) {
    case 'guard':
      calls(statement.test, add);
      break;
    case 'call':
      add(statement);
      break;
    case 'branch':
      for (const { test } of statement.arms) calls(test, add);
      bodiesOf(statement).forEach(choosing);
      break;
    case 'dispatch':
      bodiesOf(statement).forEach(choosing);
      break;
    case 'union':
      for (const { test } of statement.branches) calls(test, add);
      break;
    case 'items':
      collect(statement.body, looping(around, statement.item.level, { kind: 'index', from: statement.from }), found);
      break;
    case 'contains':
      calls(statement.test, (call) => {
        found.push(siteOf(call, looping(around, statement.item.level, { kind: 'index', from: 0 })));
      });
      break;
    case 'members': {
      const { member, known, patterns, additional } = statement;
      const through = (without: readonly string[], way: number): Around => {
        const inner = looping(around, member.level, { kind: 'key', without });
        return { ...inner, choices: [...inner.choices, { of: statement, way }] };
      };
      for (const { body } of patterns) collect(body, through([], 0), found);
      collect(additional, through(known, 1), found);
      break;
    }
    case 'unevaluated': {
      const { part, key, conditions, evaluated, body } = statement;
      for (const condition of conditions) calls(condition, add);
      const step: WayStep = key === undefined ? { kind: 'index', from: 0 } : { kind: 'key', without: [] };
      const inner = looping(around, part.level, step);
      for (const { matching } of evaluated)
        if (matching !== undefined) calls(matching, (call) => void found.push(siteOf(call, inner)));
      collect(body, inner, found);
      break;
    }
    default:
      for (const body of bodiesOf(statement)) collect(body, around, found);
  }
}

function looping(around: Around, level: number, step: WayStep): Around {
  return { ...around, loops: new Map([...around.loops, [level, step]]) };
}

function siteOf({ unit, subject }: CallExpression, { loops, choices }: Around): CallSite {
  const way = subject.path.map((step): WayStep => {
    if (step.kind === 'name' || step.kind === 'position') return step;
    return loops.get(step.level) ?? (step.kind === 'index' ? { kind: 'index', from: 0 } : { kind: 'key', without: [] });
  });
  return { unit, way, choices };
}

function calls(expression: Expression, add: (call: CallExpression) => void): void {
  switch (expression.kind) {
    case 'call':
      add(expression);
      break;
    case 'not':
      calls(expression.operand, add);
      break;
    case 'all':
    case 'any':
      for (const operand of expression.operands) calls(operand, add);
      break;
    default:
    // The content of a text is a value of its own, made anew each time: nothing else comes to it.
  }
}
