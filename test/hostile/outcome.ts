/** What one run of the command line did to an empty machine: its words, its files, and what it touched. */
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ChildResult } from './child.js';

/** What the child recorded of itself; see `preload.mjs`. */
export interface ProcessReport {
  readonly opened: readonly string[];
  readonly connections: readonly string[];
  readonly lookups: readonly string[];
  readonly requests: readonly { readonly url: string; readonly headers: Readonly<Record<string, string>> }[];
  readonly polluted: boolean;
  readonly pwned: boolean;
  readonly maxRssMB: number;
}

export interface Outcome {
  /** The folder that stands for the machine. */
  readonly folder: string;
  readonly child: ChildResult;
  /** Absent where the process was killed. */
  readonly report: ProcessReport | undefined;
  /** Generated files by their path below the output folder. */
  readonly files: ReadonlyMap<string, string>;
  /** What else changed on the disk. */
  readonly changedElsewhere: readonly string[];
  /** Whether the output folder is as it was. */
  readonly outputUntouched: boolean;
}

/** What is below a folder: path to a digest of the content, or to the target of a link. Nothing is followed. */
export function snapshot(folder: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const pending = [''];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    for (const name of readdirSync(join(folder, at))) {
      const path = at === '' ? name : `${at}/${name}`;
      if (name === 'node_modules' || name === '.report') continue;
      const absolute = join(folder, path);
      const stat = lstatSync(absolute);
      if (stat.isDirectory()) pending.push(path);
      else if (stat.isSymbolicLink()) found.set(path, `link ${readlinkSync(absolute)}`);
      else if (stat.isFile()) found.set(path, createHash('sha256').update(readFileSync(absolute)).digest('hex'));
      else found.set(path, 'special');
    }
  }
  return found;
}

/** The paths whose content differs. */
export function difference(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path));
}

export function put(folder: string, path: string, content: string): void {
  const target = join(folder, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, content);
}

export function putLink(folder: string, path: string, target: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  symlinkSync(target, join(folder, path));
}

/** The texts below the output folder, our manifest too. */
export function readOutput(folder: string): ReadonlyMap<string, string> {
  return new Map(
    [...snapshot(folder)]
      .filter(([, digest]) => digest !== 'special' && !digest.startsWith('link '))
      .map(([path]) => [path, readFileSync(join(folder, path), 'utf8')]),
  );
}
