/** The validators of one schema by each tool, as modules that were written ahead of time where the tool can do that. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AnySchemaObject } from 'ajv';
import { type BuildOptions, build } from 'esbuild';
import { generate } from '../../../src/generate.js';
import { memoryHost } from '../../../src/memory-host.js';
import { repository } from '../../support/paths.js';
import type { Collection, Schema } from './payloads.js';

const require = createRequire(import.meta.url);

export type Files = Readonly<Record<string, string>>;

export function writeFiles(folder: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, text);
  }
}

/** Our output for a document. */
export async function ours(name: string, document: object): Promise<Files> {
  const host = memoryHost({ [`/project/${name}.json`]: JSON.stringify(document) }, { cwd: '/project' });
  const result = await generate({ input: `${name}.json`, targets: ['types', 'validators'], assertFormats: true }, host);
  if (!result.ok) throw new Error(result.diagnostics.map(({ message }) => message).join('\n'));
  return Object.fromEntries(result.files.map(({ path, text }) => [path, text]));
}

export const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** A collection as components of a description. */
export function asDescription({ schemas }: Collection): object {
  const text = JSON.stringify(schemas).replaceAll('"#/$defs/', '"#/components/schemas/');
  return {
    openapi: '3.1.0',
    info: { title: 'Bench', version: '1' },
    paths: {},
    components: { schemas: JSON.parse(text) },
  };
}

/** The name of a component as ajv can export it. */
export function exported(name: string): string {
  return name.replace(/\W/g, '_');
}

/** ajv's standalone code for schemas by the names of their exports. */
export function ajvStandalone(schemas: Readonly<Record<string, Schema>>, options: object): string {
  const { default: Ajv } = require('ajv/dist/2020') as typeof import('ajv/dist/2020.js');
  const { default: standaloneCode } = require('ajv/dist/standalone') as typeof import('ajv/dist/standalone/index.js');
  const addFormats = require('ajv-formats') as { default: (ajv: unknown) => void };
  const ajv = new Ajv({
    strict: false,
    validateSchema: false,
    logger: false,
    code: { source: true, esm: true },
    ...options,
  });
  addFormats.default(ajv);
  const names: Record<string, string> = {};
  for (const [name, schema] of Object.entries(schemas)) {
    const id = `https://bench.example/${name}`;
    names[exported(name)] = id;
    ajv.addSchema({ ...(schema as AnySchemaObject), $id: id });
  }
  return standaloneCode(ajv, names);
}

/** One schema for each component of a collection; references lead to the others. */
export function separately({ schemas }: Collection): Readonly<Record<string, Schema>> {
  const text = JSON.stringify(schemas).replaceAll('"#/$defs/', '"https://bench.example/');
  return JSON.parse(text) as Readonly<Record<string, Schema>>;
}

export async function bundled(folder: string, entry: string, options: BuildOptions = {}): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: folder, loader: 'ts' },
    bundle: true,
    format: 'esm',
    target: 'es2022',
    platform: 'node',
    nodePaths: [join(repository, 'node_modules')],
    write: false,
    logLevel: 'error',
    ...options,
  });
  return outputFiles?.[0]?.contents ?? new Uint8Array();
}

/** Bundles an entry and loads it. */
export async function loaded<T>(folder: string, name: string, entry: string, options: BuildOptions = {}): Promise<T> {
  const file = join(folder, `${name}.bundle.mjs`);
  writeFileSync(file, await bundled(folder, entry, options));
  return (await import(pathToFileURL(file).href)) as T;
}
