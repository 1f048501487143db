/** Judges groups of the official JSON Schema test suite by generated validators, both passes. */
import type { Options } from '../../src/generate.js';
import { loadValidators, validatorNames } from './generated-validators.js';
import type { readRemotes, SuiteGroup } from './suite.js';

/** The drafts of the suite, and the dialect that a schema of each says itself. */
export const dialects: Readonly<Record<string, string>> = {
  'draft2020-12': 'https://json-schema.org/draft/2020-12/schema',
  'draft2019-09': 'https://json-schema.org/draft/2019-09/schema',
  draft7: 'http://json-schema.org/draft-07/schema#',
  draft6: 'http://json-schema.org/draft-06/schema#',
  draft4: 'http://json-schema.org/draft-04/schema#',
};

/** Content is an assertion only where it is asked for. */
export function optionsOf({ name }: SuiteGroup): Options {
  return name.startsWith('content.json:') ? { assertContent: true } : {};
}

/** Optional groups that cannot pass, with the reason. */
export const cannotPass: ReadonlyMap<string, string> = new Map([
  [
    'zeroTerminatedFloats.json: some languages do not distinguish between different types of numeric value',
    'in JavaScript 1.0 and 1 are the same value, and JSON.parse gives no other',
  ],
]);

/** What is wrong with each test of a group, in its order; `undefined` where nothing is. Throws where the schema is refused. */
export async function problemsOf(
  group: SuiteGroup,
  dialect: string | undefined,
  remote: ReturnType<typeof readRemotes>,
  options: Options = {},
): Promise<readonly (string | undefined)[]> {
  // A document must be an object, and must say its dialect: the suite of draft 7 leaves that to its folder.
  const object = typeof group.schema === 'boolean' ? { allOf: [group.schema] } : group.schema;
  const schema = { $schema: dialect, ...(object as object) };
  const allowRemote = ['http://localhost:1234'];
  const loaded = await loadValidators({ documents: { 'group.json': schema }, remote, allowRemote, ...options });
  const type = validatorNames(loaded.result, 'group.json#').validate.slice('validate'.length);
  return group.tests.map(({ data, valid }) => {
    if (loaded.is(type, data) !== valid) return valid ? 'refused' : 'accepted';
    const answer = loaded.validate(type, data);
    if (answer.ok !== valid) return 'the second pass says otherwise';
    return !answer.ok && answer.issues.length === 0 ? 'no issue' : undefined;
  });
}
