/** Configuration files in every form, and the library, which takes the same options. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runGenerate } from '../src/commands.js';
import type { Options } from '../src/config.js';
import { readConfiguration } from '../src/config-file.js';
import type { DocumentUri, JsonPointer } from '../src/diagnostics.js';
import { generate } from '../src/generate.js';
import { memoryHost } from '../src/memory-host.js';
import { nearest } from '../src/nearest.js';
import { nodeHost } from '../src/node-host.js';
import { checkOptions } from '../src/option-checks.js';
import { oasmith, runCommand } from './support/command-line.js';
import { walkFiles } from './support/walk-files.js';

const schema = JSON.stringify({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Pet',
  type: 'object',
});
const options: Options = { input: 'pet.schema.json', output: 'out', targets: ['types'] };

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oasmith-config-'));
  await put('pet.schema.json', schema);
});

afterEach(() => rm(folder, { recursive: true }));

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

describe('a configuration file', () => {
  const yaml = 'input: pet.schema.json\noutput: out\ntargets: [types]\n';
  const code = `export default ${JSON.stringify(options)}`;
  test.each([
    ['oasmith.config.ts', `import type { Options } from 'oasmith';\n${code} satisfies Options;\n`],
    ['oasmith.config.mts', `const own: object = ${JSON.stringify(options)};\nexport default own;\n`],
    ['oasmith.config.js', code],
    ['oasmith.config.mjs', code],
    ['oasmith.config.json', JSON.stringify(options)],
    ['oasmith.config.yaml', yaml],
    ['oasmith.config.yml', yaml],
    ['package.json', JSON.stringify({ name: 'x', oasmith: options })],
  ])('%s', async (name, text) => {
    await put(name, text);
    const { exit, out } = await runCommand(runGenerate, nodeHost(folder), {});
    expect([exit, out.stderr]).toEqual([0, '']);
    expect(await readFile(join(folder, 'out/types.ts'), 'utf8')).toContain('Pet');
    // Nothing but the output is left behind: no cache of compiled configurations.
    expect(walkFiles(folder)).toEqual([name, 'out/oasmith.json', 'out/types.ts', 'pet.schema.json'].sort());
  });

  test('elsewhere: its paths are relative to it', async () => {
    await put('tools/codegen.yaml', 'input: ../pet.schema.json\noutput: ../generated\ntargets: [types]\n');
    expect((await runCommand(runGenerate, nodeHost(folder), {}, { config: 'tools/codegen.yaml' })).exit).toBe(0);
    expect(walkFiles(folder)).toContain('generated/types.ts');
  });

  test('with a list of jobs runs them all', async () => {
    await put('oasmith.config.json', JSON.stringify([options, { ...options, output: 'second' }]));
    const { exit, out } = await runCommand(runGenerate, nodeHost(folder), {}, { report: 'json' });
    expect(exit).toBe(0);
    expect(walkFiles(folder)).toEqual(expect.arrayContaining(['out/types.ts', 'second/types.ts']));
    expect(JSON.parse(out.stdout)).toMatchObject([{ output: 'out' }, { output: 'second' }]);
  });

  test('yields to flags', async () => {
    await put('oasmith.config.json', JSON.stringify({ ...options, targets: ['types', 'validators'] }));
    const ran = await oasmith(folder, ['-o', 'flagged', '--targets', 'types']);
    expect(ran).toEqual({ exit: 0, stdout: '', stderr: '' });
    expect(walkFiles(folder)).toContain('flagged/types.ts');
    expect(walkFiles(folder)).not.toContain('flagged/validators.ts');
    expect(walkFiles(folder)).not.toContain('out/types.ts');
  });
});

describe('a faulty configuration is exit 2 and writes nothing', () => {
  test.each([
    [
      'oasmith.config.json',
      '{"inptu": "a"}',
      /unknown option "inptu"; did you mean "input"\?\n *--> oasmith\.config\.json:1:2 \(#\/inptu\)/,
    ],
    [
      'oasmith.config.json',
      '[{}, {"targets": "types"}]',
      /the option "targets" must be a list of .*\n *--> oasmith\.config\.json:1:7 \(#\/1\/targets\)/,
    ],
    [
      'oasmith.config.json',
      '{"streams": {"a": {"framing": "sse"},\n"b": {"framing": "see"}}}',
      /the option "streams": "b" → "framing" must be .* or multipart, not "see".*\n *--> oasmith\.config\.json:2:7 \(#\/streams\/b\/framing\)/,
    ],
    ['oasmith.config.json', '[]', /the list of jobs is empty/],
    ['oasmith.config.json', '"x"', /the configuration must be an object or a list of objects/],
    ['oasmith.config.json', '{"output": "a", "output": "b"}', /"oasmith\.config\.json": duplicate key "output"/],
    [
      'oasmith.config.yaml',
      'output: [',
      /^error\[config-invalid\]: "oasmith\.config\.yaml": .*\n *--> oasmith\.config\.yaml:1:\d/,
    ],
    ['oasmith.config.ts', 'export default {', /^error\[config-invalid\]: "oasmith\.config\.ts": /],
    [
      'oasmith.config.ts',
      "export default {\n  input: 'a',\n  output: ,\n};\n",
      /"oasmith\.config\.ts": Unexpected token\n *--> oasmith\.config\.ts:3:11\n[\s\S]*3 \| {3}output: ,\n *\| {11}\^\n/,
    ],
    ['oasmith.config.js', 'throw new Error("no such service")', /"oasmith\.config\.js": no such service/],
    ['package.json', '{"oasmith": {"zzz": 1}}', /unknown option "zzz"\n *--> package\.json:1:14 \(#\/oasmith\/zzz\)/],
  ])('%s: %s', async (name, text, message) => {
    await put(name, text);
    const { exit, out } = await runCommand(runGenerate, nodeHost(folder), { input: 'pet.schema.json', output: 'out' });
    expect([exit, out.stdout]).toEqual([2, '']);
    expect(out.stderr).toMatch(message);
    expect(out.stderr).toContain('= fix: ');
    expect(out.stderr).not.toMatch(/^\s+at /m);
    expect(walkFiles(folder)).toEqual([name, 'pet.schema.json'].sort());
  });

  test('a file that is named and is not there', async () => {
    const { exit, out } = await runCommand(runGenerate, nodeHost(folder), options, { config: 'no.json' });
    expect([exit, out.stderr]).toEqual([2, expect.stringMatching(/^error\[config-invalid\]: "no\.json": /)]);
  });

  test('is told to machines too', async () => {
    await put('oasmith.config.json', '{"inptu": "a"}');
    const { out } = await runCommand(runGenerate, nodeHost(folder), options, { report: 'json' });
    const at = { document: 'oasmith.config.json', pointer: '/inptu', line: 1, column: 2 };
    expect(JSON.parse(out.stdout)).toMatchObject({ ok: false, diagnostics: [{ code: 'config-invalid', at }] });
  });
});

test('the user’s tsconfig says how imports end, unless somebody says otherwise', async () => {
  const targets = ['operations'] as const;
  await put(
    'api.json',
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'x', version: '1' },
      paths: { '/a': { get: { responses: { 204: { description: 'ok' } } } } },
    }),
  );
  for (const [name, compilerOptions, ending] of [
    ['bundler', { module: 'esnext', moduleResolution: 'bundler' }, ''],
    ['node', { module: 'nodenext' }, '.js'],
    ['direct', { module: 'nodenext', allowImportingTsExtensions: true, noEmit: true }, '.ts'],
  ] as const) {
    await put(`${name}/tsconfig.json`, JSON.stringify({ compilerOptions }));
    const job = { input: 'api.json', output: `${name}/out`, targets };
    expect((await runCommand(runGenerate, nodeHost(folder), job)).exit).toBe(0);
    expect(await readFile(join(folder, name, 'out/operations.ts'), 'utf8')).toMatch(
      new RegExp(`from "\\./runtime/[a-z-]+${ending.replace('.', '\\.')}"`),
    );
  }
});

test('the nearest name is one that is near', () => {
  const names = ['targets', 'output', 'importExtension', 'input'];
  expect(['target', 'TARGETS', 'ouptut', 'import-extension', 'imput'].map((name) => nearest(name, names))).toEqual([
    'targets',
    'targets',
    'output',
    'importExtension',
    'input',
  ]);
  expect([nearest('banana', names), nearest('x'.repeat(1e6), names), nearest('', names)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

describe('the library', () => {
  test('gives files and diagnostics and leaves the disk alone', async () => {
    const host = memoryHost({ 'pet.schema.json': schema });
    const before = new Map(host.files);
    const result = await generate({ ...options, targets: ['types', 'validators'] }, host);
    expect(result.ok).toBe(true);
    expect(result.files.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['types.ts', 'validators.ts', 'runtime/checks.ts']),
    );
    expect(Object.keys(result).sort()).toEqual(['diagnostics', 'files', 'ok']);
    expect([host.files, host.written, host.removed]).toEqual([before, [], []]);
  });

  test('answers faults of the document and of the options with diagnostics', async () => {
    const host = memoryHost({ 'broken.json': '{' });
    expect(await generate({ input: ['broken.json', 'no.json'] }, host)).toMatchObject({
      ok: false,
      files: [],
      diagnostics: [{ code: 'syntax-error' }, { code: 'file-not-found' }],
    });
    const misspelt = { input: 'broken.json', target: ['types'] } as Options;
    expect(await generate(misspelt, host)).toEqual({
      ok: false,
      files: [],
      diagnostics: [
        { code: 'config-invalid', severity: 'error', message: 'unknown option "target"; did you mean "targets"?' },
      ],
    });
    expect(host.read).toEqual(['/project/broken.json']);
  });

  test('takes no option for another type, and no inherited name for an option', () => {
    expect(checkOptions(JSON.parse('{"__proto__": 1, "constructor": 2}')).map(({ message }) => message)).toEqual([
      'unknown option "__proto__"',
      'unknown option "constructor"',
    ]);
    expect(checkOptions({ limits: { depth: 0 } })).toHaveLength(1);
    const good = { schema: 'data', sentinels: ['[DONE]'] } as const;
    expect(checkOptions({ streams: { a: good, b: {}, c: { framing: 'multipart' } } })).toEqual([]);
    for (const wrong of [
      { a: { schema: 'datum' } },
      { a: { sentinels: '[DONE]' } },
      { a: { framing: 'multipart/mixed' } },
      { a: 'data' },
    ])
      expect(checkOptions({ streams: wrong })).toHaveLength(1);
    expect(
      checkOptions({ ...options, framework: 'fastify', names: { a: 'B' }, allowRemote: ['https://example.com'] }),
    ).toEqual([]);
  });

  test('says which part of an option is wrong, and all of them', () => {
    const at = { document: 'oasmith.config.json' as DocumentUri, pointer: '' as JsonPointer };
    const faults = (given: object): unknown => checkOptions(given, at).map((one) => [one.at?.pointer, one.message]);
    const requests = '#/$defs/Request';
    expect(
      faults({
        streams: { 'GET /a': { framng: 'sse' }, b: { sentinels: ['a\nb'] }, c: 'data' },
        jsonRpc: { a: { requests, faults: { headers: { code: 1.5 } } }, b: {}, c: { requests: 'Request' } },
      }),
    ).toEqual([
      ['/streams/GET ~1a/framng', 'the option "streams": "GET /a" → "framng" is no member; did you mean "framing"?'],
      ['/streams/b/sentinels', 'the option "streams": "b" → "sentinels" must be a list of texts of one line'],
      ['/streams/c', 'the option "streams": "c" must be an object with framing, schema, sentinels, not "data"'],
      [
        '/jsonRpc/a/faults/headers/code',
        'the option "jsonRpc": "a" → "faults" → "headers" → "code" must be a whole number',
      ],
      ['/jsonRpc/b', 'the option "jsonRpc": "b" needs the member "requests"'],
      [
        '/jsonRpc/c/requests',
        'the option "jsonRpc": "c" → "requests" must be a reference into the schema (#/…), not "Request"',
      ],
    ]);
    expect(
      faults({
        headersFromBody: { a: { 'X-A': { from: '$request.body#/a', encoding: 'base46' } } },
        imports: { './a.yaml': { package: '@a/b', validaters: true } },
        names: { pet: 'a pet' },
        limits: { nesting: 0, deep: 1 },
      }),
    ).toEqual([
      [
        '/headersFromBody/a/X-A/encoding',
        'the option "headersFromBody": "a" → "X-A" → "encoding" must be base64 or percent, not "base46"; did you mean "base64"?',
      ],
      [
        '/imports/.~1a.yaml/validaters',
        'the option "imports": "./a.yaml" → "validaters" is no member; did you mean "validators"?',
      ],
      ['/names/pet', 'the option "names": "pet" must be an identifier, not "a pet"'],
      ['/limits/nesting', 'the option "limits": "nesting" must be a whole number above 0'],
      ['/limits/deep', expect.stringMatching(/^the option "limits": "deep" is no member; it has /)],
    ]);
  });

  test('takes no base URI with a misspelt place for the name', () => {
    const faults = (baseUri: string): number => checkOptions({ schemas: { baseUri } }).length;
    expect(['https://a.example/{name}.json', 'https://a.example/{kebab-name}', 'urn:a:'].map(faults)).toEqual([
      0, 0, 0,
    ]);
    const wrong = [
      'https://a.example/{name',
      'https://a.example/name}',
      'https://a.example/{Name}',
      'https://a.example/{{name}}',
    ];
    expect(wrong.map(faults)).toEqual([1, 1, 1, 1]);
  });

  test('reads a configuration only where it is asked to', async () => {
    const host = memoryHost({ 'oasmith.config.json': '{"output": "x"}' });
    expect(await readConfiguration(host, undefined)).toMatchObject({
      jobs: [{ output: 'x' }],
      file: '/project/oasmith.config.json',
    });
    await generate(options, host);
    expect(host.read.filter((path) => path.endsWith('oasmith.config.json'))).toHaveLength(1);
  });
});
