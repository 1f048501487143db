/** Simplifications of check programs. Each keeps the meaning of the program and is named after what it does. */
import type { Block, Branch, Expression, MembersStatement, Statement, UnitKey } from './program.js';

type Bodies = ReadonlyMap<UnitKey, Block>;
type StatementPass = (statement: Statement, bodies: Bodies) => Statement | undefined;
type BlockPass = (block: Block) => Block;

/** In the order in which they are run. */
const statementPasses: { readonly [kind in Statement['kind']]?: readonly StatementPass[] } = {
  guard: [dropWhatAlwaysHolds],
  branch: [dropWhatAlwaysHolds, testEmptyArmsTogether, leaveArraysToMembers],
  member: [dropWhatAlwaysHolds, dropImpliedPresence],
  item: [dropWhatAlwaysHolds],
  items: [dropWhatAlwaysHolds],
};
const noPasses: readonly StatementPass[] = [];
const blockPasses: readonly BlockPass[] = [countMembersOfClosedObjects];

/** Runs all passes over all units, inner blocks first. */
export function simplify(bodies: Bodies): Bodies {
  const result = new Map<UnitKey, Block>();
  for (const [key, body] of bodies) result.set(key, simplifyBlock(body, bodies));
  return result;
}

/** Gives back what does not change as it is: that is most of a program. */
function simplifyBlock(block: Block, bodies: Bodies): Block {
  if (block.length === 0) return block;
  let statements: Statement[] | undefined;
  const simplified = (body: Block): Block => simplifyBlock(body, bodies);
  for (let index = 0; index < block.length; index++) {
    const entry = block[index];
    if (entry === undefined) continue;
    let statement: Statement | undefined = entry.kind === 'guard' ? entry : mapBodies(entry, simplified);
    for (const pass of statementPasses[entry.kind] ?? noPasses) {
      if (statement !== undefined) statement = pass(statement, bodies);
    }
    if (statement !== entry) statements ??= block.slice(0, index);
    if (statement !== undefined) statements?.push(statement);
  }
  return blockPasses.reduce<Block>((current, pass) => pass(current), statements ?? block);
}

function mapBodies(statement: Statement, map: (body: Block) => Block): Statement {
  switch (statement.kind) {
    case 'branch': {
      const arms = mapBranches(statement.arms, map);
      const otherwise = map(statement.otherwise);
      const same = arms === statement.arms && otherwise === statement.otherwise;
      return same ? statement : { kind: 'branch', arms, otherwise };
    }
    case 'member':
    case 'item':
    case 'items':
    case 'unevaluated': {
      const body = map(statement.body);
      return body === statement.body ? statement : { ...statement, body };
    }
    case 'members':
      return {
        ...statement,
        names: map(statement.names),
        patterns: statement.patterns.map((entry) => ({ ...entry, body: map(entry.body) })),
        additional: map(statement.additional),
      };
    case 'whenValid':
      return { kind: 'whenValid', first: map(statement.first), then: map(statement.then) };
    case 'union':
      return { ...statement, branches: mapBranches(statement.branches, map) };
    case 'dispatch':
      return { ...statement, cases: statement.cases.map((entry) => ({ ...entry, body: map(entry.body) })) };
    default:
      return statement;
  }
}

function mapBranches(branches: readonly Branch[], map: (body: Block) => Block): readonly Branch[] {
  const bodies = branches.map(({ body }) => map(body));
  if (branches.every(({ body }, index) => body === bodies[index])) return branches;
  return branches.map(({ test, body }, index) => ({ test, body: bodies[index] ?? body }));
}

/** Removes guards that never refuse and statements that do nothing. */
function dropWhatAlwaysHolds(statement: Statement): Statement | undefined {
  if (statement.kind === 'guard') {
    return statement.test.kind === 'constant' && statement.test.value ? undefined : statement;
  }
  if (statement.kind === 'branch') {
    const idle = statement.otherwise.length === 0 && statement.arms.every((arm) => arm.body.length === 0);
    return idle ? undefined : statement;
  }
  if (statement.kind === 'member' && statement.required === undefined && statement.body.length === 0) return undefined;
  if ((statement.kind === 'item' || statement.kind === 'items') && statement.body.length === 0) return undefined;
  return statement;
}

