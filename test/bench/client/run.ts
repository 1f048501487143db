/**
 * `npm run bench:client [-- size calls types]`
 *
 * The size of bundles of one operation; what a call costs beyond bare `fetch`, and what a program of 200 calls costs the compiler,
 * against openapi-fetch and hey-api. Prints figures and ratios of one run; exit code 1 where a bundle is too large or a peer is better.
 */
import { join } from 'node:path';
import { shared } from '../../support/paths.js';
import { benchCalls } from './calls.js';
import { installedPeers } from './peers.js';
import { benchSizes } from './size.js';
import { benchTypes } from './types.js';

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function main(wanted: readonly string[]): Promise<number> {
  if (shared === undefined) {
    print('skipped: there is no shared material; set OASMITH_SHARED to its folder');
    return 0;
  }
  const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name);
  const documents = join(shared, 'corpus/documents');
  const museum = join(documents, 'museum.yaml');
  const outcomes: boolean[] = [];
  if (isWanted('size')) outcomes.push(await benchSizes(museum, print));
  const peers = isWanted('calls') || isWanted('types') ? await installedPeers() : undefined;
  if (!peers) {
    if (isWanted('calls') || isWanted('types')) print('skipped: the peers are not there and cannot be installed');
    return outcomes.every(Boolean) ? 0 : 1;
  }
  if (isWanted('calls')) outcomes.push(await benchCalls(museum, peers, print));
  if (isWanted('types')) outcomes.push(await benchTypes(join(documents, 'github.json.gz'), peers, print));
  return outcomes.every(Boolean) ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
