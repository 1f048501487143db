/**
 * Real documents of the shared material: all targets are generated, some are compiled, and what this version does not do
 * yet is counted exactly, so that the list shrinks where everybody can see it. `UPDATE_GOLDEN=1` rewrites the counts.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { frameworkNames } from '../src/config.js';
import type { GenerateResult } from '../src/generate.js';
import { countCodes, descriptionsBelow, generateFrom } from './support/corpus.js';
import { repository, shared, sharedTitle } from './support/paths.js';
import { faultLines, typecheck } from './support/typecheck.js';

/** What is left out or refused, by document and code. */
type Counts = Record<string, Readonly<Record<string, number>>>;

const countsFile = join(repository, 'test/support/document-counts.json');
const expected = JSON.parse(readFileSync(countsFile, 'utf8')) as Counts;
const found: Counts = {};
const update = process.env['UPDATE_GOLDEN'] !== undefined;
const corpus = join(shared ?? '', 'corpus');

/** Every error, and everything that is left out. */
function record(name: string, result: GenerateResult): void {
  const errors = { ...result, diagnostics: result.diagnostics.filter(({ severity }) => severity === 'error') };
  const counts = { ...countCodes(result, /^not-yet-/), ...countCodes(errors, /./) };
  found[name] = counts;
  if (!update) expect(counts).toEqual(expected[name] ?? {});
  const clean = result.diagnostics.every(({ message }) => !/[\u0000-\u001f]|undefined|\[object/.test(message));
  expect(clean, 'every diagnostic is one clean line').toBe(true);
  expect(result.ok).toBe(errors.diagnostics.length === 0);
  expect(result.files.length > 0).toBe(result.ok);
}

function expectCompiles(name: string, { files }: GenerateResult): void {
  const root = join(repository, 'node_modules/.oasmith-documents', name);
  const faults = typecheck(
    new Map([
      [join(root, 'package.json'), '{ "type": "module" }'],
      ...files.map(({ path, text }) => [join(root, path), text] as const),
    ]),
  );
  expect(faultLines(faults, root)).toBe('');
}

const documents = [
  { path: 'train-travel.json', compiles: true },
  { path: 'museum.yaml', compiles: true },
  { path: 'discord.json.gz', compiles: true },
  { path: 'adyen-checkout-v72.json.gz', compiles: true },
  { path: 'box.json.gz', compiles: false },
  { path: 'github.json.gz', compiles: false },
  { path: 'stripe.json.gz', compiles: false },
  { path: 'plaid.yml.gz', compiles: false },
  { path: 'openai.yaml.gz', compiles: false },
];

describe.skipIf(shared === undefined)(sharedTitle('real documents'), () => {
  test.each(documents)(
    '$path',
    async ({ path, compiles }) => {
      const result = await generateFrom(join(corpus, 'documents', path), { framework: frameworkNames });
      record(`documents/${path}`, result);
      if (compiles) expectCompiles(path, result);
    },
    180_000,
  );
});

describe.skipIf(shared === undefined)(sharedTitle('the original text of the seeds'), () => {
  test.each(['chattoo-mcp.openapi.json', 'kaptionai-sse-stream.schema.json', 'openai-realtime-excerpt.openapi.json'])(
    '%s',
    async (name) => {
      const result = await generateFrom(join(shared ?? '', 'seeds', name), { framework: frameworkNames });
      record(`seeds/${name}`, result);
      expect(result.ok).toBe(true);
      expectCompiles(name, result);
    },
  );

  test('a declaration graph gives a type', async () => {
    const name = 'openai-realtime-mcp-call-arguments-delta.decls.json';
    const { ok, files, diagnostics } = await generateFrom(join(shared ?? '', 'seeds', name));
    expect(ok).toBe(true);
    expect(files.find(({ path }) => path === 'types.ts')?.text).toMatch(/^export interface Response\w+ \{$/m);
    expect(diagnostics.map(({ code }) => code)).toEqual(['nothing-to-generate']);
  });
});

for (const folder of ['learn', 'oas-examples']) {
  describe.skipIf(shared === undefined)(sharedTitle(`every description of OpenAPI 3 in ${folder}`), () => {
    const paths = shared === undefined ? [] : descriptionsBelow(join(corpus, folder));

    test('there are some', () => {
      expect(paths.length).toBeGreaterThan(15);
    });

    test.each(paths)('%s', async (path) => {
      const result = await generateFrom(join(corpus, folder, path), { framework: frameworkNames });
      record(`${folder}/${path}`, result);
    });
  });
}

describe.skipIf(shared === undefined)(sharedTitle('the counts'), () => {
  test('name no document that is not there', () => {
    if (update) return;
    const silent = Object.keys(expected).filter((name) => !(name in found));
    expect(silent).toEqual([]);
  });
});

afterAll(() => {
  if (!update || shared === undefined) return;
  const telling = Object.entries(found).filter(([, counts]) => Object.keys(counts).length > 0);
  const ordered = Object.fromEntries(telling.sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(countsFile, `${JSON.stringify(ordered, null, 2)}\n`);
});
