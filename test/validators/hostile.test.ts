/** The hostile cases whose target is the validator: the same as `npm run hostile -- <cases> --target validator`. */
import { afterAll, describe, expect, test } from 'vitest';
import { readCases } from '../hostile/cases.js';
import { judgeValidatorCase } from '../hostile/validator-case.js';
import { removeModules } from '../support/generated-validators.js';
import { sharedPath } from '../support/suite.js';

const path = sharedPath('hostile/cases.json');
const ours = path === undefined ? [] : readCases(path).filter(({ target }) => target === 'validator');

afterAll(removeModules);

describe.skipIf(ours.length === 0)('hostile values', () => {
  test.each(ours.map((entry) => [entry.id, entry.kind, entry] as const))('%s %s', async (_id, _kind, entry) => {
    expect(await judgeValidatorCase(entry)).toEqual([]);
  });
});
