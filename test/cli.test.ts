/** The command line: exit codes, streams, what is said, and that nothing on the disk is lost. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runCheck, runGenerate, runIr, runValidate } from '../src/commands.js';
import type { Options } from '../src/config.js';
import { type Host, HostError } from '../src/host.js';
import { memoryHost } from '../src/memory-host.js';
import { bugReport } from '../src/report.js';
import { oasmith, runCommand } from './support/command-line.js';
import { walkFiles } from './support/walk-files.js';

function description(
  title: string,
  schemas: object = { Pet: { type: 'object', properties: { id: { type: 'string' } } } },
) {
  const answer = {
    description: 'ok',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
  };
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title, version: '1' },
    paths: { '/pets': { get: { operationId: 'listPets', responses: { 200: answer } } } },
    components: { schemas },
  });
}

const pets = description('Pets');
const types: Options = { output: 'out', targets: ['types'] };

/** What bad input must leave: one diagnostic with its fix and place, the tally, and the disk as it was. */
async function refused(files: Record<string, string | Uint8Array>, entry: string, options: Options = types) {
  const host = memoryHost({ 'out/oasmith.json': '{"generator":"0.1.0","files":{}}\n', ...files });
  const before = new Map(host.files);
  const { exit, out } = await runCommand(runGenerate, host, { ...options, input: entry });
  expect(host.files).toEqual(before);
  expect([...host.written, ...host.removed]).toEqual([]);
  expect(out.stdout).toBe('');
  expect(out.stderr).not.toMatch(/^\s+at /m);
  expect(out.stderr).toMatch(/= fix: \S/);
  return { exit, stderr: out.stderr };
}

describe('bad input is one diagnostic, exit 1, and nothing changes', () => {
  const cases: readonly [string, string | Uint8Array, RegExp][] = [
    ['JSON that is none', '{"openapi": "3.1.0",', /^error\[syntax-error\][\s\S]*--> api\.json:1:/],
    ['YAML that is none', 'openapi: 3.1.0\ninfo: "x', /^error\[syntax-error\][\s\S]*--> api\.json:2:/],
    [
      'a key twice',
      '{"openapi": "3.1.0", "openapi": "3.0.0"}',
      /^error\[duplicate-key\]: duplicate key "openapi"\n *--> api\.json:1:22/,
    ],
    ['nothing', '', /^error\[document-empty\]/],
    ['only blanks', ' \n\n', /^error\[document-empty\]/],
    ['bytes that are no text', Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x7d), /^error\[syntax-error\]/],
    ['neither OpenAPI nor JSON Schema', '{"name": "left-pad", "version": "1.0.0"}', /^error\[document-kind\]/],
    [
      'an unknown version',
      '{"openapi": "4.0.0", "info": {"title": "x", "version": "1"}, "paths": {}}',
      /^error\[document-version\][\s\S]*--> api\.json:1:2 /,
    ],
    [
      'a $ref that leads nowhere',
      description('x', { Pet: { $ref: '#/components/schemas/Pat' } }),
      /^error\[ref-not-found\][\s\S]*"#\/components\/schemas\/Pat"/,
    ],
    [
      'a $ref that leads to itself',
      description('x', { Pet: { $ref: '#/components/schemas/Pet' } }),
      /^error\[ref-circular\]/,
    ],
  ];
  test.each(cases)('%s', async (_, text, expected) => {
    const { exit, stderr } = await refused({ 'api.json': text }, 'api.json');
    expect(exit).toBe(1);
    expect(stderr).toMatch(expected);
    expect(stderr.match(/^error\[/gm)).toHaveLength(1);
    expect(stderr.trimEnd().split('\n').at(-1)).toBe('1 error; nothing was written');
  });

  test('a missing file', async () => {
    const { exit, stderr } = await refused({}, 'no.json');
    expect([exit, stderr]).toEqual([1, expect.stringMatching(/^error\[file-not-found\]: "no\.json" does not exist\n/)]);
  });

  test('a directory', async () => {
    const { exit, stderr } = await refused({ 'apis/a.json': pets }, 'apis');
    expect([exit, stderr]).toEqual([
      1,
      expect.stringMatching(/^error\[file-unreadable\]: "apis" .*it is a directory\n/),
    ]);
  });

  test('an output folder that holds files of somebody else', async () => {
    const host = memoryHost({ 'api.json': pets, 'out/mine.txt': 'precious' });
    const { exit, out } = await runCommand(runGenerate, host, { ...types, input: 'api.json' });
    expect(exit).toBe(1);
    expect(out.stderr).toMatch(/^error\[output-foreign\]: the output folder holds "mine\.txt"/);
    expect(host.written).toEqual([]);
    expect(host.text('out/mine.txt')).toBe('precious');
  });

  test('an output folder that holds the project', async () => {
    const host = memoryHost({ 'api.json': pets });
    const { exit, out } = await runCommand(runGenerate, host, { ...types, output: '..', input: 'api.json' });
    expect([exit, host.written]).toEqual([1, []]);
    expect(out.stderr).toMatch(/^error\[output-unsafe\]/);
    // Before anything is read: the document could be large, or wrong.
    const early = await runCommand(runGenerate, host, { ...types, output: '..', input: 'no.json' });
    expect([early.exit, early.out.stderr]).toEqual([exit, out.stderr]);
  });

  test('a broken document leaves the last good output', async () => {
    const host = memoryHost({ 'api.json': pets });
    await runCommand(runGenerate, host, { ...types, input: 'api.json' });
    const good = host.text('out/types.ts');
    host.put('api.json', '{');
    expect((await runCommand(runGenerate, host, { ...types, input: 'api.json' })).exit).toBe(1);
    expect(host.text('out/types.ts')).toBe(good);
  });
});

