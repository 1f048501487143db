/** Documents of the shared material, read in place and generated in memory. */
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Options } from '../../src/config.js';
import { type GenerateResult, generate } from '../../src/generate.js';
import { memoryHost } from '../../src/memory-host.js';
import { nodeHost } from '../../src/node-host.js';
import { walkFiles } from './walk-files.js';

/** Generates from one file, which may be packed; other files that it refers to are read beside it. */
export async function generateFrom(path: string, options: Options = {}): Promise<GenerateResult> {
  if (!path.endsWith('.gz')) {
    const folder = dirname(path);
    return generate({ ...options, input: relative(folder, path) }, nodeHost(folder));
  }
  const name = (path.split('/').at(-1) ?? '').slice(0, -'.gz'.length);
  const host = memoryHost({ [`/project/${name}`]: gunzipSync(readFileSync(path)) }, { cwd: '/project' });
  return generate({ ...options, input: name }, host);
}

/** How many diagnostics of each code there are. */
export function countCodes({ diagnostics }: GenerateResult, wanted: RegExp): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const { code } of diagnostics) if (wanted.test(code)) counts.set(code, (counts.get(code) ?? 0) + 1);
  return Object.fromEntries([...counts].sort());
}

/** The descriptions below a folder: JSON and YAML files whose text names a version of OpenAPI 3. */
export function descriptionsBelow(folder: string): readonly string[] {
  return walkFiles(folder).filter(
    (path) =>
      /\.(?:json|ya?ml)$/.test(path) &&
      /^\s*["']?openapi["']?\s*:\s*["']?3\./m.test(readFileSync(join(folder, path), 'utf8')),
  );
}
