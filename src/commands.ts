/** What each command does; prints through the Console it is given and returns the exit code. */
import { isAbsolute, relative, resolve } from 'node:path';
import { irFaults } from './check-ir.js';
import { flagName, type Job, type Options, resolveOptions } from './config.js';
import { type Configuration, readConfiguration } from './config-file.js';
import { type Diagnostic, diagnostic, printable, printableLines, quote } from './diagnostics.js';
import type { Inspect } from './generate.js';
import { expandEntries } from './glob.js';
import type { Host } from './host.js';
import type { Api } from './ir/api.js';
import { printApi } from './ir/print.js';
import type { IsMeant } from './meant-names.js';
import { checkOptions } from './option-checks.js';
import { bugReport, inputName, json, printDiagnostics, refuse, runReport, summary, tally } from './report.js';
import { type Invocation as Given, plural, type Run, refusedRun, run } from './run.js';

export interface Invocation extends Given {
  /** Options from flags; they win over the configuration file. */
  readonly options: Options;
  readonly config: string | undefined;
}

export const exitFine = 0;
export const exitFault = 1;
export const exitUsage = 2;
export const exitBug = 70;

export interface UsageFault {
  readonly exit: typeof exitUsage;
  /** The configuration that could not be used; a watcher waits until it is mended. */
  readonly file?: string;
}

interface Jobs {
  readonly jobs: readonly Job[];
  readonly file?: string;
}

/** What a command makes of the options of a job, before they get their defaults. */
type Adapt = (options: Options) => Options;

/** The jobs of this run, or a fault that was said. */
async function jobsOf(
  given: Invocation,
  needsOutput: boolean,
  adapt: Adapt = (options) => options,
): Promise<Jobs | UsageFault> {
  const flags = checkOptions(given.options, undefined, flagName);
  const configuration: Configuration =
    flags.length > 0
      ? { jobs: [], diagnostics: flags, texts: new Map() }
      : await readConfiguration(given.host, given.config);
  const { jobs, diagnostics, texts, file } = configuration;
  const where = file === undefined ? {} : { file };
  if (diagnostics.length > 0) {
    await refuse(diagnostics, given, texts);
    return { exit: exitUsage, ...where };
  }
  const resolved = await Promise.all(
    jobs.map((options) => complete(adapt(withFlags(options, given.options)), given.host)),
  );
  for (const job of resolved) {
    const missing =
      job.input.length === 0
        ? 'no entry: name an OpenAPI document or a JSON Schema'
        : needsOutput && job.output === undefined
          ? 'no output folder: add -o <folder>'
          : undefined;
    if (missing === undefined) continue;
    await usage(missing, given);
    return { exit: exitUsage, ...where };
  }
  const shared = needsOutput ? sharedOutput(resolved, given.host) : undefined;
  if (shared === undefined) return { jobs: resolved, ...where };
  await usage(`two jobs write to the same folder, ${quote(shared)}: each would remove the files of the other`, given);
  return { exit: exitUsage, ...where };
}

/** An output folder that more than one job manages. */
function sharedOutput(jobs: readonly Job[], host: Host): string | undefined {
  const folders = jobs.flatMap(({ output }) => (output === undefined ? [] : [resolve(host.cwd, output)]));
  return folders.find((folder, index) => folders.indexOf(folder) !== index);
}

/** Flags win over the configuration; of what belongs together, one by one. */
function withFlags(options: Options, flags: Options): Options {
  const schemas = { ...options.schemas, ...flags.schemas };
  return { ...options, ...flags, ...(Object.keys(schemas).length > 0 && { schemas }) };
}

function usage(message: string, given: Invocation): Promise<void> {
  return refuse([diagnostic('usage-invalid', message)], given);
}

/** Finds the files of patterns; where nobody says how relative imports end, the user's tsconfig does. */
async function complete(options: Options, host: Host): Promise<Job> {
  let { importExtension } = options;
  // A package has a tsconfig of its own.
  if (importExtension === undefined && options.output !== undefined && options.package === undefined) {
    const { importExtensionFor } = await import('./user-tsconfig.js');
    importExtension = importExtensionFor(resolve(host.cwd, options.output));
  }
  const job = resolveOptions({ ...options, ...(importExtension !== undefined && { importExtension }) });
  return { ...job, input: await expandEntries(job.input, host) };
}

type Mode = 'write' | 'check' | 'none';

/** Runs all jobs, one after the other, and says what came of them. */
async function runAll(given: Invocation, mode: Mode, say: (done: Run) => void, inspect?: Inspect): Promise<number> {
  const found = await jobsOf(given, mode !== 'none');
  return 'exit' in found ? found.exit : runJobs(found.jobs, given, mode, say, inspect);
}

