/**
 * Every case below `fixtures/` renders exactly what `generated/` holds, and nothing else is there.
 * `UPDATE_GOLDEN=1` rewrites `generated/`; such changes are reviewed, in a commit of their own.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { listFixtures, runFixture } from './support/fixtures.js';
import { repository } from './support/paths.js';
import { walkFiles } from './support/walk-files.js';

const root = join(repository, 'generated');
const update = process.env['UPDATE_GOLDEN'] !== undefined;
const cases = [...listFixtures('documents'), ...listFixtures('features')];
const expected = new Set<string>();

/** The runtime is copied, always the same: whole documents show it, features show what is theirs. */
function isKept(fixture: string, path: string): boolean {
  return fixture.startsWith('documents/') || !/^(?:src\/)?runtime\//.test(path);
}

if (update) rmSync(root, { recursive: true, force: true });

describe('what comes out of a fixture is what generated/ holds', () => {
  test.each(cases)('$name', async (fixture) => {
    const { ok, printed, result } = await runFixture(fixture);
    expect(ok, printed).toBe(true);
    const files = (result?.files ?? []).filter(({ path }) => isKept(fixture.name, path));
    expect(files.length).toBeGreaterThan(0);
    for (const { path, text } of files) {
      const name = `${fixture.name}/${path}`;
      const target = join(root, name);
      expected.add(name);
      if (update) {
        mkdirSync(dirname(target), { recursive: true });
        writeFileSync(target, text);
      }
      expect(existsSync(target), `${name} is not in generated/`).toBe(true);
      expect(text, name).toBe(readFileSync(target, 'utf8'));
    }
  });

  test('generated/ holds nothing else', () => {
    expect(walkFiles(root).filter((path) => !expected.has(path))).toEqual([]);
  });
});

afterAll(() => {
  expected.clear();
});
