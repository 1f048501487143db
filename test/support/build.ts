/** The compiled command line: built where it is missing or older than its sources and templates. */
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from './paths.js';
import { walkFiles } from './walk-files.js';

export async function buildIfStale(): Promise<void> {
  const newest = Math.max(
    ...['src', 'templates'].flatMap((folder) =>
      walkFiles(join(repository, folder)).map((path) => statSync(join(repository, folder, path)).mtimeMs),
    ),
  );
  const last = join(repository, 'dist/precompiled.js');
  if (existsSync(last) && statSync(last).mtimeMs >= newest) return;
  const compiler = join(repository, 'node_modules/typescript/bin/tsc');
  const run = (...parameters: readonly string[]) =>
    promisify(execFile)(process.execPath, parameters, { cwd: repository });
  // The chunks of an older bundle have other names.
  rmSync(join(repository, 'dist'), { recursive: true, force: true });
  await run(compiler, '-p', join(repository, 'tsconfig.json'));
  await run(join(repository, 'dist/precompile.js'));
  chmodSync(join(repository, 'dist/cli.js'), 0o755);
}

/** Vitest calls it once, before the tests. */
export const setup = buildIfStale;
