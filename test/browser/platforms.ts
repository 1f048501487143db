/** Runs the program of the client: in Node, in Chromium, and in Deno and Bun where their npm packages can be installed. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { bundle, generateFrom, withOutput } from '../support/generated-client.js';
import { description, program, type Service, startService } from './service.js';

const run = promisify(execFile);

/** The generated client as ES modules, one for each file, and as one bundle. */
interface Made {
  readonly modules: ReadonlyMap<string, string>;
  readonly bundled: Uint8Array;
}

async function made(): Promise<Made> {
  const result = await generateFrom(description);
  const modules = new Map<string, string>();
  for (const { path, text } of result.files) {
    if (!path.endsWith('.ts')) continue;
    modules.set(path.replace(/\.ts$/, '.js'), (await transform(text, { loader: 'ts', target: 'es2022' })).code);
  }
  return { modules, bundled: await withOutput(result, {}, (folder) => bundle(folder, "export * from './index.ts';")) };
}

/** The client of a folder that a command line runs. */
const main = `
import * as api from './index.js';
import { run } from './program.js';
console.log(JSON.stringify(await run(api, process.argv.at(-1))));
`;

async function inFolder<T>({ modules }: Made, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'platform-'));
  try {
    const files = new Map([
      ...modules,
      ['program.js', program],
      ['main.js', main],
      ['package.json', '{"type":"module"}'],
    ]);
    for (const [path, text] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a command prints that runs the program: its arguments come before the module and the server's origin. */
export async function runByCommand(command: string, args: readonly string[]): Promise<unknown> {
  const service = await startService(new Map());
  try {
    return await inFolder(await made(), async (folder) => {
      const { stdout } = await run(command, [...args, 'main.js', service.origin], { cwd: folder, timeout: 60_000 });
      return JSON.parse(stdout) as unknown;
    });
  } finally {
    service.close();
  }
}

function page(name: string, client: string): string {
  return `<!doctype html><meta charset="utf-8"><script type="module">
    const post = (result) => fetch('/results/${name}', { method: 'POST', body: JSON.stringify(result) });
    try {
      const [api, { run }] = await Promise.all([import('${client}'), import('/program.js')]);
      await post(await run(api, location.origin));
    } catch (error) {
      await post(String(error?.stack ?? error));
    }
  </script>`;
}

/** The path of Chromium; nothing where there is none. */
export function chromium(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(':');
  const names = ['chromium', 'chromium-browser', 'google-chrome'];
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path));
}

const flags = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

/** What two pages give: one that imports a bundle, one that imports the modules as they are. */
export async function runInChromium(command: string): Promise<{ bundled: unknown; modules: unknown }> {
  const { modules, bundled } = await made();
  const service = await startService(
    new Map<string, string | Uint8Array>([
      ...[...modules].map(([path, text]) => [`/modules/${path}`, text] as const),
      ['/bundled.js', bundled],
      ['/program.js', program],
      ['/bundled.html', page('bundled', '/bundled.js')],
      ['/modules.html', page('modules', '/modules/index.js')],
    ]),
  );
  try {
    return { bundled: await visit(command, service, 'bundled'), modules: await visit(command, service, 'modules') };
  } finally {
    service.close();
  }
}

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

async function visit(command: string, service: Service, name: string): Promise<unknown> {
  const profile = mkdtempSync(join(tmpdir(), 'chromium-'));
  const child = spawn(command, [...flags, `--user-data-dir=${profile}`, `${service.origin}/${name}.html`], {
    stdio: 'ignore',
    // A group of its own, to be ended with all its processes.
    detached: true,
  });
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', () => resolve());
  });
  let clock: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    clock = setTimeout(() => resolve('the page did not answer within a minute'), 60_000);
  });
  try {
    return await Promise.race([service.result(name), late]);
  } finally {
    clearTimeout(clock);
    endGroup(child);
    await ended;
    // A process of the browser that is late may still write there; what is left then is in the folder for temporary files.
    await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }).catch(() => undefined);
  }
}

/** The command of an npm package that is installed into a cache folder; nothing where it cannot be. */
export async function installed(name: 'deno' | 'bun', version: string): Promise<string | undefined> {
  const user = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const cache = process.env['OASMITH_PLATFORM_CACHE'] ?? join(user, 'oasmith/platforms');
  const command = join(cache, 'node_modules/.bin', name);
  const works = (): Promise<boolean> =>
    run(command, ['--version']).then(
      () => true,
      () => false,
    );
  if (await works()) return command;
  mkdirSync(cache, { recursive: true });
  if (!existsSync(join(cache, 'package.json'))) writeFileSync(join(cache, 'package.json'), '{"private":true}');
  await run('npm', ['install', '--no-audit', '--no-fund', `${name}@${version}`], { cwd: cache }).catch(() => undefined);
  return (await works()) ? command : undefined;
}
