/**
 * Cases that come with a `use.ts`, which is what a user would write against the output: it is compiled beside it under the
 * strictest flags (with errors where it expects them), and run. It exports `facts`: what is found, and what should be.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fixture, listFixtures, runFixture } from './support/fixtures.js';
import { repository } from './support/paths.js';
import { faultLines, typecheck } from './support/typecheck.js';

const root = mkdtempSync(join(repository, 'node_modules/.oasmith-behaves-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const cases = listFixtures('features').filter(({ folder }) => existsSync(join(folder, 'use.ts')));
const written = new Map<string, string>();

async function write(fixture: Fixture): Promise<void> {
  const { ok, printed, result } = await runFixture(fixture);
  if (!ok) throw new Error(printed);
  const use = readFileSync(join(fixture.folder, 'use.ts'), 'utf8');
  for (const { path, text } of [...(result?.files ?? []), { path: 'use.ts', text: use }]) {
    const target = join(root, fixture.name, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
    written.set(target, text);
  }
}

/** The facts that a case exports. */
async function run({ name }: Fixture): Promise<Readonly<Record<string, readonly [unknown, unknown]>>> {
  const outfile = join(root, name, 'use.mjs');
  const entryPoints = [join(root, name, 'use.ts')];
  await build({
    entryPoints,
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    logLevel: 'error',
  });
  const { facts } = (await import(pathToFileURL(outfile).href)) as {
    readonly facts: Readonly<Record<string, readonly [unknown, unknown]>>;
  };
  return facts;
}

describe('what a user writes against the output', () => {
  beforeAll(async () => {
    for (const fixture of cases) await write(fixture);
  }, 120_000);

  test('compiles, with errors where they belong', () => {
    expect(cases.length).toBeGreaterThan(8);
    expect(faultLines(typecheck(written), root)).toBe('');
  }, 120_000);

  test.each(cases)('$name does what it says', async (fixture) => {
    const facts = Object.entries(await run(fixture));
    expect(facts.length).toBeGreaterThan(0);
    expect(Object.fromEntries(facts.map(([name, [found]]) => [name, found]))).toEqual(
      Object.fromEntries(facts.map(([name, [, wanted]]) => [name, wanted])),
    );
  });
});
