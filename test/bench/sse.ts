/**
 * `npm run bench:sse`
 *
 * Our decoder of server-sent events against `eventsource-parser`, on the same bytes, in turn, in one run: 1 MiB of small
 * events in pieces of several sizes, and one event of 1 MiB in pieces of 64 bytes. Prints the least milliseconds of each and
 * their ratio; exit code 1 where ours takes longer. The peer is taken from `node_modules` or installed into a cache folder.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { repository } from '../support/paths.js';

/** Newer than Node 20 by its own word, and runs there all the same. */
const peerVersion = '4.1.3';
const cache = join(tmpdir(), `oasmith-bench-eventsource-parser-${peerVersion}`);

type Ours = typeof import('../../src/runtime/sse-decode.js');

interface Peer {
  createParser(callbacks: { onEvent(event: object): void }): { feed(text: string): void };
}

/** Gives the number of events. */
type Reader = (chunks: readonly Uint8Array[]) => number;

async function load<T>(file: string): Promise<T> {
  return (await import(pathToFileURL(file).href)) as T;
}

/** As a user's bundler prints it. */
async function ours(folder: string): Promise<Reader> {
  const outfile = join(folder, 'sse-decode.mjs');
  const entryPoints = [join(repository, 'src/runtime/sse-decode.ts')];
  await build({ entryPoints, outfile, bundle: true, format: 'esm', target: 'es2022' });
  const { SseDecoder } = await load<Ours>(outfile);
  return (chunks) => {
    const decoder = new SseDecoder(2 ** 22);
    let count = 0;
    for (const chunk of chunks) for (const event of decoder.push(chunk)) count += event.data === '' ? 0 : 1;
    return count;
  };
}

async function theirs(): Promise<Reader> {
  const { createParser } = await load<Peer>(await peerFile());
  return (chunks) => {
    let count = 0;
    const parser = createParser({
      onEvent() {
        count += 1;
      },
    });
    const decoder = new TextDecoder();
    for (const chunk of chunks) parser.feed(decoder.decode(chunk, { stream: true }));
    return count;
  };
}

async function peerFile(): Promise<string> {
  for (const folder of [repository, cache]) {
    const found = join(folder, 'node_modules/eventsource-parser/package.json');
    if (existsSync(found)) return createRequire(found).resolve('eventsource-parser');
  }
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, 'package.json'), '{"private":true}');
  const parameters = [
    'install',
    '--no-audit',
    '--no-fund',
    '--engine-strict=false',
    `eventsource-parser@${peerVersion}`,
  ];
  await promisify(execFile)('npm', parameters, { cwd: cache });
  return createRequire(join(cache, 'package.json')).resolve('eventsource-parser');
}

const utf8 = new TextEncoder();

function smallEvents(): readonly string[] {
  const events: string[] = [];
  for (let length = 0, index = 0; length < 2 ** 20; index += 1) {
    const event = `event: delta\nid: ${index}\ndata: {"type":"delta","index":${index},"text":"word ${index}"}\n\n`;
    length += event.length;
    events.push(event);
  }
  return events;
}

function pieces(text: string, size: number): readonly Uint8Array[] {
  const bytes = utf8.encode(text);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}

const small = smallEvents();
const shapes: readonly (readonly [string, readonly Uint8Array[]])[] = [
  ['small events, 16 KiB at a time', pieces(small.join(''), 2 ** 14)],
  ['small events, one at a time', small.map((event) => utf8.encode(event))],
  ['small events, 64 bytes at a time', pieces(small.join(''), 64)],
  ['one event of 1 MiB, 64 bytes at a time', pieces(`data: ${'x'.repeat(2 ** 20)}\n\n`, 64)],
];

const rounds = 60;

/** The least of many rounds each, in turn: a machine that others use too only ever adds. */
function measure(readers: readonly Reader[], chunks: readonly Uint8Array[]): readonly number[] {
  const least = readers.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round += 1) {
    const counts = readers.map((reader, index) => {
      const begun = performance.now();
      const count = reader(chunks);
      least[index] = Math.min(least[index] ?? 0, performance.now() - begun);
      return count;
    });
    if (new Set(counts).size !== 1) throw new Error(`they read different numbers of events: ${counts.join(', ')}`);
  }
  return least;
}

async function main(): Promise<number> {
  let peer: Reader;
  try {
    peer = await theirs();
  } catch {
    process.stderr.write(`skipped: eventsource-parser@${peerVersion} is not there and cannot be installed\n`);
    return 0;
  }
  const folder = mkdtempSync(join(tmpdir(), 'bench-sse-'));
  try {
    const readers = [await ours(folder), peer];
    let slower = 0;
    for (const [name, chunks] of shapes) {
      const [own = 0, other = 0] = measure(readers, chunks);
      const ratio = other / own;
      if (ratio < 1) slower += 1;
      const numbers = `ours ${own.toFixed(2)} ms, eventsource-parser ${other.toFixed(2)} ms`;
      process.stdout.write(`${name.padEnd(40)} ${numbers}: ${ratio.toFixed(2)} times as fast\n`);
    }
    return slower === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main();
