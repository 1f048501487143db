/**
 * The pipeline on one screen: load → normalise → plan → render. Nothing is written here: `runJob` returns the files, and
 * the command line hands them to `write`. This is also the library's entry point.
 */

import { relative, resolve } from 'node:path';
import { type Job, type Options, resolveOptions } from './config.js';
import { Collector, type Diagnostic, type DocumentUri, quote, type Result } from './diagnostics.js';
import { expandEntries } from './glob.js';
import type { Host } from './host.js';
import type { Api } from './ir/api.js';
import { type LoadRequest, type LoadResult, load } from './load/load.js';
import type { DocumentText } from './load/sources.js';
import { type IsMeant, meantNames, namedOperations } from './meant-names.js';
import { nearest } from './nearest.js';
import { builtAssets, nodeHost, packageAssets, runtimeTexts } from './node-host.js';
import { Filter } from './normalise/filter.js';
import type { NormaliseOptions } from './normalise/normalise.js';
import { checkOptions } from './option-checks.js';
import { type OutputFile, type OutputPath, outputPath } from './output.js';
import type { JsonRpcEndpoint } from './plan/json-rpc-options.js';
import { type Plan, plan } from './plan/plan.js';
import type { ImportSource, PlanOptions, QueriesOptions } from './plan/target.js';
import { type NamedApi, type ReadApis, readApis } from './read-apis.js';
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
  /** Whether what the configuration says of a name is meant for one of them. */
  readonly meant: (api: Api) => IsMeant;
  readonly texts: ReadonlyMap<DocumentUri, DocumentText>;
  /** The absolute paths of everything that was read or looked for. */
  readonly watched: ReadonlyMap<DocumentUri, string>;
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

/** Looks for further faults of what was read, beside those that were found. */
export type Inspect = (loaded: LoadResult, read: ReadApis) => Promise<readonly Diagnostic[]>;

type RunStage = <T>(name: StageName, run: () => T | Promise<T>, count: (value: T) => Counts) => Promise<T>;

function observed(observe: Observer): RunStage {
  return async (name, run, count) => {
    observe(name, 'begin');
    const value = await run();
    observe(name, 'end', count(value));
    return value;
  };
}

/** One run of the pipeline, up to the files. Where something is wrong the later stages run all the same, for their diagnostics. */
export async function runJob(
  job: Job,
  host: Host,
  observe: Observer = unobserved,
  inspect?: Inspect,
): Promise<JobResult> {
  const report = new Collector();
  const stage = observed(observe);
  const loaded = await stage('load', () => load(loadRequest(job), host), countDocuments);
  const { texts, files: watched, origin } = loaded;
  const filter = loaded.partial && job.filter && new Filter(job.filter);
  const packages = importedDocuments(job, watched, host.cwd, report);
  const jsonRpc = rpcEndpoints(job, loaded, host.cwd);
  const read = await stage(
    'normalise',
    () => readApis(loaded, job.keepGoing, (entries) => normaliseOptions(job, entries, filter)),
    countApis,
  );
  report.addAll(read.diagnostics);
  report.addAll((await inspect?.(loaded, read)) ?? []);
  reportPackage(job, report, read.apis.length);
  const forgiving = job.keepGoing && loaded.complete;
  let complete = read.complete;
  const files = new Map<OutputPath, OutputFile>();
  let printing: Promise<RenderInput> | undefined;
  const meant = meantNames(read, filter?.excluded ?? new Set());
  for (const { folder, api, withoutOperations } of read.apis) {
    const isMeant = meant(api);
    const options = {
      ...planOptions(job, folder, host.cwd, packages, isMeant),
      jsonRpc: jsonRpc.filter(({ operation }) => isMeant(operation)),
      withoutOperations,
      filtered: (filter?.excluded.size ?? 0) > 0,
    };
    const planned = await stage('plan', () => plan(api, options), countFiles);
    const telling = report.failed && !forgiving;
    // What is only information is about files that are not written.
    report.addAll(planned.diagnostics.filter(({ severity }) => !telling || severity !== 'info'));
    if (!planned.ok) complete = false;
    if (telling || !planned.ok) continue;
    printing ??= renderInput();
    const input = await printing;
    const rendered = await stage('render', () => render(planned.value, input), countRendered);
    report.addAll(rendered.diagnostics);
    if (rendered.ok) for (const file of rendered.value.map((one) => inFolder(one, folder))) files.set(file.path, file);
    else complete = false;
  }
  filter?.report(report, nearest);
  reportUnknownStreams(job, read, filter?.excluded, report);
  const good = forgiving ? complete : !report.failed;
  return {
    ok: good,
    files: good ? [...files.values()] : [],
    diagnostics: report.diagnostics.map((entry) => atOrigin(entry, origin)),
    apis: good ? read.apis : [],
    meant,
    texts,
    watched,
  };
}

/** What a package cannot be: it compiles as it is, needs no other package, and is of one description. */
function reportPackage({ package: wanted, runtime, importExtension }: Job, report: Collector, apis: number): void {
  if (wanted === undefined) return;
  const refuse = (said: string): void => report.report('config-invalid', `the option "package" ${said}`);
  if (runtime === 'package') refuse('takes the runtime into the package, so the option "runtime" must be inline');
  if (importExtension !== '.js') refuse('needs imports as Node reads them, so the option "importExtension" must be js');
  if (apis > 1) refuse('makes a package of one description; run oasmith once for each');
}

