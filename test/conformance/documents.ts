/** The documents of the OpenAPI Specification's own tests that are right: each must load and generate. */
import { basename, join } from 'node:path';
import type { DiagnosticCode } from '../../src/diagnostics.js';
import { generateFrom } from '../support/corpus.js';
import { walkFiles } from '../support/walk-files.js';

/** Documents that pass for the schema of OpenAPI but cannot be generated from, with the codes that say why. */
const refused: ReadonlyMap<string, { readonly codes: readonly DiagnosticCode[]; readonly reason: string }> = new Map([
  [
    'operation-object-example.yaml',
    {
      codes: ['path-parameter-unbound', 'security-scheme-unknown'],
      reason: 'the path has a variable that no parameter binds, and a requirement names a scheme that is not declared',
    },
  ],
  [
    'security-scheme-object-examples.yaml',
    { codes: ['ref-remote'], reason: 'a reference leads to a remote document, which nobody has allowed' },
  ],
]);

export interface Verdict {
  /** The path below the folder of all versions: `v3.2/pass/self.yaml`. */
  readonly document: string;
  readonly outcome: 'generated' | 'refused';
  readonly files: number;
  readonly errors: number;
  readonly warnings: number;
  /** What is wrong; empty where the document passes. */
  readonly problems: readonly string[];
}

/** The documents below `<folder>/<version>/pass`, by their paths below the folder. */
export function passDocuments(folder: string): readonly string[] {
  return walkFiles(folder)
    .filter((path) => /^[^/]+\/pass\/.*\.(?:ya?ml|json)$/.test(path))
    .sort();
}

/** Generates every default target of a document, in memory. */
export async function judgeDocument(folder: string, document: string): Promise<Verdict> {
  const { ok, files, diagnostics } = await generateFrom(join(folder, document));
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const exception = refused.get(basename(document));
  const problems: string[] = [];
  if (exception === undefined) {
    for (const { code, message } of errors) problems.push(`${code}: ${message}`);
    if (ok && files.length === 0) problems.push('nothing was generated');
  } else if (ok) problems.push(`is generated, though ${exception.reason}`);
  else {
    const codes = errors.map(({ code }) => code).sort();
    if (codes.join() !== exception.codes.join()) problems.push(`is refused by ${codes.join(', ')}`);
  }
  return {
    document,
    outcome: ok ? 'generated' : 'refused',
    files: files.length,
    errors: errors.length,
    warnings: diagnostics.filter(({ severity }) => severity === 'warning').length,
    problems,
  };
}

/** Exceptions that no document needs any more. */
export function unneededExceptions(documents: readonly string[]): readonly string[] {
  const names = new Set(documents.map((document) => basename(document)));
  return [...refused.keys()].filter((name) => !names.has(name));
}