describe('entries', () => {
  test('standard input', async () => {
    const host = memoryHost({}, { standardInput: pets });
    expect((await runCommand(runGenerate, host, { ...types, input: '-' })).exit).toBe(0);
    expect(host.text('out/types.ts')).toContain('interface Pet');
  });

  test('several descriptions get a folder each, named after their files', async () => {
    const host = memoryHost({ 'one.json': pets, 'v2/two.yaml': description('Two') });
    expect((await runCommand(runGenerate, host, { ...types, input: ['one.json', 'v2/two.yaml'] })).exit).toBe(0);
    expect(host.text('out/one/types.ts')).toContain('interface Pet');
    expect(host.text('out/two/types.ts')).toContain('interface Pet');
  });

  test('a JSON Schema beside a description belongs to it', async () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'Extra',
      type: 'object',
      properties: { a: { type: 'number' } },
    };
    const host = memoryHost({ 'api.json': pets, 'extra.schema.json': JSON.stringify(schema) });
    expect((await runCommand(runGenerate, host, { ...types, input: ['api.json', 'extra.schema.json'] })).exit).toBe(0);
    expect(host.text('out/types.ts')).toContain('interface Pet');
    expect(host.text('out/types.ts')).toContain('interface Extra');
  });

  test.each([
    ['specs/*.json', ['a', 'b']],
    ['specs/{b,a}.json', ['a', 'b']],
    ['specs/**/?.json', ['a', 'b', 'c']],
    ['./specs/**/c.*', ['c']],
    ['/project/specs/[x].json', undefined],
  ])('the pattern %s', async (input, stems) => {
    const host = memoryHost({
      'specs/a.json': pets,
      'specs/b.json': pets,
      'specs/deep/c.json': pets,
      'specs/deep/node_modules/d.json': pets,
      'specs/.hidden.json': pets,
      'specs/note.txt': '',
    });
    const { exit } = await runCommand(runGenerate, host, { ...types, input });
    const found = [...host.files.keys()].filter((path) => path.endsWith('/types.ts')).sort();
    if (stems === undefined) expect([exit, found]).toEqual([1, []]);
    else {
      const paths =
        stems.length === 1 ? ['/project/out/types.ts'] : stems.map((stem) => `/project/out/${stem}/types.ts`);
      expect([exit, found]).toEqual([0, paths]);
    }
  });

  test('a pattern that matches nothing, and a file whose name looks like one', async () => {
    const host = memoryHost({ 'what?.json': pets });
    expect((await runCommand(runGenerate, host, { ...types, input: 'what?.json' })).exit).toBe(0);
    const none = await runCommand(runGenerate, host, { ...types, input: 'specs/*.yaml' });
    expect([none.exit, none.out.stderr]).toEqual([1, expect.stringContaining('"specs/*.yaml" does not exist')]);
  });
});

