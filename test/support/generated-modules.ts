/** Generated files as modules that run: nothing of them is bundled, so client and server stand side by side. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import type { Options } from '../../src/config.js';
import { generate } from '../../src/generate.js';
import { memoryHost } from '../../src/memory-host.js';
import { repository } from './paths.js';

export interface Modules {
  readonly folder: string;
  readonly files: ReadonlyMap<string, string>;
  load(module: string): Promise<Readonly<Record<string, unknown>>>;
}

/** Generates from documents by their names; the folder is there until the end of the test file. */
export async function generatedModules(
  documents: Readonly<Record<string, object | string>>,
  options: Options,
): Promise<Modules> {
  const texts = Object.entries(documents).map(([name, value]) => [
    `/project/${name}`,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  const result = await generate(options, memoryHost(Object.fromEntries(texts), { cwd: '/project' }));
  if (!result.ok) throw new Error(result.diagnostics.map(({ code, message }) => `${code}: ${message}`).join('\n'));
  const files = new Map<string, string>(result.files.map(({ path, text }) => [path, text]));
  mkdirSync(join(repository, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(repository, '.cache/modules-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return { folder, files, load: (module) => import(/* @vite-ignore */ join(folder, module)) };
}
