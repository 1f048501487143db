/** Everything below `generated/` compiles under the strictest flags a user may have, with both compilers. */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { repository } from './support/paths.js';
import { faultLines, needsNode, nothingUnused, typecheck } from './support/typecheck.js';
import { walkFiles } from './support/walk-files.js';

const generated = join(repository, 'generated');
const runtime = join(repository, 'src/runtime');
// Below the checkout, so that the adapters find their framework; the golden files of features leave the runtime out.
const root = mkdtempSync(join(repository, 'node_modules/.oasmith-test-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
cpSync(generated, root, { recursive: true });
// Several APIs of one run share a runtime in the folder above theirs.
for (const path of walkFiles(generated).filter((path) => path.endsWith('.ts'))) {
  const [, above] = /from "(\.{1,2})\/runtime\//.exec(readFileSync(join(generated, path), 'utf8')) ?? [];
  const folder = join(root, dirname(path), above ?? '.', 'runtime');
  if (above !== undefined && !existsSync(folder)) cpSync(runtime, folder, { recursive: true });
}
writeFileSync(join(root, 'package.json'), '{"type":"module"}');
const paths = walkFiles(root)
  .filter((path) => path.endsWith('.ts'))
  .map((path) => join(root, path));
// What takes its runtime from the package finds the package.
mkdirSync(join(root, 'node_modules'));
symlinkSync(repository, join(root, 'node_modules/oasmith'));

test('with TypeScript 5.9', () => {
  expect(paths.length).toBeGreaterThan(100);
  const faults = typecheck(new Map(paths.map((path) => [path, readFileSync(path, 'utf8')])), nothingUnused);
  expect(faultLines(faults, repository)).toBe('');
}, 400_000);

test('with TypeScript 7', async () => {
  for (const [name, types, chosen] of [
    ['plain', [], paths.filter((path) => !needsNode.test(path))],
    ['node', ['node'], paths.filter((path) => needsNode.test(path))],
  ] as const) {
    const project = join(root, `${name}.json`);
    const compilerOptions = { ...nothingUnused, types, typeRoots: [join(repository, 'node_modules/@types')] };
    const extending = join(repository, 'test/support/strict.tsconfig.json');
    writeFileSync(project, JSON.stringify({ extends: extending, compilerOptions, files: chosen }));
    if (chosen.length > 0) expect(await compile(project)).toBe('');
  }
}, 400_000);

/** What the native compiler prints; empty where it finds nothing. */
async function compile(project: string): Promise<string> {
  const compiler = join(repository, 'node_modules/typescript-7/bin/tsc');
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [compiler, '-p', project], { cwd: repository });
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '', code } = error as { stdout?: string; stderr?: string; code?: unknown };
    return `exit code ${String(code)}\n${stdout.slice(0, 4000)}${stderr.slice(0, 1000)}`;
  }
}
