import { describe, expect, it } from 'vitest';
import { commentLines, key, literal, number, regex } from '../../src/encode.js';

const evaluate = (expression: string): unknown => new Function(`return (${expression});`)();

describe('literal', () => {
  const texts = [
    '',
    'plain',
    '"',
    "'",
    '`',
    '\\',
    '${x}',
    '*/',
    '</script>',
    '<!--',
    '-->',
    '\n\r\t\0',
    '\u2028\u2029',
    '\u202edetsrever',
    '\u200b\ufeff',
    '\ud800',
    'ok\udfff',
    '🚀',
    'é',
    'e\u0301',
  ];

  it.each(texts)('evaluates to the same string: %j', (text) => {
    expect(evaluate(literal(text))).toBe(text);
  });

  it.each(texts)('holds nothing that a reader, a page or UTF-8 could take for something else: %j', (text) => {
    expect(literal(text)).not.toMatch(/[\u2028-\u202e\u2066-\u2069\u200b-\u200f\ufeff\n\r]|<\/|<!--/);
    expect(Buffer.from(literal(text), 'utf8').toString('utf8')).toBe(literal(text));
  });

  it('keeps a member named __proto__ an own member', () => {
    const value = JSON.parse('{"__proto__": {"polluted": true}, "a": [1, null, {"b": false}]}');
    const read = evaluate(literal(value)) as object;
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
    expect(JSON.stringify(read)).toBe(JSON.stringify(value));
  });

  it('refuses what is not JSON', () => {
    expect(() => literal(undefined as never)).toThrow(TypeError);
    expect(() => literal(Number.NaN)).toThrow(TypeError);
    expect(() => number('1' as never)).toThrow(TypeError);
  });
});

describe('key', () => {
  it.each(['a', 'a-b', '', '1e3', 'constructor', 'a":[(x)],"b', '\n', '__proto__'])(
    'makes a member of exactly this name: %j',
    (name) => {
      expect(Object.keys(evaluate(`{ ${key(name)}: 1 }`) as object)).toEqual([name]);
    },
  );
});

describe('regex', () => {
  it.each([
    ['^/.*/x$', '/a/x', 'a/x'],
    ['^\\p{L}+$', 'Änne', 'a1'],
    ['^.$', '🚀', 'ab'],
    ['*/', undefined, undefined],
  ])('keeps the meaning of %j', (pattern, matching, other) => {
    if (matching === undefined) {
      expect(() => regex(pattern)).toThrow(TypeError);
      return;
    }
    const compiled = evaluate(regex(pattern)) as RegExp;
    expect(compiled.test(matching)).toBe(true);
    expect(compiled.test(other ?? '')).toBe(false);
  });
});

describe('commentLines', () => {
  it('cannot end the comment, start a tag or a directive, or hold what a reader does not see', () => {
    const lines = commentLines('a */ b\u2028@internal\r\n  @ts-nocheck\n/// <reference/>\n#!x\u202e\u200b');
    const text = lines.join('\n');
    expect(text).not.toContain('*/');
    expect(text).not.toMatch(/^\s*[@#/]/m);
    expect(text).not.toMatch(/[\u2028\u202e\u200b]/);
    expect(lines).toHaveLength(5);
    expect(commentLines('see //# sourceMappingURL=x')[0]).not.toMatch(/\/\/[#@]/);
  });
});
