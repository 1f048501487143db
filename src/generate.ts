/**
 * The pipeline on one screen: load → normalise → plan → render. Nothing is written here: `runJob` returns the files, and
 * the command line hands them to `write`. This is also the library's entry point.
 */
import { relative, resolve } from 'node:path';
import { checkOptions, type Job, type Options, resolveOptions } from './config.js';
import { Collector, type Diagnostic, type DocumentUri, failed, ok, quote, type Result } from './diagnostics.js';
import { groupEntries } from './entries.js';
import { expandEntries } from './glob.js';
import type { Host } from './host.js';
import type { Api } from './ir/api.js';
import { type LoadRequest, type LoadResult, load } from './load/load.js';
import type { DocumentText, Sources } from './load/sources.js';
import { nearest } from './nearest.js';
import { builtAssets, nodeHost, packageAssets, runtimeTexts } from './node-host.js';
import { Filter } from './normalise/filter.js';
import { type NormaliseOptions, normalise } from './normalise/normalise.js';
import { type OutputFile, type OutputPath, outputPath } from './output.js';
import { type Plan, plan } from './plan/plan.js';
import type { PlanOptions } from './plan/target.js';
import { type RenderInput, render } from './render/render.js';

export type { Options } from './config.js';
export type { Diagnostic } from './diagnostics.js';
export type { OutputFile } from './output.js';

export type StageName = 'load' | 'normalise' | 'plan' | 'render' | 'write';

/** What a stage made, by the noun in the singular: `{ operation: 12 }`. */
export type Counts = Readonly<Record<string, number>>;

/** Told when a stage begins and ends, and what it made; whoever owns a clock can time them. */
export type Observer = (stage: StageName, moment: 'begin' | 'end', counts?: Counts) => void;

