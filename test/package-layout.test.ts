/**
 * `--package`: what comes out is compiled, packed and installed elsewhere as its user would do it, where every entry is
 * imported, type-checked under both resolutions and bundled. What its user edits is kept.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Options } from '../src/config.js';
import { markdownText } from '../src/encode.js';
import { generate } from '../src/generate.js';
import { memoryHost } from '../src/memory-host.js';
import { generateFrom } from './support/generated-client.js';
import { repository } from './support/paths.js';
import { pets } from './support/pets.js';

const run = promisify(execFile);
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const options: Options = {
  package: { name: '@acme/pets', version: '2.0.0-beta.1', license: 'MIT' },
  framework: ['fastify', 'node', 'fetch'],
  targets: [
    'types',
    'operations',
    'validators',
    'client',
    'server',
    'paths',
    'api',
    'tanstack-query',
    'schemas',
    'webhooks',
    'zod',
    'msw',
  ],
};

interface Manifest {
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly version: string;
}

async function manifestOf(given: object, more: Options = {}): Promise<Manifest> {
  const { files } = await generateFrom(given, { package: '@acme/pets', ...more });
  return JSON.parse(files.find(({ path }) => path === 'package.json')?.text ?? '') as Manifest;
}

describe('a package', () => {
  let folder: string;
  let consumer: string;
  let entries: readonly string[];

  beforeAll(async () => {
    await mkdir(join(repository, '.cache'), { recursive: true });
    folder = await mkdtemp(join(repository, '.cache/publish-'));
    consumer = join(folder, 'consumer');
    const made = join(folder, 'made');
    const { ok, files } = await generateFrom(pets, options);
    expect(ok).toBe(true);
    for (const { path, text } of files) {
      await mkdir(join(made, path, '..'), { recursive: true });
      await writeFile(join(made, path), text);
    }
    // In place of `npm install`, which has no registry here.
    await symlink(join(repository, 'node_modules'), join(made, 'node_modules'));
    await run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json'], { cwd: made });
    const { stdout } = await run(npm, ['pack', '--ignore-scripts', '--offline', '--pack-destination', folder], {
      cwd: made,
    });
    const installed = join(consumer, 'node_modules/@acme/pets');
    await mkdir(installed, { recursive: true });
    await run('tar', [
      '-xzf',
      join(folder, stdout.trim().split('\n').at(-1) ?? ''),
      '--strip-components=1',
      '-C',
      installed,
    ]);
    const { exports } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as Manifest;
    entries = Object.keys(exports)
      .filter((entry) => !/[*]|\.json$/.test(entry))
      .map((entry) => entry.replace(/^\./, '@acme/pets'));
    await writeFile(join(consumer, 'package.json'), '{"type":"module"}');
  }, 180_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('holds what was compiled, and no source', async () => {
    const { stdout } = await run('find', ['.', '-type', 'f'], { cwd: join(consumer, 'node_modules/@acme/pets') });
    const paths = stdout.trim().split('\n');
    expect(paths).toEqual(
      expect.arrayContaining(['./README.md', './dist/index.js', './dist/index.d.ts', './dist/runtime/send.js']),
    );
    expect(paths.filter((path) => !/^\.\/(?:dist\/|schemas\/|README\.md$|package\.json$)/.test(path))).toEqual([]);
    expect(paths.filter((path) => /(?<!\.d)\.ts$/.test(path) && path.startsWith('./dist'))).toEqual([]);
  });

  test('is imported by each of its entries', async () => {
    expect(entries).toEqual(expect.arrayContaining(['@acme/pets', '@acme/pets/server', '@acme/pets/tanstack-query']));
    const program = `
      const found = {};
      for (const entry of ${JSON.stringify(entries)}) found[entry] = Object.keys(await import(entry)).length;
      const { default: schema } = await import('@acme/pets/schemas/Pet.schema.json', { with: { type: 'json' } });
      console.log(JSON.stringify([found, schema.title ?? schema.$schema]));
    `;
    await writeFile(join(consumer, 'all.js'), program);
    const { stdout } = await run(process.execPath, ['all.js'], { cwd: consumer });
    const [found, schema] = JSON.parse(stdout) as [Record<string, number>, string];
    expect(Object.keys(found)).toEqual(entries);
    expect(found['@acme/pets']).toBeGreaterThan(10);
    expect(schema).toBeTypeOf('string');
    await expect(
      run(process.execPath, ['-e', "import('@acme/pets/dist/index.js')"], { cwd: consumer }),
    ).rejects.toThrow('ERR_PACKAGE_PATH_NOT_EXPORTED');
  }, 30_000);

  test.each([
    ['node16', 'node16'],
    ['esnext', 'bundler'],
  ])(
    'has types by module %s and resolution %s',
    async (module, moduleResolution) => {
      const lines = entries.map((entry, index) => `import * as m${index} from '${entry}';\nexport { m${index} };`);
      const use = `
      import { createApiClient, getPet, isApiError, unwrap, type Pet } from '@acme/pets';
      import { getPetQueryOptions } from '@acme/pets/tanstack-query';
      export async function one(): Promise<Pet> {
        const client = createApiClient({ auth: { token: 'T' } });
        getPetQueryOptions(client, { path: { id: '1' } }).queryKey;
        // @ts-expect-error no such parameter
        getPetQueryOptions(client, { path: { name: '1' } });
        return unwrap(await getPet(client, { path: { id: '1' } }));
      }
      export const check: (value: unknown) => boolean = isApiError;`;
      await writeFile(join(consumer, 'use.ts'), `${lines.join('\n')}\n${use}`);
      const compilerOptions = {
        module,
        moduleResolution,
        types: ['node'],
        typeRoots: [join(repository, 'node_modules/@types')],
      };
      const settings = {
        extends: join(repository, 'test/support/strict.tsconfig.json'),
        compilerOptions: { ...compilerOptions, skipLibCheck: false },
        files: ['use.ts'],
      };
      await writeFile(join(consumer, 'tsconfig.json'), JSON.stringify(settings));
      const found = await run(process.execPath, [
        join(repository, 'node_modules/typescript-7/bin/tsc'),
        '-p',
        consumer,
      ]).catch((error: { stdout: string }) => error);
      expect(found.stdout).toBe('');
    },
    60_000,
  );

  test('costs its user as little as the sources would', async () => {
    const size = async (contents: string): Promise<number> => {
      const { outputFiles } = await build({
        stdin: { contents, resolveDir: consumer },
        bundle: true,
        minify: true,
        format: 'esm',
        target: 'es2022',
        platform: 'neutral',
        external: ['node:*', 'fastify', 'msw', 'zod'],
        logLevel: 'error',
        write: false,
      });
      return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
    };
    const call = `
      import { createApiClient, getPet } from '@acme/pets';
      const result = await getPet(createApiClient({ auth: { token: 'T' } }), { path: { id: '1' } });
      console.log(result.data, result.error);`;
    expect(await size(call)).toBeLessThanOrEqual(3000);
    for (const entry of entries) expect(await size(`import * as all from '${entry}'`), entry).toBeLessThanOrEqual(30);
  }, 30_000);
});

const done = { 204: { description: 'done' } };
const minimal = (info: object): object => ({
  openapi: '3.1.0',
  info: { title: 't', version: '1', ...info },
  paths: { '/a': { get: { operationId: 'a', responses: done } } },
  components: { schemas: { A: { type: 'string' } } },
});

test.each([
  ['1.2.3', '1.2.3'],
  ['v2', '2.0.0'],
  ['1.4', '1.4.0'],
  ['3.0.0-rc.1', '3.0.0-rc.1'],
  ['2022-11-28', '0.0.0'],
  ['01.2.3', '0.0.0'],
  ['1.0.0 "quoted"', '0.0.0'],
  ['latest', '0.0.0'],
])('the version %j of a document is %s', async (version, wanted) => {
  expect((await manifestOf(minimal({ version }))).version).toBe(wanted);
});

test('package.json says what is there, and the same each time', async () => {
  const plain = await manifestOf(minimal({}), { targets: ['types', 'validators'] });
  expect(Object.keys(plain.exports)).toEqual(['./types', './validators', './package.json']);
  expect(plain.exports['./types']).toEqual({ types: './dist/types.d.ts', default: './dist/types.js' });
  expect(Object.keys(plain.exports['./types'] ?? {})[0]).toBe('types');
  expect(plain).not.toHaveProperty('license');
  expect(plain).not.toHaveProperty('peerDependencies');
  const queries = await manifestOf(minimal({}), { targets: ['tanstack-query'], queryPackage: '@tanstack/vue-query' });
  expect(queries.peerDependencies).toEqual({ '@tanstack/vue-query': '>=5.62.9' });
  expect(await manifestOf(minimal({}), options)).toEqual(await manifestOf(minimal({}), options));
});

test('what a package cannot be is said', async () => {
  const messages = async (more: Options) => {
    const { ok, diagnostics } = await generateFrom(minimal({}), { package: 'a', ...more });
    return [ok, ...diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message)];
  };
  expect(await messages({ runtime: 'package' })).toEqual([false, expect.stringContaining('"runtime" must be inline')]);
  expect(await messages({ importExtension: 'none' })).toEqual([false, expect.stringContaining('must be js')]);
  for (const wrong of ['A', '../a', 'a/b', '@a', 'a b', { name: 'a', version: '1' }, { version: '1.0.0' }]) {
    expect(await messages({ package: wrong as never })).toEqual([
      false,
      expect.stringContaining('the option "package"'),
    ]);
  }
  const documents = { '/p/a.json': JSON.stringify(minimal({})), '/p/b.json': JSON.stringify(minimal({})) };
  const two = await generate({ input: ['a.json', 'b.json'], package: 'a' }, memoryHost(documents, { cwd: '/p' }));
  expect(two.diagnostics.map(({ message }) => message)).toContainEqual(expect.stringContaining('of one description'));
});

test('text of the document is no markup in a README, and no code in its call', async () => {
  const hostile = '</p><script>a</script> [x](javascript:1) | `b`\n# c ![d](e) https://f www.g.h &amp;';
  expect(markdownText(hostile)).toBe(
    '\\<\\/p\\>'.replace('\\/', '/') +
      '\\<script\\>a\\</script\\> \\[x\\]\\(javascript\\:1\\) \\| \\`b\\` \\# c \\!\\[d\\]\\(e\\) https\\://f www\\.g.h \\&amp;',
  );
  const document = {
    ...minimal({ title: '```\nrm -rf' }),
    paths: {
      '/a/{x}': {
        get: {
          operationId: 'a',
          parameters: [{ name: 'x', in: 'path', required: true, schema: { const: '\n```\n' } }],
          responses: done,
        },
      },
    },
  };
  const { files } = await generateFrom(document, { package: 'a' });
  const text = files.find(({ path }) => path === 'README.md')?.text ?? '';
  expect(text.split('\n').filter((line) => line.startsWith('```'))).toEqual(['```sh', '```', '```ts', '```']);
  expect(text).toContain('await a(client, { path: { x: "\\n```\\n" } })');
});