/** Names of the option `streams` that mean nothing. What was left out of the document might have been meant. */
function reportUnknownStreams(
  { streams }: Job,
  { apis, complete, leftOut }: ReadApis,
  excluded: ReadonlySet<string> | undefined,
  report: Collector,
): void {
  if (streams.size === 0 || !complete) return;
  const known = namedOperations(apis);
  for (const name of streams.keys()) {
    if (known.includes(name) || leftOut.has(name) || excluded?.has(name)) continue;
    const meant = nearest(name, known);
    report.report(
      'stream-option-unmatched',
      `the option "streams" names no operation ${quote(name)}${meant === undefined ? '' : `; did you mean ${quote(meant)}?`}`,
    );
  }
}

function loadRequest({ input, jsonRpc, allowRemote, limits, overlays, refRoot }: Job): LoadRequest {
  // The schema of an endpoint is an entry like those that are named beside the description.
  const entries = [...new Set([...input, ...jsonRpc.flatMap(({ schema }) => schema ?? [])])];
  return { entries, allowRemote, limits, overlays, ...(refRoot !== undefined && { refRoot }) };
}

function normaliseOptions(job: Job, entries: readonly DocumentUri[], filter: Filter | undefined): NormaliseOptions {
  const { honourRefSiblings, inheritEventSchema, streams, limits } = job;
  return {
    maxSchemaDepth: limits.depth,
    honourRefSiblings,
    inheritEventSchema,
    streams,
    entries,
    extendedWebhooks: job.targets.includes('webhooks'),
    ...(filter && { selection: filter }),
  };
}

/** With the places where the text stands that a diagnostic is about. */
function atOrigin(entry: Diagnostic, origin: LoadResult['origin']): Diagnostic {
  const { at, code, offset, related } = entry;
  return {
    ...entry,
    ...(at && offset === undefined && { at: origin(at, code) }),
    ...(related && { related: related.map((other) => ({ ...other, at: origin(other.at, code) })) }),
  };
}

/** The packages of the configuration by the documents that they stand for. */
function importedDocuments(
  { imports }: Job,
  files: ReadonlyMap<DocumentUri, string>,
  cwd: string,
  report: Collector,
): ReadonlyMap<DocumentUri, ImportSource> {
  const documents = new Map<DocumentUri, ImportSource>();
  for (const [name, source] of imports) {
    const path = resolve(cwd, name);
    const found = [...files].filter(([uri, file]) => uri === name || file === path);
    for (const [uri] of found) documents.set(uri, source);
    if (found.length === 0) report.report('import-unused', `no reference leads to ${quote(name)}, which imports names`);
  }
  return documents;
}

/** The endpoints with the names that their schemas have as documents; without one where that is why loading failed. */
function rpcEndpoints({ jsonRpc }: Job, { files, partial, ok }: LoadResult, cwd: string): readonly JsonRpcEndpoint[] {
  return jsonRpc.map((endpoint) => {
    const { schema } = endpoint;
    if (schema === undefined) return endpoint;
    const path = resolve(cwd, schema);
    const [document = schema as DocumentUri] = [...files].find(([uri, file]) => uri === schema || file === path) ?? [];
    return ok || partial?.documents.has(document) ? { ...endpoint, document } : endpoint;
  });
}

function countDocuments({ partial }: LoadResult): Counts {
  return partial === undefined ? {} : { document: partial.documents.size };
}

function countApis({ apis }: ReadApis): Counts {
  const sum = (count: (api: Api) => number): number => apis.reduce((total, { api }) => total + count(api), 0);
  return {
    operation: sum(({ operations }) => operations.length),
    'named schema': sum(({ components }) => components.length),
  };
}

function countFiles(planned: Result<Plan>): Counts {
  return planned.ok ? { file: planned.value.files.length } : {};
}

function countRendered(rendered: Result<readonly OutputFile[]>): Counts {
  return rendered.ok ? { file: rendered.value.length } : {};
}

function planOptions(
  { names, ...job }: Job,
  folder: string,
  cwd: string,
  packages: ReadonlyMap<DocumentUri, ImportSource>,
  isMeant: IsMeant,
): PlanOptions {
  const { scaffold, output, importExtension } = job;
  const here = resolve(cwd, output ?? '.', job.package ? 'src' : '', folder);
  const placed = (module: string): string => {
    if (!/^\.\.?\//.test(module)) return module;
    const path = relative(here, resolve(cwd, module)).replaceAll('\\', '/');
    return path.startsWith('.') ? path : `./${path}`;
  };
  const options = {
    ...job,
    pins: new Map([...names].filter(([name]) => isMeant(name))),
    queries: queriesOptions(job, folder, isMeant),
    headersFromBody: job.headersFromBody.filter(({ operation }) => isMeant(operation)),
    pagination: job.pagination.filter(({ operation }) => operation.includes('*') || isMeant(operation)),
    formats: new Map([...job.formats].map(([format, { from, name }]) => [format, { from: placed(from), name }])),
    packages,
    runtimeAbove: folder !== '',
  };
  if (scaffold === undefined) return options;
  const path = relative(
    resolve(cwd, scaffold, folder),
    resolve(cwd, output ?? '.', job.package ? 'src' : '', folder, `server${importExtension}`),
  );
  const server = path.replaceAll('\\', '/');
  return { ...options, handlerSkeletons: { server: server.startsWith('.') ? server : `./${server}` } };
}

/** Several APIs of one run are told apart by the names of their folders. */
function queriesOptions({ queries }: Pick<Job, 'queries'>, folder: string, isMeant: IsMeant): QueriesOptions {
  const operations = new Map([...queries.operations].filter(([name]) => isMeant(name)));
  return { ...(folder !== '' && { keyPrefix: folder }), ...queries, operations };
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
