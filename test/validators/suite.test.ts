/** The official JSON Schema test suite against generated validators, both passes. */
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import type { Options } from '../../src/generate.js';
import { numberFormats, textFormats } from '../../src/plan/checks/assertions.js';
import { removeModules } from '../support/generated-validators.js';
import { readRemotes, readSuite, type SuiteGroup, sharedPath } from '../support/suite.js';
import { dialects, problemsOf } from '../support/suite-judge.js';

/** By draft and reason: the groups that are not right yet, exactly. A group that is listed and passes fails the test. */
const unsupported: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = JSON.parse(
  readFileSync(new URL('../support/suite-unsupported.json', import.meta.url), 'utf8'),
);

const suite = sharedPath('conformance/json-schema-test-suite') ?? '';
const minutes = 60_000;

afterAll(removeModules);

describe.skipIf(suite === '')('the official suite', () => {
  test.each(Object.keys(dialects))(
    'every required group of %s but the listed ones',
    async (draft) => {
      const expected = Object.values(unsupported[draft] ?? {}).flat();
      expect(await wrongGroups(readSuite(suite, draft), draft, {})).toEqual(expected.sort());
    },
    5 * minutes,
  );

  test(
    'the formats that are checked',
    async () => {
      const known = [...textFormats.keys(), ...numberFormats.keys()].map((format) => `${format}.json`);
      const groups = readSuite(suite, 'draft2020-12/optional/format', (file) => known.includes(file));
      const wrong = await wrongGroups(groups, 'draft2020-12', { assertFormats: true });
      expect(wrong).toEqual(Object.values(unsupported['formats'] ?? {}).flat());
    },
    minutes,
  );
});

async function wrongGroups(groups: readonly SuiteGroup[], draft: string, options: Options): Promise<string[]> {
  const remote = readRemotes(suite);
  const wrong: string[] = [];
  for (const group of groups) {
    const problems = await problemsOf(group, dialects[draft], remote, options).catch((error: unknown) => [
      String(error),
    ]);
    if (problems.some((problem) => problem !== undefined)) wrong.push(group.name);
  }
  return wrong.sort();
}
