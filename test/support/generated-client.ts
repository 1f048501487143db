/** Generated clients for tests: the files in memory, on a disk for the compiler, and as a module that runs. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import type { Options } from '../../src/config.js';
import { type GenerateResult, generate } from '../../src/generate.js';
import { memoryHost } from '../../src/memory-host.js';

/** Generates from a document that is given as a value. */
export async function generateFrom(document: object, options: Options = {}): Promise<GenerateResult> {
  const host = memoryHost({ '/project/api.json': JSON.stringify(document) }, { cwd: '/project' });
  return generate({ input: 'api.json', targets: ['client'], ...options }, host);
}

/** Writes generated files and further ones to a folder, which is there while `use` runs. */
export async function withOutput<T>(
  { ok, files, diagnostics }: GenerateResult,
  further: Readonly<Record<string, string>>,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  if (!ok) throw new Error(diagnostics.map(({ code, message }) => `${code}: ${message}`).join('\n'));
  const folder = await mkdtemp(join(tmpdir(), 'oasmith-test-'));
  try {
    const texts = new Map([
      ...files.map(({ path, text }): [string, string] => [path, text]),
      ...Object.entries(further),
    ]);
    for (const [path, text] of texts) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Bundles an entry of a folder and gives the code, with the sizes that users pay. */
export async function bundle(folder: string, entry: string): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: folder, loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  });
  return outputFiles[0]?.contents ?? new Uint8Array();
}

/** The generated `index.ts` as a module. Its functions are what a user of JavaScript has: nothing is typed. */
export async function runnable<M>(result: GenerateResult): Promise<M> {
  return withOutput(result, {}, async (folder) => {
    const file = join(folder, 'bundle.mjs');
    await writeFile(file, await bundle(folder, "export * from './index.ts';"));
    return (await import(pathToFileURL(file).href)) as M;
  });
}

const strictOptions = {
  noEmit: true,
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
  module: 'nodenext',
  moduleResolution: 'nodenext',
  declaration: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  isolatedDeclarations: true,
  erasableSyntaxOnly: true,
  skipLibCheck: true,
  types: [],
};

export const compilers = [
  ['TypeScript 5.9', 'typescript/bin/tsc'],
  ['TypeScript 7', 'typescript-7/bin/tsc'],
] as const;

/** What a compiler says about a folder under the strictest options; empty where it finds nothing. */
export async function compile(folder: string, compiler: string, options: object = {}): Promise<string> {
  const compilerOptions = { ...strictOptions, ...options };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const tsc = fileURLToPath(new URL(`../../node_modules/${compiler}`, import.meta.url));
  try {
    return (await promisify(execFile)(process.execPath, [tsc, '-p', folder])).stdout;
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout);
  }
}
