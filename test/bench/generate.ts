/**
 * `npm run bench:generate -- FILE…` and `npm run bench:generate -- --double FILE`
 *
 * Generates each file with all default targets, in a process of its own, and prints for each stage the CPU seconds (user and
 * system) that it took and the peak memory up to its end; then how many times as long as `JSON.parse` of the document and
 * plain writing of the same bytes all of it took. With `--double` a JSON description (which may be packed by gzip) is
 * generated as it is and twice over, in turn; exit code 1 where twice over takes more than 2.3 times as long.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { buildIfStale } from '../support/build.js';
import type { JsonObject } from '../support/component-schemas.js';
import { repository } from '../support/paths.js';
import { doubled } from './double.js';

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
  const total = secondsOf({ measures });
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
  if (first === undefined || (first === '--double' && only === undefined))
    throw new Error('usage: npm run bench:generate -- FILE… or --double FILE');
  await buildIfStale();
  if (first === '--double' && only !== undefined) {
    const { lines, ratio } = await benchDouble(only);
    process.stdout.write(`${lines.join('\n')}\n`);
    process.exitCode = ratio > mostForTwice ? 1 : 0;
    return;
  }
  for (const file of files) process.stdout.write(`${report(file, await inProcess(file))}\n`);
}

async function inProcess(file: string): Promise<Bench> {
  const jiti = join(repository, 'node_modules/jiti/lib/jiti-cli.mjs');
  const parameters = [jiti, join(repository, 'test/bench/generate.ts'), '--one', resolve(file)];
  const { stdout } = await promisify(execFile)(process.execPath, parameters);
  return JSON.parse(stdout) as Bench;
}

const mostForTwice = 2.3;
const rounds = 3;

/** The least of a few rounds each, since a machine that others use too only ever adds. */
async function benchDouble(file: string): Promise<{ readonly lines: readonly string[]; readonly ratio: number }> {
  const bytes = readFileSync(file);
  const description = JSON.parse((file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')) as JsonObject;
  const folder = mkdtempSync(join(tmpdir(), 'bench-double-'));
  try {
    const names = ['once', 'twice'] as const;
    writeFileSync(join(folder, 'once.json'), JSON.stringify(description));
    writeFileSync(join(folder, 'twice.json'), JSON.stringify(doubled(description)));
    const best = new Map<string, Bench>();
    for (let round = 0; round < rounds; round++) {
      for (const name of names) {
        const found = await inProcess(join(folder, `${name}.json`));
        const known = best.get(name);
        if (known === undefined || secondsOf(found) < secondsOf(known)) best.set(name, found);
      }
    }
    const [once, twice] = names.map((name) => best.get(name));
    if (once === undefined || twice === undefined) throw new Error('nothing was measured');
    const ratio = secondsOf(twice) / secondsOf(once);
    const grown = `  twice over: ${ratio.toFixed(2)} times as long (at most ${mostForTwice}), ${(twice.bytes / once.bytes).toFixed(2)} times the output`;
    return { lines: [report(`${file}, once`, once), report(`${file}, twice over`, twice), grown], ratio };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function secondsOf({ measures }: Pick<Bench, 'measures'>): number {
  return measures.reduce((sum, { seconds }) => sum + seconds, 0);
}

await main(process.argv.slice(2));
