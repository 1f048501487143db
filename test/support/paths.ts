/** Where the repository and the shared material are. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository: string = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '');

const place = resolve(repository, process.env['OASMITH_SHARED'] ?? '../shared');

/** The folder of the shared material, or `undefined` where this machine has none. */
export const shared: string | undefined = existsSync(place) ? place : undefined;

/** Says in one line why the tests of a file are skipped, as part of their name. */
export function sharedTitle(title: string): string {
  return shared === undefined ? `${title} (skipped: no shared material; set OASMITH_SHARED)` : title;
}
