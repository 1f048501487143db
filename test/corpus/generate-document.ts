/** Generates one document by the built command line in a process of its own, and imports what came out in another. */
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { type ChildResult, runNode } from '../hostile/child.js';
import { commandLine, importOutput } from '../hostile/run-case.js';
import { walkFiles } from '../support/walk-files.js';
import type { CorpusDocument } from './documents.js';
import type { Generated, ReportedDiagnostic } from './outcome.js';

const limitMs = 300_000;

interface Report {
  readonly diagnostics: readonly ReportedDiagnostic[];
  readonly stages?: Readonly<Record<string, number>>;
}

export async function generateDocument(
  document: CorpusDocument,
  output: string,
  targets: readonly string[],
): Promise<Generated> {
  const { entry, refRoot } = document;
  const child = await runNode(
    [
      commandLine,
      ...['generate', entry, '-o', output, '--report', 'json'],
      ...(refRoot === undefined ? [] : ['--ref-root', refRoot]),
      ...(targets.length === 0 ? [] : ['--targets', targets.join(',')]),
    ],
    { cwd: output.slice(0, output.lastIndexOf('/')), limitMs },
  );
  const report = readReport(child);
  const { exit, ms, timedOut, stderr } = child;
  const { diagnostics = [], stages: timings = {} } = report ?? {};
  const faults = [
    ...(timedOut ? [`no answer within ${limitMs / 1000} s`] : []),
    ...(report === undefined ? [`no report: ${stderr.slice(0, 400)}`] : []),
    ...diagnostics.filter(isUnclean).map(({ code, message }) => `${code} is no clean line: ${JSON.stringify(message)}`),
  ];
  if (exit !== 0) {
    const left = readdirOrNothing(output);
    if (left.length > 0) faults.push(`files were left behind: ${left.join(', ')}`);
    return { document, output: undefined, exit, diagnostics, timings, ms, lines: 0, size: 0, faults };
  }
  const sources = walkFiles(output).filter((path) => path.endsWith('.ts'));
  const texts = new Map(sources.map((path) => [path, readFileSync(join(output, path), 'utf8')]));
  faults.push(...missingImports(texts), ...(await importFaults(output, sources)));
  writeFileSync(join(output, 'package.json'), '{ "type": "module" }\n');
  return {
    ...{ document, output, exit, diagnostics, timings, ms, faults },
    lines: [...texts.values()].reduce((sum, text) => sum + text.split('\n').length - 1, 0),
    size: sources.reduce((sum, path) => sum + statSync(join(output, path)).size, 0),
  };
}

function readReport({ stdout }: ChildResult): Report | undefined {
  try {
    return JSON.parse(stdout) as Report;
  } catch {
    return undefined;
  }
}

/** A message is one line of text, without what JavaScript prints where a value is missing. */
function isUnclean({ message }: ReportedDiagnostic): boolean {
  return /[\u0000-\u001f]|undefined|\[object/.test(message);
}

function readdirOrNothing(folder: string): readonly string[] {
  return statSync(folder, { throwIfNoEntry: false }) === undefined ? [] : readdirSync(folder);
}

/** A file that is imported for its types only is not missed by anybody at run time. */
function missingImports(texts: ReadonlyMap<string, string>): readonly string[] {
  const faults = new Set<string>();
  for (const [path, text] of texts) {
    const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/') + 1) : '';
    for (const [, target = ''] of text.matchAll(/^(?:import|export)\b[^;'"]*? from '(\.[^']*)';$/gm)) {
      const file = new URL(target.replace(/\.js$/, '.ts'), `file:///${folder}`).pathname.slice(1);
      if (!texts.has(decodeURIComponent(file))) faults.add(`${path} imports ${target}, which is not there`);
    }
  }
  return [...faults];
}

/** Imports every generated module in a child process that may not evaluate text. */
async function importFaults(output: string, sources: readonly string[]): Promise<readonly string[]> {
  const javascript = `${output}.js`;
  try {
    await build({
      entryPoints: sources.map((path) => join(output, path)),
      outbase: output,
      outdir: javascript,
      format: 'esm',
      target: 'es2022',
      platform: 'neutral',
      logLevel: 'silent',
    });
    writeFileSync(join(javascript, 'package.json'), '{ "type": "module" }\n');
    const { exit, stdout, stderr } = await importOutput(javascript);
    if (exit !== 0) return [`the modules cannot be imported: ${stderr.slice(0, 400)}`];
    const { failed } = JSON.parse(stdout) as { readonly failed: readonly string[] };
    return failed.map((fault) => `import of ${fault}`);
  } catch (error) {
    return [`the modules cannot be imported: ${error instanceof Error ? error.message.slice(0, 400) : String(error)}`];
  } finally {
    rmSync(javascript, { recursive: true, force: true });
  }
}
