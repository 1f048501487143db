/** What TypeScript takes for a program of 200 calls over GitHub's description: ours, openapi-fetch's and hey-api's, in one run. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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
  /** Seconds of checking, the least of the rounds. */
  readonly check: number;
  /** Of everything. */
  readonly total: number;
}

const options = {
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  module: 'nodenext',
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
};

async function compile(folder: string): Promise<Taken> {
  const tsc = join(repository, 'node_modules/typescript/bin/tsc');
  const parameters = ['--max-old-space-size=4096', tsc, '-p', folder, '--extendedDiagnostics'];
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

/** Prints a line for each; gives whether ours takes less than every peer. */
export async function benchTypes(github: string, peers: Peers, print: (line: string) => void): Promise<boolean> {
  const workspace = mkdtempSync(join(tmpdir(), 'bench-client-'));
  try {
    const text = gunzipSync(readFileSync(github));
    const plain = join(workspace, 'github.json');
    writeFileSync(plain, text);
    const calls = chosen(JSON.parse(text.toString()) as Json);
    const programs = [
      { name: 'ours', program: ourProgram(calls) },
      { name: 'openapi-fetch', program: fetchProgram(calls) },
      { name: 'hey-api', program: heyProgram(calls) },
    ];
    for (const { name, program } of programs) {
      const folder = join(workspace, name);
      mkdirSync(join(folder, 'node_modules'), { recursive: true });
      for (const used of ['openapi-fetch', 'openapi-typescript-helpers'])
        symlinkSync(join(repository, 'node_modules', used), join(folder, 'node_modules', used));
      writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['program.ts'] }));
      writeFileSync(join(folder, 'program.ts'), program);
    }
    const result = await generateFrom(github, { targets: ['types', 'operations', 'client'] });
    for (const { path, text: code } of result.files) {
      mkdirSync(dirname(join(workspace, 'ours/api', path)), { recursive: true });
      writeFileSync(join(workspace, 'ours/api', path), code);
    }
    writeFileSync(join(workspace, 'openapi-fetch/schema.d.ts'), readFileSync(await peers.paths(plain)));
    symlinkSync(join(await peers.heyApi(plain), 'api'), join(workspace, 'hey-api/api'));
    const taken = programs.map((): Taken[] => []);
    for (let round = 0; round < rounds; round += 1)
      for (const [index, { name }] of programs.entries()) taken[index]?.push(await compile(join(workspace, name)));
    const least = taken.map((list): Taken => {
      const [first = { instantiations: 0, types: 0, check: 0, total: 0 }] = list;
      return {
        ...first,
        check: Math.min(...list.map((one) => one.check)),
        total: Math.min(...list.map((one) => one.total)),
      };
    });
    const [ours] = least;
    for (const [index, { name }] of programs.entries()) {
      const one = least[index];
      if (!one || !ours) continue;
      const ratio = (figure: keyof Taken): string => (ours[figure] / one[figure]).toFixed(2);
      const figures = `${one.instantiations} instantiations, ${one.types} types, ${one.check.toFixed(2)} s checking, ${one.total.toFixed(2)} s in all`;
      const against =
        index === 0
          ? ''
          : `; ours takes ${ratio('instantiations')}, ${ratio('types')}, ${ratio('check')} and ${ratio('total')} of it`;
      print(`${name.padEnd(14)} ${figures}${against}`);
    }
    return least.slice(1).every((one) => ours && ours.instantiations < one.instantiations && ours.check < one.check);
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
}
