/** The compiled command line: built where it is missing or older than its sources. */
import { execFile } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from './paths.js';
import { walkFiles } from './walk-files.js';

export async function buildIfStale(): Promise<void> {
  const built = join(repository, 'dist/cli.js');
  const newest = Math.max(
    ...walkFiles(join(repository, 'src')).map((path) => statSync(join(repository, 'src', path)).mtimeMs),
  );
  if (existsSync(built) && statSync(built).mtimeMs >= newest) return;
  const compiler = join(repository, 'node_modules/typescript/bin/tsc');
  await promisify(execFile)(process.execPath, [compiler, '-p', join(repository, 'tsconfig.json')], { cwd: repository });
}
