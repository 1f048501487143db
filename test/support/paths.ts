/** Where the repository and the shared material are. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository: string = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '');

const place = resolve(repository, process.env['OASMITH_SHARED'] ?? '../shared');

/** The folder of the shared material, or `undefined` where this machine has none. */
export const shared: string | undefined = existsSync(place) ? place : undefined;

let said = false;

/** Says in one line that the tests of a file are skipped, on the console and as part of their name. */
export function sharedTitle(title: string): string {
  if (shared !== undefined) return title;
  const reason = 'skipped: there is no shared material; set OASMITH_SHARED to its folder';
  if (!said) process.stderr.write(`${title}: ${reason}\n`);
  said = true;
  return `${title} (${reason})`;
}
