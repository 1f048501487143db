/** The files below a folder. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Paths below `folder` with forward slashes, sorted; empty where there is no such folder. */
export function walkFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const found: string[] = [];
  const pending = [''];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    for (const entry of readdirSync(join(folder, at), { withFileTypes: true })) {
      const path = at === '' ? entry.name : `${at}/${entry.name}`;
      if (entry.isDirectory()) pending.push(path);
      else found.push(path);
    }
  }
  return found.sort();
}
