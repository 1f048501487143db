/** What is said of a run: diagnostics, the summary for people, the report for machines. */
import { catalogue } from './catalogue.js';
import type { Console } from './console.js';
import type { Diagnostic, DiagnosticCode, DocumentUri } from './diagnostics.js';
import { printable, printableLines } from './diagnostics.js';
import type { DocumentText } from './load/sources.js';
import { milliseconds, plural, type Run } from './run.js';

/** So many diagnostics of one code are printed in full; the rest is counted. A report in JSON holds all. */
const printedPerCode = { error: 20, warning: 3, info: 3 } as const;

interface Printing {
  readonly out: Pick<Console, 'color' | 'complain'>;
  readonly quiet: boolean;
  readonly report: 'text' | 'json' | 'none';
}

/** Prints errors, then warnings; what is only information is for terminals and for `--report text`. */
export async function printDiagnostics(
  diagnostics: readonly Diagnostic[],
  texts: ReadonlyMap<DocumentUri, DocumentText>,
  { out, quiet, report }: Printing,
): Promise<void> {
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
  if (printed.length > 0) {
    // Most runs have nothing to say, and need not read what finds lines and columns.
    const { formatDiagnostics } = await import('./format-diagnostics.js');
    out.complain(`${formatDiagnostics(printed, texts, { color: out.color }).join('\n\n')}\n`);
  }
  for (const [code, count] of counts) {
    const limit = printedPerCode[catalogue[code].severity];
    if (count > limit) out.complain(`… and ${count - limit} more of [${code}]; --report json lists them all\n`);
  }
}

/** `2 errors, 3 warnings`; nothing where there is no error. */
export function tally(diagnostics: readonly Diagnostic[]): string | undefined {
  const count = (severity: Diagnostic['severity']): number =>
    diagnostics.filter((entry) => entry.severity === severity).length;
  const [errors, warnings] = [count('error'), count('warning')];
  if (errors === 0) return undefined;
  return warnings === 0 ? plural(errors, 'error') : `${plural(errors, 'error')}, ${plural(warnings, 'warning')}`;
}

/** What a file of the output is for, where a reader would not guess it. */
const purposes: Readonly<Record<string, string>> = {
  'types.ts': 'every schema as a type',
  'operations.ts': 'what each operation takes and answers',
  'validators.ts': 'a compiled check for every schema',
  'client.ts': 'one function for each operation',
  'server.ts': 'the handlers that you write, and the checks around them',
  'server-node.ts': 'the server on node:http',
  'server-fetch.ts': 'the server as (request) => response',
  'server-fastify.ts': 'the server as a Fastify plugin',
  'json-rpc.ts': 'the methods of each JSON-RPC endpoint as types',
  'json-rpc-client.ts': 'calls of those methods',
  'json-rpc-server.ts': 'a dispatcher to the functions that you write for them',
  'tanstack-query.ts': 'options and keys of queries and mutations',
  'package.json': 'the package, yours as soon as you edit it',
  'index.ts': 'types, operations and client in one import',
};

type Paint = (text: string) => string;

/** The summary for a terminal: what was read, what was written and where, and the time of each stage. */
export function summary({ job, timings, written, skeletons }: Run, folder: string, color: boolean): string {
  if (written === undefined) return '';
  const paint =
    (code: number): Paint =>
    (text) =>
      color ? `\u001b[${code}m${text}\u001b[0m` : text;
  const times = timings.map(({ stage, ms }) => `${stage} ${milliseconds(ms)}`).join(', ');
  const total = milliseconds(timings.reduce((sum, { ms }) => sum + ms, 0));
  const changes = changeLines(written, paint);
  const counts = [
    `${plural(written.written.length, 'file')} written`,
    `${written.unchanged.length} unchanged`,
    ...(written.removed.length > 0 ? [`${written.removed.length} removed`] : []),
  ].join(', ');
  return [
    readLine({ job, timings }),
    ...(changes.length === 0
      ? [`${printable(folder)} is up to date: ${plural(written.unchanged.length, 'file')} unchanged`]
      : [`${written.written.length > 0 ? 'Wrote' : 'Changed'} ${paint(1)(printable(folder))}:`, ...changes, counts]),
    ...skeletons.map(({ path, inserted }) =>
      inserted.length === 0
        ? `Wrote ${printable(path)}: skeletons of the handlers, yours to fill in`
        : `Added to ${printable(path)}: ${inserted.map(printable).join(', ')}`,
    ),
    paint(2)(`${total} (${times})`),
  ].join('\n');
}

