/** The hostile cases whose target is the validator: the same as `npm run hostile -- <cases> --target validator`. */
import { afterAll, describe, expect, test } from 'vitest';
import { readCases } from '../hostile/cases.js';
import { judgeValidatorCase, notYet } from '../hostile/validator-case.js';
import { removeModules } from '../support/generated-validators.js';
import { sharedPath } from '../support/suite.js';

const path = sharedPath('hostile/cases.json');
const ours = path === undefined ? [] : readCases(path).filter(({ target }) => target === 'validator');

afterAll(removeModules);

describe.skipIf(ours.length === 0)('hostile values', () => {
  test.each(ours.map((entry) => [entry.id, entry.kind, entry] as const))('%s %s', async (id, _kind, entry) => {
    const reason = notYet.get(id);
    expect(await judgeValidatorCase(entry)).toEqual(reason === undefined ? [] : [reason]);
  });

  test('has no reason that nobody needs', () => {
    expect([...notYet.keys()].filter((id) => !ours.some((entry) => entry.id === id))).toEqual([]);
  });
});
