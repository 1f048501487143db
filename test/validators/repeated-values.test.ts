/** Schemas that come to one value in several ways, which double with each level: each value is asked once, in both passes. */
import { afterAll, describe, expect, test } from 'vitest';
import { description } from '../support/api-of.js';
import { loadValidators, removeModules } from '../support/generated-validators.js';

afterAll(removeModules);

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const string = { type: 'string' };
const alternative = (properties: object) => ({ type: 'object', properties, required: ['l'] });

const load = (schemas: Readonly<Record<string, unknown>>) =>
  loadValidators({ documents: { 'api.json': description(schemas) } });

function nested(core: unknown, depth: number, around: (value: unknown) => unknown = (l) => ({ l })): unknown {
  let value = core;
  for (let level = 0; level < depth; level += 1) value = around(value);
  return value;
}

/** Schemas whose `E` takes a value by several ways through the same member. */
const doubling: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  [
    'anyOf, all of whose branches lead back',
    { E: { anyOf: [string, alternative({ l: ref('E'), x: string }), alternative({ l: ref('E'), y: string })] } },
  ],
  [
    'oneOf',
    {
      E: {
        oneOf: [string, alternative({ l: ref('E'), x: string }), { ...alternative({ l: ref('E') }), required: ['y'] }],
      },
    },
  ],
  ['allOf', { E: { anyOf: [string, { allOf: [alternative({ l: ref('E') }), { properties: { l: ref('E') } }] }] } }],
  [
    'a name and a loop',
    {
      E: {
        anyOf: [string, { allOf: [alternative({ l: ref('E') }), { type: 'object', additionalProperties: ref('E') }] }],
      },
    },
  ],
  [
    'a condition',
    {
      E: {
        type: ['object', 'string'],
        if: { properties: { l: ref('E') } },
        then: { properties: { l: ref('E') } },
        else: false,
      },
    },
  ],
  [
    'several schemas in turn',
    {
      E: { anyOf: [string, ref('A'), ref('B')] },
      A: alternative({ l: ref('E'), x: string }),
      B: { allOf: [ref('C'), { required: ['l'] }] },
      C: { type: 'object', properties: { l: ref('E') }, not: { required: ['x'] } },
    },
  ],
];

describe.each(doubling)('%s', (_name, schemas) => {
  test('takes time in proportion to the value', async () => {
    const { is, validate, text } = await load(schemas);
    expect(text('validators.ts')).toContain('$once(');
    expect(is('E', nested('leaf', 60))).toBe(true);
    const wrong = nested(5, 60);
    const answer = validate('E', wrong);
    expect(is('E', wrong)).toBe(answer.ok);
    expect(answer.ok ? 0 : answer.issues.length).toBeGreaterThan(0);
  });
});

describe('what is remembered', () => {
  const [, schemas] = doubling[0] ?? ['', {}];

  test('is the answer for that value alone', async () => {
    const { is, issues } = await load(schemas);
    expect(is('E', { l: { l: 'a' }, x: 'b' })).toBe(true);
    expect(is('E', { l: { l: 5 }, x: 'b' })).toBe(false);
    expect(is('E', { l: { l: 'a' }, x: 5, y: 5 })).toBe(false);
    expect(issues('E', { l: { l: 5 }, x: 'b', y: 5 }).map(({ pointer }) => pointer)).toContain('/l/l');
  });

  test('is forgotten behind each call, so that a value may change', async () => {
    const { is } = await load(schemas);
    const value = { l: { l: 'a' } as { l: unknown } };
    expect(is('E', value)).toBe(true);
    value.l.l = 5;
    expect(is('E', value)).toBe(false);
  });

  test('names the place of each, where one object stands at several', async () => {
    const { issues } = await load({ ...schemas, Both: { type: 'object', properties: { a: ref('E'), b: ref('E') } } });
    const same = { l: { l: 5 } };
    const pointers = issues('Both', { a: same, b: same }).map(({ pointer }) => pointer);
    expect(pointers.filter((pointer) => pointer.startsWith('/a')).map((pointer) => pointer.slice(2))).toEqual(
      pointers.filter((pointer) => pointer.startsWith('/b')).map((pointer) => pointer.slice(2)),
    );
  });

  test('a value that is nested too deep is refused', async () => {
    const { is, issues } = await load(schemas);
    expect(is('E', nested('leaf', 5000))).toBe(false);
    expect(issues('E', nested('leaf', 5000)).at(-1)?.keyword).toBe('depth');
  });
});

describe('schemas that come to each value once remember nothing', () => {
  const node = (properties: object) => ({ type: 'object', properties });
  const kind = (name: string, properties: object) => ({
    type: 'object',
    required: ['kind'],
    properties: { kind: { const: name }, ...properties },
  });
  test.each([
    ['a tree', { E: node({ left: ref('E'), right: ref('E') }) }],
    ['a list', { E: node({ next: ref('E') }) }],
    ['items', { E: { type: 'object', properties: { all: { type: 'array', items: ref('E') }, one: ref('E') } } }],
    ['a name and the others', { E: { ...node({ a: ref('E') }), additionalProperties: ref('E') } }],
    ['a position and the others', { E: { type: 'array', prefixItems: [ref('E')], items: ref('E') } }],
    ['alternatives with a tag', { E: { oneOf: [kind('a', { l: ref('E') }), kind('b', { l: ref('E') })] } }],
    ['alternatives of two types', { E: { anyOf: [node({ l: ref('E') }), { type: 'array', items: ref('E') }] } }],
    ['one branch that leads back', { E: { anyOf: [string, node({ l: ref('E') }), kind('a', { x: string })] } }],
  ])('%s', async (_name, schemas) => {
    const { text } = await load(schemas);
    expect(text('validators.ts')).not.toContain('$once(');
    expect(text('validators.ts')).toContain('depth + 1');
  });
});