/** `null` or an object: the arms that only accept become part of the refusal's test, so that `null` costs one comparison. */
function testEmptyArmsTogether(statement: Statement): Statement {
  if (statement.kind !== 'branch' || statement.otherwise.length !== 1) return statement;
  const [refusal] = statement.otherwise;
  const idle = statement.arms.filter((arm) => arm.body.length === 0);
  if (refusal?.kind !== 'guard' || idle.length === 0) return statement;
  const tests = idle.map((arm): Expression => (arm.test.kind === 'type' ? { ...arm.test, narrow: false } : arm.test));
  const wanted = isNever(refusal.test) ? tests : [...tests, refusal.test];
  const [first] = wanted;
  const test: Expression = first !== undefined && wanted.length === 1 ? first : { kind: 'any', operands: wanted };
  const guard: Statement = { ...refusal, test };
  const arms = statement.arms.filter((arm) => arm.body.length > 0);
  return arms.length === 0 ? guard : { kind: 'branch', arms, otherwise: [guard] };
}

export function isNever(expression: Expression): boolean {
  return expression.kind === 'constant' && !expression.value;
}

/** A required member whose first check refuses `undefined` needs no test of its own in the first pass. */
function dropImpliedPresence(statement: Statement, bodies: Bodies): Statement {
  if (statement.kind !== 'member' || statement.required === undefined) return statement;
  return refusesUndefined(statement.body, bodies, new Set()) ? { ...statement, impliesPresence: true } : statement;
}

function refusesUndefined(block: Block, bodies: Bodies, seen: Set<UnitKey>): boolean {
  const [first] = block;
  if (first === undefined) return false;
  if (first.kind === 'guard') return failsOnUndefined(first.test);
  if (first.kind === 'branch') {
    return first.arms.every((arm) => failsOnUndefined(arm.test)) && refusesUndefined(first.otherwise, bodies, seen);
  }
  if (first.kind === 'whenValid') return refusesUndefined(first.first, bodies, seen);
  if (first.kind !== 'call' || seen.has(first.unit)) return false;
  seen.add(first.unit);
  return refusesUndefined(bodies.get(first.unit) ?? [], bodies, seen);
}

function failsOnUndefined(test: Expression): boolean {
  if (test.kind === 'constant') return !test.value;
  if (test.kind === 'any') return test.operands.every(failsOnUndefined);
  return test.kind === 'type' || test.kind === 'equal';
}

/**
 * An object with a required member needs no test that it is no array: no array has that member, so the member's own test
 * refuses it. (An array that a program has given such a member is no JSON value.)
 */
function leaveArraysToMembers(statement: Statement): Statement {
  if (statement.kind !== 'branch') return statement;
  const [arm, ...others] = statement.arms;
  if (arm === undefined || others.length > 0 || arm.test.kind !== 'type') return statement;
  const object = arm.test.types.length === 1 && arm.test.types[0] === 'object';
  if (!object || !statement.otherwise.every(refusesArrays) || statement.otherwise.length === 0) return statement;
  const refused = arm.body.some(
    (entry) =>
      (entry.kind === 'member' && entry.impliesPresence && noArrayHas(entry.name)) ||
      (entry.kind === 'dispatch' && noArrayHas(entry.tag)),
  );
  return refused ? { ...statement, arms: [{ ...arm, test: { ...arm.test, arraysExcluded: true } }] } : statement;
}

function noArrayHas(name: string): boolean {
  return name !== 'length' && !/^\d/.test(name);
}

function refusesArrays(statement: Statement): boolean {
  if (statement.kind !== 'guard') return false;
  const { test } = statement;
  return isNever(test) || (test.kind === 'type' && !test.types.includes('array'));
}

/** Where all known members are required, an object with exactly so many members has no other: one count replaces the loop. */
function countMembersOfClosedObjects(block: Block): Block {
  if (!block.some((statement) => statement.kind === 'members' && isClosed(statement))) return block;
  const required = new Set<string>();
  for (const statement of block) {
    if (statement.kind === 'member' && statement.required !== undefined) required.add(statement.name);
  }
  return block.map((statement) => {
    if (statement.kind !== 'members' || !isClosed(statement)) return statement;
    const all = statement.known.every((name) => required.has(name));
    return all ? { ...statement, certain: new Set(statement.known).size } : statement;
  });
}

function isClosed(statement: MembersStatement): boolean {
  return statement.names.length === 0 && statement.patterns.length === 0 && statement.ignored.length === 0;
}
