/** What TypeScript takes for a program of 200 calls over GitHub's description: ours, openapi-fetch's and hey-api's, in one run. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { generateFrom } from '../../support/corpus.js';
import { repository } from '../../support/paths.js';
import type { Peers } from './peers.js';

const run = promisify(execFile);
const callsOfProgram = 200;

interface Called {
  readonly path: string;
  readonly operationId: string;
  /** The variables of the path, with a value that their type takes. */
  readonly variables: Readonly<Record<string, string | number>>;
}

type Json = { readonly [key: string]: unknown };

function resolved(document: Json, value: unknown): Json {
  const { $ref: reference } = value as Json;
  if (typeof reference !== 'string') return value as Json;
  return reference
    .slice(2)
    .split('/')
    .reduce((found, step) => found[step] as Json, document);
}

/** GET operations that need nothing but plain variables of the path, spread over the whole document. */
function chosen(document: Json): readonly Called[] {
  const fitting = Object.entries(document['paths'] as Json).flatMap(([path, item]): Called[] => {
    const { get, parameters: shared = [] } = item as { get?: Json; parameters?: unknown[] };
    if (!get) return [];
    const { 200: success } = get['responses'] as { 200?: Json };
    const { content } = success ? resolved(document, success) : {};
    if (content === undefined || !Object.hasOwn(content as Json, 'application/json')) return [];
    const all = [...shared, ...((get['parameters'] as unknown[]) ?? [])].map((one) => resolved(document, one));
    const required = all.filter((one) => one['required'] === true);
    const values = required.map((one): readonly [string, string | number | undefined] => {
      const { type, enum: listed } = resolved(document, one['schema']) as { type?: string; enum?: unknown };
      const value = type === 'integer' ? 1 : type === 'string' && listed === undefined ? 'x' : undefined;
      return [String(one['name']), one['in'] === 'path' ? value : undefined];
    });
    if (values.length === 0 || values.some(([, value]) => value === undefined)) return [];
    const variables = Object.fromEntries(values) as Called['variables'];
    return [{ path, operationId: String(get['operationId']), variables }];
  });
  return Array.from(
    { length: callsOfProgram },
    (_, index) => fitting[Math.floor((index * fitting.length) / callsOfProgram)] as Called,
  );
}

const camel = (id: string): string => id.replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase());

function ourProgram(calls: readonly Called[]): string {
  const names = [...new Set(calls.map(({ operationId }) => camel(operationId)))];
  return [
    `import { createClient, ${names.join(', ')} } from './api/index.js';`,
    'const client = createClient({});',
    'export const seen: unknown[] = [];',
    ...calls.map(({ operationId, variables }, index) => {
      const call = `${camel(operationId)}(client, { path: ${JSON.stringify(variables)} })`;
      return `const r${index} = await ${call};\nif (r${index}.ok) seen.push(r${index}.data);`;
    }),
  ].join('\n');
}

function fetchProgram(calls: readonly Called[]): string {
  return [
    "import createClient from 'openapi-fetch';",
    "import type { paths } from './schema.js';",
    'const client = createClient<paths>({});',
    'export const seen: unknown[] = [];',
    ...calls.map(({ path, variables }, index) => {
      const call = `client.GET('${path}', { params: { path: ${JSON.stringify(variables)} } })`;
      return `const r${index} = await ${call};\nif (r${index}.data) seen.push(r${index}.data);`;
    }),
  ].join('\n');
}

function heyProgram(calls: readonly Called[]): string {
  const names = [...new Set(calls.map(({ operationId }) => camel(operationId)))];
  return [
    `import { ${names.join(', ')} } from './api/index.js';`,
    'export const seen: unknown[] = [];',
    ...calls.map(({ operationId, variables }, index) => {
      const call = `${camel(operationId)}({ path: ${JSON.stringify(variables)} })`;
      return `const r${index} = await ${call};\nif (r${index}.data) seen.push(r${index}.data);`;
    }),
  ].join('\n');
}

interface Taken {
  readonly instantiations: number;
  readonly types: number;
  /** Seconds of processor time for checking, the least of the rounds. */
  readonly check: number;
  /** Of everything. */
  readonly total: number;
}

const options = {
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  // What hey-api writes has no extensions in its imports.
  module: 'esnext',
  moduleResolution: 'bundler',
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
};

/** In place of the clock, processor time: a machine that others use too does not add to it. */
const processorTime =
  'data:text/javascript,performance.now=()=>{const{user,system}=process.cpuUsage();return(user+system)/1000}';

