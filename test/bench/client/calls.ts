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

const rounds = 40;
const callsOfRound = 400;

/** The least microseconds of a call of each, in turn: a machine that others use too only ever adds. */
async function measure(calls: readonly (() => Promise<unknown>)[]): Promise<readonly number[]> {
  const least = calls.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round += 1) {
    const answers = new Set<unknown>();
    for (const [index, call] of calls.entries()) {
      const begun = performance.now();
      for (let count = 0; count < callsOfRound; count += 1) answers.add(await call());
      least[index] = Math.min(least[index] ?? 0, (1000 * (performance.now() - begun)) / callsOfRound);
    }
    if (answers.size !== 1) throw new Error('they read different answers');
  }
  return least;
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
      const [base = 0, ...times] = await measure([bare, ...callers].map((caller) => caller[kind]));
      const [ours = 0, ...others] = times.map((time) => time - base);
      isLess &&= others.every((other) => ours < other);
      const names = ['openapi-fetch', 'hey-api'];
      const ratios = others.map((other, index) => `${(ours / other).toFixed(2)} of ${names[index]}'s`);
      const said = times.map((time) => (time - base).toFixed(1)).join(', ');
      print(
        `${kind.padEnd(5)} bare ${base.toFixed(1)} µs; above it ours, openapi-fetch, hey-api: ${said} µs; ${ratios.join(', ')}`,
      );
    }
    return isLess;
  });
}
