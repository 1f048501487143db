/**
 * `npm run corpus -- ../shared/corpus [--targets types,client] [--jobs 2] [--only PATTERN]`
 *
 * Generates every document of the corpus by the built command line, imports and compiles what came out, prints a table
 * and what is wrong, and `N passed, N failed`; exit code 1 where one failed.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfStale } from '../support/build.js';
import { sharedCorpus } from './expectations.js';
import { header, row, seconds } from './outcome.js';
import { runCorpus } from './run-corpus.js';

const problemsPerDocument = 8;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      targets: { type: 'string', default: '' },
      jobs: { type: 'string', default: '2' },
      only: { type: 'string' },
    },
  });
  const [corpus] = positionals;
  const jobs = Number(values.jobs);
  if (corpus === undefined || !existsSync(corpus) || !Number.isInteger(jobs) || jobs < 1) {
    process.stderr.write('usage: npm run corpus -- <corpus> [--targets …] [--jobs 2] [--only PATTERN]\n');
    return 2;
  }
  await buildIfStale();
  const begun = performance.now();
  const { documents, problems } = await runCorpus({
    corpus: resolve(corpus),
    expectations: sharedCorpus,
    targets: values.targets.split(',').filter((target) => target !== ''),
    jobs,
    ...(values.only !== undefined && { only: new RegExp(values.only) }),
    ...(process.stderr.isTTY && { progress: (line: string) => void process.stderr.write(`\r\u001b[K${line}`) }),
  });
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
  process.stdout.write(`${header}\n`);
  for (const { outcome } of documents) process.stdout.write(`${row(outcome)}\n`);
  for (const { outcome, problems: wrong } of documents) {
    const name = outcome.document.name;
    for (const problem of wrong.slice(0, problemsPerDocument)) process.stdout.write(`FAIL ${name}: ${problem}\n`);
    const more = wrong.length - problemsPerDocument;
    if (more > 0) process.stdout.write(`FAIL ${name}: and ${more} more\n`);
  }
  for (const problem of problems) process.stdout.write(`FAIL ${problem}\n`);
  const failed = documents.filter(({ problems: wrong }) => wrong.length > 0).length + problems.length;
  const lines = documents.reduce((sum, { outcome }) => sum + outcome.lines, 0);
  process.stdout.write(`${documents.length} documents, ${lines} lines, ${seconds(performance.now() - begun)} s\n`);
  process.stdout.write(`${documents.length + problems.length - failed} passed, ${failed} failed\n`);
  return failed === 0 && documents.length > 0 ? 0 : 1;
}

process.exitCode = await main();
