/** The official JSON Schema test suite against generated validators, both passes. */
import { afterAll, describe, expect, test } from 'vitest';
import type { Options } from '../../src/generate.js';
import { removeModules } from '../support/generated-validators.js';
import { readRemotes, readSuite, type SuiteGroup, sharedPath } from '../support/suite.js';
import { cannotPass, dialects, optionsOf, problemsOf } from '../support/suite-judge.js';

const suite = sharedPath('conformance/json-schema-test-suite') ?? '';
const minutes = 60_000;

afterAll(removeModules);

describe.skipIf(suite === '')('the official suite', () => {
  test.each(Object.keys(dialects))(
    'every required group of %s',
    async (draft) => {
      expect(await wrongGroups(readSuite(suite, draft), draft, {})).toEqual([]);
    },
    5 * minutes,
  );

  test.each(Object.keys(dialects))(
    'every format of %s',
    async (draft) => {
      const groups = readSuite(suite, `${draft}/optional/format`);
      expect(await wrongGroups(groups, draft, { assertFormats: true })).toEqual([]);
    },
    minutes,
  );
});

describe.skipIf(suite === '')('what the suite leaves open', () => {
  test.each(Object.keys(dialects))(
    'every optional group of %s, but those that cannot pass',
    async (draft) => {
      const wrong: string[] = [];
      const groups = readSuite(suite, `${draft}/optional`);
      for (const group of groups) wrong.push(...(await wrongGroups([group], draft, optionsOf(group))));
      expect(wrong).toEqual(groups.map(({ name }) => name).filter((name) => cannotPass.has(name)));
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
