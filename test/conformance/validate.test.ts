/** `oasmith validate` on what is wrong and what is right, by the compiled meta-schemas; `npm run conformance:openapi -- <folder> --fail` too. */
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { DescriptionChecks } from '../../src/check-description.js';
import { runValidate } from '../../src/commands.js';
import { memoryHost } from '../../src/memory-host.js';
import { runCommand } from '../support/command-line.js';
import { shared, sharedTitle } from '../support/paths.js';
import { walkFiles } from '../support/walk-files.js';
import { passDocuments } from './documents.js';
import { builtChecks, errorPlaces, failDocuments, faults, metaSchemaFaults } from './faulty-documents.js';

let checks: DescriptionChecks = {};

beforeAll(async () => {
  checks = await builtChecks();
});

describe.skipIf(shared === undefined)(sharedTitle('documents of the OpenAPI Specification'), () => {
  const folder = join(shared ?? '', 'conformance/openapi');

  test('that are wrong are refused at the place of the fault', async () => {
    const found = new Map<string, readonly string[]>();
    for (const document of failDocuments(folder))
      found.set(document, await errorPlaces(join(folder, document), checks));
    expect(found).toEqual(new Map([...faults].map(([document, places]) => [document, [...places].sort()])));
    expect(found.size).toBe(40);
  }, 60_000);

  test('that are right have no fault, but for the two that nobody can generate from', async () => {
    const wrong: string[] = [];
    for (const document of passDocuments(folder)) {
      if ((await errorPlaces(join(folder, document), checks)).length > 0) wrong.push(basename(document));
    }
    expect([...new Set(wrong)]).toEqual(['operation-object-example.yaml', 'security-scheme-object-examples.yaml']);
  }, 60_000);
});

/** What the meta-schemas find in the documents of the corpus, all of it true. */
const trueFaults = {
  'oas-examples/3.0/json/openapi-workshop/post.json': [
    '/paths/~1hoot/post/responses "responses" must have at least 1 property',
  ],
};

describe.skipIf(shared === undefined)(sharedTitle('documents of the corpus'), () => {
  const corpus = join(shared ?? '', 'corpus');

  test('have no fault but those that are known', async () => {
    const found: Record<string, readonly string[]> = {};
    for (const path of walkFiles(corpus)) {
      if (!/\.(?:json|ya?ml)(?:\.gz)?$/.test(path)) continue;
      const said = await metaSchemaFaults(join(corpus, path), checks);
      if (said.length > 0) found[path] = said;
    }
    expect(found).toEqual(trueFaults);
  }, 240_000);
});

test('says each fault once, and never what another rule has said', async () => {
  const document = {
    openapi: '3.1.0',
    info: { title: 'x' },
    paths: { '/a': { get: { responses: [] } } },
    servers: {},
  };
  const host = memoryHost({ 'a.json': JSON.stringify(document) });
  const { descriptionFaults } = await import('../../src/check-description.js');
  const { exit, out } = await runCommand(
    (given) => runValidate(given, (loaded, read) => descriptionFaults(loaded, read, checks)),
    host,
    { input: 'a.json' },
    { report: 'json' },
  );
  expect(exit).toBe(1);
  const report = JSON.parse(out.stdout);
  const told = report.diagnostics.map(
    ({ code, at }: { code: string; at?: { pointer: string } }) => `${code} ${at?.pointer}`,
  );
  expect(told.sort()).toEqual([
    'description-invalid /info',
    'type-mismatch /paths/~1a/get/responses',
    'type-mismatch /servers',
  ]);
});
