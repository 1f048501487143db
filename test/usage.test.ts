/** Wrong usage: exit 2, one line that says what would be right, and nothing is written. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { oasmith } from './support/command-line.js';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oasmith-usage-'));
  const document = { openapi: '3.1.0', info: { title: 'x', version: '1' }, paths: {} };
  await writeFile(join(folder, 'api.json'), JSON.stringify(document));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test.each([
  [['api.json', '-o', 'out', '--tragets', 'types'], 'Unknown option: tragets; did you mean --targets?'],
  [
    ['api.json', '-o', 'out', '--import-extenson', 'js'],
    'Unknown option: import-extenson; did you mean --import-extension?',
  ],
  [['api.json', '-o', 'out', '--targets', 'typs'], 'Unknown value of --targets: typs; did you mean types?'],
  [['ir', 'api.json', '--dates', 'Date'], 'The option --dates belongs to generate, watch and check, not to ir'],
  [
    ['api.json', '-o', 'a', '--date', 'x'],
    'The option --date belongs to derive, not to generate; did you mean --dates?',
  ],
  [
    ['explain', '--include', 'x'],
    'The option --include belongs to generate, watch, check, derive, validate and ir, not to explain',
  ],
  [['ir', 'api.json', '--quite'], 'Unknown option: quite; did you mean --quiet?'],
  [['api.json', '-o', 'a', '--report', 'txt'], 'Unknown value of --report: txt; did you mean text?'],
  [['valdate', 'api.json'], 'Unknown command: valdate; did you mean validate?'],
  [['api.json', '-o', 'a', '-o', 'b'], 'The option --output is given twice'],
  [['api.json', '-o'], 'Not enough arguments following: o'],
  [['api.json'], 'no output folder: add -o <folder>'],
  [[], 'no entry: name an OpenAPI document or a JSON Schema'],
  [['watch', '-', '-o', 'out'], 'standard input cannot be watched: name a file'],
])('wrong usage is exit 2: %j', async (parameters, message) => {
  const ran = await oasmith(folder, parameters);
  expect([ran.exit, ran.stdout]).toEqual([2, '']);
  expect(ran.stderr.split('\n')[0]).toBe(`oasmith: ${message}`);
  expect(ran.stderr).toContain('Run oasmith --help');
  expect(await readdir(folder)).toEqual(['api.json']);
});

test.each([
  [['--dates', 'date'], 'the option --dates must be string or Date, not "date"; did you mean "Date"?'],
  [['--layout', 'tag'], 'the option --layout must be single or tags, not "tag"; did you mean "tags"?'],
  [
    ['--import-extension', 'mjs'],
    'the option --import-extension must be js, ts or none, not "mjs"; did you mean "js"?',
  ],
  [['--client-enums', 'none'], 'the option --client-enums must be closed or open, not "none"'],
  [['--include', 'tga:x'], 'deprecated, not "tga:x"; did you mean "tag:x"?'],
  [['--exclude', 'deprecate'], 'deprecated, not "deprecate"; did you mean "deprecated"?'],
])('wrong values have a code, the words that are allowed, and the nearest of them: %s', async (flags, message) => {
  const { exit, stdout, stderr } = await oasmith(folder, ['api.json', '-o', 'out', ...flags]);
  expect([exit, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^error\[config-invalid\]: the option --/);
  expect(stderr).toContain(message);
  expect(await readdir(folder)).toEqual(['api.json']);
});
