/** Descriptions at random: all that is made of them compiles under the strictest flags, whatever they are. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { generate, type Options } from '../src/generate.js';
import { memoryHost } from '../src/memory-host.js';
import { typecheckNative } from './support/native-typescript.js';
import { repository } from './support/paths.js';
import { randomDocument } from './support/random-document.js';
import { faultLines, nothingUnused } from './support/typecheck.js';

const [from = 1, to = 24] = (process.env['OASMITH_SEEDS'] ?? '').split('-').filter(Boolean).map(Number);

const targets = [
  ...(['types', 'operations', 'validators', 'client', 'server', 'paths'] as const),
  ...(['tanstack-query', 'zod', 'msw', 'operation-table'] as const),
];
const variants: readonly Options[] = [
  {},
  { dates: 'Date', assertFormats: true },
  { enums: 'const', clientEnums: 'open', layout: 'tags' },
  { assertContent: true, standardJsonSchema: true, xml: 'typed' },
];

// Below the checkout, so that the output finds MSW, TanStack Query and Zod.
const root = mkdtempSync(join(repository, 'node_modules/.oasmith-random-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test(`seeds ${from} to ${to}`, { timeout: 400_000 }, async () => {
  writeFileSync(join(root, 'package.json'), '{"type":"module"}');
  const paths: string[] = [];
  for (let seed = from; seed <= to; seed++) {
    const text = JSON.stringify(randomDocument(seed));
    const host = memoryHost({ '/project/openapi.json': text }, { cwd: '/project' });
    const variant = variants[seed % variants.length] ?? {};
    const { ok, files, diagnostics } = await generate({ input: 'openapi.json', targets, ...variant }, host);
    const faults = diagnostics.filter(({ severity }) => severity === 'error');
    expect(ok, `seed ${seed}: ${JSON.stringify(faults.slice(0, 3))}`).toBe(true);
    for (const { path, text: made } of files) {
      const file = join(root, String(seed), path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, made);
      if (file.endsWith('.ts')) paths.push(file);
    }
  }
  expect(faultLines(await typecheckNative(root, paths, nothingUnused), root)).toBe('');
});
