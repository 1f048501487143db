/**
 * What is printed, word for word: every case below `fixtures/` prints its `diagnostics.txt`, or nothing where there is
 * none. `UPDATE_GOLDEN=1` rewrites the texts; such changes are reviewed.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { catalogue } from '../src/catalogue.js';
import { type Fixture, listFixtures, runFixture } from './support/fixtures.js';
import { repository } from './support/paths.js';

const update = process.env['UPDATE_GOLDEN'] !== undefined;

async function compare(fixture: Fixture, ok: boolean): Promise<void> {
  const run = await runFixture(fixture);
  if (update) {
    const file = join(fixture.folder, 'diagnostics.txt');
    if (run.printed === '') rmSync(file, { force: true });
    else writeFileSync(file, run.printed);
  } else {
    expect(run.printed).toBe(fixture.diagnostics);
  }
  expect(run.ok, run.printed).toBe(ok);
  if (!ok) expect(run.result?.files ?? []).toEqual([]);
  expect(run.printed).not.toContain(repository);
  expect(run.printed).not.toMatch(/\n\s+at .*:\d+/);
  // Document text never reaches a terminal raw, and no line of it can be a command to a CI service.
  expect(run.printed).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]|^::/mu);
}

describe('a faulty document is refused', () => {
  test.each(listFixtures('invalid'))('$name', (fixture) => compare(fixture, false));
});

describe('a good document says what it has to say', () => {
  test.each([...listFixtures('documents'), ...listFixtures('features')])('$name', (fixture) => compare(fixture, true));
});

describe('the catalogue', () => {
  /** Codes that no document can cause: they belong to the disk, the command line, its `validate` and its `ir`, or take thousands of schemas; they are tested there. */
  const elsewhere = [
    'decls-name',
    'derived-too-large',
    'description-invalid',
    'manifest-invalid',
    'output-foreign',
    'output-stale',
    'output-unsafe',
    'scaffold-skipped',
    'usage-invalid',
    'write-failed',
  ];

  test('has a case below fixtures/ for every code that a document or its configuration can cause', () => {
    const printed = (['documents', 'features', 'invalid'] as const)
      .flatMap((area) => listFixtures(area))
      .map(({ diagnostics }) => diagnostics)
      .join('\n');
    const silent = Object.keys(catalogue).filter((code) => !printed.includes(`[${code}]`));
    expect(silent.sort()).toEqual(elsewhere);
  });

  test('says of every code what is wrong, why, and how to mend it, in one line each', () => {
    for (const [code, { title, cause, fix }] of Object.entries(catalogue)) {
      for (const text of [title, cause, fix]) expect(text, code).toMatch(/^[^\n]{7,200}$/);
      expect(cause, code).toMatch(/\.$/);
      expect(fix, code).toMatch(/\.$/);
    }
  });
});
