/** Finds and reads the configuration: `oasmith.config.{ts,js,mjs,json,yaml,yml}`, else `package.json#oasmith`. The only home of jiti. */
import { dirname, extname, isAbsolute, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { catalogue } from './catalogue.js';
import type { Options } from './config.js';
import {
  type Address,
  type Diagnostic,
  type DocumentUri,
  diagnostic,
  type JsonPointer,
  printable,
  quote,
} from './diagnostics.js';
import { type Host, HostError } from './host.js';
import { member } from './json-object.js';
import { defaultLimits } from './load/limits.js';
import { readJson } from './load/read-json.js';
import { readYaml } from './load/read-yaml.js';
import type { DocumentText } from './load/sources.js';
import { checkOptions } from './option-checks.js';

const names = ['ts', 'mts', 'js', 'mjs', 'json', 'yaml', 'yml'].map((ending) => `oasmith.config.${ending}`);

export interface Configuration {
  /** The jobs of the file, with their paths made relative to the working directory; one empty job where there is no file. */
  readonly jobs: readonly Options[];
  readonly diagnostics: readonly Diagnostic[];
  /** The text of the file, for the lines around a fault; not there where places in it cannot be told. */
  readonly texts: ReadonlyMap<DocumentUri, DocumentText>;
  /** The file that was read; a watcher watches it too. */
  readonly file?: string;
}

/** Reads the named file, or looks for one in the working directory. */
export async function readConfiguration(host: Host, named: string | undefined): Promise<Configuration> {
  const file = named === undefined ? await findFile(host) : resolve(host.cwd, named);
  if (file === undefined) return { jobs: [{}], diagnostics: [], texts: noTexts };
  const document = relative(host.cwd, file).replaceAll('\\', '/') as DocumentUri;
  const read = await readFile(host, file);
  const texts = read.text === undefined ? noTexts : new Map([[document, read.text]]);
  if ('problem' in read) {
    const { message, offset } = read.problem;
    const where = offset === undefined ? {} : { at: { document, pointer: '' as JsonPointer }, offset };
    return {
      jobs: [],
      diagnostics: [diagnostic('config-invalid', `${quote(document)}: ${message}`, where)],
      texts,
      file,
    };
  }
  if (read.value === undefined) return { jobs: [{}], diagnostics: [], texts, file };
  const isList = Array.isArray(read.value);
  const list: readonly unknown[] = isList ? read.value : [read.value];
  const at = (pointer: string): Address => ({
    document,
    pointer: `${file.endsWith('package.json') ? '/oasmith' : ''}${pointer}` as JsonPointer,
  });
  const diagnostics =
    list.length === 0
      ? [diagnostic('config-invalid', 'the list of jobs is empty', { at: at('') })]
      : list.flatMap((options, index) => checkOptions(options, at(isList ? `/${index}` : '')));
  if (diagnostics.length > 0) return { jobs: [], diagnostics, texts, file };
  const folder = relative(host.cwd, dirname(file));
  return { jobs: (list as readonly Options[]).map((options) => relativeTo(folder, options)), diagnostics, texts, file };
}

const noTexts: Configuration['texts'] = new Map();

async function findFile(host: Host): Promise<string | undefined> {
  for (const name of [...names, 'package.json']) {
    const path = join(host.cwd, name);
    if ((await host.kindOf(path)) === 'file') return path;
  }
  return undefined;
}

interface Fault {
  readonly message: string;
  /** Zero-based, in UTF-16 code units, in the text. */
  readonly offset?: number;
}

type Read = { readonly text?: DocumentText } & ({ readonly value: unknown } | { readonly problem: Fault });

async function readFile(host: Host, file: string): Promise<Read> {
  try {
    const text = new TextDecoder().decode(await host.readBytes(file, defaultLimits.documentBytes));
    if (/\.[cm]?[jt]s$/.test(file)) return await importFile(file, text);
    const isYaml = ['.yaml', '.yml'].includes(extname(file));
    const { value, problems } = isYaml ? await readYaml(text, defaultLimits) : readJson(text, 0, defaultLimits);
    const document: DocumentText = { text, format: isYaml ? 'yaml' : 'json' };
    const fault = problems.find(({ code }) => catalogue[code].severity === 'error');
    if (fault) return { text: document, problem: fault };
    return { text: document, value: file.endsWith('package.json') ? member(value, 'oasmith') : value };
  } catch (error) {
    if (error instanceof HostError) return { problem: { message: error.message } };
    throw error;
  }
}

/** A configuration in code runs: it is the user's own, like a build script. */
async function importFile(file: string, text: string): Promise<Read> {
  const { createJiti } = await import('jiti');
  // Nothing is kept: a watcher reads the file again, and the disk is the user's.
  const jiti = createJiti(pathToFileURL(file).href, { fsCache: false, moduleCache: false });
  try {
    return { value: await jiti.import(file, { default: true }) };
  } catch (error) {
    const fault = await faultOf(error, text);
    return fault.offset === undefined ? { problem: fault } : { text: { text, format: 'yaml' }, problem: fault };
  }
}

/** What the parser says of a syntax error, and where: `ParseError: … ⏎ file:2:5`, line from 1, column from 0. */
async function faultOf(error: unknown, text: string): Promise<Fault> {
  if (!(error instanceof Error)) return { message: 'it threw something that is no error' };
  const [message = ''] = error.message.split('\n');
  const [, said, line, column] = /^ParseError: (.*?)\.?\s*\n.*:(\d+):(\d+)\s*$/.exec(error.message) ?? [];
  if (said === undefined) return { message: printable(message) };
  const { lineStarts } = await import('./load/positions.js');
  const start = lineStarts(text)[Number(line) - 1];
  return { message: printable(said), ...(start !== undefined && { offset: start + Number(column) }) };
}

function relativeTo(folder: string, options: Options): Options {
  const path = (name: string): string =>
    name === '-' || /^https?:\/\//i.test(name) || isAbsolute(name) ? name : join(folder, name);
  const { input, output, refRoot, scaffold, overlays, imports, formats, jsonRpc } = options;
  return {
    ...options,
    ...(input !== undefined && { input: typeof input === 'string' ? path(input) : input.map(path) }),
    ...(output !== undefined && { output: path(output) }),
    ...(refRoot !== undefined && { refRoot: path(refRoot) }),
    ...(scaffold !== undefined && { scaffold: path(scaffold) }),
    ...(imports !== undefined && {
      imports: Object.fromEntries(Object.entries(imports).map(([name, source]) => [path(name), source])),
    }),
    ...(formats !== undefined && {
      formats: Object.fromEntries(
        Object.entries(formats).map(([format, { from, name }]) => [
          format,
          // A module that is no path is a package.
          { from: /^\.\.?\//.test(from) ? `./${path(from)}` : from, name },
        ]),
      ),
    }),
    ...(jsonRpc !== undefined && {
      jsonRpc: Object.fromEntries(
        Object.entries(jsonRpc).map(([name, { schema, ...rest }]) => [
          name,
          { ...rest, ...(schema !== undefined && { schema: path(schema) }) },
        ]),
      ),
    }),
    ...(overlays !== undefined && { overlays: overlays.map(path) }),
  };
}
