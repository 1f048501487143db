/** What each command does; prints through the Console it is given and returns the exit code. */
import { isAbsolute, relative, resolve } from 'node:path';
import type { Job, Options } from './config.js';
import { resolveOptions } from './config.js';
import { readConfiguration } from './config-file.js';
import type { Console } from './console.js';
import type { Diagnostic } from './diagnostics.js';
import { diagnostic, quote } from './diagnostics.js';
import { type JobResult, runJob, type StageName } from './generate.js';
import type { Host } from './host.js';
import { printApi } from './ir/print.js';
import { packageVersion } from './node-host.js';
import { printDiagnostics, runReport, summary, type Timing } from './report.js';
import type { WriteReport } from './write/write.js';

export interface Invocation {
  /** Options from flags; they win over the configuration file. */
  readonly options: Options;
  readonly config: string | undefined;
  readonly report: 'text' | 'json' | 'none';
  readonly quiet: boolean;
  readonly host: Host;
  readonly out: Console;
}

export const exitFine = 0;
export const exitFault = 1;
export const exitUsage = 2;

/** The jobs of this run, or an exit code where there are none. */
async function jobsOf(given: Invocation, needsOutput: boolean): Promise<readonly Job[] | number> {
  const { jobs, diagnostics } = await readConfiguration(given.host, given.config);
  if (diagnostics.length > 0) {
    printDiagnostics(diagnostics, new Map(), given);
    return exitUsage;
  }
  const resolved = await Promise.all(
    jobs.map((options) => withImportExtension({ ...options, ...given.options }, given.host)),
  );
  for (const job of resolved) {
    const missing =
      job.input.length === 0
        ? 'no entry: name an OpenAPI document or a JSON Schema'
        : needsOutput && job.output === undefined
          ? 'no output folder: add -o <folder>'
          : undefined;
    if (missing === undefined) continue;
    given.out.complain(`oasmith: ${missing}\nRun oasmith --help for the commands and options.`);
    return exitUsage;
  }
  return resolved;
}

/** Where neither flag nor configuration says how relative imports end, the user's tsconfig does. */
async function withImportExtension(options: Options, host: Host): Promise<Job> {
  if (options.importExtension !== undefined || options.output === undefined) return resolveOptions(options);
  const { importExtensionFor } = await import('./user-tsconfig.js');
  return resolveOptions({ ...options, importExtension: importExtensionFor(resolve(host.cwd, options.output)) });
}

