/**
 * What generated clients put on the wire, held against a decoder of the test's own: values that are sampled from the schemas of
 * every fixture and of 40 documents of the directory, seeded, so that a failure can be had again.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type Options, resolveOptions } from '../../src/config.js';
import { readConfiguration } from '../../src/config-file.js';
import { runJob } from '../../src/generate.js';
import type { Host } from '../../src/host.js';
import type { Api, Operation } from '../../src/ir/api.js';
import { memoryHost } from '../../src/memory-host.js';
import { nodeHost } from '../../src/node-host.js';
import { listFixtures } from '../support/fixtures.js';
import { bundle, withOutput } from '../support/generated-client.js';
import { reply, type SeenRequest, serve } from '../support/http-server.js';
import { shared, sharedTitle } from '../support/paths.js';
import { faultsOf } from './faults.js';
import { inputOf } from './input.js';
import { WireSampler } from './sampler.js';

/** Inputs for each operation and each of its media types. */
const seeds = [1, 2];
/** Of one document, so that a large one does not take the time of all. */
const operationsOfEach = 30;

/** No platform sends TRACE, and of two variables that touch each other nobody knows where one ends. */
function isDecodable({ method, path }: Operation): boolean {
  return method !== 'TRACE' && !/[?#]|\}\{/.test(path.text);
}

interface Travelled {
  readonly sent: number;
  /** Operations that got no input. */
  readonly left: readonly string[];
  readonly faults: readonly string[];
}

type Call = (client: unknown, input: object) => Promise<unknown>;
type Module = Readonly<Record<string, unknown>>;

/** Sends inputs to each operation of a run's descriptions. */
async function travel(name: string, options: Options, host: Host, server: Server): Promise<Travelled[]> {
  const plain = {
    targets: ['client'],
    sendDefaults: false,
    dates: 'string',
    layout: 'single',
    runtime: 'inline',
  } as const;
  const { package: _, ...wanted } = options;
  const result = await runJob(resolveOptions({ ...wanted, ...plain }), host);
  if (!result.ok) throw new Error(`${name} is not generated`);
  const apis = result.apis.filter(({ api }) => api.operations.length > 0);
  return withOutput(result, {}, async (folder) => {
    const all: Travelled[] = [];
    for (const { api, folder: own } of apis) {
      const file = [own, 'client.ts'].filter((part) => part !== '').join('/');
      const source = result.files.find(({ path }) => path === file)?.text ?? '';
      const names = [...source.matchAll(/^ {4}\{\n {6}name: "(.*)",$/gm)].map(([, one]) => one);
      const code = Buffer.from(await bundle(join(folder, own), "export * from './index.ts';")).toString('base64');
      const module = (await import(/* @vite-ignore */ `data:text/javascript;base64,${code}`)) as Module;
      all.push(
        await travelApi(
          name,
          api,
          names.map((one) => module[one ?? ''] as Call),
          module,
          server,
        ),
      );
    }
    return all;
  });
}

interface Server {
  readonly origin: string;
  readonly seen: readonly SeenRequest[];
}

async function travelApi(
  name: string,
  api: Api,
  calls: readonly Call[],
  module: Module,
  server: Server,
): Promise<Travelled> {
  const create = (module['createApiClient'] ?? module['createClient']) as (options: object) => unknown;
  // Texts stay texts: what a codec makes of values is its own business.
  const xml = { decode: (text: string) => text, encode: (text: string) => text };
  const client = create({ baseUrl: server.origin, xml });
  const faults: string[] = [];
  const left: string[] = [];
  let sent = 0;
  for (const [index, operation] of api.operations.slice(0, operationsOfEach).entries()) {
    if (!isDecodable(operation)) continue;
    const title = `${name} ${operation.method} ${operation.path.text}`;
    const before = sent;
    for (const media of operation.body?.content ?? [undefined]) {
      for (const seed of seeds) {
        const input = inputOf(operation, media, new WireSampler(api, 1000 * index + seed));
        if (!input) continue;
        const at = server.seen.length;
        const error = await calls[index]?.(client, input).then(
          () => undefined,
          (reason: unknown) => reason,
        );
        sent++;
        const request = server.seen[at];
        const found = request ? faultsOf(operation, media, input, request) : [`nothing arrived: ${String(error)}`];
        faults.push(...found.map((fault) => `${title} ${media?.text ?? ''}: ${fault}`));
      }
    }
    if (sent === before) left.push(title);
  }
  return { sent, left, faults };
}

interface Case {
  readonly name: string;
  readonly options: Options;
  readonly host: Host;
}

async function travelAll(cases: readonly Case[]): Promise<Travelled> {
  const server = await serve((_, response) => reply(response, 204));
  const all: Travelled[] = [];
  for (const { name, options, host } of cases) all.push(...(await travel(name, options, host, server)));
  return {
    sent: all.reduce((total, { sent }) => total + sent, 0),
    left: all.flatMap(({ left }) => left),
    faults: all.flatMap(({ faults }) => faults),
  };
}

describe('sampled values arrive as what they were', () => {
  test('of every fixture', async () => {
    const cases: Case[] = [];
    for (const { name, folder, entry } of [...listFixtures('features'), ...listFixtures('documents')]) {
      const host = nodeHost(folder);
      const [options = {}] = (await readConfiguration(host, undefined)).jobs;
      const input = options.input ?? entry;
      cases.push({ name, options: { ...options, ...(input !== undefined && { input }) }, host });
    }
    const { sent, left, faults } = await travelAll(cases);
    expect(faults).toEqual([]);
    expect(left).toEqual([]);
    expect(sent).toBeGreaterThan(350);
  }, 240_000);

  test.skipIf(shared === undefined)(
    sharedTitle('of 40 documents of the directory'),
    async () => {
      const folder = join(shared ?? '', 'corpus/directory');
      const names = readdirSync(folder)
        .filter((name) => name.endsWith('.json.gz') && statSync(join(folder, name)).size < 60_000)
        .sort();
      const cases = Array.from({ length: 40 }, (_, index): Case => {
        const name = names[Math.floor((index * names.length) / 40)] ?? '';
        const text = gunzipSync(readFileSync(join(folder, name))).toString();
        return {
          name,
          options: { input: 'api.json' },
          host: memoryHost({ '/project/api.json': text }, { cwd: '/project' }),
        };
      });
      const { sent, left, faults } = await travelAll(cases);
      expect(faults).toEqual([]);
      expect(left).toEqual([]);
      expect(sent).toBeGreaterThan(500);
    },
    240_000,
  );
});