async function runJobs(
  jobs: readonly Job[],
  given: Invocation,
  mode: Mode,
  say: (done: Run) => void,
  inspect?: Inspect,
): Promise<number> {
  const runs: Run[] = [];
  for (const job of jobs) {
    const done =
      (await refusedRun(job, given, mode)) ??
      withStale(await run(mode === 'none' ? { ...job, targets: [] } : job, given, mode, inspect));
    await printDiagnostics(done.diagnostics, done.result.texts, given);
    say(done);
    runs.push(done);
  }
  return conclude(runs, given, mode === 'write');
}

/** The report for machines, and the last line of a run that found errors. */
async function conclude(runs: readonly Run[], { out, report }: Invocation, writes: boolean): Promise<number> {
  if (report === 'json') out.print(json(await Promise.all(runs.map(runReport))));
  const errors = tally(runs.flatMap(({ diagnostics }) => diagnostics));
  if (errors === undefined) return exitFine;
  const nothing = writes && runs.every(({ written }) => written === undefined);
  const without = runs.some(({ job, result }) => job.keepGoing && result.ok && hasErrors(result.diagnostics));
  const outcome = nothing ? '; nothing was written' : without ? '; what they concern was left out' : '';
  out.complain(`${errors}${outcome}`);
  return exitFault;
}

function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === 'error');
}

/** In check mode it is an error that files differ. */
function withStale(done: Run): Run {
  const paths = (done.written?.differences ?? []).map(({ path }) => quote(path));
  if (paths.length === 0) return done;
  const more = paths.length > namedFiles ? ` and ${paths.length - namedFiles} more` : '';
  const subject = paths.length === 1 ? 'a file is' : `${paths.length} files are`;
  const message = `${subject} not what would be generated: ${paths.slice(0, namedFiles).join(', ')}${more}`;
  return { ...done, diagnostics: [...done.diagnostics, diagnostic('output-stale', message)] };
}

/** So many files are named in a message. */
const namedFiles = 5;

/** A path as a person names it: relative where it lies below the working directory. */
function shown(path: string, host: Host): string {
  const below = relative(host.cwd, resolve(host.cwd, path));
  return printable(below.startsWith('..') || isAbsolute(below) ? resolve(host.cwd, path) : below || '.');
}

function saySummary(done: Run, { out, report, quiet, host }: Invocation): void {
  if (report === 'text' && done.written && !quiet)
    out.print(summary(done, shown(done.job.output ?? '', host), out.color));
}

export function runGenerate(given: Invocation): Promise<number> {
  return runAll(given, 'write', (done) => saySummary(done, given));
}

export function runCheck(given: Invocation): Promise<number> {
  return runAll(given, 'check', (done) => sayDifferences(done, given));
}

function sayDifferences({ written, job }: Run, { out, report, quiet, host }: Invocation): void {
  if (report === 'json' || written === undefined) return;
  // A terminal must not be steered by what somebody wrote into a generated file; a pipe gets the bytes.
  for (const { diff } of written.differences) out.print(out.isTerminal ? printableLines(diff) : diff);
  if (written.differences.length === 0 && report === 'text' && !quiet)
    out.print(`${shown(job.output ?? '', host)} is up to date: ${plural(written.unchanged.length, 'file')}`);
}

/** Where `derive` writes unless it is told: never the `output` of a configuration, whose files it would take for stale ones. */
const derivedFolder = 'schemas';

/** Writes the target `schemas` alone, into a folder of its own; declarations only where they are asked for. */
export async function runDerive(given: Invocation, check: boolean): Promise<number> {
  const { output = derivedFolder } = given.options;
  const found = await jobsOf(given, true, ({ scaffold: _, ...options }) => ({
    ...options,
    output,
    targets: ['schemas'],
    schemas: { declarations: false, ...options.schemas },
  }));
  if ('exit' in found) return found.exit;
  const [first, ...others] = found.jobs;
  if (first === undefined || others.length > 0) {
    await usage('derive takes one job: name another configuration by --config, or none', given);
    return exitUsage;
  }
  const job: Job = { ...first, package: undefined, schemas: { ...first.schemas, folder: '' } };
  return check
    ? runJobs([job], given, 'check', (done) => sayDifferences(done, given))
    : runJobs([job], given, 'write', (done) => saySummary(done, given));
}

export async function runValidate(given: Invocation, inspect?: Inspect): Promise<number> {
  const { descriptionFaults } = await import('./check-description.js');
  const say = ({ job, result, diagnostics }: Run): void => {
    if (given.report !== 'text' || given.quiet || !result.ok || hasErrors(diagnostics)) return;
    const warnings = diagnostics.filter(({ severity }) => severity === 'warning').length;
    const said = warnings === 0 ? 'no faults' : `no errors, ${plural(warnings, 'warning')}`;
    given.out.print(`${job.input.map(inputName).join(', ')}: ${said}`);
  };
  return runAll(
    { ...given, quiet: false },
    'none',
    say,
    inspect ?? ((loaded, read) => descriptionFaults(loaded, read)),
  );
}

