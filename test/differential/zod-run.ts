/**
 * `npm run differential:zod -- FILE…` (JSON): holds the Zod schemas of whole descriptions against their validators, prints a
 * row for each, what they disagree on, and `N passed, N failed`; exit code 1 where one failed.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { generateValidators } from '../support/generated-validators.js';
import { agreementOf } from './zod-agreement.js';

const linesPerDocument = 10;

async function main(): Promise<number> {
  const files = process.argv.slice(2);
  if (files.length === 0) {
    process.stderr.write('usage: npm run differential:zod -- FILE…\n');
    return 2;
  }
  let failed = 0;
  for (const file of files) {
    const bytes = readFileSync(file);
    const document = JSON.parse((file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')) as object;
    const result = await generateValidators({
      documents: { 'api.json': document },
      targets: ['types', 'validators', 'zod'],
    });
    const { schemas, asked, accepted, refused, disagreements } = await agreementOf(result, { assertFormats: false });
    const row = `${schemas} schemas, ${asked.length} by validators, ${accepted} values accepted, ${refused} refused`;
    process.stdout.write(`${basename(file)}: ${row}, ${disagreements.length} disagreements\n`);
    for (const line of disagreements.slice(0, linesPerDocument)) process.stdout.write(`  FAIL ${line}\n`);
    if (disagreements.length > 0) failed++;
  }
  process.stdout.write(`${files.length - failed} passed, ${failed} failed\n`);
  return failed === 0 ? 0 : 1;
}

process.exitCode = await main();
