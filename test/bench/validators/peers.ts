/** typebox and typia, which are no dependencies: installed into a cache folder, `OASMITH_BENCH_CACHE` or one of the user's. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Files, loaded, writeFiles } from './candidates.js';
import type { Schema, Test } from './payloads.js';

const run = promisify(execFile);

const versions = { typebox: '1.4.3', typia: '9.7.2', typescript: '5.9' };

export interface Peers {
  typebox(schema: Schema): Promise<Test>;
  /** `types` exports the type by that name. */
  typia(types: Files, type: string): Promise<Test>;
}

/** Nothing where they are not there and cannot be installed. */
export async function installedPeers(): Promise<Peers | undefined> {
  const user = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const cache = join(process.env['OASMITH_BENCH_CACHE'] ?? join(user, 'oasmith'), 'bench-validators');
  const needed = Object.keys(versions).map((name) => join(cache, 'node_modules', name, 'package.json'));
  if (!needed.every(existsSync)) {
    mkdirSync(cache, { recursive: true });
    if (!existsSync(join(cache, 'package.json'))) writeFileSync(join(cache, 'package.json'), '{"private":true}');
    const packages = Object.entries(versions).map(([name, version]) => `${name}@${version}`);
    await run('npm', ['install', '--no-audit', '--no-fund', ...packages], { cwd: cache }).catch(() => undefined);
    if (!needed.every(existsSync)) return undefined;
  }
  return {
    typebox: async (schema) => {
      const { Compile } = await loaded<{ Compile(schema: Schema): { Check(value: unknown): boolean } }>(
        cache,
        'typebox',
        "export { Compile } from 'typebox/schema';",
      );
      const compiled = Compile(schema);
      return (value) => compiled.Check(value);
    },
    typia: (types, type) => typiaTest(cache, types, type),
  };
}

async function typiaTest(cache: string, types: Files, type: string): Promise<Test> {
  const folder = join(cache, `typia-${process.pid}`);
  const options = { strict: true, target: 'ES2022', module: 'ESNext', moduleResolution: 'bundler', skipLibCheck: true };
  try {
    writeFiles(folder, {
      'src/types.ts': types['types.ts'] ?? '',
      'src/check.ts': `import typia from 'typia';\nimport type { ${type} } from './types.js';\nexport const is = typia.createIs<${type}>();\n`,
      'tsconfig.json': JSON.stringify({ compilerOptions: options, include: ['src'] }),
    });
    const command = join(cache, 'node_modules/typia/lib/executable/typia.js');
    const parameters = [command, 'generate', '--input', 'src', '--output', 'out', '--project', 'tsconfig.json'];
    await run(process.execPath, parameters, { cwd: folder });
    const { is } = await loaded<{ is: Test }>(folder, 'check', "export { is } from './out/check.ts';");
    return is;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
