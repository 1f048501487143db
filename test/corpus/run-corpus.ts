/** Takes every document of a corpus through generation, import and compilation, and judges what came of it. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { batches, compileBatch } from './compile.js';
import { type CorpusDocument, findDocuments } from './documents.js';
import type { Expectations } from './expectations.js';
import { generateDocument } from './generate-document.js';
import { type Generated, judge, type Outcome } from './outcome.js';

export interface CorpusRequest {
  /** The folder that holds `documents`, `directory`, `learn` and `oas-examples`. */
  readonly corpus: string;
  readonly expectations: Expectations;
  /** Names of documents must match it; what is expected of others is left alone. */
  readonly only?: RegExp;
  /** Empty for the default ones. */
  readonly targets: readonly string[];
  /** How many documents are in work at a time. */
  readonly jobs: number;
  /** Told of each step; whoever prints shows it. */
  readonly progress?: (line: string) => void;
}

export interface Judged {
  readonly outcome: Outcome;
  /** Empty where the document passes. */
  readonly problems: readonly string[];
}

export interface CorpusReport {
  readonly documents: readonly Judged[];
  /** What is wrong with the table of expectations. */
  readonly problems: readonly string[];
}

export async function runCorpus(request: CorpusRequest): Promise<CorpusReport> {
  const { corpus, expectations, only, jobs, progress = () => {} } = request;
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'corpus-')));
  try {
    const unpacked = join(workspace, 'unpacked');
    const { documents, problems } = findDocuments(corpus, unpacked, expectations, only ?? /./);
    const generated = await generateAll(documents, workspace, request);
    const refused = generated.filter(({ output }) => output === undefined);
    const outcomes: Outcome[] = refused.map((one) => ({ ...one, typeErrors: [] }));
    for (const batch of batches(generated)) {
      progress(`compiling ${batch.length} outputs`);
      outcomes.push(...(await compileBatch(batch, workspace)));
    }
    const { refused: refusals } = expectations;
    const names = new Set(documents.map(({ name }) => name));
    const unknown = only === undefined ? Object.keys(refusals).filter((name) => !names.has(name)) : [];
    return {
      documents: documents
        .flatMap((document) => outcomes.filter((outcome) => outcome.document === document))
        .map((outcome) => ({ outcome, problems: judge(outcome, refusalOf(outcome, expectations)) })),
      problems: [...problems, ...unknown.map((name) => `${name} is listed as refused, and is not there`)],
    };
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }

  async function generateAll(
    documents: readonly CorpusDocument[],
    workspace: string,
    { targets }: CorpusRequest,
  ): Promise<readonly Generated[]> {
    const generated: Generated[] = [];
    const outputs = join(workspace, 'output');
    mkdirSync(outputs);
    const waiting = documents.map((document, index) => ({ document, output: join(outputs, String(index)) }));
    const worker = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        generated.push(await generateDocument(next.document, next.output, targets));
        progress(`${generated.length} of ${documents.length} generated: ${next.document.name}`);
      }
    };
    await Promise.all(Array.from({ length: jobs }, worker));
    return generated;
  }
}

function refusalOf(
  { document: { name } }: Outcome,
  { refused }: Expectations,
): Expectations['refused'][string] | undefined {
  return Object.hasOwn(refused, name) ? refused[name] : undefined;
}
