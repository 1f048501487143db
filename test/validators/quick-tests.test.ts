/** What the first pass does to be quick says the same as the plain way. */
import { afterAll, describe, expect, test } from 'vitest';
import { description } from '../support/api-of.js';
import { loadValidators, removeModules } from '../support/generated-validators.js';

afterAll(removeModules);

const string = { type: 'string' };
const integer = { type: 'integer' };
const load = (schemas: Readonly<Record<string, unknown>>) =>
  loadValidators({ documents: { 'api.json': description(schemas) }, assertFormats: true });

describe('a tag of many texts', () => {
  const kinds = ['a', 'b', 'cc', 'dd', 'eee', 'fff', 'gggg', 'hhhh', 'iiiii', 'jj'];
  const branch = (values: readonly string[], member: string) => ({
    type: 'object',
    required: ['kind', member],
    properties: { kind: { enum: values }, [member]: integer },
  });
  const single = { oneOf: kinds.map((kind) => branch([kind], `m${kind}`)) };
  const several = { oneOf: [branch(kinds.slice(0, 5), 'x'), branch(kinds.slice(5), 'y')] };

  test('is told by its length first', async () => {
    const { is, text } = await load({ Single: single });
    expect(text('validators.ts')).toContain('switch (tag.length) {');
    for (const kind of kinds) {
      expect(is('Single', { kind, [`m${kind}`]: 1 })).toBe(true);
      expect(is('Single', { kind, [`m${kind}`]: 'x' })).toBe(false);
      expect(is('Single', { kind: `${kind}x`, [`m${kind}`]: 1 })).toBe(false);
    }
    expect(is('Single', { kind: 'zz', mzz: 1 })).toBe(false);
    expect(is('Single', { kind: 1 })).toBe(false);
    expect(is('Single', {})).toBe(false);
  });

  test('leads to one branch from texts of several lengths', async () => {
    const { is } = await load({ Several: several });
    for (const [index, kind] of kinds.entries()) {
      expect(is('Several', { kind, x: 1 })).toBe(index < 5);
      expect(is('Several', { kind, y: 1 })).toBe(index >= 5);
    }
  });

  test('is compared as it is where there are few of them', async () => {
    const { text } = await load({ Few: { oneOf: single.oneOf.slice(0, 4) } });
    expect(text('validators.ts')).toContain('switch (object["kind"]) {');
  });
});

describe('an alternative that says nothing beside another one', () => {
  const described = { type: 'object', required: ['a'], properties: { a: string } };

  test('is not asked', async () => {
    const { is, issues, text } = await load({ Any: { anyOf: [described, { type: 'object' }] } });
    expect(text('validators.ts')).not.toContain('"a"');
    expect(is('Any', { a: 5 })).toBe(true);
    expect(issues('Any', []).map(({ message }) => message)).toEqual(['must be an object']);
  });

  test('counts where exactly one may hold', async () => {
    const { is } = await load({ One: { oneOf: [described, { type: 'object' }] } });
    expect(is('One', { a: 5 })).toBe(true);
    expect(is('One', { a: 'x' })).toBe(false);
  });

  test('still looks at its members', async () => {
    const { is } = await load({ Left: { anyOf: [described, { type: 'object' }], unevaluatedProperties: false } });
    expect(is('Left', { a: 'x' })).toBe(true);
    expect(is('Left', { a: 5 })).toBe(false);
    expect(is('Left', { b: 'x' })).toBe(false);
  });

  test('is asked where it takes other values, too', async () => {
    const { is } = await load({ Wide: { anyOf: [{ type: ['object', 'string'], minLength: 2 }, { type: 'object' }] } });
    expect(is('Wide', 'ab')).toBe(true);
    expect(is('Wide', 'a')).toBe(false);
    expect(is('Wide', {})).toBe(true);
    const { is: isNumber } = await load({ Number: { anyOf: [{ type: 'number', minimum: 3 }, integer] } });
    expect(isNumber('Number', 1)).toBe(true);
    expect(isNumber('Number', 1.5)).toBe(false);
  });
});

describe('a closed object whose members are all required', () => {
  const closed = {
    type: 'object',
    required: ['a', 'b'],
    properties: { a: string, b: integer },
    additionalProperties: false,
  };

  test('is counted', async () => {
    const { is, text } = await load({ Closed: closed });
    expect(text('validators.ts')).toContain('count1 !== 2');
    expect(is('Closed', { a: 'x', b: 1 })).toBe(true);
    expect(is('Closed', { a: 'x', b: 1, c: undefined })).toBe(true);
    expect(is('Closed', { a: 'x', b: 1, c: 1 })).toBe(false);
    expect(is('Closed', { a: 'x' })).toBe(false);
    expect(is('Closed', Object.assign(Object.create({ c: 1 }) as object, { a: 'x', b: 1 }))).toBe(true);
  });

  test('may say something of the others', async () => {
    const { is } = await load({ Others: { ...closed, additionalProperties: integer } });
    expect(is('Others', { a: 'x', b: 1, c: 1 })).toBe(true);
    expect(is('Others', { a: 'x', b: 1, c: 'x' })).toBe(false);
  });
});

describe('formats', () => {
  test.each([
    [
      'date-time',
      ['2024-02-29T00:00:00Z', '2023-01-31t23:59:60z', '2023-12-31T18:59:60.5-05:00'],
      [
        '2023-02-29T00:00:00Z',
        '2023-04-31T00:00:00Z',
        '2023-01-01T12:00:60Z',
        '2023-13-01T00:00:00Z',
        '2023-01-01 00:00:00Z',
      ],
    ],
    [
      'uuid',
      ['01234567-89ab-cdef-ABCD-EF0123456789'],
      [
        '01234567-89ab-cdef-ABCD-EF012345678',
        '01234567x89ab-cdef-ABCD-EF0123456789',
        '0123456g-89ab-cdef-ABCD-EF0123456789',
        '01234567-89ab-cdef-ABCD-EF012345678\u0130',
        '01234567-89ab-cdef-ABCD-EF012345678\u00b1',
      ],
    ],
    [
      'uri',
      ['http://[::1]/x', 'urn:a:b', 'http://a.b:80/c?d#e'],
      ['http://[::g]/', '//a', 'a/b', 'http://a b', '://a', ''],
    ],
  ])('%s', async (format, right, wrong) => {
    const { is } = await load({ Text: { type: 'string', format } });
    for (const text of right) expect([text, is('Text', text)]).toEqual([text, true]);
    for (const text of wrong) expect([text, is('Text', text)]).toEqual([text, false]);
  });
});
