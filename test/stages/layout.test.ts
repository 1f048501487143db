import { describe, expect, it } from 'vitest';
import { layout } from '../../src/render/layout.js';

const lines = (...parts: string[]): string => parts.join('\n');

describe('layout', () => {
  it('indents by brackets that stay open, once for those that open together', () => {
    expect(layout(lines('call({', 'a: [', '1,', '],', '});', 'next();'))).toBe(
      lines('call({', '  a: [', '    1,', '  ],', '});', 'next();', ''),
    );
  });

  it('keeps one blank line at most, and none inside the edges of a block', () => {
    expect(layout(lines('', 'if (x) {', '', 'a();', '', '', 'b();', '', '}'))).toBe(
      lines('if (x) {', '  a();', '', '  b();', '}', ''),
    );
  });

  it('follows else branches and switch cases by their brackets', () => {
    expect(layout(lines('if (a) {', 'b();', '} else {', 'c();', '}'))).toBe(
      lines('if (a) {', '  b();', '} else {', '  c();', '}', ''),
    );
  });

  it('does not take brackets in strings, templates, comments for brackets', () => {
    const text = lines(
      'const a = "{[(";',
      "const b = '{';",
      'const c = `{ ${x({ y })} {`; // {',
      '/* { */',
      'd();',
      '',
    );
    expect(layout(text)).toBe(text);
  });

  it('leaves the inside of block comments and template literals as it is', () => {
    expect(layout(lines('x({', '/**', '* {', '*/', 'a: `', '  kept {', '`,', '});'))).toBe(
      lines('x({', '  /**', '   * {', '   */', '  a: `', '  kept {', '`,', '});', ''),
    );
  });

  it('indents the lines that continue a union', () => {
    expect(layout(lines('type A =', '| "a"', '| "b";'))).toBe(lines('type A =', '  | "a"', '  | "b";', ''));
  });

  it('indents what an object inside a list of alternatives holds', () => {
    expect(layout(lines('type A = (', '| {', 'a: 1;', '}', '| {', 'b: [', '2,', '];', '}', ');', 'next();'))).toBe(
      lines(
        'type A = (',
        '    | {',
        '      a: 1;',
        '    }',
        '    | {',
        '      b: [',
        '        2,',
        '      ];',
        '    }',
        ');',
        'next();',
        '',
      ),
    );
  });
});
