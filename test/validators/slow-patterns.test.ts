/** Patterns that an engine which goes back may look for too long: found when code is generated, and searched for otherwise. */
import { afterAll, describe, expect, test } from 'vitest';
import { linearSteps } from '../../src/patterns/linear-steps.js';
import { isQuickWithin, PatternCosts } from '../../src/patterns/pattern-cost.js';
import { slowPattern } from '../../src/runtime/slow-pattern.js';
import { description } from '../support/api-of.js';
import { loadValidators, removeModules } from '../support/generated-validators.js';

afterAll(removeModules);

const doubling = Number.POSITIVE_INFINITY;

describe('what a pattern costs', () => {
  const costs = new PatternCosts();
  test.each([
    [doubling, '^(a+)+$'],
    [doubling, '^(a*)*b$'],
    [doubling, '^(a|a)*$'],
    [doubling, '^(a|b|ab)*$'],
    [doubling, '^(a|[ab])+$'],
    [doubling, '^(\\w+\\s?)*$'],
    [doubling, '^(a?b?)*$'],
    [doubling, '^(\\d{1,3})+$'],
    [doubling, '(x+x+)+y'],
    [doubling, '^(\\p{L}+)+$'],
    [3, '^a*a*a*$'],
    [3, '^.*a.*b.*$'],
    [2, '^[a-z]+[a-z0-9]*$'],
    [2, '\\s+$'],
    [1, '^a+$'],
    [1, '^[a-z0-9]+(-[a-z0-9]+)*$'],
    [1, '^(\\w+\\s)*$'],
    [1, '^([a-z]{5})+$'],
    [1, '^(?:[a-z]{1,63}\\.)*[a-z]{1,63}$'],
    [1, '^[\\w.+-]+@[\\w-]+\\.[\\w.-]+$'],
    [1, '[a-z]+'],
    [1, '(a+)+'],
    [1, 'x'],
  ])('%d: %s', (cost, pattern) => expect(costs.costOf(pattern)).toBe(cost));

  test('a bound on the length keeps some quick', () => {
    expect(isQuickWithin(3, 100)).toBe(true);
    expect(isQuickWithin(3, 1000)).toBe(false);
    expect(isQuickWithin(doubling, 40)).toBe(false);
    expect(isQuickWithin(1, undefined)).toBe(true);
  });
});

describe('the search that never goes back', () => {
  test.each([
    '^(a+)+$',
    '(x+x+)+y',
    '^(a|ab)(c|bcd)*$',
    '\\ba+\\b',
    'a\\B[b-d]',
    '^(?:a{2,3}b?|c{0,2}){2}$',
    '^$|^.$',
    '^[^a]*.\\s?$',
    '(a|b){3,}',
    '^\\u{1F600}+b?$',
  ])('says of %s what the engine says', (source) => {
    const pattern = new RegExp(source, 'u');
    const search = slowPattern(pattern, -1, linearSteps(source));
    const alphabet = ['a', 'b', 'c', 'd', 'x', 'y', ' ', '\n', '😀'];
    let state = 7;
    for (let round = 0; round < 400; round += 1) {
      let text = '';
      for (let length = round % 9; length > 0; length -= 1) {
        state = (state * 1103515245 + 12345) % 2147483648;
        text += alphabet[Math.floor(state / 65536) % (round % 2 === 0 ? 3 : alphabet.length)];
      }
      expect(search.test(text), JSON.stringify(text)).toBe(pattern.test(text));
    }
  });

  test('there is none where a pattern looks around or refers back', () => {
    for (const source of ['^(?=a)a+$', '(?<!a)b', '^(a)\\1$']) expect(linearSteps(source)).toBeUndefined();
  });
});

test('validators answer at once, in both passes', async () => {
  const schemas = {
    Case: {
      type: 'object',
      properties: {
        doubling: { type: 'string', pattern: '^(\\w+\\s?)*$' },
        bounded: { type: 'string', maxLength: 40, pattern: '^(a+)+$' },
        looking: { type: 'string', pattern: '^(?=a)(a+)+$' },
        cubic: { type: 'string', maxLength: 100, pattern: '^.*a.*b.*$' },
        plain: { type: 'string', pattern: '^a+$' },
      },
    },
  };
  const loaded = await loadValidators({ documents: { 'case.json': description(schemas) } });
  const start = performance.now();
  const issuesOf = (value: object): readonly string[] =>
    loaded.issues('Case', value).map(({ pointer, keyword }) => `${pointer} ${keyword}`);
  const long = 'a'.repeat(50_000);
  expect(issuesOf({ doubling: long, plain: long })).toEqual([]);
  expect(issuesOf({ doubling: `${long}!` })).toEqual(['/doubling pattern']);
  expect(issuesOf({ bounded: `${'a'.repeat(39)}!` })).toEqual(['/bounded pattern']);
  expect(issuesOf({ bounded: `${long}!` })).toEqual(['/bounded maxLength']);
  expect(issuesOf({ cubic: long })).toEqual(['/cubic maxLength']);
  expect(issuesOf({ cubic: 'a'.repeat(100) })).toEqual(['/cubic pattern']);
  expect(issuesOf({ looking: 'aaa' })).toEqual([]);
  expect(issuesOf({ looking: long })).toEqual(['/looking pattern']);
  expect(performance.now() - start).toBeLessThan(2000);
  expect(loaded.text('validators.ts')).toContain('new RegExp("^a+$", "u")');
  expect(loaded.result.diagnostics.map(({ code, at }) => `${code} ${at?.pointer}`)).toEqual([
    'pattern-slow /components/schemas/Case/properties/doubling/pattern',
    'pattern-slow /components/schemas/Case/properties/bounded/pattern',
    'pattern-slow /components/schemas/Case/properties/looking/pattern',
  ]);
});