interface Run {
  readonly result: JobResult;
  readonly timings: readonly Timing[];
  readonly written: WriteReport | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** The pipeline with times; then `write` or `check`, where there are files. */
async function run(job: Job, given: Invocation, mode: 'write' | 'check' | 'none'): Promise<Run> {
  const { host, out } = given;
  const timings: Timing[] = [];
  const begun = new Map<StageName, number>();
  const observe = (stage: StageName, moment: 'begin' | 'end'): void => {
    if (moment === 'begin') begun.set(stage, out.now());
    else timings.push({ stage, ms: out.now() - (begun.get(stage) ?? 0) });
  };
  const result = await runJob(job, host, observe);
  if (!result.ok || mode === 'none' || job.output === undefined)
    return { result, timings, written: undefined, diagnostics: result.diagnostics };
  const { write } = await import('./write/write.js');
  observe('write', 'begin');
  const written = await write(
    {
      outputFolder: resolve(host.cwd, job.output),
      files: result.files,
      manifest: { generator: await packageVersion() },
    },
    host,
    mode,
  );
  observe('write', 'end');
  return {
    result,
    timings,
    written: written.ok ? written.value : undefined,
    diagnostics: [...result.diagnostics, ...written.diagnostics],
  };
}

export async function runGenerate(given: Invocation): Promise<number> {
  const jobs = await jobsOf(given, true);
  if (typeof jobs === 'number') return jobs;
  let exit = exitFine;
  for (const job of jobs) exit = Math.max(exit, await generateOnce(job, given));
  return exit;
}

async function generateOnce(job: Job, given: Invocation): Promise<number> {
  const done = await run(job, given, 'write');
  return say(job, given, done);
}

/** Prints what a run found and did; the exit code says whether it went well. */
function say(job: Job, given: Invocation, { result, timings, written, diagnostics }: Run): number {
  const { out, report, host } = given;
  printDiagnostics(diagnostics, result.texts, given);
  if (report === 'json') out.print(runReport(job, result, timings, written, diagnostics));
  if (report === 'text' && written && !given.quiet)
    out.print(summary(job, result, timings, written, shown(job.output ?? '', host)));
  return diagnostics.some((entry) => entry.severity === 'error') ? exitFault : exitFine;
}

/** A path as a person names it: relative where it lies below the working directory. */
function shown(path: string, host: Host): string {
  const below = relative(host.cwd, resolve(host.cwd, path));
  return below.startsWith('..') || isAbsolute(below) ? resolve(host.cwd, path) : below || '.';
}

export async function runCheck(given: Invocation): Promise<number> {
  const jobs = await jobsOf(given, true);
  if (typeof jobs === 'number') return jobs;
  let exit = exitFine;
  for (const job of jobs) {
    const checked = await run(job, given, 'check');
    const differences = checked.written?.differences ?? [];
    const stale = differences.map(({ path }) =>
      diagnostic('output-stale', `${quote(path)} is not what would be generated`),
    );
    const done = { ...checked, diagnostics: [...checked.diagnostics, ...stale] };
    if (given.report !== 'json') for (const { diff } of differences) given.out.print(diff);
    exit = Math.max(exit, say(job, given.report === 'json' ? given : { ...given, report: 'none' }, done));
    if (stale.length === 0 && exit === exitFine && given.report === 'text')
      given.out.print(`${shown(job.output ?? '', given.host)} is up to date`);
  }
  return exit;
}

export async function runValidate(given: Invocation): Promise<number> {
  const jobs = await jobsOf(given, false);
  if (typeof jobs === 'number') return jobs;
  let exit = exitFine;
  for (const job of jobs) {
    const { result } = await run({ ...job, targets: [] }, given, 'none');
    printDiagnostics(result.diagnostics, result.texts, { ...given, quiet: false });
    if (given.report === 'json') given.out.print(runReport(job, result, [], undefined, result.diagnostics));
    else if (result.ok && !given.quiet)
      given.out.print(`${job.input.map((name) => quote(name).slice(1, -1)).join(', ')}: no faults`);
    if (!result.ok) exit = exitFault;
  }
  return exit;
}

export async function runIr(given: Invocation): Promise<number> {
  const jobs = await jobsOf(given, false);
  if (typeof jobs === 'number') return jobs;
  let exit = exitFine;
  for (const job of jobs) {
    const { result } = await run({ ...job, targets: [] }, given, 'none');
    printDiagnostics(result.diagnostics, result.texts, given);
    if (!result.ok) exit = exitFault;
    else for (const { api } of result.apis) given.out.print(printApi(api));
  }
  return exit;
}

/** Generates, and again whenever a file of the reference graph, the configuration or an entry changes. Ends by a signal. */
export async function runWatch(given: Invocation): Promise<number> {
  const jobs = await jobsOf(given, true);
  if (typeof jobs === 'number') return jobs;
  const { watchFiles } = await import('./watch/watch.js');
  const build = async (): Promise<readonly string[]> => {
    const files = new Set<string>();
    for (const job of jobs) {
      const done = await run(job, given, 'write');
      say(job, given, done);
      for (const path of done.result.watched.values()) files.add(path);
      for (const name of job.input)
        if (name !== '-' && !/^https?:/i.test(name)) files.add(resolve(given.host.cwd, name));
    }
    return [...files];
  };
  const watcher = watchFiles(await build(), build, { debounceMs: 100 });
  await watcher.ready;
  given.out.complain('watching for changes; stop with Ctrl+C');
  await new Promise<void>((stop) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  });
  await watcher.close();
  return exitFine;
}
