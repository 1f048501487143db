/** One run of a job: the pipeline with times and progress, then `write` or `check`, where there are files. */
import { resolve } from 'node:path';
import type { Job } from './config.js';
import type { Console } from './console.js';
import type { Diagnostic } from './diagnostics.js';
import { type Counts, type Inspect, type JobResult, type Observer, runJob, type StageName } from './generate.js';
import type { Host } from './host.js';
import { packageVersion } from './node-host.js';
import type { SkeletonReport } from './write/skeletons.js';
import type { WriteReport } from './write/write.js';

/** What a run is told, and whom it tells. */
export interface Invocation {
  readonly report: 'text' | 'json' | 'none';
  readonly quiet: boolean;
  readonly host: Host;
  readonly out: Console;
}

export interface Timing {
  readonly stage: StageName;
  readonly ms: number;
  readonly counts: Counts;
}

export interface Run {
  readonly job: Job;
  readonly result: JobResult;
  readonly timings: readonly Timing[];
  /** Nothing where nothing was to be written, or could be. */
  readonly written: WriteReport | undefined;
  readonly skeletons: SkeletonReport['written'];
  readonly diagnostics: readonly Diagnostic[];
}

export async function run(
  job: Job,
  given: Invocation,
  mode: 'write' | 'check' | 'none',
  inspect?: Inspect,
): Promise<Run> {
  const { host } = given;
  const { observe, timings } = watchStages(given);
  try {
    const result = await runJob(job, host, observe, inspect);
    const { diagnostics } = result;
    const done = { job, result, timings, written: undefined, skeletons: [], diagnostics };
    if (!result.ok || mode === 'none' || job.output === undefined) return done;
    const { write } = await import('./write/write.js');
    observe('write', 'begin');
    const manifest = { generator: await packageVersion() };
    const outputFolder = resolve(host.cwd, job.output);
    const written = await write({ outputFolder, files: result.files, manifest }, host, mode);
    if (!written.ok) return { ...done, diagnostics: [...diagnostics, ...written.diagnostics] };
    const skeletons = mode === 'write' ? await scaffold(job, result, host) : { written: [], diagnostics: [] };
    observe('write', 'end', { file: written.value.written.length });
    return {
      ...done,
      written: written.value,
      skeletons: skeletons.written,
      diagnostics: [...diagnostics, ...written.diagnostics, ...skeletons.diagnostics],
    };
  } finally {
    given.out.progress('');
  }
}

/** A run that was over before it began, because its output folder cannot be used; nothing where it can. */
export async function refusedRun(
  job: Job,
  { host }: Invocation,
  mode: 'write' | 'check' | 'none',
): Promise<Run | undefined> {
  if (mode === 'none' || job.output === undefined) return undefined;
  const { outputFaults } = await import('./write/write.js');
  const diagnostics = await outputFaults(resolve(host.cwd, job.output), host);
  if (diagnostics.length === 0) return undefined;
  const nothing = { ok: false, files: [], apis: [], meant: () => () => false, texts: new Map(), watched: new Map() };
  return { job, result: { ...nothing, diagnostics }, timings: [], written: undefined, skeletons: [], diagnostics };
}

async function scaffold({ scaffold: folder }: Job, { files }: JobResult, host: Host): Promise<SkeletonReport> {
  if (folder === undefined) return { written: [], diagnostics: [] };
  const { writeSkeletons } = await import('./write/skeletons.js');
  const update: Parameters<typeof writeSkeletons>[2] = async (existing, fresh) => {
    const { updateHandlers } = await import('./scaffold/scaffold.js');
    return updateHandlers(existing, fresh);
  };
  return writeSkeletons(resolve(host.cwd, folder), files, update, host);
}

/** Times the stages, those of the same name added up, and shows on a terminal what is done and what is being done. */
function watchStages({ out, report, quiet }: Invocation): { observe: Observer; timings: Timing[] } {
  const timings: Timing[] = [];
  let begun = 0;
  const observe: Observer = (stage, moment, counts = {}) => {
    if (moment === 'begin') begun = out.now();
    else addTiming(timings, { stage, ms: out.now() - begun, counts });
    if (report !== 'text' || quiet) return;
    const done = timings.map((timing) => `${timing.stage} ${counted(timing.counts)} ${milliseconds(timing.ms)}`);
    out.progress([...done, ...(moment === 'begin' ? [`${stage} …`] : [])].join(' · '));
  };
  return { observe, timings };
}

function addTiming(timings: Timing[], { stage, ms, counts }: Timing): void {
  const index = timings.findIndex((timing) => timing.stage === stage);
  const known = timings[index];
  if (known === undefined) {
    timings.push({ stage, ms, counts });
    return;
  }
  const sums = new Map(Object.entries(known.counts));
  for (const [noun, count] of Object.entries(counts)) sums.set(noun, (sums.get(noun) ?? 0) + count);
  timings[index] = { stage, ms: known.ms + ms, counts: Object.fromEntries(sums) };
}

/** `{ operation: 1, file: 2 }` as `1 operation, 2 files`. */
export function counted(counts: Counts): string {
  return Object.entries(counts)
    .map(([noun, count]) => plural(count, noun))
    .join(', ');
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

export function milliseconds(ms: number): string {
  return ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
