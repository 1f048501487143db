/** What is published: the tarball, installed into an empty folder, run and imported there. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { repository } from './support/paths.js';

const run = promisify(execFile);
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

let folder: string;
let packed: Packed;
/** Why the package could not be installed: packages come from a registry, or from npm's cache. */
let skipped: string | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oasmith-package-'));
  // The build is fresh (global set-up), and making it anew would take it from under the other tests.
  const { stdout } = await run(npm, ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
    cwd: repository,
  });
  packed = firstOf(JSON.parse(stdout));
  // Without a package of its own npm would install into a folder above.
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const install = [
    'install',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--fetch-retries=1',
    join(folder, packed.filename),
  ];
  try {
    await run(npm, install, { cwd: folder, timeout: 110_000 });
  } catch (error) {
    const said = String((error as { stderr?: unknown }).stderr ?? error);
    // Only where nobody answers: whatever else goes wrong is a fault of the package.
    const code = /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED)\b/.exec(said)?.[0];
    if (code === undefined) throw error;
    skipped = `no package registry can be reached (${code})`;
  }
}, 120_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

/** npm answers with a list, newer ones with an object by name. */
function firstOf(answer: Packed[] | Record<string, Packed>): Packed {
  const [first] = Array.isArray(answer) ? answer : Object.values(answer);
  if (first === undefined) throw new Error('npm packed nothing');
  return first;
}

test('the tarball holds the build, templates, runtime and documents, and nothing else', async () => {
  const paths = packed.files.map(({ path }) => path);
  const folders = /^(?:dist|templates|src\/runtime)\//;
  const documents = ['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'package.json', 'src/ir/ir.schema.json'];
  expect(paths.filter((path) => !folders.test(path) && !documents.includes(path))).toEqual([]);
  expect(paths).toEqual(
    expect.arrayContaining([
      'dist/cli.js',
      'dist/generate.js',
      'dist/generate.d.ts',
      'dist/precompiled.js',
      'dist/runtime/send.js',
      'dist/runtime/send.d.ts',
      'dist/THIRD-PARTY-LICENSES.txt',
      'src/ir/ir.schema.json',
      'src/runtime/validation.ts',
      'templates/types/types.hbs',
      'LICENSE',
    ]),
  );
  expect(paths.filter((path) => /(?:^|\/)(?:test|fixtures|generated|node_modules)\/|\.test\./.test(path))).toEqual([]);
  expect(packed.files.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(4_500_000);
});

describe('in an empty folder', () => {
  test('the command runs, and TypeScript finds nothing in what it writes', async ({ skip }) => {
    skip(skipped !== undefined, skipped);
    await cp(join(repository, 'fixtures/documents/chattoo-mcp/openapi.json'), join(folder, 'openapi.json'));
    const shell = process.platform === 'win32';
    const { stdout, stderr } = await run(
      shell ? 'npx.cmd' : 'npx',
      ['--no-install', 'oasmith', 'openapi.json', '-o', 'out'],
      { cwd: folder },
    );
    expect([stdout, stderr]).toEqual(['', '']);
    await run(
      shell ? 'npx.cmd' : 'npx',
      ['--no-install', 'oasmith', 'openapi.json', '-o', 'lean', '--runtime', 'package'],
      {
        cwd: folder,
      },
    );
    const strict = JSON.parse(await readFile(join(repository, 'test/support/strict.tsconfig.json'), 'utf8')) as {
      compilerOptions: object;
    };
    const compilerOptions = { ...strict.compilerOptions, noEmit: true };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['out', 'lean'] }));
    const compiler = join(repository, 'node_modules/typescript/bin/tsc');
    await run(process.execPath, [compiler, '-p', folder], { cwd: folder }).catch((error: { stdout: string }) => {
      throw new Error(error.stdout);
    });
  });

  test('the library can be imported, with its types', async ({ skip }) => {
    skip(skipped !== undefined, skipped);
    await symlink(join(repository, 'node_modules/@types'), join(folder, 'known-types'));
    const program = [
      "import { type Diagnostic, type GenerateResult, generate, type Options, type OutputFile } from 'oasmith';",
      "const options: Options = { input: 'pet.schema.json', targets: ['types'], importExtension: 'js' };",
      'const result: GenerateResult = await generate(options);',
      'const files: readonly OutputFile[] = result.files;',
      'const diagnostics: readonly Diagnostic[] = result.diagnostics;',
      '// @ts-expect-error A misspelt option does not compile.',
      "void generate({ inptu: 'x' }).catch(() => undefined);",
      'process.stdout.write(JSON.stringify([result.ok, files.map(({ path }) => path), diagnostics]));',
      '',
    ].join('\n');
    await writeFile(
      join(folder, 'pet.schema.json'),
      '{"title": "Pet", "type": "object", "properties": {"id": {"type": "string"}}}',
    );
    await writeFile(join(folder, 'use.ts'), program);
    const compilerOptions = {
      strict: true,
      target: 'es2022',
      module: 'nodenext',
      skipLibCheck: false,
      types: ['node'],
      typeRoots: ['known-types'],
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }));
    const compiler = join(repository, 'node_modules/typescript/bin/tsc');
    await run(process.execPath, [compiler, '-p', folder], { cwd: folder }).catch((error: { stdout: string }) => {
      throw new Error(error.stdout);
    });
    const { stdout } = await run(process.execPath, ['use.js'], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual([true, ['types.ts'], []]);
  });
});
