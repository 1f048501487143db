/** Finds and reads the configuration: `oasmith.config.{ts,js,mjs,json,yaml,yml}`, else `package.json#oasmith`. The only home of jiti. */
import { dirname, extname, isAbsolute, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { catalogue } from './catalogue.js';
import { checkOptions, type Options } from './config.js';
import { type Address, type Diagnostic, type DocumentUri, diagnostic, type JsonPointer, quote } from './diagnostics.js';
import { type Host, HostError } from './host.js';
import { defaultLimits } from './load/limits.js';
import { readJson } from './load/read-json.js';
import { readYaml } from './load/read-yaml.js';

const names = ['ts', 'mts', 'js', 'mjs', 'json', 'yaml', 'yml'].map((ending) => `oasmith.config.${ending}`);

export interface Configuration {
  /** The jobs of the file, with their paths made relative to the working directory; one empty job where there is no file. */
  readonly jobs: readonly Options[];
  readonly diagnostics: readonly Diagnostic[];
  /** The file that was read; a watcher watches it too. */
  readonly file?: string;
}

/** Reads the named file, or looks for one in the working directory. */
export async function readConfiguration(host: Host, named: string | undefined): Promise<Configuration> {
  const file = named === undefined ? await findFile(host) : resolve(host.cwd, named);
  if (file === undefined) return { jobs: [{}], diagnostics: [] };
  const read = await readFile(host, file);
  if ('problem' in read)
    return {
      jobs: [],
      diagnostics: [diagnostic('config-invalid', `${quote(relative(host.cwd, file))}: ${read.problem}`)],
      file,
    };
  if (read.value === undefined) return { jobs: [{}], diagnostics: [], file };
  const isList = Array.isArray(read.value);
  const list: readonly unknown[] = isList ? read.value : [read.value];
  const at = (pointer: string): Address => ({
    document: relative(host.cwd, file).replaceAll('\\', '/') as DocumentUri,
    pointer: `${file.endsWith('package.json') ? '/oasmith' : ''}${pointer}` as JsonPointer,
  });
  const diagnostics =
    list.length === 0
      ? [diagnostic('config-invalid', 'the list of jobs is empty', { at: at('') })]
      : list.flatMap((options, index) => checkOptions(options, at(isList ? `/${index}` : '')));
  if (diagnostics.length > 0) return { jobs: [], diagnostics, file };
  const folder = relative(host.cwd, dirname(file));
  return { jobs: (list as readonly Options[]).map((options) => relativeTo(folder, options)), diagnostics, file };
}

async function findFile(host: Host): Promise<string | undefined> {
  for (const name of [...names, 'package.json']) {
    const path = join(host.cwd, name);
    if ((await host.kindOf(path)) === 'file') return path;
  }
  return undefined;
}

type Read = { readonly value: unknown } | { readonly problem: string };

async function readFile(host: Host, file: string): Promise<Read> {
  try {
    if (/\.[cm]?[jt]s$/.test(file)) return await importFile(file);
    const text = new TextDecoder().decode(await host.readBytes(file, defaultLimits.documentBytes));
    const isYaml = ['.yaml', '.yml'].includes(extname(file));
    const { value, problems } = isYaml ? await readYaml(text, defaultLimits) : readJson(text, 0, defaultLimits);
    const fault = problems.find(({ code }) => catalogue[code].severity === 'error');
    if (fault) return { problem: fault.message };
    if (!file.endsWith('package.json')) return { value };
    return {
      value:
        typeof value === 'object' && value !== null && 'oasmith' in value
          ? value['oasmith' as keyof typeof value]
          : undefined,
    };
  } catch (error) {
    if (error instanceof HostError) return { problem: error.message };
    throw error;
  }
}

/** A configuration in code runs: it is the user's own, like a build script. */
async function importFile(file: string): Promise<Read> {
  const { createJiti } = await import('jiti');
  // Nothing is kept: a watcher reads the file again, and the disk is the user's.
  const jiti = createJiti(pathToFileURL(file).href, { fsCache: false, moduleCache: false });
  try {
    return { value: await jiti.import(file, { default: true }) };
  } catch (error) {
    return {
      problem: error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'it threw something that is no error',
    };
  }
}

function relativeTo(folder: string, options: Options): Options {
  const path = (name: string): string =>
    name === '-' || /^https?:\/\//i.test(name) || isAbsolute(name) ? name : join(folder, name);
  const { input, output, refRoot, scaffold } = options;
  return {
    ...options,
    ...(input !== undefined && { input: typeof input === 'string' ? path(input) : input.map(path) }),
    ...(output !== undefined && { output: path(output) }),
    ...(refRoot !== undefined && { refRoot: path(refRoot) }),
    ...(scaffold !== undefined && { scaffold: path(scaffold) }),
  };
}
