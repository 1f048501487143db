/**
 * `npm run bench:validators [-- speed openai cold size]`
 *
 * Generated validators against functions written by hand, ajv (standalone, with and without its discriminator), typebox and typia:
 * values that are valid, parsed just before or not, and values that are refused; 100 schemas of OpenAI's description; what
 * loading 200 of them costs, and what 100 weigh. Prints each figure with its limit; exit code 1 where one is above it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shared } from '../../support/paths.js';
import { benchCold } from './cold.js';
import { loadMaterial } from './payloads.js';
import { installedPeers } from './peers.js';
import { Report } from './report.js';
import { benchSize } from './size.js';
import { benchCollection, benchPayload } from './speed.js';

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function main(wanted: readonly string[]): Promise<number> {
  if (shared === undefined) {
    print('skipped: there is no shared material; set OASMITH_SHARED to its folder');
    return 0;
  }
  const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name);
  const report = new Report(print);
  const folder = mkdtempSync(join(tmpdir(), 'bench-validators-'));
  try {
    const { payloads, collection } = await loadMaterial(shared);
    if (isWanted('size')) await benchSize(collection(100), folder, report);
    if (isWanted('cold')) await benchCold(collection(200), folder, report);
    const chosen = payloads.filter(({ name }) => isWanted('speed') || wanted.includes(name));
    const peers = chosen.length === 0 ? undefined : await installedPeers();
    if (chosen.length > 0 && peers === undefined) print('typebox and typia are not there and cannot be installed');
    for (const payload of chosen) await benchPayload(payload, folder, peers, report);
    if (isWanted('openai')) await benchCollection(collection(100), folder, report);
    print(`\n${report.passed} passed, ${report.failed} failed`);
    return report.failed === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main(process.argv.slice(2));
