/** What is known of one document after it was generated, imported and compiled, and whether that is right. */
import type { CorpusDocument } from './documents.js';
import type { Refusal } from './expectations.js';

export const stages = ['load', 'normalise', 'plan', 'render', 'write'] as const;

export type Severity = 'error' | 'warning' | 'info';

export interface ReportedDiagnostic {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
}

export interface Generated {
  readonly document: CorpusDocument;
  /** The folder that was written, present with exit code 0. */
  readonly output: string | undefined;
  readonly exit: number | null;
  readonly diagnostics: readonly ReportedDiagnostic[];
  /** Milliseconds by stage. */
  readonly timings: Readonly<Record<string, number>>;
  /** Milliseconds of the whole process. */
  readonly ms: number;
  readonly lines: number;
  /** Characters of the generated sources, which is what compiling costs. */
  readonly size: number;
  /** What is wrong beyond diagnostics: a crash, a time-out, a module that cannot be imported. */
  readonly faults: readonly string[];
}

export interface Outcome extends Generated {
  readonly typeErrors: readonly string[];
}

/** What a document may use and this version leaves out: no keyword of a schema is among it. */
const leftForLater: ReadonlySet<string> = new Set(['not-yet-media-type', 'not-yet-parameter', 'not-yet-security']);

/** What must not be, in lines for people; empty where the document passes. */
export function judge({ exit, diagnostics, faults, typeErrors }: Outcome, refusal: Refusal | undefined): string[] {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const problems = [...faults];
  if (refusal !== undefined) {
    const codes = [...new Set(errors.map(({ code }) => code))];
    if (exit === 0) problems.push('it is listed as refused, and is generated');
    else if (exit !== 1) problems.push(`exit code ${exit}`);
    else if (codes.join() !== refusal.code)
      problems.push(`it is refused with ${codes.join(', ') || 'nothing'} and not with ${refusal.code}`);
    return problems;
  }
  if (exit !== 0) problems.push(`exit code ${exit}`);
  problems.push(...errors.map(({ code, message }) => `${code}: ${message}`));
  for (const { code, message } of diagnostics)
    if (code.startsWith('not-yet-') && !leftForLater.has(code)) problems.push(`${code}: ${message}`);
  return [...problems, ...typeErrors];
}

const columns = ['document', 'exit', 'err/warn/info', ...stages, 'process', 'lines', 'type errors'];

export const nameWidth = 72;
const widths = [nameWidth, 4, 13, ...stages.map((stage) => Math.max(6, stage.length)), 7, 8, 11];

function cells(values: readonly string[]): string {
  return values
    .map((value, index) => (index === 0 ? value.padEnd(nameWidth) : value.padStart(widths[index] ?? 0)))
    .join('  ');
}

export const header: string = cells(columns);

/** The row of one document; times are in seconds. */
export function row({ document, exit, diagnostics, timings, ms, lines, typeErrors }: Outcome): string {
  const count = (severity: Severity): number => diagnostics.filter((entry) => entry.severity === severity).length;
  return cells([
    document.name,
    String(exit),
    `${count('error')}/${count('warning')}/${count('info')}`,
    ...stages.map((stage) => (stage in timings ? seconds(timings[stage] ?? 0) : '-')),
    seconds(ms),
    String(lines),
    String(typeErrors.length),
  ]);
}

export function seconds(ms: number): string {
  return (ms / 1000).toFixed(2);
}
