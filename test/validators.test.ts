/** The official JSON Schema test suite against generated validators, both passes. */
import { afterAll, describe, expect, test } from 'vitest';
import { loadValidators, removeModules, validatorNames } from './support/generated-validators.js';
import { readRemotes, readSuite, type SuiteGroup, sharedPath } from './support/suite.js';

/** Groups that are not right yet, exactly: a group that is listed and passes fails the test. */
const unsupported: Readonly<Record<string, readonly string[]>> = {
  'draft2020-12': [],
  draft7: [],
};

const dialects: Readonly<Record<string, string>> = {
  'draft2020-12': 'https://json-schema.org/draft/2020-12/schema',
  draft7: 'http://json-schema.org/draft-07/schema#',
};

afterAll(removeModules);

const suite = sharedPath('conformance/json-schema-test-suite');

describe.skipIf(suite === undefined).each(Object.keys(unsupported))('the official suite, %s', (draft) => {
  test('every required group but the listed ones', async () => {
    if (suite === undefined) return;
    const remote = readRemotes(suite);
    const wrong: string[] = [];
    for (const group of readSuite(suite, draft)) {
      const problem = await run(draft, group, remote).catch((error: unknown) => String(error));
      if (process.env['SUITE_DEBUG'] && problem !== undefined) process.stderr.write(`${group.name}: ${problem}\n`);
      if (problem !== undefined) wrong.push(group.name);
    }
    expect(wrong.sort()).toEqual([...(unsupported[draft] ?? [])].sort());
  });
});

/** What is wrong with a group, or nothing. */
async function run(
  draft: string,
  group: SuiteGroup,
  remote: ReturnType<typeof readRemotes>,
): Promise<string | undefined> {
  // A document must be an object, and must say its dialect: the suite of draft 7 leaves that to its folder.
  const object = typeof group.schema === 'boolean' ? { allOf: [group.schema] } : group.schema;
  const schema = { $schema: dialects[draft], ...(object as object) };
  const allowRemote = ['http://localhost:1234'];
  const loaded = await loadValidators({ documents: { 'group.json': schema }, remote, allowRemote });
  const names = validatorNames(loaded.result, 'group.json#');
  const type = names.is.slice('is'.length);
  for (const { description, data, valid } of group.tests) {
    if (loaded.is(type, data) !== valid) return `${description}: ${valid ? 'refused' : 'accepted'}`;
    const answer = loaded.validate(type, data);
    if (answer.ok !== valid) return `${description}: the second pass says otherwise`;
    if (!answer.ok && answer.issues.length === 0) return `${description}: no issue`;
  }
  return undefined;
}
