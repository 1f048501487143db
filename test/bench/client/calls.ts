/** What a call costs beyond bare `fetch`, with a transport that answers from memory: ours and the peers', in turn, in one run. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { generateFrom } from '../../support/corpus.js';
import { withOutput } from '../../support/generated-client.js';
import { repository } from '../../support/paths.js';
import type { Peers } from './peers.js';

type Transport = (request: Request | string, init?: RequestInit) => Promise<Response>;

/** One call each; gives something of the answer, so that all of them read it. */
interface Caller {
  readonly get: () => Promise<unknown>;
  readonly post: () => Promise<unknown>;
}

const hours = '[{"date":"2026-12-01","timeOpen":"09:00","timeClose":"18:00"}]';
const tickets =
  '{"message":"Museum general entry ticket purchased","ticketId":"a54a57ca-36f8-421b-a6b4-2e8f26858a4c","ticketType":"general","ticketDate":"2026-12-01","confirmationCode":"ticket-general-e5e5c6-dce78"}';
const json = { 'content-type': 'application/json' };

const transport: Transport = async (request, init) => {
  const method = typeof request === 'string' ? (init?.method ?? 'GET') : request.method;
  return method === 'GET'
    ? new Response(hours, { headers: json })
    : new Response(tickets, { status: 201, headers: json });
};

const origin = 'https://museum.example';
const body = { ticketType: 'general', ticketDate: '2026-12-01', email: 'a@example.org' };

const bare: Caller = {
  get: async () => {
    const url = `${origin}/museum-hours?startDate=2026-12-01&limit=10`;
    const response = await transport(new Request(url, { headers: { accept: 'application/json' } }));
    return ((await response.json()) as readonly { timeOpen: string }[])[0]?.timeOpen;
  },
  post: async () => {
    const init = { method: 'POST', headers: json, body: JSON.stringify(body) };
    const response = await transport(new Request(`${origin}/tickets`, init));
    return ((await response.json()) as { ticketId: string }).ticketId;
  },
};

const given = `
  const body = ${JSON.stringify(body)};
  const query = { startDate: '2026-12-01', limit: 10 };`;

const programs = {
  ours: (folder: string) => `
    import { buyMuseumTickets, createClient, getMuseumHours } from '${folder}/index.ts';${given}
    export const make = (fetch) => {
      const client = createClient({ baseUrl: '${origin}', fetch });
      return {
        get: async () => (await getMuseumHours(client, { query })).data[0].timeOpen,
        post: async () => (await buyMuseumTickets(client, { body })).data.ticketId,
      };
    };`,
  'openapi-fetch': () => `
    import createClient from 'openapi-fetch';${given}
    export const make = (fetch) => {
      const client = createClient({ baseUrl: '${origin}', fetch });
      return {
        get: async () => (await client.GET('/museum-hours', { params: { query } })).data[0].timeOpen,
        post: async () => (await client.POST('/tickets', { body })).data.ticketId,
      };
    };`,
  'hey-api': (folder: string) => `
    import { createClient } from '${folder}/api/client/index.ts';
    import { buyMuseumTickets, getMuseumHours } from '${folder}/api/index.ts';${given}
    export const make = (fetch) => {
      const client = createClient({ baseUrl: '${origin}', fetch });
      return {
        get: async () => (await getMuseumHours({ client, query })).data[0].timeOpen,
        post: async () => (await buyMuseumTickets({ client, body })).data.ticketId,
      };
    };`,
} as const;

async function callerOf(program: string, name: string, folder: string): Promise<Caller> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: repository, loader: 'ts' },
    bundle: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  });
  const file = join(folder, `${name}.bundle.mjs`);
  writeFileSync(file, outputFiles[0]?.contents ?? '');
  const module = (await import(pathToFileURL(file).href)) as { make(fetch: Transport): Caller };
  return module.make(transport);
}

const peerNames = ['openapi-fetch', 'hey-api'] as const;

const rounds = 240;
const callsOfRound = 100;
/** While they run, the engine is still compiling. */
const warmUpRounds = 40;

/** Microseconds of processor time, the collector's included: a machine that others use too does not add to it. */
function spent(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** The mean of the middle half. */
function middle(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const half = sorted.slice(Math.floor(values.length / 4), Math.ceil((3 * values.length) / 4));
  return half.reduce((sum, value) => sum + value, 0) / half.length;
}

/**
 * What a call of each costs beyond the first, in microseconds: the middle of the differences within rounds, in which all of them
 * run in turn, each round beginning with another one.
 */
async function measure(
  calls: readonly (() => Promise<unknown>)[],
): Promise<{ readonly base: number; readonly above: readonly number[] }> {
  const taken = calls.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1) {
    const answers = new Set<unknown>();
    for (const index of calls.keys()) {
      const turn = (index + round) % calls.length;
      const begun = spent();
      for (let count = 0; count < callsOfRound; count += 1) answers.add(await calls[turn]?.());
      taken[turn]?.push((spent() - begun) / callsOfRound);
    }
    if (answers.size !== 1) throw new Error('they read different answers');
  }
  const [bare = [], ...others] = taken.map((times) => times.slice(warmUpRounds));
  const above = others.map((times) => middle(times.map((time, round) => time - (bare[round] ?? 0))));
  return { base: middle(bare), above };
}

/** Prints a line for each kind of call; gives whether ours costs less than every peer. */
export async function benchCalls(museum: string, peers: Peers, print: (line: string) => void): Promise<boolean> {
  const result = await generateFrom(museum, { targets: ['client'] });
  const heyApi = await peers.heyApi(museum);
  return withOutput(result, {}, async (folder) => {
    const callers = [
      await callerOf(programs.ours(folder), 'ours', folder),
      await callerOf(programs['openapi-fetch'](), 'openapi-fetch', folder),
      await callerOf(programs['hey-api'](heyApi), 'hey-api', folder),
    ];
    let isLess = true;
    for (const kind of ['get', 'post'] as const) {
      const { base, above } = await measure([bare, ...callers].map((caller) => caller[kind]));
      const [ours = 0, ...others] = above;
      const isBelow = others.every((other) => ours < other);
      isLess &&= isBelow;
      const said = above.map((time) => time.toFixed(1)).join(', ');
      const ratios = others.map((other, index) => `${(ours / other).toFixed(2)} of ${peerNames[index]}'s`).join(', ');
      print(`${kind.padEnd(5)} bare ${base.toFixed(1)} µs; above it ours, ${peerNames.join(', ')}: ${said} µs`);
      print(`${kind.padEnd(5)} ${isBelow ? 'met' : 'NOT MET'}: ours takes ${ratios}`);
    }
    return isLess;
  });
}