describe('check', () => {
  const input = { ...types, input: 'api.json' };

  test('a fresh folder is exit 0, a stale one exit 1 with a unified diff; nothing is ever written', async () => {
    const host = memoryHost({ 'api.json': pets });
    const empty = await runCommand(runCheck, host, input);
    expect([empty.exit, host.written]).toEqual([1, []]);
    expect(empty.out.stdout).toMatch(/^--- \/dev\/null\n\+\+\+ b\/types\.ts\n@@ /);

    await runCommand(runGenerate, host, input);
    const written = [...host.written];
    const fresh = await runCommand(runCheck, host, input);
    expect([fresh.exit, fresh.out.stdout, fresh.out.stderr]).toEqual([0, '', '']);

    host.put('api.json', pets.replace('"id"', '"identity"'));
    const stale = await runCommand(runCheck, host, input);
    expect(stale.exit).toBe(1);
    expect(stale.out.stdout).toMatch(
      /^--- a\/types\.ts\n\+\+\+ b\/types\.ts\n@@ [\s\S]*\n- {2}id\?: string;\n\+ {2}identity\?: string;\n/,
    );
    expect(stale.out.stderr).toMatch(/^error\[output-stale\]: a file is not what would be generated: "types\.ts"\n/);
    expect(host.written).toEqual(written);
  });

  test('what somebody wrote into a generated file cannot steer a terminal', async () => {
    const host = memoryHost({ 'api.json': pets });
    await runCommand(runGenerate, host, input);
    host.put('out/types.ts', '\u001b[2J\n');
    const { out } = await runCommand(runCheck, host, input, { terminal: true });
    expect(out.stdout).toContain('-\\u001b[2J\n');
    expect(out.stdout).not.toContain('\u001b');
  });
});

describe('validate and ir', () => {
  test('validate names file, line and column, shows the lines and writes nothing', async () => {
    const host = memoryHost({
      'api.yaml': 'openapi: 3.1.0\ninfo: {title: x, version: "1"}\npaths:\n  /a/{id}:\n    get: {responses: {}}\n',
    });
    const { exit, out } = await runCommand(runValidate, host, { input: 'api.yaml' });
    expect([exit, host.written]).toEqual([1, []]);
    expect(out.stderr).toMatch(/^error\[path-parameter-unbound\]: .*\n *--> api\.yaml:\d+:\d+ /);
    expect(out.stderr).toContain('4 |   /a/{id}:');
    expect(out.stderr.trimEnd().split('\n').at(-1)).toBe('1 error');
  });

  test('validate says on a terminal that there is nothing to say', async () => {
    const host = memoryHost({ 'api.json': pets });
    expect((await runCommand(runValidate, host, { input: 'api.json' }, { terminal: true })).out.stdout).toBe(
      'api.json: no faults\n',
    );
    expect((await runCommand(runValidate, host, { input: 'api.json' })).out.stdout).toBe('');
  });

  test('ir prints the report for machines where there is no IR to print', async () => {
    const host = memoryHost({ 'api.json': '{', 'b.json': pets });
    const { exit, out } = await runCommand((given) => runIr({ ...given, report: 'json' }), host, { input: 'api.json' });
    expect([exit, JSON.parse(out.stdout)]).toMatchObject([1, { ok: false, diagnostics: [{ code: 'syntax-error' }] }]);
    const fine = await runCommand((given) => runIr({ ...given, report: 'json' }), host, { input: 'b.json' });
    expect(JSON.parse(fine.out.stdout)).toHaveProperty('oasmithIr');
  });

  test('ir is JSON with a version, for several entries a list', async () => {
    const host = memoryHost({ 'a.json': pets, 'b.json': pets });
    const one = await runCommand(runIr, host, { input: 'a.json' });
    expect(JSON.parse(one.out.stdout)).toMatchObject({ oasmithIr: 1, operations: [{ method: 'GET' }] });
    const two = await runCommand(runIr, host, { input: ['a.json', 'b.json'] });
    expect(JSON.parse(two.out.stdout)).toHaveLength(2);
  });
});

