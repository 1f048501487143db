/**
 * Nothing but the order of the output depends on the order of a document: the members of every map are shuffled, and what is
 * declared, and how, stays the same. Members of objects keep their order in the output, because people put sense into it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { generate } from '../../src/generate.js';
import { memoryHost } from '../../src/memory-host.js';
import { fixtureRoot } from '../support/fixtures.js';

/** Numbers between 0 and 1, the same for a seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function shuffled<T>(list: readonly T[], next: () => number): T[] {
  return list
    .map((entry) => ({ entry, rank: next() }))
    .sort((left, right) => left.rank - right.rank)
    .map(({ entry }) => entry);
}

/** The keywords whose members are a list that people put in an order. */
const ordered = new Set(['properties', 'example', 'examples', 'default', 'const', 'mapping']);

function shuffle(value: unknown, next: () => number, key = ''): unknown {
  if (Array.isArray(value)) return value.map((entry) => shuffle(entry, next));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, entry]) => [name, shuffle(entry, next, name)] as const);
  return Object.fromEntries(ordered.has(key) ? entries : shuffled(entries, next));
}

/** The output, each file as its declarations in an order of their own. */
async function output(document: unknown): Promise<Readonly<Record<string, readonly string[]>>> {
  const host = memoryHost({ '/project/openapi.json': JSON.stringify(document) }, { cwd: '/project' });
  const { ok, files, diagnostics } = await generate({ input: 'openapi.json', framework: 'fetch' }, host);
  if (!ok) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return Object.fromEntries(
    files
      .filter(({ path }) => !path.startsWith('runtime/'))
      .map(({ path, text }) => [path, text.trim().split('\n\n').sort()]),
  );
}

const documents = [
  'features/unions/inherited-tags',
  'features/objects/conditions',
  'features/names/collisions',
  'features/enums/odd-values',
  'features/recursion/mutual',
  'features/access/read-only-write-only',
];

describe('the order of a document', () => {
  test.each(documents)('%s', async (name) => {
    const document: unknown = parse(readFileSync(join(fixtureRoot, name, 'openapi.yaml'), 'utf8'));
    const { 'server.ts': _, ...plain } = await output(document);
    for (let seed = 1; seed <= 5; seed++) {
      const { 'server.ts': __, ...other } = await output(shuffle(document, random(seed)));
      expect(other, `seed ${seed}`).toEqual(plain);
    }
  });

  test('the same document gives the same bytes', async () => {
    const document: unknown = parse(
      readFileSync(join(fixtureRoot, 'features/names/collisions', 'openapi.yaml'), 'utf8'),
    );
    expect(JSON.stringify(await output(document))).toBe(JSON.stringify(await output(document)));
  });
});
