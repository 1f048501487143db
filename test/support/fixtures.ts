/** The cases below `fixtures/`, and how they are run: as the command line would in their folder, but without writing. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resolveOptions } from '../../src/config.js';
import { readConfiguration } from '../../src/config-file.js';
import type { Diagnostic, DocumentUri } from '../../src/diagnostics.js';
import { type JobResult, runJob } from '../../src/generate.js';
import type { DocumentText } from '../../src/load/sources.js';
import { nodeHost } from '../../src/node-host.js';
import { printDiagnostics } from '../../src/report.js';
import { repository } from './paths.js';
import { walkFiles } from './walk-files.js';

export interface Fixture {
  /** The path below `fixtures/`, and below `generated/`. */
  readonly name: string;
  /** The absolute path of its folder. */
  readonly folder: string;
  /** The entries when the configuration names none. */
  readonly entry: string | undefined;
  /** What is printed: the text of `diagnostics.txt`, empty where there is none. */
  readonly diagnostics: string;
}

export const fixtureRoot: string = join(repository, 'fixtures');
const entryNames = /^(?:openapi\.(?:yaml|json)|schema\.json|.*\.schema\.json)$/;

/** The cases of one area: `documents`, `features` or `invalid`. */
export function listFixtures(area: 'documents' | 'features' | 'invalid'): readonly Fixture[] {
  const root = join(fixtureRoot, area);
  const folders = new Set(
    walkFiles(root)
      .filter((path) => entryNames.test(path.split('/').at(-1) ?? '') || path.endsWith('/oasmith.config.json'))
      .map((path) => path.split('/').slice(0, -1).join('/')),
  );
  return [...folders].sort().map((path) => {
    const folder = join(root, path);
    const text = join(folder, 'diagnostics.txt');
    return {
      name: `${area}/${path}`,
      folder,
      entry: readdirSync(folder).find((name) => entryNames.test(name)),
      diagnostics: existsSync(text) ? readFileSync(text, 'utf8') : '',
    };
  });
}

/** What a case prints and yields; a faulty configuration yields no job. */
export interface FixtureRun {
  readonly ok: boolean;
  readonly result: JobResult | undefined;
  readonly printed: string;
}

export async function runFixture(fixture: Fixture): Promise<FixtureRun> {
  const host = nodeHost(fixture.folder);
  const { jobs, diagnostics, texts } = await readConfiguration(host, undefined);
  const [options] = jobs;
  if (options === undefined) return { ok: false, result: undefined, printed: await print(diagnostics, texts) };
  const input = options.input ?? fixture.entry;
  const result = await runJob(resolveOptions({ ...options, ...(input !== undefined && { input }) }), host);
  return { ok: result.ok, result, printed: await print(result.diagnostics, result.texts) };
}

/** What the command line prints with `--report text`. */
async function print(
  diagnostics: readonly Diagnostic[],
  texts: ReadonlyMap<DocumentUri, DocumentText>,
): Promise<string> {
  const lines: string[] = [];
  const out = {
    isTerminal: false,
    color: false,
    print: () => {},
    complain: (text: string) => void lines.push(text),
    now: () => 0,
  };
  await printDiagnostics(diagnostics, texts, { out, quiet: false, report: 'text' });
  return lines.map((text) => `${text}\n`).join('');
}
