/** Runs one case of the generator: sets a machine up in a fresh folder and starts the real command line in it. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { frameworkNames } from '../../src/config.js';
import { repository } from '../support/paths.js';
import type { HostileCase } from './cases.js';
import { type ChildResult, runNode } from './child.js';
import { type DocumentText, entryDocument, expandValue, type Json } from './expand.js';
import { difference, type Outcome, type ProcessReport, put, putLink, readOutput, snapshot } from './outcome.js';
import { startService } from './service.js';

export const commandLine: string = join(repository, 'dist/cli.js');
const preload = pathToFileURL(join(repository, 'test/hostile/preload.mjs')).href;

type Members = { readonly [key: string]: Json };

/** What a case demands of the machine beyond its documents. */
export interface Machine {
  /** Changes the folder after the documents are there. */
  readonly prepare?: (folder: string) => void;
  readonly environment?: Readonly<Record<string, string>>;
}

export function members(value: Json | undefined): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

/** Makes a fresh folder in which the output's imports of `fastify` and Node's types resolve. */
export function freshFolder(workspace: string, name: string): string {
  const folder = join(workspace, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, '.report'), { recursive: true });
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

export function putDocument(folder: string, { text, extension }: DocumentText): string {
  const path = `input/document.${extension}`;
  put(folder, path, text);
  return path;
}

/** Writes what the case is made of and gives the entry as the user would name it. */
function putInput(folder: string, input: Members): string {
  for (const [path, value] of Object.entries(members(input['fs']))) {
    const link = members(value)['symlinkTo'];
    if (typeof link === 'string') putLink(folder, path, link);
    else put(folder, path, String(value));
  }
  for (const [path, value] of Object.entries(members(input['files'])))
    put(folder, path, typeof value === 'string' ? value : JSON.stringify(expandValue(value)));
  const document = entryDocument(input);
  if (document !== undefined) return putDocument(folder, document);
  const entry = input['entry'];
  if (typeof entry !== 'string') throw new Error('the case names no entry');
  return entry;
}

export function outputOf({ input }: HostileCase): string {
  const out = members(input['options'])['out'];
  return typeof out === 'string' ? out : 'out';
}

function argumentsOf({ input }: HostileCase, entry: string, output: string): string[] {
  const { refRoot, allowOrigins } = members(input['options']);
  const origins = Array.isArray(allowOrigins)
    ? allowOrigins.flatMap((origin) => ['--allow-remote', String(origin)])
    : [];
  const root = typeof refRoot === 'string' ? ['--ref-root', refRoot] : [];
  return [entry, '-o', output, '--report', 'text', ...root, ...origins, '--framework', ...frameworkNames];
}

export async function runCase(hostile: HostileCase, folder: string, machine: Machine = {}): Promise<Outcome> {
  const output = outputOf(hostile);
  const entry = putInput(folder, hostile.input);
  machine.prepare?.(folder);
  const before = snapshot(folder);
  const serve = hostile.input['serve'];
  const service = serve === undefined ? undefined : await startService(members(serve));
  const limit = hostile.assert['maxMs'];
  const child = await runNode(['--import', preload, commandLine, ...argumentsOf(hostile, entry, output)], {
    cwd: folder,
    environment: {
      HOSTILE_REPORT: join(folder, '.report'),
      HOSTILE_SERVICE: service?.url ?? '',
      ...machine.environment,
    },
    limitMs: Math.max(60_000, (typeof limit === 'number' ? limit : 0) * 3),
  });
  await service?.close();
  const changed = difference(before, snapshot(folder));
  const within = (path: string): boolean => output === '.' || path.startsWith(`${output}/`);
  return {
    folder,
    child,
    report: readReport(folder),
    files: existsSync(join(folder, output)) && output !== '.' ? readOutput(join(folder, output)) : new Map(),
    changedElsewhere: output === '.' ? changed : changed.filter((path) => !within(path)),
    outputUntouched: !changed.some(within),
  };
}

function readReport(folder: string): ProcessReport | undefined {
  const [name] = readdirSync(join(folder, '.report'));
  return name === undefined ? undefined : JSON.parse(readFileSync(join(folder, '.report', name), 'utf8'));
}

/** The special files that H052 asks for, each in a machine of its own. */
export const specialFiles: ReadonlyMap<string, (folder: string) => void> = new Map([
  ['a link to /dev/zero', (folder) => putLink(folder, 'input/dev-zero', '/dev/zero')],
  ['a pipe', (folder) => void execFileSync('mkfifo', [join(folder, 'input/dev-zero')])],
  ['a folder', (folder) => void mkdirSync(join(folder, 'input/dev-zero'))],
]);

/** Imports every generated module in a child that may not evaluate text. */
export function importOutput(javascript: string): Promise<ChildResult> {
  const program = join(repository, 'test/hostile/import-all.mjs');
  return runNode(['--disallow-code-generation-from-strings', '--disable-proto=throw', program, javascript], {
    cwd: javascript,
    limitMs: 60_000,
  });
}
