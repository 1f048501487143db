/** TypeScript 7, the native compiler, in a process of its own: quick enough for millions of lines. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './paths.js';
import type { TypeFault } from './typecheck.js';

const compiler = join(repository, 'node_modules/typescript-7/bin/tsc');
const strictFile = join(repository, 'test/support/strict.tsconfig.json');

/**
 * Checks TypeScript files on the disk, by absolute path, as one program under the strictest flags. `folder` gets the
 * project file; `loosened` are flags that are set otherwise. An empty list means that the compiler found nothing; it throws where the compiler itself gives up.
 */
export async function typecheckNative(
  folder: string,
  files: readonly string[],
  loosened: Readonly<Record<string, boolean>> = {},
): Promise<readonly TypeFault[]> {
  const { compilerOptions } = JSON.parse(readFileSync(strictFile, 'utf8')) as { readonly compilerOptions: object };
  const project = join(folder, 'tsconfig.json');
  writeFileSync(project, JSON.stringify({ compilerOptions: { ...compilerOptions, ...loosened }, files }));
  const parameters = [compiler, '-p', project, '--pretty', 'false'];
  const { code, stdout, stderr } = await new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, parameters, { cwd: folder, maxBuffer: 2 ** 28 }, (error, out, err) =>
      resolve({
        code: error === null ? 0 : typeof error.code === 'number' ? error.code : -1,
        stdout: out,
        stderr: err,
      }),
    );
  });
  const faults: TypeFault[] = [];
  for (const text of stdout.split('\n')) {
    const [, path = '', line = '', message = ''] = /^(.+?)\((\d+),\d+\): error (TS\d+: .*)$/.exec(text) ?? [];
    if (message !== '') faults.push({ file: join(folder, path), line: Number(line), message });
    else if (/^error TS/.test(text)) faults.push({ file: '', line: 0, message: text.slice('error '.length) });
  }
  if (code !== 0 && faults.length === 0)
    throw new Error(`the compiler gave up: ${stderr.slice(0, 1000)}${stdout.slice(0, 1000)}`);
  return faults;
}
