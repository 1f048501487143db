/**
 * `npm run conformance:openapi [-- <folder>] [--fail]`
 *
 * With `--fail`, `oasmith validate` on the documents that are wrong, each of which it must refuse at the place of the fault. Without it:
 * Generates from every document that the tests of the OpenAPI Specification call right, prints a table and
 * `N passed, N failed`; exit code 1 where one failed.
 */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfStale } from '../support/build.js';
import { shared } from '../support/paths.js';
import { judgeDocument, passDocuments, unneededExceptions } from './documents.js';
import { builtChecks, errorPlaces, failDocuments, faults } from './faulty-documents.js';

async function refuseAll(folder: string): Promise<number> {
  await buildIfStale();
  const checks = await builtChecks();
  const documents = failDocuments(folder);
  let failures = 0;
  for (const document of documents) {
    const found = await errorPlaces(join(folder, document), checks);
    const wanted = [...(faults.get(document) ?? ['nobody has said where its fault is'])].sort();
    const right = found.join(' ') === wanted.join(' ');
    if (!right) failures += 1;
    process.stdout.write(`${right ? 'refused' : 'FAIL   '}  ${document}  ${found.join(' ')}\n`);
    if (!right) process.stdout.write(`         expected ${wanted.join(' ')}\n`);
  }
  process.stdout.write(`${documents.length - failures} passed, ${failures} failed\n`);
  return failures === 0 ? 0 : 1;
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { fail: { type: 'boolean' } } });
  const [given] = positionals;
  const folder = given === undefined ? shared && join(shared, 'conformance/openapi') : resolve(given);
  if (folder === undefined) {
    process.stderr.write('skipped: there is no shared material; set OASMITH_SHARED to its folder, or name one\n');
    return 2;
  }
  if (values.fail === true) return refuseAll(folder);
  const documents = passDocuments(folder);
  const width = Math.max(...documents.map((document) => document.length));
  process.stdout.write(`${'document'.padEnd(width)}  outcome    files  errors  warnings\n`);
  let failures = 0;
  for (const document of documents) {
    const { outcome, files, errors, warnings, problems } = await judgeDocument(folder, document);
    const numbers = `${String(files).padStart(5)}  ${String(errors).padStart(6)}  ${String(warnings).padStart(8)}`;
    process.stdout.write(`${document.padEnd(width)}  ${outcome.padEnd(9)}  ${numbers}\n`);
    if (problems.length > 0) failures += 1;
    for (const problem of problems) process.stdout.write(`  FAIL ${problem}\n`);
  }
  for (const name of unneededExceptions(documents)) {
    failures += 1;
    process.stdout.write(`FAIL the exception ${name} is not needed\n`);
  }
  process.stdout.write(`${documents.length - failures} passed, ${failures} failed\n`);
  return failures === 0 ? 0 : 1;
}

process.exitCode = await main();
