/**
 * `npm run conformance:openapi [-- <folder>]`
 *
 * Generates from every document that the tests of the OpenAPI Specification call right, prints a table and
 * `N passed, N failed`; exit code 1 where one failed.
 */
import { join, resolve } from 'node:path';
import { shared } from '../support/paths.js';
import { judgeDocument, passDocuments, unneededExceptions } from './documents.js';

async function main(): Promise<number> {
  const [given] = process.argv.slice(2);
  const folder = given === undefined ? shared && join(shared, 'conformance/openapi') : resolve(given);
  if (folder === undefined) {
    process.stderr.write('skipped: there is no shared material; set OASMITH_SHARED to its folder, or name one\n');
    return 2;
  }
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
