/** What the build makes of the command line: few files, with the packages inside that a run needs. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { repository } from './support/paths.js';

const run = promisify(execFile);
const command = join(repository, 'dist/cli.js');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oasmith-bundle-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The URLs of the files that are evaluated, as the engine's own record of coverage has them. */
async function evaluated(name: string, ...parameters: readonly string[]): Promise<readonly string[]> {
  const records = join(folder, `${name}-coverage`);
  const env = { ...process.env, NODE_V8_COVERAGE: records };
  await run(process.execPath, [command, ...parameters], { cwd: folder, env });
  const texts = await Promise.all((await readdir(records)).map((file) => readFile(join(records, file), 'utf8')));
  return texts
    .flatMap((text) => (JSON.parse(text) as { readonly result: readonly { readonly url: string }[] }).result)
    .map(({ url }) => url)
    .filter((url) => url.startsWith('file:'));
}

describe('what a run reads', () => {
  const packaged = (urls: readonly string[]) => urls.filter((url) => /\/node_modules\/(?!oasmith\/)/.test(url));

  test.each([
    ['json', 'fixtures/documents/chattoo-mcp/openapi.json'],
    ['yaml', 'fixtures/features/unions/inherited-tags/openapi.yaml'],
  ])('is few files, and none of a package: %s', async (name, document) => {
    const files = await evaluated(name, 'generate', join(repository, document), '-o', name, '--quiet');
    expect(files.some((url) => url.endsWith('/dist/cli.js'))).toBe(true);
    expect(packaged(files)).toEqual([]);
    expect(files.length).toBeLessThan(40);
  });

  test('the texts of yargs are English in every locale, and are not looked for elsewhere', async () => {
    const env = { ...process.env, LC_ALL: 'de_DE.UTF-8' };
    const { stdout } = await run(process.execPath, [command, '--help'], { cwd: folder, env });
    expect(stdout).toContain('Options:');
    const refused = await run(process.execPath, [command, 'x.yaml', '--outptu', 'y'], { cwd: folder, env }).catch(
      (error: { stderr: string }) => error,
    );
    expect(refused.stderr).toContain('unknown option --outptu; did you mean --output?');
  });
});

describe('licences', () => {
  test('of every package whose code is in the build are in the build', async () => {
    const dist = join(repository, 'dist');
    const licences = await readFile(join(dist, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    const listed = new Set([...licences.matchAll(/^(\S+) \d\S* \(.+\)$/gm)].map(([, name]) => name));
    // Modules that are evaluated late are named by their paths in the code.
    const bundles = (await readdir(dist)).filter((name) => /^(?:cli.*|generate)\.js$/.test(name));
    const texts = await Promise.all(bundles.map((name) => readFile(join(dist, name), 'utf8')));
    const named = texts.flatMap((text) =>
      [...text.matchAll(/"(?:[^"]*\/)?node_modules\/((?:@[\w.-]+\/)?[\w.-]+)\/[^"]*"\(/g)].map(([, name]) => name),
    );
    expect(named).toContain('@apidevtools/json-schema-ref-parser');
    expect(named.filter((name) => !listed.has(name))).toEqual([]);
    expect([...listed]).toEqual(expect.arrayContaining(['handlebars', 'js-yaml', 'yaml', 'yargs', 'yargs-parser']));
    expect(licences.match(/Permission (?:is hereby granted|to use)/g)?.length).toBeGreaterThan(15);
  });
});
