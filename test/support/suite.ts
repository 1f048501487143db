/** The official JSON Schema test suite, as it lies in the shared folder. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RemoteAnswer } from '../../src/memory-host.js';

export interface SuiteGroup {
  /** `file.json: description` */
  readonly name: string;
  readonly schema: unknown;
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[];
}

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** A path in the shared folder, or `undefined` (said in one line) where that folder is absent. */
export function sharedPath(path: string): string | undefined {
  const found = join(repository, process.env['OASMITH_SHARED'] ?? '../shared', path);
  const absolute = process.env['OASMITH_SHARED']?.startsWith('/') ? join(process.env['OASMITH_SHARED'], path) : found;
  if (existsSync(absolute)) return absolute;
  process.stderr.write(`skipped: ${path} is not there (set OASMITH_SHARED)\n`);
  return undefined;
}

/** `draft` may name a folder below one: `draft2020-12/optional/format`. */
export function readSuite(
  folder: string,
  draft: string,
  wanted: (file: string) => boolean = () => true,
): readonly SuiteGroup[] {
  const tests = join(folder, 'tests', draft);
  return readdirSync(tests)
    .filter((file) => file.endsWith('.json') && wanted(file))
    .flatMap((file) => {
      const groups: { description: string; schema: unknown; tests: SuiteGroup['tests'] }[] = JSON.parse(
        readFileSync(join(tests, file), 'utf8'),
      );
      return groups.map((group) => ({ ...group, name: `${file}: ${group.description}` }));
    });
}

/** The suite's remote documents by URL. */
export function readRemotes(folder: string): Readonly<Record<string, RemoteAnswer>> {
  const remotes = join(folder, 'remotes');
  const files = readdirSync(remotes, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'));
  return Object.fromEntries(
    files.map((file) => [
      `http://localhost:1234/${relative(remotes, join(remotes, file)).replaceAll('\\', '/')}`,
      { body: readFileSync(join(remotes, file), 'utf8') },
    ]),
  );
}
