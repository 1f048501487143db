import { describe, expect, it } from 'vitest';
import type { JsonValue, ObjectSchema } from '../../src/ir/schema.js';
import { enumMembers } from '../../src/plan/enum-keys.js';

function keysOf(values: readonly JsonValue[], extensions: ObjectSchema['extensions'] = {}): readonly string[] {
  const members = enumMembers({ enum: values, extensions } as ObjectSchema, values);
  return members?.map(({ key }) => key) ?? [];
}

describe('keys of enumerations', () => {
  it.each([
    [
      ['active', 'in-active', 'IN_ACTIVE'],
      ['Active', 'InMinusActive', 'INACTIVE'],
    ],
    [
      ['1', 1, '"1"', true, 'true'],
      ['Value1', '1', 'Quote1Quote', 'True', 'true'],
    ],
    [
      ['*', '**', '\u0001', '\u0002'],
      ['Star', 'StarStar', '\u0001', '\u0002'],
    ],
    [
      ['v1.0', 'v10', 'v1_0'],
      ['V1_0', 'V10', 'V1Underscore0'],
    ],
  ])('%j', (values, keys) => {
    const found = keysOf(values);
    expect(new Set(found).size).toBe(values.length);
    expect(found.length).toBe(keys.length);
  });

  it('are total and injective, whatever the values are, and independent of their order', () => {
    const pieces = ['a', 'A', ' ', '-', '_', '1', '.', '<', '"', '', 'é', '\u0000', '__proto__'];
    let state = 7;
    const next = (below: number): number => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return (state >>> 8) % below;
    };
    for (let round = 0; round < 300; round++) {
      const values = new Set<string | number | boolean>([-1, 1, true, false, 0.5]);
      for (let count = 0; count < 20; count++) {
        values.add(Array.from({ length: next(4) }, () => pieces[next(pieces.length)] ?? '').join(''));
      }
      const list = [...values];
      const keys = keysOf(list);
      expect(new Set(keys).size, JSON.stringify(list)).toBe(list.length);
      const backwards = [...keysOf([...list].reverse())].reverse();
      expect(backwards).toEqual(keys);
    }
  });

  it('take the names that the document gives, unless two values would share one', () => {
    expect(keysOf([1, 2, 3], { 'x-enum-varnames': ['Low', 'Low', 'High'] })).toEqual(['Value1', 'Value2', 'High']);
    expect(keysOf(['a', 'b'], { 'x-enumNames': { a: 'First' } })).toEqual(['First', 'B']);
  });

  it('are none where a value is an object', () => {
    expect(keysOf([{ a: 1 }, 'x'])).toEqual([]);
  });
});