export interface GenerateResult {
  /** Whether the files are there; with errors there are none, unless `keepGoing` is set. */
  readonly ok: boolean;
  readonly files: readonly OutputFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/** What a run knows beyond its files, for those who print, watch or write. */
export interface JobResult extends GenerateResult {
  readonly apis: readonly NamedApi[];
  readonly texts: ReadonlyMap<DocumentUri, DocumentText>;
  /** The absolute paths of everything that was read or looked for. */
  readonly watched: ReadonlyMap<DocumentUri, string>;
}

export interface NamedApi {
  /** The child folder of this API; empty where there is one API only. */
  readonly folder: string;
  readonly api: Api;
}

/**
 * Generates code without touching the disk beyond reading: returns the files and everything that was found.
 * Paths in the options are relative to the working directory.
 */
export async function generate(options: Options, host: Host = nodeHost(process.cwd())): Promise<GenerateResult> {
  const problems = checkOptions(options);
  if (problems.length > 0) return { ok: false, files: [], diagnostics: problems };
  const job = resolveOptions(options);
  const done = await runJob({ ...job, input: await expandEntries(job.input, host) }, host);
  return { ok: done.ok, files: done.files, diagnostics: done.diagnostics };
}

const unobserved: Observer = () => {};

/** One run of the pipeline, up to the files. */
export async function runJob(job: Job, host: Host, observe: Observer = unobserved): Promise<JobResult> {
  const report = new Collector();
  /** Runs a stage, keeps its diagnostics and gives its value, or nothing where it failed. */
  const stage = async <T>(
    name: StageName,
    run: () => Result<T> | Promise<Result<T>>,
    count: (value: T) => Counts,
  ): Promise<T | undefined> => {
    observe(name, 'begin');
    const result = await run();
    observe(name, 'end', result.ok ? count(result.value) : {});
    report.addAll(result.diagnostics);
    return result.ok ? result.value : undefined;
  };

  const loaded = load(loadRequest(job), host);
  const found = await stage('load', () => (job.keepGoing ? forgiven(loaded) : loaded), countDocuments);
  const { texts, files: watched, diagnostics: faults, origin } = await loaded;
  const apis: NamedApi[] = [];
  const files = new Map<OutputPath, OutputFile>();
  let printing: Promise<RenderInput> | undefined;
  const filter = found && job.filter && new Filter(job.filter);
  const packages = importedDocuments(job, watched, host.cwd, report);
  let complete = found !== undefined;
  for (const { folder, entries } of found ? groupEntries(found) : []) {
    const api =
      found &&
      (await stage(
        'normalise',
        () => readApi(found, normaliseOptions(job, entries, filter), job.keepGoing ? faults : undefined),
        countApi,
      ));
    if (api) apis.push({ folder, api });
    else complete = false;
    if (!api) continue;
    const planned = await stage('plan', () => plan(api, planOptions(job, folder, host.cwd, packages)), countFiles);
    const print = async (): Promise<Result<readonly OutputFile[]>> => {
      printing ??= renderInput();
      return planned ? render(planned, await printing) : failed([]);
    };
    const rendered = planned && (await stage('render', print, (printed) => ({ file: printed.length })));
    if (rendered) for (const file of rendered.map((one) => inFolder(one, folder))) files.set(file.path, file);
    else complete = false;
  }
  report.addAll(faults);
  filter?.report(report, nearest);
  const good = job.keepGoing ? complete : !report.failed;
  return {
    ok: good,
    files: good ? [...files.values()] : [],
    diagnostics: report.diagnostics.map((entry) => atOrigin(entry, origin)),
    apis,
    texts,
    watched,
  };
}

function loadRequest({ input, allowRemote, limits, overlays, refRoot }: Job): LoadRequest {
  return { entries: input, allowRemote, limits, overlays, ...(refRoot !== undefined && { refRoot }) };
}

/** With what could be read: the faults are said by those who know what they concern. */
async function forgiven(loading: Promise<LoadResult>): Promise<Result<Sources>> {
  const { partial, diagnostics } = await loading;
  return partial === undefined ? failed(diagnostics) : ok(partial);
}

/** Without faults of the stage before, none is forgiven. */
async function readApi(
  sources: Sources,
  options: NormaliseOptions,
  faults: readonly Diagnostic[] | undefined,
): Promise<Result<Api>> {
  if (faults === undefined) return normalise(sources, options);
  const { normaliseWhatIsSound } = await import('./normalise/keep-going.js');
  return normaliseWhatIsSound(sources, options, faults);
}

function normaliseOptions(job: Job, entries: readonly DocumentUri[], filter: Filter | undefined): NormaliseOptions {
  const { honourRefSiblings, inheritEventSchema, limits } = job;
  return {
    maxSchemaDepth: limits.depth,
    honourRefSiblings,
    inheritEventSchema,
    entries,
    ...(filter && { selection: filter }),
  };
}

/** With the places where the text stands that a diagnostic is about. */
function atOrigin(entry: Diagnostic, origin: LoadResult['origin']): Diagnostic {
  const { at, offset, related } = entry;
  return {
    ...entry,
    ...(at && offset === undefined && { at: origin(at) }),
    ...(related && { related: related.map((other) => ({ ...other, at: origin(other.at) })) }),
  };
}

/** The packages of the configuration by the documents that they stand for. */
function importedDocuments(
  { imports }: Job,
  files: ReadonlyMap<DocumentUri, string>,
  cwd: string,
  report: Collector,
): ReadonlyMap<DocumentUri, string> {
  const documents = new Map<DocumentUri, string>();
  for (const [name, source] of imports) {
    const path = resolve(cwd, name);
    const found = [...files].filter(([uri, file]) => uri === name || file === path);
    for (const [uri] of found) documents.set(uri, source);
    if (found.length === 0) report.report('import-unused', `no reference leads to ${quote(name)}, which imports names`);
  }
  return documents;
}

function countDocuments({ documents }: Sources): Counts {
  return { document: documents.size };
}

function countApi({ operations, components }: Api): Counts {
  return { operation: operations.length, 'named schema': components.length };
}

function countFiles({ files }: Plan): Counts {
  return { file: files.length };
}

function planOptions(
  { names, ...job }: Job,
  folder: string,
  cwd: string,
  packages: ReadonlyMap<DocumentUri, string>,
): PlanOptions {
  const { scaffold, output, importExtension } = job;
  const options = { ...job, pins: names, packages, runtimeAbove: folder !== '' };
  if (scaffold === undefined) return options;
  const path = relative(
    resolve(cwd, scaffold, folder),
    resolve(cwd, output ?? '.', folder, `server${importExtension}`),
  );
  const server = path.replaceAll('\\', '/');
  return { ...options, handlerSkeletons: { server: server.startsWith('.') ? server : `./${server}` } };
}

/** Handlebars is read only where something is printed; of a build only its runtime. */
async function renderInput(): Promise<RenderInput> {
  const { compileTemplates, templateSources, templatesOf } = await import('./render/templates.js');
  const built = await builtAssets();
  if (built) {
    return { templates: await templatesOf(built.specifications), runtime: new Map(Object.entries(built.runtime)) };
  }
  return {
    templates: await compileTemplates(templateSources(await packageAssets('templates'))),
    runtime: runtimeTexts(await packageAssets('src/runtime')),
  };
}

/** Several APIs share their runtime, at the root of the output. */
function inFolder(file: OutputFile, folder: string): OutputFile {
  return folder === '' || file.path.startsWith('runtime/')
    ? file
    : { ...file, path: outputPath(`${folder}/${file.path}`) };
}