async function compile(folder: string): Promise<Taken> {
  const tsc = join(repository, 'node_modules/typescript/bin/tsc');
  const parameters = [
    '--max-old-space-size=4096',
    '--import',
    processorTime,
    tsc,
    '-p',
    folder,
    '--extendedDiagnostics',
  ];
  const { stdout } = await run(process.execPath, parameters, { maxBuffer: 2 ** 26 }).catch(
    (error: { stdout: string }) => {
      throw new Error(error.stdout.slice(0, 2000));
    },
  );
  const figure = (name: string): number => Number(new RegExp(`^${name}: +([\\d.]+)`, 'm').exec(stdout)?.[1]);
  return {
    instantiations: figure('Instantiations'),
    types: figure('Types'),
    check: figure('Check time'),
    total: figure('Total time'),
  };
}

const rounds = 3;

interface Program {
  readonly name: string;
  readonly text: string;
}

function programsOf(document: Json): readonly Program[] {
  const calls = chosen(document);
  return [
    { name: 'ours', text: ourProgram(calls) },
    { name: 'openapi-fetch', text: fetchProgram(calls) },
    { name: 'hey-api', text: heyProgram(calls) },
  ];
}

/** Lays out a folder for each program, with what the three generators make of the description beside it. */
async function layOut(github: string, peers: Peers, workspace: string, say: (line: string) => void): Promise<string[]> {
  const text = gunzipSync(readFileSync(github));
  const plain = join(workspace, 'github.json');
  writeFileSync(plain, text);
  const programs = programsOf(JSON.parse(text.toString()) as Json);
  for (const { name, text: program } of programs) {
    const folder = join(workspace, name);
    mkdirSync(join(folder, 'node_modules'), { recursive: true });
    for (const used of ['openapi-fetch', 'openapi-typescript-helpers'])
      symlinkSync(join(repository, 'node_modules', used), join(folder, 'node_modules', used));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['program.ts'] }));
    writeFileSync(join(folder, 'program.ts'), program);
  }
  say('generating ours');
  const result = await generateFrom(github, { targets: ['types', 'operations', 'client'] });
  for (const { path, text: code } of result.files) {
    mkdirSync(dirname(join(workspace, 'ours/api', path)), { recursive: true });
    writeFileSync(join(workspace, 'ours/api', path), code);
  }
  say("generating openapi-typescript's, which is kept");
  writeFileSync(join(workspace, 'openapi-fetch/schema.d.ts'), readFileSync(await peers.paths(plain)));
  say("generating hey-api's, which is kept");
  // Copied: through a link its files would be resolved where they are kept.
  cpSync(join(await peers.heyApi(plain), 'api'), join(workspace, 'hey-api/api'), { recursive: true });
  return programs.map(({ name }) => name);
}

function least(list: readonly Taken[]): Taken {
  const [first = { instantiations: 0, types: 0, check: 0, total: 0 }] = list;
  const of = (figure: 'check' | 'total'): number => Math.min(...list.map((one) => one[figure]));
  return { ...first, check: of('check'), total: of('total') };
}

const written = ({ instantiations, types, check, total }: Taken): string =>
  `${instantiations} instantiations, ${types} types, ${check.toFixed(2)} s checking, ${total.toFixed(2)} s in all`;

/** Prints a line for each compilation and a verdict against each peer; gives whether ours takes less than both. */
export async function benchTypes(github: string, peers: Peers, print: (line: string) => void): Promise<boolean> {
  const workspace = mkdtempSync(join(tmpdir(), 'bench-client-'));
  try {
    const names = await layOut(github, peers, workspace, (line) => print(`types ${line}`));
    const taken = new Map(names.map((name): [string, Taken[]] => [name, []]));
    for (let round = 1; round <= rounds; round += 1) {
      for (const [name, list] of taken) {
        const one = await compile(join(workspace, name));
        list.push(one);
        print(`types ${round} of ${rounds}: ${name.padEnd(14)} ${written(one)}`);
      }
    }
    const [ours, ...others] = [...taken.values()].map(least);
    if (!ours) return false;
    let isLess = true;
    for (const [index, other] of others.entries()) {
      const isBelow = ours.instantiations < other.instantiations && ours.check < other.check;
      isLess &&= isBelow;
      const ratio = (figure: keyof Taken): string => (ours[figure] / other[figure]).toFixed(2);
      const ratios = `${ratio('instantiations')} of the instantiations, ${ratio('check')} of the checking, ${ratio('total')} of all`;
      print(`types ${isBelow ? 'met' : 'NOT MET'}: against ${names[index + 1]} ours takes ${ratios}`);
    }
    return isLess;
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
}
