/** `--runtime package`: the output imports what it needs from the published package, compiles there, runs there, and bundles as small. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Options } from '../src/config.js';
import { generate } from '../src/generate.js';
import { memoryHost } from '../src/memory-host.js';
import { mcp, mcpOptions } from './support/mcp.js';
import { repository } from './support/paths.js';
import { pets } from './support/pets.js';

const run = promisify(execFile);
let folder: string;

/** A project of its own, in which the package is installed by a link. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oasmith-lean-'));
  await mkdir(join(folder, 'node_modules/@types'), { recursive: true });
  await symlink(repository, join(folder, 'node_modules/oasmith'));
  for (const name of ['@types/node', 'fastify'])
    await symlink(join(repository, 'node_modules', name), join(folder, 'node_modules', name));
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function output(name: string, document: object, options: Options): Promise<readonly string[]> {
  const host = memoryHost({ 'api.json': JSON.stringify(document) });
  const { ok, files, diagnostics } = await generate({ input: 'api.json', runtime: 'package', ...options }, host);
  expect([ok, diagnostics.filter(({ severity }) => severity === 'error')]).toEqual([true, []]);
  for (const { path, text } of files) {
    await mkdir(dirname(join(folder, name, path)), { recursive: true });
    await writeFile(join(folder, name, path), text);
  }
  return files.map(({ path }) => path);
}

const everything: Options = { framework: ['fastify', 'node', 'fetch'], dates: 'Date' };

test('every default target and adapter compiles against the package, and has no runtime of its own', async () => {
  const paths = [
    ...(await output('pets', pets, everything)),
    ...(await output('tags', pets, { layout: 'tags', importExtension: 'none' })),
    ...(await output('mcp', mcp, { ...mcpOptions, ...everything })),
  ];
  expect(paths.filter((path) => path.includes('runtime'))).toEqual([]);
  const files = (await readdir(join(folder, 'pets'))).filter((path) => path.endsWith('.ts'));
  const texts = await Promise.all(files.map((path) => readFile(join(folder, 'pets', path), 'utf8')));
  expect(texts.join('').match(/from "oasmith\/runtime\/[a-z-]+\.js"/g)?.length).toBeGreaterThan(10);
  const settings = { extends: join(repository, 'test/support/strict.tsconfig.json') };
  const options = { skipLibCheck: false, types: ['node'], typeRoots: [join(folder, 'node_modules/@types')] };
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ ...settings, compilerOptions: options, include: ['pets', 'mcp'] }),
  );
  await compile('tsconfig.json');
  const bundler = { ...options, skipLibCheck: true, module: 'esnext', moduleResolution: 'bundler' };
  await writeFile(
    join(folder, 'bundler.json'),
    JSON.stringify({ ...settings, compilerOptions: bundler, include: ['tags'] }),
  );
  await compile('bundler.json');
}, 120_000);

async function compile(project: string): Promise<void> {
  const compiler = join(repository, 'node_modules/typescript/bin/tsc');
  await run(process.execPath, [compiler, '-p', join(folder, project)], { cwd: folder }).catch(
    (error: { stdout: string }) => {
      throw new Error(error.stdout);
    },
  );
}

const answer = { description: 'ok', content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } };
const live = {
  openapi: '3.1.0',
  info: { title: 'Live', version: '1' },
  servers: [{ url: 'https://pets.example' }],
  paths: {
    '/pets/{id}': {
      get: {
        operationId: 'getPet',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string', minLength: 2 } }],
        responses: { 200: answer },
      },
    },
  },
  components: { schemas: { Pet: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } } } },
};

test('client, server and validators run on the package', async () => {
  await output('live', live, { framework: 'fetch' });
  const program = `
    import { createClient, getPet } from './index.js';
    import { fetchHandler } from './server-fetch.js';
    import { validatePet } from './validators.js';
    const handle = fetchHandler({ getPet: ({ path }, reply) => reply(200, { id: path.id }) });
    const client = createClient({ fetch: (input, init) => handle(new Request(input, init)) });
    const [found, short] = [await getPet(client, { path: { id: 'ab' } }), await getPet(client, { path: { id: 'a' } })];
    const refused = validatePet({ id: 1 });
    console.log(JSON.stringify([found.data, short.ok, short.response.status, refused.ok ? [] : refused.issues.map(({ keyword }) => keyword)]));
  `;
  await writeFile(join(folder, 'live/use.ts'), program);
  const compilerOptions = { target: 'es2022', module: 'nodenext', rootDir: 'live', outDir: 'built', types: ['node'] };
  const settings = { compilerOptions: { ...compilerOptions, strict: true, skipLibCheck: true }, include: ['live'] };
  await writeFile(join(folder, 'live.json'), JSON.stringify(settings));
  await compile('live.json');
  const { stdout } = await run(process.execPath, [join(folder, 'built/use.js')], { cwd: folder });
  expect(JSON.parse(stdout)).toEqual([{ id: 'ab' }, false, 400, ['type']]);
}, 60_000);

describe('in a bundle', () => {
  async function size(entry: string): Promise<number> {
    const { outputFiles } = await build({
      stdin: { contents: entry, resolveDir: folder, loader: 'ts' },
      bundle: true,
      minify: true,
      write: false,
      format: 'esm',
      platform: 'browser',
    });
    return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
  }

  test('one operation is as small as with a runtime of its own, and what is not used is nothing', async () => {
    await output('bundled', pets, {});
    const entry = `
      import { createApiClient, getPet } from './bundled/index.ts';
      console.log(await getPet(createApiClient({ auth: { token: 'T' } }), { path: { id: '1' } }));`;
    expect(await size(entry)).toBeLessThanOrEqual(3000);
    expect(await size("import * as api from './bundled/index.ts';")).toBeLessThanOrEqual(30);
  });
});
