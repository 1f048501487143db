/** The tool that takes every document of a corpus through the generator, on small corpora; `npm run corpus` runs all of it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { shared, sharedTitle } from '../support/paths.js';
import { compileBatch } from './compile.js';
import { findDocuments } from './documents.js';
import { type Expectations, sharedCorpus } from './expectations.js';
import { type Generated, judge, row } from './outcome.js';
import { type CorpusReport, runCorpus } from './run-corpus.js';

const folders: string[] = [];

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'corpus-test-'));
  folders.push(folder);
  return folder;
}

afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A corpus of files by path; what is no text is printed as JSON. */
function corpusOf(files: Readonly<Record<string, unknown>>): string {
  const corpus = temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    mkdirSync(dirname(join(corpus, path)), { recursive: true });
    writeFileSync(join(corpus, path), path.endsWith('.gz') ? gzipSync(text) : text);
  }
  return corpus;
}

const nothingExpected: Expectations = { archives: {}, refRoots: {}, refused: {} };
const head = { openapi: '3.1.0', info: { title: 'Plain', version: '1' } };
const plain = { ...head, paths: { '/a': { get: { responses: { 200: { description: 'ok' } } } } } };
const unbound = { ...head, paths: { '/{a}': { get: { responses: { 200: { description: 'ok' } } } } } };

function problemsOf({ documents }: CorpusReport): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(documents.map(({ outcome, problems }) => [outcome.document.name, problems]));
}

describe('which files are documents', () => {
  const names = (files: Readonly<Record<string, unknown>>, expectations = nothingExpected): readonly string[] =>
    findDocuments(corpusOf(files), temporaryFolder(), expectations, /./).documents.map(({ name }) => name);

  test('what declares itself, packed or not, in JSON and in YAML', () => {
    const yaml = '---\n  # indented\n  swagger: "2.0"\n  info: {}\n';
    const files = { 'directory/a.json.gz': plain, 'learn/b/c.yaml': yaml, 'learn/d.yml': '"openapi": 3.2.0\n' };
    expect(names(files)).toEqual(['directory/a.json.gz', 'learn/b/c.yaml', 'learn/d.yml']);
  });

  test('a schema that no other file refers to', () => {
    const files = {
      'learn/spec/entry.yaml': 'openapi: 3.1.0\nx: { $ref: "../common/part.json#/definitions/A" }\n',
      'learn/common/part.json': { type: 'object' },
      'learn/common/alone.json': { type: 'object' },
      'learn/common/parameters.json': { limit: { in: 'query', type: 'integer' } },
    };
    expect(names(files)).toEqual(['learn/common/alone.json', 'learn/spec/entry.yaml']);
  });

  test('not what is no description at all, nor what only mentions one', () => {
    const files = {
      'learn/readme.md': 'openapi: 3.1.0',
      'learn/a.yaml': 'x:\n  openapi: 3.1.0\n',
      'learn/b.json': '[1]',
      'elsewhere/c.json': plain,
    };
    expect(names(files)).toEqual([]);
  });

  test('a document that does not parse', () => {
    expect(names({ 'learn/broken.json': '{' })).toEqual(['learn/broken.json']);
  });

  test('a line of the table that is of no use is a problem', () => {
    const table = { archives: { 'documents/gone.tar.gz': 'a.yaml' }, refRoots: { 'learn/gone.json': 'learn' } };
    expect(findDocuments(corpusOf({}), temporaryFolder(), table, /./).problems).toEqual([
      'the table names documents/gone.tar.gz, which is no archive of the corpus',
      'the table names learn/gone.json, which is no document of the corpus',
    ]);
  });
});

describe('what passes', () => {
  const files = {
    'learn/plain.json': plain,
    'learn/refused.json': unbound,
    'learn/unlisted.json': unbound,
    'learn/needless.json': plain,
    'learn/other-code.json': unbound,
  };
  const refusal = { code: 'path-parameter-unbound', reason: 'nothing binds a' };
  const expectations = {
    ...nothingExpected,
    refused: {
      'learn/refused.json': refusal,
      'learn/needless.json': refusal,
      'learn/other-code.json': { ...refusal, code: 'path-invalid' },
      'learn/gone.json': refusal,
    },
  };
  const request = { corpus: corpusOf(files), expectations, targets: ['types', 'client'], jobs: 2 };

  test('is what is generated, and what is refused with the code that is listed', async () => {
    const report = await runCorpus(request);
    const unboundFault = 'path-parameter-unbound: no parameter binds {a} of the path "/{a}"';
    expect(problemsOf(report)).toEqual({
      'learn/needless.json': ['it is listed as refused, and is generated'],
      'learn/other-code.json': ['it is refused with path-parameter-unbound and not with path-invalid'],
      'learn/plain.json': [],
      'learn/refused.json': [],
      'learn/unlisted.json': ['exit code 1', unboundFault],
    });
    expect(report.problems).toEqual(['learn/gone.json is listed as refused, and is not there']);
    const [first, second] = report.documents.map(({ outcome }) => row(outcome).split(/\s+/).slice(0, 3));
    expect([first, second]).toEqual([
      ['learn/needless.json', '0', '0/0/0'],
      ['learn/other-code.json', '1', '1/0/0'],
    ]);
  });

  test('is not a crash, a type error, a broken import or a keyword that is left out', async () => {
    const output = temporaryFolder();
    writeFileSync(join(output, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(output, 'a.ts'), 'export const a: number = "text";\n');
    const document = { name: 'learn/a.json', entry: 'a.json' };
    const left = { code: 'not-yet-keyword', severity: 'warning', message: '"x" is not checked' } as const;
    const generated: Generated = {
      ...{ document, output, exit: 0, timings: {}, ms: 1, lines: 1, size: 1 },
      diagnostics: [left],
      faults: ['import of a.js: Error'],
    };
    const [outcome] = await compileBatch([generated], temporaryFolder());
    expect(outcome && judge(outcome, undefined)).toEqual([
      'import of a.js: Error',
      'not-yet-keyword: "x" is not checked',
      "a.ts:1 TS2322: Type 'string' is not assignable to type 'number'.",
    ]);
    const crashed = { ...generated, exit: 70, diagnostics: [], faults: [], typeErrors: [] };
    expect(judge(crashed, undefined)).toEqual(['exit code 70']);
    expect(judge(crashed, refusal)).toEqual(['exit code 70']);
  });
});

describe.skipIf(shared === undefined)(sharedTitle('a sample of the corpus'), () => {
  const chosen = [
    ...['documents/museum.yaml', 'directory/ebi.ac.uk.json.gz', 'directory/va.gov__benefits.json.gz'],
    ...['learn/v2.0/yaml/petstore-separate/spec/swagger.yaml', 'oas-examples/3.0/json/parameters-common.json'],
  ];

  test('passes', async () => {
    const escaped = chosen.map((name) => name.replaceAll('.', '\\.'));
    const only = new RegExp(`^(?:${escaped.join('|')})$`);
    const corpus = join(shared ?? '', 'corpus');
    const report = await runCorpus({ corpus, expectations: sharedCorpus, only, targets: [], jobs: 2 });
    expect(problemsOf(report)).toEqual(Object.fromEntries(chosen.map((name) => [name, []])));
    expect(report.problems).toEqual([]);
  });
});
