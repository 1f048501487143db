/** What is said of a run: diagnostics, the summary for people, the report for machines. */
import { catalogue } from './catalogue.js';
import type { Job } from './config.js';
import type { Console } from './console.js';
import type { Diagnostic, DiagnosticCode, DocumentUri } from './diagnostics.js';
import { formatDiagnostics } from './format-diagnostics.js';
import type { JobResult, StageName } from './generate.js';
import type { DocumentText } from './load/sources.js';
import type { WriteReport } from './write/write.js';

export interface Timing {
  readonly stage: StageName;
  readonly ms: number;
}

/** So many diagnostics of one code are printed in full; the rest is counted. A report in JSON holds all. */
const printedPerCode = { error: 20, warning: 3, info: 3 } as const;

interface Printing {
  readonly out: Console;
  readonly quiet: boolean;
  readonly report: 'text' | 'json' | 'none';
}

/** Prints errors, then warnings; what is only information is for terminals and for `--report text`. */
export function printDiagnostics(
  diagnostics: readonly Diagnostic[],
  texts: ReadonlyMap<DocumentUri, DocumentText>,
  { out, quiet, report }: Printing,
): void {
  const counts = new Map<DiagnosticCode, number>();
  const printed: Diagnostic[] = [];
  for (const severity of ['error', 'warning', 'info'] as const) {
    if (severity !== 'error' && quiet) continue;
    if (severity === 'info' && report !== 'text') continue;
    for (const entry of diagnostics) {
      if (entry.severity !== severity) continue;
      const count = (counts.get(entry.code) ?? 0) + 1;
      counts.set(entry.code, count);
      if (count <= printedPerCode[severity]) printed.push(entry);
    }
  }
  if (printed.length > 0) out.complain(`${formatDiagnostics(printed, texts, { color: out.color }).join('\n\n')}\n`);
  for (const [code, count] of counts) {
    const limit = printedPerCode[catalogue[code].severity];
    if (count > limit) out.complain(`… and ${count - limit} more of [${code}]; --report json lists them all\n`);
  }
}

/** The stages' times, those of the same stage added up. */
function totals(timings: readonly Timing[]): Map<StageName, number> {
  const sums = new Map<StageName, number>();
  for (const { stage, ms } of timings) sums.set(stage, (sums.get(stage) ?? 0) + ms);
  return sums;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The summary for a terminal: what was read, what was written and where, and the time of each stage. */
export function summary(
  job: Job,
  result: JobResult,
  timings: readonly Timing[],
  written: WriteReport,
  folder: string,
): string {
  const operations = result.apis.reduce((sum, { api }) => sum + api.operations.length, 0);
  const schemas = result.apis.reduce((sum, { api }) => sum + api.components.length, 0);
  const changed = new Set<string>(written.written);
  const lines = result.files.map((file) => `  ${changed.has(file.path) ? '+' : ' '} ${folder}/${file.path}`);
  const removed = written.removed.map((path) => `  - ${folder}/${path}`);
  const times = [...totals(timings)].map(([stage, ms]) => `${stage} ${Math.round(ms)} ms`).join(', ');
  return [
    `${job.input.join(', ')}: ${plural(operations, 'operation')}, ${plural(schemas, 'named schema')}`,
    ...lines,
    ...removed,
    `${plural(written.written.length, 'file')} written, ${written.unchanged.length} unchanged, ${written.removed.length} removed (${times})`,
  ].join('\n');
}

/** The report in JSON, one object; times in milliseconds. */
export function runReport(
  job: Job,
  result: JobResult,
  timings: readonly Timing[],
  written: WriteReport | undefined,
  diagnostics: readonly Diagnostic[],
): string {
  return JSON.stringify(
    {
      ok: !diagnostics.some((entry) => entry.severity === 'error'),
      input: job.input,
      output: job.output ?? null,
      stages: Object.fromEntries([...totals(timings)].map(([stage, ms]) => [stage, Math.round(ms)])),
      files: written ? { written: written.written, unchanged: written.unchanged, removed: written.removed } : null,
      operations: result.apis.reduce((sum, { api }) => sum + api.operations.length, 0),
      schemas: result.apis.reduce((sum, { api }) => sum + api.schemas.size, 0),
      diagnostics,
    },
    null,
    2,
  );
}
