/** The official JSON Schema test suite against generated validators, both passes. */
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import type { Options } from '../../src/generate.js';
import { numberFormats, textFormats } from '../../src/plan/checks/assertions.js';
import { loadValidators, removeModules, validatorNames } from '../support/generated-validators.js';
import { readRemotes, readSuite, type SuiteGroup, sharedPath } from '../support/suite.js';

/** By draft and reason: the groups that are not right yet, exactly. A group that is listed and passes fails the test. */
const unsupported: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = JSON.parse(
  readFileSync(new URL('../support/suite-unsupported.json', import.meta.url), 'utf8'),
);

const dialects: Readonly<Record<string, string>> = {
  'draft2020-12': 'https://json-schema.org/draft/2020-12/schema',
  'draft2019-09': 'https://json-schema.org/draft/2019-09/schema',
  draft7: 'http://json-schema.org/draft-07/schema#',
  draft6: 'http://json-schema.org/draft-06/schema#',
  draft4: 'http://json-schema.org/draft-04/schema#',
};

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
    const problem = await problemOf(group, dialects[draft], remote, options).catch((error: unknown) => String(error));
    if (problem !== undefined) wrong.push(group.name);
  }
  return wrong.sort();
}

/** What is wrong with a group, or nothing. */
async function problemOf(
  group: SuiteGroup,
  dialect: string | undefined,
  remote: ReturnType<typeof readRemotes>,
  options: Options,
): Promise<string | undefined> {
  // A document must be an object, and must say its dialect: the suite of draft 7 leaves that to its folder.
  const object = typeof group.schema === 'boolean' ? { allOf: [group.schema] } : group.schema;
  const schema = { $schema: dialect, ...(object as object) };
  const allowRemote = ['http://localhost:1234'];
  const loaded = await loadValidators({ documents: { 'group.json': schema }, remote, allowRemote, ...options });
  const type = validatorNames(loaded.result, 'group.json#').validate.slice('validate'.length);
  for (const { description, data, valid } of group.tests) {
    if (loaded.is(type, data) !== valid) return `${description}: ${valid ? 'refused' : 'accepted'}`;
    const answer = loaded.validate(type, data);
    if (answer.ok !== valid) return `${description}: the second pass says otherwise`;
    if (!answer.ok && answer.issues.length === 0) return `${description}: no issue`;
  }
  return undefined;
}
