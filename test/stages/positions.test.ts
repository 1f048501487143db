import { describe, expect, test } from 'vitest';
import { type Diagnostic, type DocumentUri, diagnostic, type JsonPointer } from '../../src/diagnostics.js';
import { codeFrame, formatDiagnostic, formatDiagnostics } from '../../src/format-diagnostics.js';
import { locate, locateAll } from '../../src/load/positions.js';
import type { DocumentText } from '../../src/load/sources.js';

const uri = 'api.yaml' as DocumentUri;

function at(pointer: string) {
  return { document: uri, pointer: pointer as JsonPointer };
}

function position(document: DocumentText, pointer: string): string {
  const { line, column } = locate(document, { pointer: pointer as JsonPointer });
  return `${line}:${column}`;
}

describe('locate', () => {
  test('JSON: keys and items, escapes, the whole value, and the nearest thing for what is not there', () => {
    const text = '{\n  "a/b": {"x": [1, {"~": 2}]},\r\n  "\\u0063": "{\\"a\\": 1}",\n  "c2": {"x": 1}\n}';
    const document: DocumentText = { text, format: 'json' };
    expect(position(document, '')).toBe('1:1');
    expect(position(document, '/a~1b')).toBe('2:3');
    expect(position(document, '/a~1b/x')).toBe('2:11');
    expect(position(document, '/a~1b/x/1')).toBe('2:20');
    expect(position(document, '/a~1b/x/1/~0')).toBe('2:21');
    expect(position(document, '/c')).toBe('3:3');
    expect(position(document, '/c2/x')).toBe('4:10');
    expect(position(document, '/c2/none/deep')).toBe('4:3');
    expect(position(document, '/a~1b/x/7')).toBe('2:11');
  });

  test('JSON: the first of two equal keys, a text with a fault, a text behind a preamble', () => {
    expect(position({ text: '{"a": 1, "a": 2}', format: 'json' }, '/a')).toBe('1:2');
    expect(position({ text: '{"a": {"b": 1}, "c": oops', format: 'json' }, '/a/b')).toBe('1:8');
    expect(position({ text: 'Schema\njson\n{"a": 1}', format: 'json' }, '/a')).toBe('3:2');
  });

  test('YAML: block and flow, numbers as keys, aliases', () => {
    const text = 'a:\n  - x: 1\n  - {y: 2, 200: 3}\nb: &base\n  k: 1\nc: *base\n';
    const document: DocumentText = { text, format: 'yaml' };
    expect(position(document, '')).toBe('1:1');
    expect(position(document, '/a/0/x')).toBe('2:5');
    expect(position(document, '/a/1')).toBe('3:5');
    expect(position(document, '/a/1/200')).toBe('3:12');
    expect(position(document, '/c')).toBe('6:1');
    expect(position(document, '/c/k')).toBe('5:3');
    expect(position(document, '/none')).toBe('1:1');
  });

  test('offsets count UTF-16 code units, and lines end in three ways', () => {
    const text = '😀a\rb\r\nc\nd';
    const places = [0, 2, 4, 7, 9].map((offset) => ({ offset }));
    const found = locateAll({ text, format: 'yaml' }, places).map(({ line, column }) => `${line}:${column}`);
    expect(found).toEqual(['1:1', '1:3', '2:1', '3:1', '4:1']);
  });

  test('many places cost one reading', () => {
    const members = Array.from({ length: 20_000 }, (_, index) => `"k${index}": {"x": 1}`);
    const document: DocumentText = { text: `{\n${members.join(',\n')}\n}`, format: 'json' };
    const started = performance.now();
    const places = members.map((_, index) => ({ pointer: `/k${index}/x` as JsonPointer }));
    expect(locateAll(document, places).every(({ line }, index) => line === index + 2)).toBe(true);
    // One reading for each place would take minutes.
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});

describe('code frames', () => {
  test('two lines of context and a caret', () => {
    expect(codeFrame('one\ntwo\nthree\nfour\nfive\nsix', 3, 2)).toBe(
      ['  |', '1 | one', '2 | two', '3 | three', '  |  ^', '4 | four', '5 | five', '  |'].join('\n'),
    );
    expect(codeFrame('', 1, 1)).toBe(['  |', '1 |', '  | ^', '  |'].join('\n'));
  });

  test('tabs count two columns, and nothing reaches the terminal raw', () => {
    const frame = codeFrame('\ta: \u001b[31m\u202ex\u0007', 1, 5);
    expect(frame.split('\n')).toEqual(['  |', '1 |   a: \\u001b[31m\\u202ex\\u0007', '  |      ^', '  |']);
  });

  test('long lines are cut around the caret', () => {
    const text = `${'a'.repeat(3_000_000)}!${'b'.repeat(3_000_000)}`;
    const [, line = '', caret = ''] = codeFrame(text, 1, 3_000_001).split('\n');
    expect(line.length).toBeLessThan(120);
    expect(line[caret.indexOf('^')]).toBe('!');
    expect(line.startsWith('1 | …a')).toBe(true);
    expect(line.endsWith('b…')).toBe(true);
  });
});

describe('formatDiagnostic', () => {
  const text = 'openapi: 3.0.3\npaths:\n  /pets:\n    get: {}\n';
  const texts = new Map([[uri, { text, format: 'yaml' as const }]]);

  test('code, message, place, frame and fix', () => {
    const entry = diagnostic('ref-not-found', 'unresolved $ref "#/x"', { at: at('/paths/~1pets') });
    expect(formatDiagnostic(entry, texts)).toBe(
      [
        'error[ref-not-found]: unresolved $ref "#/x"',
        ' --> api.yaml:3:3 (#/paths/~1pets)',
        '  |',
        '1 | openapi: 3.0.3',
        '2 | paths:',
        '3 |   /pets:',
        '  |   ^',
        '4 |     get: {}',
        '5 |',
        '  |',
        '  = fix: Correct the pointer, or add the member.',
      ].join('\n'),
    );
  });

  test('related places have notes, and an offset wins over a pointer', () => {
    const related = [{ message: 'the first one is here', at: at('/openapi') }];
    const entry = diagnostic('duplicate-key', 'duplicate key "a"', { at: at(''), offset: 15, related });
    expect(
      formatDiagnostic(entry, texts)
        .split('\n')
        .filter((line) => /-->|=/.test(line)),
    ).toEqual([
      ' --> api.yaml:2:1',
      '  = note: the first one is here',
      ' --> api.yaml:1:1 (#/openapi)',
      '  = fix: Remove or rename one of the two keys.',
    ]);
  });

  test('without a place or a text', () => {
    const nowhere = diagnostic('file-not-found', '"x" does not exist');
    expect(formatDiagnostic(nowhere, new Map())).toBe(
      'error[file-not-found]: "x" does not exist\n  = fix: Check the path; relative references are resolved against the document that holds them.',
    );
    const untold = diagnostic('type-mismatch', 'wrong', { at: at('/a') });
    expect(formatDiagnostic(untold, new Map()).split('\n')[1]).toBe(' --> api.yaml (#/a)');
  });

  test('what a document could do to a terminal is escaped, colours are ours', () => {
    const hostile: Diagnostic = {
      code: 'type-mismatch',
      severity: 'error',
      message: 'a\u001b[2Jb\n::error::c',
      at: at('/\u001b[2J'),
    };
    const plain = formatDiagnostic(hostile, new Map());
    expect(plain).toContain('error[type-mismatch]: a\\u001b[2Jb\\u000a::error::c\n');
    expect(plain).not.toContain('\u001b');
    const colored = formatDiagnostic(diagnostic('ref-not-found', 'm', { at: at('/paths') }), texts, { color: true });
    expect(colored.startsWith('\u001b[1;31merror[ref-not-found]\u001b[0m')).toBe(true);
    expect(colored.replace(/\u001b\[[\d;]*m/g, '')).toBe(
      formatDiagnostic(diagnostic('ref-not-found', 'm', { at: at('/paths') }), texts),
    );
  });

  test('many diagnostics are the same as one by one', () => {
    const entries = ['/paths', '/openapi', '/paths/~1pets/get'].map((pointer) =>
      diagnostic('type-mismatch', pointer, { at: at(pointer) }),
    );
    expect(formatDiagnostics(entries, texts)).toEqual(entries.map((entry) => formatDiagnostic(entry, texts)));
  });
});
