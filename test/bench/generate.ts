/**
 * `npm run bench:generate -- FILE…`
 *
 * Generates each file with all default targets, in a process of its own, and prints for each stage the CPU seconds (user and
 * system) that it took and the peak memory up to its end; then how many times as long as `JSON.parse` of the document and
 * plain writing of the same bytes all of it took.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { buildIfStale } from '../support/build.js';
import { repository } from '../support/paths.js';

type Generate = typeof import('../../src/generate.js');

interface Measure {
  readonly stage: string;
  /** CPU seconds. */
  readonly seconds: number;
  /** The peak of the resident memory so far, in MiB. */
  readonly peak: number;
}

interface Bench {
  readonly measures: readonly Measure[];
  /** What `JSON.parse` and writing take, in CPU seconds. */
  readonly floor: number;
  readonly bytes: number;
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function peakMemory(): number {
  return Math.round(process.resourceUsage().maxRSS / 1024);
}

/** What is measured is the built tool: the sources through a transpiler would be another one. */
function built<T>(module: string): Promise<T> {
  return import(pathToFileURL(join(repository, 'dist', module)).href) as Promise<T>;
}

async function bench(file: string): Promise<Bench> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  try {
    const measures: Measure[] = [{ stage: 'start', seconds: 0, peak: peakMemory() }];
    let begun = cpuSeconds();
    const note = (stage: string): void => {
      measures.push({ stage, seconds: cpuSeconds() - begun, peak: peakMemory() });
    };
    const { runJob } = await built<Generate>('generate.js');
    const { resolveOptions } = await built<typeof import('../../src/config.js')>('config.js');
    const { nodeHost } = await built<typeof import('../../src/node-host.js')>('node-host.js');
    const { write } = await built<typeof import('../../src/write/write.js')>('write/write.js');
    note('import');
    const host = nodeHost(process.cwd());
    const { files, ok, texts, diagnostics } = await runJob(resolveOptions({ input: [file] }), host, (stage, moment) => {
      if (moment === 'end') note(stage);
      begun = cpuSeconds();
    });
    if (!ok)
      throw new Error(diagnostics.find(({ severity }) => severity === 'error')?.message ?? 'nothing was generated');
    const outputFolder = join(folder, 'output');
    begun = cpuSeconds();
    await write({ outputFolder, files, manifest: { generator: 'bench' } }, host, 'write');
    note('write');
    const [source] = texts.values();
    const floor = floorOf(source?.text ?? '', files, join(folder, 'floor'));
    return { measures, floor, bytes: files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The least that a generator could take. A document that is no JSON is left out of it. */
function floorOf(
  source: string,
  files: readonly { readonly path: string; readonly text: string }[],
  folder: string,
): number {
  const begun = cpuSeconds();
  if (/^\s*[{[]/.test(source)) JSON.parse(source);
  for (const { path, text } of files) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  return cpuSeconds() - begun;
}

function report(file: string, { measures, floor, bytes }: Bench): string {
  const total = measures.reduce((sum, { seconds }) => sum + seconds, 0);
  const line = (name: string, seconds: number, rest: string): string =>
    `  ${name.padEnd(10)} ${seconds.toFixed(2).padStart(7)} s ${rest.padStart(10)}`;
  return [
    file,
    ...measures.map(({ stage, seconds, peak }) => line(stage, seconds, `${peak} MiB`)),
    line('all', total, `${(bytes / 2 ** 20).toFixed(1)} MiB of output`),
    `  ${(total / floor).toFixed(1)} times JSON.parse and writing (${floor.toFixed(2)} s)`,
  ].join('\n');
}

async function main(files: readonly string[]): Promise<void> {
  const [first, only] = files;
  if (first === '--one' && only !== undefined) {
    process.stdout.write(JSON.stringify(await bench(only)));
    return;
  }
  if (first === undefined) throw new Error('usage: npm run bench:generate -- FILE…');
  await buildIfStale();
  const jiti = join(repository, 'node_modules/jiti/lib/jiti-cli.mjs');
  for (const file of files) {
    const parameters = [jiti, join(repository, 'test/bench/generate.ts'), '--one', resolve(file)];
    const { stdout } = await promisify(execFile)(process.execPath, parameters);
    process.stdout.write(`${report(file, JSON.parse(stdout) as Bench)}\n`);
  }
}

await main(process.argv.slice(2));
