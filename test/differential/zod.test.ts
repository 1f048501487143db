/** Zod schemas and validators accept the same values: of all fixtures, and of a part of the shared directory. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { resolveOptions } from '../../src/config.js';
import { runJob } from '../../src/generate.js';
import { nodeHost } from '../../src/node-host.js';
import { listFixtures } from '../support/fixtures.js';
import { generateValidators } from '../support/generated-validators.js';
import { shared, sharedTitle } from '../support/paths.js';
import { sampleDocuments } from '../support/sample-documents.js';
import { type Agreement, agreementOf } from './zod-agreement.js';

const targets = ['types', 'validators', 'zod'] as const;

function sum(all: readonly Agreement[]): {
  readonly schemas: number;
  readonly accepted: number;
  readonly refused: number;
} {
  const of = (member: 'schemas' | 'accepted' | 'refused') => all.reduce((total, one) => total + one[member], 0);
  return { schemas: of('schemas'), accepted: of('accepted'), refused: of('refused') };
}

describe('fixtures', () => {
  test.each([false, true])('agree, formats asserted: %s', { timeout: 300_000 }, async (assertFormats) => {
    const all: Agreement[] = [];
    const told: string[] = [];
    for (const { name, folder, entry } of [...listFixtures('features'), ...listFixtures('documents')]) {
      if (entry === undefined || !/^openapi\.|schema\.json$/.test(entry)) continue;
      const options = resolveOptions({ input: entry, targets, assertFormats });
      const result = await runJob(options, nodeHost(folder));
      if (!result.ok || !result.files.some(({ path }) => path === 'zod.ts')) continue;
      const agreement = await agreementOf(result, { assertFormats });
      all.push(agreement);
      told.push(...agreement.disagreements.map((line) => `${name} ${line}`));
    }
    expect(told).toEqual([]);
    expect(sum(all).schemas).toBeGreaterThan(400);
  });
});

describe.skipIf(shared === undefined)(sharedTitle('documents of the directory'), () => {
  test('agree, and nearly nothing has to ask a validator', { timeout: 300_000 }, async () => {
    const all: Agreement[] = [];
    const told: string[] = [];
    for (const { name, description } of sampleDocuments(join(shared ?? '', 'corpus/directory'))) {
      const result = await generateValidators({ documents: { 'api.json': description }, targets });
      const agreement = await agreementOf(result, { assertFormats: false });
      all.push(agreement);
      told.push(...agreement.disagreements.map((line) => `${name} ${line}`));
    }
    expect(told).toEqual([]);
    const { schemas, accepted, refused } = sum(all);
    expect(all.length).toBeGreaterThanOrEqual(30);
    expect(Math.min(accepted, refused)).toBeGreaterThan(10_000);
    expect(all.flatMap(({ asked }) => asked).length / schemas).toBeLessThan(0.01);
  });
});
