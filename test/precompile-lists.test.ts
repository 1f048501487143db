import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { listReads } from '../src/precompile-lists.js';

const cases: Readonly<Record<string, string>> = {
  'a loop': `const out: number[] = []; for (const item of [1, 2, 3]) { if (item === 2) continue; out.push(item); } export const worth = out;`,
  'a loop without a block': `let sum = 0; for (const item of [1, 2]) sum += item; export const worth = sum;`,
  'loops inside, with a label': `const out: string[] = []; outer: for (const a of ['x', 'y']) { for (const b of ['x', 'y']) { if (a !== b) continue outer; out.push(a + b); } } export const worth = out;`,
  'functions that remember the item': `const all: (() => number)[] = []; for (const item of [1, 2]) all.push(() => item); export const worth = all.map((f) => f());`,
  'a list that grows while it is walked': `const list = [1]; for (const item of list) if (list.length < 4) list.push(item + 1); export const worth = list;`,
  'an item that is changed': `const out: number[] = []; for (let item of [1, 2]) { item += 1; out.push(item); } export const worth = out;`,
  'names that are taken': `const list = [3]; const index = 7; const out: number[] = []; for (const item of list) out.push(item + index + list.length); export const worth = out;`,
  'entries of a map': `const out: string[] = []; for (const [key, value] of new Map([['a', 1]])) out.push(key + value); export const worth = out;`,
  'entries of an object': `const out: string[] = []; for (const [key, { b }] of Object.entries({ a: { b: 1 } })) out.push(key + b); export const worth = out;`,
  'a set and a text': `const out: string[] = []; for (const item of new Set(['a'])) out.push(item); for (const point of 'x𝒳') out.push(point); export const worth = out;`,
  'first and rest': `const [first, , third = 9, ...rest] = [1, 2, undefined, 4, 5] as (number | undefined)[]; export const worth = [first, third, rest];`,
  'null beside a default': `const [a = 1] = [null] as (number | null | undefined)[]; export const worth = a;`,
  'an iterable that is no array': `function* two() { yield 1; yield 2; } const [one, another] = two(); export const worth = [one, another];`,
  parameters: `export const worth = Object.entries({ a: 1 }).map(([key, value], position) => ({ key, value, position }));`,
  'parameters of a block': `export const worth = [[1, 2], [3, 4]].map(([a = 0, b = 0]) => { const sum = a + b; return sum; });`,
  'parameters inside patterns': `export const worth = ([[[1, 2], 3]] as [[number, number], number][]).map(([[a, b], c]) => a + b + c);`,
  'one or the other list': `const list: number[] | readonly string[] = [1]; const out: unknown[] = []; for (const item of list) out.push(item); export const worth = out;`,
};

const names = Object.keys(cases);
const options: ts.CompilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS, strict: true };

/** One program of all cases: the compiler reads its own declarations once. */
function programOfAll(): ts.Program {
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (path, target) => {
    const source = cases[names[Number(/^case(\d+)\.ts$/.exec(path)?.[1])] ?? ''];
    return source === undefined
      ? getSourceFile.call(host, path, target)
      : ts.createSourceFile(path, `${source} export {};`, target);
  };
  return ts.createProgram(
    names.map((_, index) => `case${index}.ts`),
    options,
    host,
  );
}

const program = programOfAll();

function emitted(name: string, before: ts.TransformerFactory<ts.SourceFile>[]): string {
  let text = '';
  const write: ts.WriteFileCallback = (_, written) => {
    text = written;
  };
  program.emit(program.getSourceFile(`case${names.indexOf(name)}.ts`), write, undefined, false, { before });
  return text;
}

/** What a module says that it is worth. */
function worthOf(text: string): unknown {
  const exports: { worth?: unknown } = {};
  new Function('exports', text)(exports);
  return exports.worth;
}

const readByIndex = (name: string): string => emitted(name, [listReads(program)]);

describe('reads by index', () => {
  test('are made of programs that compile', () => {
    expect(ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText)).toEqual([]);
  });

  test.each(names)('%s', (name) => {
    const plain = worthOf(emitted(name, []));
    expect(worthOf(readByIndex(name))).toEqual(plain);
    expect(plain).toBeDefined();
  });

  test('are made of arrays alone', () => {
    expect(readByIndex('a loop')).not.toContain(' of ');
    expect(readByIndex('entries of an object')).not.toContain('[key');
    expect(readByIndex('a set and a text').match(/ of /g)).toHaveLength(2);
    expect(readByIndex('entries of a map')).toMatch(/for \(const entry\w* of new Map/);
    expect(readByIndex('an iterable that is no array')).toContain('[one, another]');
  });
});
