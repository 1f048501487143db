/** Wrong usage: exit 2, one line that says what would be right, and nothing is written. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { refuseSwitchWords, UsageError } from '../src/usage.js';
import { oasmith } from './support/command-line.js';
import { repository } from './support/paths.js';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oasmith-usage-'));
  const document = { openapi: '3.1.0', info: { title: 'x', version: '1' }, paths: {} };
  await writeFile(join(folder, 'api.json'), JSON.stringify(document));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const commands = 'generate, watch, check, derive, validate, explain, ir';

test.each([
  [['api.json', '-o', 'out', '--tragets', 'types'], 'unknown option --tragets; did you mean --targets?'],
  [
    ['api.json', '-o', 'out', '--import-extenson', 'js'],
    'unknown option --import-extenson; did you mean --import-extension?',
  ],
  [['api.json', '-x'], 'unknown option -x'],
  [['ir', 'api.json', '--dates', 'Date'], 'the option --dates belongs to generate, watch and check, not to ir'],
  [
    ['api.json', '-o', 'a', '--date', 'x'],
    'the option --date belongs to derive, not to generate; did you mean --dates?',
  ],
  [
    ['explain', '--include', 'x'],
    'the option --include belongs to generate, watch, check, derive, validate and ir, not to explain',
  ],
  [['ir', 'api.json', '--quite'], 'unknown option --quite; did you mean --quiet?'],
  [['valdate', 'api.json'], 'unknown command "valdate"; did you mean validate?'],
  [['-o', 'out', 'genrate', 'api.json'], 'unknown command "genrate"; did you mean generate?'],
  [['foo'], `unknown command "foo", and no file of that name; the commands are ${commands}`],
  [['api.json', '-o', 'a', '--quiet=maybe'], 'the option --quiet takes no value but true and false, not "maybe"'],
  [['api.json', '-o', 'a', '--no-keepGoing='], 'the option --keepGoing takes no value but true and false, not ""'],
  [['api.json', '-o', 'a', '-o', 'b'], 'the option --output is given twice'],
  [['api.json', '-o'], 'the option -o needs a value'],
  [['api.json', '--ref-root'], 'the option --ref-root needs a value'],
  [['ir', '--include'], 'the option --include needs a value'],
  [['api.json'], 'no output folder: add -o <folder>'],
  [[], 'no entry: name an OpenAPI document or a JSON Schema'],
  [['ir'], 'no entry: name an OpenAPI document or a JSON Schema'],
  [['watch', '-', '-o', 'out'], 'standard input cannot be watched: name a file'],
])('wrong usage is exit 2, as text and as JSON: %j', async (parameters, message) => {
  const ran = await oasmith(folder, parameters);
  expect([ran.exit, ran.stdout]).toEqual([2, '']);
  expect(ran.stderr.split('\n')[0]).toBe(`error[usage-invalid]: ${message}`);
  expect(ran.stderr).toContain('Run oasmith --help');
  const reported = await oasmith(folder, ['--report=json', ...parameters]);
  expect([reported.exit, reported.stderr]).toEqual([2, ran.stderr]);
  expect(JSON.parse(reported.stdout)).toEqual({
    ok: false,
    diagnostics: [{ code: 'usage-invalid', severity: 'error', message }],
  });
  expect(await readdir(folder)).toEqual(['api.json']);
});

test('all options that are unknown are told in one run', async () => {
  const { exit, stdout } = await oasmith(folder, ['api.json', '--tragets', 'x', '--quiett', '--report', 'json']);
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: readonly { message: string }[] };
  expect([exit, ...diagnostics.map(({ message }) => message)]).toEqual([
    2,
    'unknown option --tragets; did you mean --targets?',
    'unknown option --quiett; did you mean --quiet?',
  ]);
});

test('behind the name of a command, and where there is such a file, a word is an entry', async () => {
  for (const parameters of [
    ['generate', 'foo', '-o', 'out'],
    ['-o', 'out', 'generate', 'foo'],
    ['validate', 'foo'],
  ]) {
    const { exit, stderr } = await oasmith(folder, parameters);
    expect([exit, stderr]).toEqual([1, expect.stringMatching(/^error\[file-not-found\]: "foo"/)]);
  }
  await rename(join(folder, 'api.json'), join(folder, 'genrate'));
  expect(await oasmith(folder, ['genrate', '-o', 'out'])).toMatchObject({ exit: 0, stderr: '' });
});

test.each([
  [['api.json', '-o', 'out', '--targets', 'typs'], 'not "typs"; did you mean "types"?'],
  [['api.json', '-o', 'out', '--framework', 'fastfy'], 'fastify, node or fetch, not "fastfy"; did you mean "fastify"?'],
  [['api.json', '-o', 'a', '--report', 'txt'], 'text, json or none, not "txt"; did you mean "text"?'],
  [['ir', 'api.json', '--format', 'decl'], 'ir or decls, not "decl"; did you mean "decls"?'],
  [['ir', 'api.json', '--format', 'xml'], 'ir or decls, not "xml"'],
  [['derive', 'api.json', '--date', '2020-13-45'], 'a day of the calendar (YYYY-MM-DD), not "2020-13-45"'],
  [['derive', 'api.json', '--date', '2021-02-29'], 'a day of the calendar (YYYY-MM-DD), not "2021-02-29"'],
  [['derive', 'api.json', '--base-uri', 'x'], 'whose only braces are {name} and {kebab-name}, not "x"'],
  [['derive', 'api.json', '--base-uri', 'https://a.example/{name'], '{kebab-name}, not "https://a.example/{name"'],
])('a value that no option takes is told like one in a configuration: %j', async (parameters, message) => {
  const { exit, stdout, stderr } = await oasmith(
    folder,
    parameters.includes('--report') ? parameters : [...parameters, '--report', 'json'],
  );
  const option = parameters.filter((word) => word.startsWith('--')).at(-1) ?? '';
  expect(stderr).toMatch(new RegExp(`^error\\[config-invalid\\]: the option ${option} must be `));
  expect(stderr.split('\n')[0]?.endsWith(message)).toBe(true);
  expect(exit).toBe(2);
  if (option !== '--report')
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, diagnostics: [{ severity: 'error' }] });
  expect(await readdir(folder)).toEqual(['api.json']);
});

test('every switch of the help takes true and false alone', async () => {
  const helps = await Promise.all(
    ['', 'derive'].map((command) => oasmith(folder, [command, '--help'].filter(Boolean))),
  );
  const switches = new Set(
    helps.flatMap(({ stdout }) => [...stdout.matchAll(/--([a-z-]+)[^[]*\[boolean\]/g)].map(([, name]) => name)),
  );
  expect(switches.size).toBeGreaterThan(6);
  for (const name of switches) expect(() => refuseSwitchWords([`--${name}=yes`]), name).toThrow(UsageError);
});

test('a leap day is a day', async () => {
  const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'Pet', type: 'object' };
  await writeFile(join(folder, 'pet.json'), JSON.stringify(schema));
  expect(await oasmith(folder, ['derive', 'pet.json', '--date', '2020-02-29'])).toMatchObject({ exit: 0, stderr: '' });
});

test('the command line runs from its sources', async () => {
  const jiti = join(repository, 'node_modules/jiti/lib/jiti-cli.mjs');
  const source = join(repository, 'src/cli.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [jiti, source, 'ir', 'api.json'], { cwd: folder });
  expect(JSON.parse(stdout)).toHaveProperty('oasmithIr');
});

test.each([
  [['--dates', 'date'], 'the option --dates must be string or Date, not "date"; did you mean "Date"?'],
  [['--layout', 'tag'], 'the option --layout must be single or tags, not "tag"; did you mean "tags"?'],
  [
    ['--import-extension', 'mjs'],
    'the option --import-extension must be js, ts or none, not "mjs"; did you mean "js"?',
  ],
  [['--client-enums', 'none'], 'the option --client-enums must be closed or open, not "none"'],
  [['--allow-remote', 'ftp://a.example'], 'a list of origins (https://… or http://…)'],
  [['--include', 'tga:x'], 'deprecated, not "tga:x"; did you mean "tag:x"?'],
  [['--exclude', 'deprecate'], 'deprecated, not "deprecate"; did you mean "deprecated"?'],
])('wrong values have a code, the words that are allowed, and the nearest of them: %s', async (flags, message) => {
  const { exit, stdout, stderr } = await oasmith(folder, ['api.json', '-o', 'out', ...flags]);
  expect([exit, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^error\[config-invalid\]: the option --/);
  expect(stderr).toContain(message);
  expect(await readdir(folder)).toEqual(['api.json']);
});
