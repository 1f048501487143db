/** Schema → check program, and the passes over it. */
import { describe, expect, test } from 'vitest';
import { Collector } from '../../src/diagnostics.js';
import { compileChecks } from '../../src/plan/checks/compile.js';
import { type Block, bodiesOf, type Program, type Statement } from '../../src/plan/checks/program.js';
import { planNames } from '../../src/plan/names.js';
import { apiOf, description } from '../support/api-of.js';

async function programOf(schemas: Readonly<Record<string, unknown>>): Promise<Program> {
  const { api } = await apiOf({ 'api.json': description(schemas) });
  const names = planNames(api, new Map(), new Collector());
  const input = deepFreeze({ schemas: api.schemas, names, assertions: { assertFormats: false } });
  const program = compileChecks(input);
  expect(compileChecks(input)).toEqual(program);
  return program;
}

function deepFreeze<T>(value: T): T {
  const pending: unknown[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== 'object' || next === null || Object.isFrozen(next)) continue;
    Object.freeze(next);
    pending.push(...(next instanceof Map ? next.values() : Object.values(next)));
  }
  return value;
}

async function bodyOf(schema: unknown, others: Readonly<Record<string, unknown>> = {}): Promise<Block> {
  const { units } = await programOf({ Case: schema, ...others });
  const unit = units.find((entry) => entry.entry?.names.forms?.is === 'isCase');
  expect(unit).toBeDefined();
  return unit?.body ?? [];
}

/** All statements of a kind, at any depth. */
function find<K extends Statement['kind']>(block: Block, kind: K): readonly (Statement & { readonly kind: K })[] {
  return block.flatMap((statement) => [
    ...(statement.kind === kind ? [statement as Statement & { readonly kind: K }] : []),
    ...bodiesOf(statement).flatMap((body) => find(body, kind)),
  ]);
}

const string = { type: 'string' };
const tagged = (value: unknown, more: object = {}) => ({
  type: 'object',
  required: ['type'],
  properties: { type: { const: value }, ...more },
});

describe('units', () => {
  test('a named schema is called, anything else is inlined', async () => {
    const body = await bodyOf(
      { type: 'object', properties: { pet: { $ref: '#/components/schemas/Pet' }, inline: string } },
      { Pet: { type: 'object' } },
    );
    expect(find(body, 'call').map((call) => call.unit)).toEqual(['validatePet']);
    expect(find(body, 'guard').map((guard) => guard.test.kind)).toContain('type');
  });

  test('those that reach a cycle count their depth, the others do not', async () => {
    const { units } = await programOf({
      Leaf: string,
      Tree: { type: 'object', properties: { kid: { $ref: '#/components/schemas/Tree' } } },
      Forest: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
    });
    expect(units.map((unit) => [unit.key, unit.deep])).toEqual([
      ['validateForest', true],
      ['validateLeaf', false],
      ['validateTree', true],
    ]);
  });
});

describe('unions', () => {
  test('are dispatched by a member that every branch fixes, for anyOf and oneOf, with a discriminator or without', async () => {
    for (const mode of ['anyOf', 'oneOf']) {
      const body = await bodyOf(
        { [mode]: [tagged('a'), tagged('b'), { $ref: '#/components/schemas/C' }] },
        { C: tagged('c') },
      );
      const [dispatch] = find(body, 'dispatch');
      expect([dispatch?.tag, dispatch?.cases.map((entry) => entry.values)]).toEqual(['type', [['a'], ['b'], ['c']]]);
      expect(find(body, 'union')).toEqual([]);
    }
  });

  test('of branches that share a value are dispatched by the next tag', async () => {
    const message = (role: string) => tagged('message', { role: { const: role } });
    const branch = (role: string) => ({ ...message(role), required: ['type', 'role'] });
    const body = await bodyOf({ oneOf: [branch('user'), branch('system'), tagged('other')] });
    expect(find(body, 'dispatch').map((dispatch) => dispatch.tag)).toEqual(['type', 'role']);
  });

  test('are not dispatched by a member that some branch does not demand', async () => {
    const optional = { type: 'object', properties: { type: { const: 'b' } } };
    const body = await bodyOf({ anyOf: [tagged('a'), optional] });
    expect([find(body, 'dispatch'), find(body, 'union').length]).toEqual([[], 1]);
  });

  test('of different classes of values ask for the class', async () => {
    const body = await bodyOf({ oneOf: [string, { type: 'number', minimum: 3 }, { type: 'null' }] });
    expect([find(body, 'union'), find(body, 'branch').length]).toEqual([[], 1]);
  });
});

describe('simplifications', () => {
  test('null or an object is one branch and one comparison', async () => {
    const [branch, ...more] = await bodyOf({ type: ['object', 'null'], required: ['a'] });
    expect(more).toEqual([]);
    expect(branch).toMatchObject({
      kind: 'branch',
      arms: [{ test: { kind: 'type', types: ['object'] } }],
      otherwise: [{ kind: 'guard', test: { kind: 'type', types: ['null'] } }],
    });
  });

  test('a required member whose type is tested needs no test of presence, one without a type does', async () => {
    const body = await bodyOf({ type: 'object', required: ['a', 'b'], properties: { a: string, b: { minLength: 1 } } });
    expect(find(body, 'member').map((member) => [member.name, member.impliesPresence])).toEqual([
      ['a', true],
      ['b', false],
    ]);
  });

  test('members of a closed object are counted only where all of them are required', async () => {
    const properties = { a: string, b: string };
    const closed = { type: 'object', properties, additionalProperties: false };
    expect(find(await bodyOf({ ...closed, required: ['a', 'b'] }), 'members')[0]?.certain).toBe(2);
    expect(find(await bodyOf({ ...closed, required: ['a'] }), 'members')[0]?.certain).toBeUndefined();
  });

  test('arrays are told from objects unless a required member does it', async () => {
    const arraysExcluded = async (schema: object): Promise<boolean> => {
      const [branch] = find(await bodyOf({ type: 'object', ...schema }), 'branch');
      const test = branch?.arms[0]?.test;
      return test?.kind === 'type' && test.arraysExcluded === true;
    };
    expect(await arraysExcluded({ required: ['a'], properties: { a: string } })).toBe(true);
    expect(await arraysExcluded({ properties: { a: string } })).toBe(false);
    expect(await arraysExcluded({ required: ['length'], properties: { length: { type: 'number' } } })).toBe(false);
    expect(await arraysExcluded({ required: ['0'], properties: { 0: string } })).toBe(false);
  });

  test('what always holds leaves nothing', async () => {
    expect(await bodyOf({ properties: { a: true, b: {} }, items: {}, minLength: 0, allOf: [true] })).toEqual([]);
  });
});