function readLine({ job, timings }: Pick<Run, 'job' | 'timings'>): string {
  const count = (noun: string): number => timings.reduce((sum, { counts }) => sum + (counts[noun] ?? 0), 0);
  const names = job.input.length > 4 ? plural(job.input.length, 'document') : job.input.map(inputName).join(', ');
  const referenced = count('document') - job.input.length;
  const more = referenced > 0 ? ` and ${plural(referenced, 'referenced document')}` : '';
  return `Read ${names}${more}: ${plural(count('operation'), 'operation')}, ${plural(count('named schema'), 'named schema')}`;
}

/** How an entry is named to people. */
export function inputName(entry: string): string {
  return entry === '-' ? 'standard input' : printable(entry);
}

/** A line for each file that changed; those of a folder below share one. */
function changeLines(
  { written, removed, edited, kept }: NonNullable<Run['written']>,
  paint: (code: number) => Paint,
): string[] {
  const rows: { mark: string; name: string; note: string }[] = [];
  for (const [mark, paths] of [
    [paint(32)('+'), written],
    [paint(31)('-'), removed],
  ] as const) {
    const folders = new Map<string, number>();
    for (const path of paths) {
      const [folder] = /^(?:[^/]+\/)?(?:runtime|schemas)\//.exec(path) ?? [];
      if (folder !== undefined) folders.set(folder, (folders.get(folder) ?? 0) + 1);
      else
        rows.push({ mark, name: path, note: paths === written ? (purposes[path.split('/').at(-1) ?? ''] ?? '') : '' });
    }
    for (const [folder, count] of folders)
      rows.push({
        mark,
        name: folder,
        note: `${plural(count, 'file')}${paths === written && folder.endsWith('runtime/') ? ' that the others import' : ''}`,
      });
  }
  const width = Math.max(0, ...rows.map(({ name }) => name.length));
  const lines = rows.map(({ mark, name, note }) => `  ${mark} ${name.padEnd(width)}  ${paint(2)(note)}`.trimEnd());
  return [
    ...lines,
    ...edited.map((path) => `  ${paint(33)('!')} ${path} had been edited; it is as generated again`),
    ...kept.map((path) => `  ${paint(33)('!')} ${path} is yours since you edited it; what it would be has changed`),
  ];
}

/** The report of a run for machines; times in milliseconds. */
export async function runReport({ job, result, timings, written, skeletons, diagnostics }: Run): Promise<object> {
  return {
    ok: !diagnostics.some((entry) => entry.severity === 'error'),
    input: job.input,
    output: job.output ?? null,
    stages: Object.fromEntries(timings.map(({ stage, ms }) => [stage, Math.round(ms * 10) / 10])),
    files: written
      ? {
          written: written.written,
          unchanged: written.unchanged,
          removed: written.removed,
          edited: written.edited,
          kept: written.kept,
        }
      : null,
    scaffolded: skeletons,
    operations: result.apis.reduce((sum, { api }) => sum + api.operations.length, 0),
    schemas: result.apis.reduce((sum, { api }) => sum + api.schemas.size, 0),
    diagnostics: await located(diagnostics, result.texts),
  };
}

/** Says why there is no run: the configuration or the command line cannot be used. */
export async function refuse(
  diagnostics: readonly Diagnostic[],
  { out, ...printing }: Printing & { readonly out: Pick<Console, 'print'> },
  texts: ReadonlyMap<DocumentUri, DocumentText> = new Map(),
): Promise<void> {
  await printDiagnostics(diagnostics, texts, { out, ...printing });
  if (printing.report === 'json') out.print(json([{ ok: false, diagnostics: await located(diagnostics, texts) }]));
}

/** The report of one job is an object, that of several a list. */
export function json(reports: readonly object[]): string {
  return printableLines(JSON.stringify(reports.length === 1 ? reports[0] : reports, null, 2));
}

async function located(
  diagnostics: readonly Diagnostic[],
  texts: ReadonlyMap<DocumentUri, DocumentText>,
): Promise<readonly object[]> {
  if (diagnostics.length === 0) return diagnostics;
  const { locateDiagnostics } = await import('./format-diagnostics.js');
  return locateDiagnostics(diagnostics, texts);
}

/** What is said of a bug of ours: the stack, but not the message, which may hold document text. */
export function bugReport(error: unknown): string {
  const stack = error instanceof Error ? framesOf(error).filter((line) => /^\s+at /.test(line)) : [];
  const name = error instanceof Error && /^\w{1,40}$/.test(error.name) ? error.name : typeof error;
  return [
    `oasmith: this is a bug of oasmith (${name}), please report it with the lines below:`,
    ...stack.slice(0, 12),
  ].join('\n');
}

/** The lines of the stack behind the message. */
function framesOf({ stack = '', message }: Error): readonly string[] {
  const at = stack.indexOf(message);
  return stack.slice(at < 0 ? 0 : at + message.length).split('\n');
}