export type IrFormat = 'ir' | 'decls';

/**
 * Prints what the documents mean: as the intermediate representation, after `check` has held it against its schema (one
 * that does not fit is our bug), or as a declaration graph.
 */
export async function runIr(
  given: Invocation,
  format: IrFormat = 'ir',
  check: typeof irFaults = irFaults,
): Promise<number> {
  const quiet: Invocation = { ...given, report: given.report === 'json' ? 'none' : given.report };
  const found: Graphed[] = [];
  const wanted = await jobsOf(given, false);
  if ('exit' in wanted) return wanted.exit;
  const runs: Run[] = [];
  const exit = await runJobs(wanted.jobs, quiet, 'none', (done) => {
    const { job, result } = done;
    runs.push(done);
    if (result.ok) found.push(...result.apis.map(({ api }) => ({ job, api, isMeant: result.meant(api) })));
  });
  // What is printed is for machines already; where there is nothing to print, the report says why.
  if (given.report === 'json' && found.length === 0) given.out.print(json(await Promise.all(runs.map(runReport))));
  const printed = format === 'ir' ? found.map(({ api }) => printApi(api)) : await printGraphs(found, quiet);
  for (const text of format === 'ir' ? printed : []) {
    const [fault] = await check(text);
    if (fault === undefined) continue;
    given.out.complain(
      `oasmith: this is a bug of oasmith, please report it: the IR does not fit its schema at ${fault.schemaPointer} (${fault.keyword})`,
    );
    return exitBug;
  }
  if (printed.length > 0)
    given.out.print(printableLines(printed.length === 1 ? printed.join() : `[${printed.join(',\n')}]`));
  return exit;
}

interface Graphed {
  readonly job: Job;
  readonly api: Api;
  readonly isMeant: IsMeant;
}

async function printGraphs(found: readonly Graphed[], given: Invocation): Promise<readonly string[]> {
  const { declarationGraph } = await import('./plan/declaration-graph/declaration-graph.js');
  const graphs = found.map(({ job: { declarationNames }, api, isMeant }) => {
    const own = (names: ReadonlyMap<string, string>) => new Map([...names].filter(([name]) => isMeant(name)));
    return declarationGraph(api, { models: own(declarationNames.models), methods: own(declarationNames.methods) });
  });
  await printDiagnostics(
    graphs.flatMap(({ diagnostics }) => diagnostics),
    new Map(),
    given,
  );
  return graphs.flatMap((graph) => (graph.ok ? [JSON.stringify(graph.value, null, 2)] : []));
}

/**
 * Generates, and again whenever a file of the reference graph, the configuration or an entry changes; `stopped` ends it.
 * Faults are said, and what was generated before stays.
 */
export async function runWatch(given: Invocation, stopped: Promise<void>): Promise<number> {
  const first = await jobsOf(given, true);
  if ('exit' in first) return first.exit;
  if (first.jobs.some(({ input }) => input.includes('-'))) {
    await usage('standard input cannot be watched: name a file', given);
    return exitUsage;
  }
  const { watchFiles } = await import('./watch/watch.js');
  let files: readonly string[] = [];
  const build = async (jobs: () => Promise<Jobs | UsageFault>): Promise<readonly string[]> => {
    try {
      const found = await jobs();
      files =
        'exit' in found ? [...files, ...(found.file === undefined ? [] : [found.file])] : await watchOnce(found, given);
    } catch (error) {
      given.out.complain(bugReport(error));
    }
    return files;
  };
  const watcher = watchFiles(await build(async () => first), () => build(() => jobsOf(given, true)), {
    debounceMs: 100,
  });
  await watcher.ready;
  if (!given.quiet) given.out.complain(`watching ${plural(files.length, 'file')} for changes; stop with Ctrl+C`);
  await stopped;
  await watcher.close();
  return exitFine;
}

/** One round of a watcher; gives the files that the next one depends on. */
async function watchOnce({ jobs, file }: Jobs, given: Invocation): Promise<readonly string[]> {
  const files = new Set(file === undefined ? [] : [file]);
  const runs: Run[] = [];
  for (const job of jobs) {
    const done = await run(job, given, 'write');
    await printDiagnostics(done.diagnostics, done.result.texts, given);
    saySummary(done, given);
    runs.push(done);
    for (const path of done.result.watched.values()) files.add(path);
    for (const name of job.input) if (!/^https?:/i.test(name)) files.add(resolve(given.host.cwd, name));
  }
  await conclude(runs, given, true);
  return [...files];
}
