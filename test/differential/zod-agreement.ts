/** Whether generated Zod schemas say what generated validators say, value by value. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { Collector } from '../../src/diagnostics.js';
import type { JobResult } from '../../src/generate.js';
import type { JsonValue } from '../../src/ir/schema.js';
import { planNames } from '../../src/plan/names.js';
import { changedValue } from '../../src/plan/samples/neighbours.js';
import { Random } from '../../src/plan/samples/random.js';
import { Sampler } from '../../src/plan/samples/sampler.js';
import { repository } from '../support/paths.js';

export interface Agreement {
  readonly schemas: number;
  /** Schemas that Zod has no word for, which ask the validator. */
  readonly asked: readonly string[];
  readonly accepted: number;
  readonly refused: number;
  /** A line for each value that one accepts and the other does not, or that Zod changes. */
  readonly disagreements: readonly string[];
}

type Parsed = { readonly success: boolean; readonly data?: unknown };
type ZodModule = Readonly<Record<string, { readonly safeParse: (value: unknown) => Parsed }>>;
type Validators = Readonly<Record<string, (value: unknown) => { readonly ok: boolean }>>;

/** Of one generated description with the targets `validators` and `zod`. */
export async function agreementOf(result: JobResult, options: { readonly assertFormats: boolean }): Promise<Agreement> {
  const [first] = result.apis;
  if (!result.ok || first === undefined) throw new Error('nothing is generated');
  const text = result.files.find(({ path }) => path === 'zod.ts')?.text ?? '';
  const { zod, validators } = await load(result);
  const names = planNames(first.api, new Map(), new Collector());
  const sampler = new Sampler(first.api, options);
  const disagreements: string[] = [];
  let [accepted, refused] = [0, 0];
  for (const [index, { schema, direction, names: own }] of names.validators.entries()) {
    const name = own.validate.slice('validate'.length);
    const parse = zod[`${name}Schema`];
    const validate = validators[own.validate];
    if (parse === undefined || validate === undefined) throw new Error(`no schema or validator of ${name}`);
    for (const value of valuesOf(sampler.samples(schema, direction, 3), new Random(index))) {
      const { ok } = validate(value);
      const { success, data } = parse.safeParse(value);
      if (ok) accepted++;
      else refused++;
      const told = `${name}: ${JSON.stringify(value)}`;
      if (ok !== success) disagreements.push(`${told} is ${ok ? 'valid' : 'not valid'}`);
      else if (success && !isSame(data, value)) disagreements.push(`${told} becomes ${JSON.stringify(data)}`);
    }
  }
  const asked = [...text.matchAll(/\$validated\(\$validate(\w+)\)/g)].map(([, name]) => name ?? '');
  return { schemas: names.validators.length, asked, accepted, refused, disagreements };
}

/** The values and changed ones, but those with a member `__proto__`, which Zod leaves out of what it gives back. */
function valuesOf(samples: readonly JsonValue[], random: Random): readonly JsonValue[] {
  const all = samples.flatMap((value) => [value, ...Array.from({ length: 4 }, () => changedValue(value, random))]);
  return [...all, null, 'x', 7, [], {}].filter((value) => !JSON.stringify(value).includes('"__proto__"'));
}

/** Also in the order of members that are no names of the schema. */
function isSame(left: unknown, right: unknown): boolean {
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return left === right;
  const [mine, theirs] = [Object.entries(left), Object.entries(right)];
  const others = new Map(theirs);
  return (
    mine.length === theirs.length && mine.every(([name, value]) => others.has(name) && isSame(value, others.get(name)))
  );
}

async function load(result: JobResult): Promise<{ readonly zod: ZodModule; readonly validators: Validators }> {
  mkdirSync(join(repository, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(repository, '.cache/zod-'));
  try {
    for (const { path, text } of result.files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const outfile = join(folder, 'bundle.mjs');
    const contents = `export * as zod from './zod.ts';\nexport * as validators from './validators.ts';\n`;
    const stdin = { contents, resolveDir: folder, loader: 'ts' } as const;
    await build({ stdin, outfile, bundle: true, format: 'esm', target: 'es2022', external: ['zod'] });
    return (await import(pathToFileURL(outfile).href)) as { readonly zod: ZodModule; readonly validators: Validators };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
