/**
 * `npm run conformance:sse [-- <file>]`
 *
 * Every vector of the file as given, as one chunk and byte by byte through our decoder. Prints what
 * fails and `N passed, N failed`; exit code 1 where one failed.
 */
import { join, resolve } from 'node:path';
import { shared } from '../support/paths.js';
import { judgeVector, readVectors } from './sse-vectors.js';

function main(): number {
  const [given] = process.argv.slice(2);
  const file = given === undefined ? shared && join(shared, 'vectors/sse-vectors.json') : resolve(given);
  if (file === undefined) {
    process.stderr.write('skipped: there is no shared material; set OASMITH_SHARED to its folder, or name a file\n');
    return 2;
  }
  const vectors = readVectors(file);
  let failures = 0;
  for (const vector of vectors) {
    const problems = judgeVector(vector);
    if (problems.length > 0) failures += 1;
    for (const problem of problems) process.stdout.write(`FAIL ${vector.name}: ${problem}\n`);
  }
  process.stdout.write(`${vectors.length - failures} passed, ${failures} failed\n`);
  return failures === 0 ? 0 : 1;
}

process.exitCode = main();