/** The host, but for what is given. */
function overriding(host: Host, own: Partial<Host>): Host {
  return new Proxy(host, {
    get: (target, name) => {
      const value: unknown = Reflect.get(own, name) ?? Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

describe('what is said', () => {
  const input = { ...types, input: 'api.json' };

  test('on a terminal: progress with counts and times, then a summary', async () => {
    const host = memoryHost({ 'api.json': pets });
    const { out } = await runCommand(runGenerate, host, input, { terminal: true });
    expect(out.lines[0]).toBe('load …');
    expect(out.lines).toContain('load 1 document 5 ms · normalise 1 operation, 1 named schema 5 ms · plan …');
    expect(out.lines.at(-1)).toBe('');
    expect(out.stdout).toBe(
      [
        'Read api.json: 1 operation, 1 named schema',
        'Wrote out:',
        '  + types.ts  every schema as a type',
        '1 file written, 0 unchanged',
        '25 ms (load 5 ms, normalise 5 ms, plan 5 ms, render 5 ms, write 5 ms)',
        '',
      ].join('\n'),
    );
    const again = await runCommand(runGenerate, host, input, { terminal: true });
    expect(again.out.stdout).toContain('out is up to date: 1 file unchanged');
  });

  test('in a pipe, and where quiet: nothing', async () => {
    const host = memoryHost({ 'api.json': pets });
    const piped = await runCommand(runGenerate, host, input);
    const quiet = await runCommand(runGenerate, host, input, { terminal: true, quiet: true });
    for (const { out } of [piped, quiet]) expect([out.stdout, out.stderr, out.lines.join('')]).toEqual(['', '', '']);
  });

  test('files that were edited by hand, and removed ones, are named', async () => {
    const host = memoryHost({ 'api.json': pets });
    await runCommand(runGenerate, host, { ...input, targets: ['types', 'client'] });
    host.put('out/types.ts', 'mine');
    const { out } = await runCommand(runGenerate, host, input, { terminal: true });
    expect(out.stdout).toContain('  ! types.ts had been edited; it is as generated again\n');
    expect(out.stdout).toMatch(/^ {2}- client\.ts$/m);
  });

  test('the report is JSON with a time for each stage, and holds every diagnostic', async () => {
    const host = memoryHost({ 'api.json': pets });
    const { exit, out } = await runCommand(runGenerate, host, input, { report: 'json' });
    expect([exit, out.stderr]).toEqual([0, '']);
    expect(JSON.parse(out.stdout)).toMatchObject({
      ok: true,
      input: ['api.json'],
      output: 'out',
      stages: { load: 5, normalise: 5, plan: 5, render: 5, write: 5 },
      files: { written: ['types.ts'], unchanged: [], removed: [], edited: [] },
      operations: 1,
      diagnostics: [],
    });
    host.put('api.json', '{');
    const broken = await runCommand(runGenerate, host, input, { report: 'json' });
    expect(JSON.parse(broken.out.stdout)).toMatchObject({
      ok: false,
      files: null,
      diagnostics: [{ code: 'syntax-error' }],
    });
  });

  test('many faults of one kind are counted, the report holds all', async () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`S${index}`, { $ref: `#/no/${index}` }]),
    );
    const host = memoryHost({ 'api.json': description('x', { Pet: {}, ...schemas }) });
    const { out } = await runCommand(runGenerate, host, input);
    expect(out.stderr.match(/^error\[ref-not-found\]/gm)).toHaveLength(20);
    expect(out.stderr).toContain('… and 10 more of [ref-not-found]; --report json lists them all');
    expect(out.stderr).toContain('\n30 errors; nothing was written\n');
    const report = await runCommand(runGenerate, host, input, { report: 'json' });
    expect(JSON.parse(report.out.stdout).diagnostics).toHaveLength(30);
  });

  test('document text cannot steer a terminal', async () => {
    const ref = '#/\u001b[2J\u202e\u0007';
    const host = memoryHost({ 'api.json': description('x', { Pet: { $ref: ref } }) });
    const { out } = await runCommand(runGenerate, host, { ...input, input: 'api.json' }, { terminal: true });
    expect(out.stderr).toContain('\\u001b[2J');
    expect(out.stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });

  test('a bug is told from a fault, without the text of its message', async () => {
    const host = memoryHost({ 'api.json': pets });
    const failing = overriding(host, {
      readBytes: () => Promise.reject(new RangeError('secret text of a document\n    at secret (secret)')),
    });
    const error = await runCommand(runGenerate, failing, input).catch((thrown: unknown) => thrown);
    const said = bugReport(error);
    expect(said).toMatch(
      /^oasmith: this is a bug of oasmith \(RangeError\), please report it with the lines below:\n +at /,
    );
    expect(said).not.toContain('secret');
    const denied = overriding(host, {
      readBytes: () => Promise.reject(new HostError('denied', 'permission denied')),
    });
    expect((await runCommand(runGenerate, denied, input)).exit).toBe(1);
  });
});

describe('skeletons of handlers', () => {
  test('are written once, and only ever added to', async () => {
    const host = memoryHost({ 'api.json': pets });
    const options: Options = {
      input: 'api.json',
      output: 'src/generated',
      scaffold: 'src/handlers',
      targets: ['server'],
    };
    const first = await runCommand(runGenerate, host, options, { terminal: true });
    expect(first.out.stdout).toContain('Wrote src/handlers/handlers.ts: skeletons');
    expect(host.text('src/handlers/handlers.ts')).toContain('from "../generated/server.js"');
    const mine = host.text('src/handlers/handlers.ts').replace('export const', '// mine\nexport const');
    host.put('src/handlers/handlers.ts', mine);
    const more = JSON.parse(pets);
    more.paths['/pets'].post = { operationId: 'addPet', responses: { 204: { description: 'ok' } } };
    host.put('api.json', JSON.stringify(more));
    const second = await runCommand(runGenerate, host, options, { terminal: true });
    expect(second.out.stdout).toContain('Added to src/handlers/handlers.ts: addPet\n');
    expect(host.text('src/handlers/handlers.ts')).toContain('// mine\n');
    expect(host.text('src/handlers/handlers.ts').match(/addPet:/g)).toHaveLength(1);
    host.put('src/handlers/handlers.ts', 'export const handlers = {');
    const broken = await runCommand(runGenerate, host, options);
    expect([broken.exit, broken.out.stderr]).toEqual([0, expect.stringMatching(/^warning\[scaffold-skipped\]/)]);
    expect(host.text('src/handlers/handlers.ts')).toBe('export const handlers = {');
  });
});

describe('as a process', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'oasmith-cli-'));
    await writeFile(join(folder, 'api.json'), pets);
  });

  afterEach(() => rm(folder, { recursive: true }));

  test('with and without the name of the command, nothing is printed in a pipe', async () => {
    for (const command of [[], ['generate']]) {
      const out = `out${command.length}`;
      const ran = await oasmith(folder, [...command, 'api.json', '-o', out, '--targets', 'types']);
      expect(ran).toEqual({ exit: 0, stdout: '', stderr: '' });
      expect(walkFiles(join(folder, out))).toEqual(['oasmith.json', 'types.ts']);
    }
  });

  test('targets, framework and the ending of imports', async () => {
    const all = ['--targets', 'client,server', '--framework', 'node', '--import-extension', 'ts'];
    expect(await oasmith(folder, [...all, '-o', 'out', 'api.json'])).toMatchObject({ exit: 0, stderr: '' });
    expect(await readdir(join(folder, 'out'))).toEqual(expect.arrayContaining(['client.ts', 'server-node.ts']));
    const client = await readFile(join(folder, 'out/client.ts'), 'utf8');
    expect(client).toMatch(/from "\.\/operations\.ts"/);
    expect(client).not.toMatch(/from "\.[^"]*\.js"/);
    // An entry behind the names of targets is an entry.
    expect(await oasmith(folder, ['--targets', 'types', 'api.json', '-o', 'out2'])).toMatchObject({ exit: 0 });
  });

  test('standard input', async () => {
    expect(await oasmith(folder, ['-', '-o', 'out', '--targets', 'types'], pets)).toMatchObject({
      exit: 0,
      stderr: '',
    });
    expect(walkFiles(join(folder, 'out'))).toContain('types.ts');
  });

  test('faults are exit 1, on standard error, without a stack', async () => {
    await mkdir(join(folder, 'foreign'));
    await writeFile(join(folder, 'foreign/mine.txt'), 'precious');
    for (const parameters of [
      ['no.json', '-o', 'out'],
      ['.', '-o', 'out'],
      ['api.json', '-o', 'foreign'],
      ['api.json', '-o', '.'],
    ]) {
      const { exit, stdout, stderr } = await oasmith(folder, parameters);
      expect([exit, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(/^error\[[a-z-]+\]: .+\n( .*\n)* *= fix: .+\n/);
      expect(stderr).not.toMatch(/^\s+at /m);
    }
    expect(walkFiles(folder)).toEqual(['api.json', 'foreign/mine.txt']);
    expect(await readFile(join(folder, 'foreign/mine.txt'), 'utf8')).toBe('precious');
  });

  test('derive', async () => {
    const derive = ['derive', 'api.json', '--base-uri', 'https://example.com/', '--date', '2000-01-01'];
    expect(await oasmith(folder, derive)).toEqual({ exit: 0, stdout: '', stderr: '' });
    expect(walkFiles(join(folder, 'schemas'))).toEqual(['Pet.schema.json', 'oasmith.json']);
    const schema = JSON.parse(await readFile(join(folder, 'schemas/Pet.schema.json'), 'utf8')) as object;
    expect(schema).toMatchObject({ $id: 'https://example.com/Pet.schema.json', 'x-generated': '2000-01-01' });
    expect(await oasmith(folder, [...derive, '--check'])).toMatchObject({ exit: 0 });
    expect(await oasmith(folder, [...derive, '--declarations'])).toMatchObject({ exit: 0 });
    expect(await readFile(join(folder, 'schemas/Pet.d.ts'), 'utf8')).toContain('export interface Pet {');
    const misspelt = await oasmith(folder, ['derive', 'api.json', '--base-url', 'x']);
    expect([misspelt.exit, misspelt.stderr]).toEqual([2, expect.stringContaining('did you mean --base-uri?')]);
  });

  test('check, ir, --version, --help', async () => {
    const stale = await oasmith(folder, ['check', 'api.json', '-o', 'out', '--targets', 'types']);
    expect([stale.exit, stale.stdout]).toEqual([1, expect.stringContaining('+++ b/types.ts')]);
    expect(await readdir(folder)).toEqual(['api.json']);
    expect(JSON.parse((await oasmith(folder, ['ir', 'api.json'])).stdout)).toHaveProperty('oasmithIr');
    const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    expect(await oasmith(folder, ['--version'])).toEqual({ exit: 0, stdout: `${version}\n`, stderr: '' });
    const help = await oasmith(folder, ['--help']);
    expect([help.exit, help.stderr]).toEqual([0, '']);
    for (const word of ['generate', 'watch', 'check', 'derive', 'validate', 'ir', '--output', '--targets', '--report'])
      expect(help.stdout).toContain(word);
  });
});
