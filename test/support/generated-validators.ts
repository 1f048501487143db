/** Generates validators for documents in memory and loads them as modules. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transform } from 'esbuild';
import { resolveOptions } from '../../src/config.js';
import { Collector } from '../../src/diagnostics.js';
import { type JobResult, type Options, runJob } from '../../src/generate.js';
import type { SchemaId } from '../../src/ir/schema.js';
import { type MemoryHostOptions, memoryHost } from '../../src/memory-host.js';
import { planNames } from '../../src/plan/names.js';
import type { Direction, ValidatorNames } from '../../src/plan/target.js';
import type { Issue, Validation } from '../../src/runtime/validation.js';

export interface Generation extends Options {
  /** Documents by path; the first one is the entry. */
  readonly documents: Readonly<Record<string, unknown>>;
  readonly remote?: MemoryHostOptions['remote'];
}

export interface LoadedValidators {
  /** The source text of a file of the output. */
  text(path: string): string;
  /** Calls `is…`; the type is named as in the output. */
  is(type: string, value: unknown): boolean;
  validate(type: string, value: unknown): Validation<unknown>;
  issues(type: string, value: unknown): readonly Issue[];
  readonly module: Readonly<Record<string, unknown>>;
  readonly result: JobResult;
}

export async function generateValidators({ documents, remote, ...options }: Generation): Promise<JobResult> {
  const files = Object.entries(documents).map(([path, value]) => [path, JSON.stringify(value)] as const);
  const host = memoryHost(Object.fromEntries(files), remote === undefined ? {} : { remote });
  const input = files[0]?.[0] ?? '';
  return runJob(resolveOptions({ input, targets: ['types', 'validators'], ...options }), host);
}

/** The names of the validator of a schema, by its address. */
export function validatorNames(result: JobResult, address: string, direction: Direction = 'read'): ValidatorNames {
  const [first] = result.apis;
  const names = first && planNames(first.api, new Map(), new Collector());
  const found = names?.validatorOf(address as SchemaId, direction);
  if (found === undefined) throw new Error(`no validator of ${address}`);
  return found;
}

const folders: string[] = [];

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'oasmith-validators-'));
  folders.push(folder);
  return folder;
}

/** Removes what has been written for tests. */
export async function removeModules(): Promise<void> {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
}

const transformed = new Map<string, string>();

async function withoutTypes(text: string): Promise<string> {
  const known = transformed.get(text);
  if (known !== undefined) return known;
  const { code } = await transform(text, { loader: 'ts', format: 'esm', target: 'es2022' });
  transformed.set(text, code);
  return code;
}

/** Writes the output as JavaScript modules. */
async function writeModules(result: JobResult, folder: string): Promise<void> {
  for (const { path, text } of result.files) {
    const target = join(folder, path.replace(/\.ts$/, '.js'));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, await withoutTypes(text));
  }
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
}

export async function loadValidators(generation: Generation): Promise<LoadedValidators> {
  const result = await generateValidators(generation);
  if (!result.ok) throw new Error(result.diagnostics.map(({ code, message }) => `${code}: ${message}`).join('\n'));
  const folder = await temporaryFolder();
  await writeModules(result, folder);
  const module = (await import(pathToFileURL(join(folder, 'validators.js')).href)) as Record<string, unknown>;
  const call = (name: string, value: unknown): unknown => {
    const member = module[name];
    if (typeof member !== 'function') throw new Error(`no function ${name} in ${Object.keys(module).join(' ')}`);
    return member(value);
  };
  const validate = (type: string, value: unknown): Validation<unknown> =>
    call(`validate${type}`, value) as Validation<unknown>;
  return {
    result,
    module,
    text: (path) => result.files.find((file) => file.path === path)?.text ?? '',
    is: (type, value) => call(`is${type}`, value) === true,
    validate,
    issues: (type, value) => {
      const answer = validate(type, value);
      return answer.ok ? [] : answer.issues;
    },
  };
}
