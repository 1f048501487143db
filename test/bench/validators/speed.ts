/** The time that a value takes: valid ones against functions written by hand, refused ones against ajv. */
import {
  ajvStandalone,
  asDescription,
  dialect,
  exported,
  type Files,
  loaded,
  ours,
  separately,
  writeFiles,
} from './candidates.js';
import { type Candidate, type Measured, measure } from './measure.js';
import type { Collection, Payload, Schema, Test } from './payloads.js';
import type { Peers } from './peers.js';
import type { Report } from './report.js';

type Answer = { readonly ok: boolean };
type Validate = (value: unknown, options?: { readonly limit: number }) => Answer;

interface Ours {
  readonly is: Test;
  readonly validate: Validate;
  readonly files: Files;
}

async function oursOf(folder: string, { name, schema }: Payload): Promise<Ours> {
  const files = await ours('payload', { $schema: dialect, ...schema });
  const own = `${folder}/${slug(name)}`;
  writeFiles(own, files);
  const module = await loaded<{ isPayload: Test; validatePayload: Validate }>(
    own,
    'ours',
    "export { isPayload, validatePayload } from './validators.ts';",
  );
  return { is: module.isPayload, validate: module.validatePayload, files };
}

async function ajvOf(folder: string, { name }: Payload, schema: Schema, options: object): Promise<Test> {
  const entry = ajvStandalone({ check: schema }, options);
  const own = `${folder}/${slug(name)}`;
  const file = `ajv${Object.keys(options).join('')}`;
  const { check } = await loaded<{ check: Test }>(own, file, entry, { treeShaking: true });
  return check;
}

function slug(name: string): string {
  return name.replace(/\W+/g, '-');
}

function said({ time, ratio }: Measured, unit = 'by hand'): string {
  const figure = time >= 10_000 ? `${(time / 1000).toFixed(1)} µs` : `${time.toFixed(1)} ns`;
  return `${figure}, ${ratio.toFixed(2)} times ${unit}`;
}

/** Valid data at most 1.10 times as long as by hand; never longer than ajv. */
export async function benchPayload(
  payload: Payload,
  folder: string,
  peers: Peers | undefined,
  report: Report,
): Promise<void> {
  const { is, validate, files } = await oursOf(folder, payload);
  const { schema, discriminated, data, bad } = payload;
  const ajv = await ajvOf(folder, payload, schema, {});
  const ajvAll = await ajvOf(folder, payload, schema, { allErrors: true });
  const candidates: Candidate[] = [
    { name: 'by hand', run: payload.byHand },
    { name: 'ours', run: is },
    { name: 'ajv', run: ajv },
  ];
  if (discriminated !== undefined)
    candidates.push({
      name: 'ajv, discriminator',
      run: await ajvOf(folder, payload, discriminated, { discriminator: true }),
    });
  if (peers !== undefined) candidates.push({ name: 'typebox', run: await peers.typebox(schema) });
  if (peers !== undefined && payload.typesSayAll) {
    const run = await peers.typia(files, 'Payload');
    if (data.every(run)) candidates.push({ name: 'typia', run });
  }
  for (const fresh of [false, true]) {
    report.title(`${payload.name}, valid, ${fresh ? 'freshly parsed' : 'reused'}`);
    const measured = measure(candidates, data, { answer: true, fresh });
    for (const entry of measured) report.row(entry.name, said(entry));
    report.atMost('ours to hand-written', ratioOf(measured, 'ours'), 1.1);
    const fastest = Math.min(...['ajv', 'ajv, discriminator'].map((name) => ratioOf(measured, name)));
    report.atMost('ours to ajv', ratioOf(measured, 'ours') / fastest, 1);
  }
  report.title(`${payload.name}, refused`);
  refused(
    {
      boolean: is,
      first: (value) => validate(value, { limit: 1 }).ok,
      all: (value) => validate(value).ok,
      ajv,
      ajvAll,
    },
    bad,
    report,
  );
}

interface Refusing {
  readonly boolean: Test;
  readonly first: Test;
  readonly all: Test;
  readonly ajv: Test;
  readonly ajvAll: Test;
}

/** The first error never later than ajv's; all errors within twice our first pass and ajv's time for all of its errors. */
function refused(tests: Refusing, bad: readonly unknown[], report: Report): void {
  const candidates: readonly Candidate[] = [
    { name: 'ajv', run: tests.ajv },
    { name: 'ajv, all errors', run: tests.ajvAll },
    { name: 'ours, yes or no', run: tests.boolean },
    { name: 'ours, first issue', run: tests.first },
    { name: 'ours, all issues', run: tests.all },
  ];
  const measured = measure(candidates, bad, { answer: false });
  for (const entry of measured) report.row(entry.name, said(entry, "ajv's"));
  report.atMost('ours to ajv, yes or no', ratioOf(measured, 'ours, yes or no'), 1);
  report.atMost('ours to ajv, first issue', ratioOf(measured, 'ours, first issue'), 1);
  const allowed = 2 * timeOf(measured, 'ours, yes or no') + timeOf(measured, 'ajv, all errors');
  report.atMost(
    "all issues, to what ajv's take and twice the first pass",
    timeOf(measured, 'ours, all issues') / allowed,
    1,
  );
}

function ratioOf(measured: readonly Measured[], name: string): number {
  return measured.find((entry) => entry.name === name)?.ratio ?? Number.POSITIVE_INFINITY;
}

function timeOf(measured: readonly Measured[], name: string): number {
  return measured.find((entry) => entry.name === name)?.time ?? Number.POSITIVE_INFINITY;
}

/** All schemas of a collection, one after the other: nobody has written those by hand. */
export async function benchCollection(collection: Collection, folder: string, report: Report): Promise<void> {
  const own = `${folder}/collection`;
  writeFiles(own, await ours('openai', asDescription(collection)));
  const module = await loaded<Record<string, (...given: Parameters<Validate>) => unknown>>(
    own,
    'ours',
    "export * from './validators.ts';",
  );
  const compiled = async (options: object): Promise<Record<string, Test>> =>
    loaded<Record<string, Test>>(
      own,
      `ajv${Object.keys(options).join('')}`,
      ajvStandalone(separately(collection), options),
    );
  const ajv = await compiled({});
  const ajvAll = await compiled({ allErrors: true });
  const names = Object.keys(collection.schemas).filter(
    (name) => ajv[exported(name)]?.(collection.samples[name]) === true,
  );
  report.row('schemas with a valid sample', `${names.length} of ${Object.keys(collection.schemas).length}`);
  const values = names.map((name) => [name, collection.samples[name]] as const);
  const of = (test: (name: string) => Test): Test => {
    const tests = new Map(names.map((name) => [name, test(name)]));
    return (value) => {
      const [name, data] = value as readonly [string, unknown];
      return tests.get(name)?.(data) === true;
    };
  };
  const made = (name: string): ((...given: Parameters<Validate>) => unknown) => {
    const found = module[name];
    if (found === undefined) throw new Error(`no ${name}`);
    return found;
  };
  const validated = (name: string): Validate => made(`validate${name}`) as Validate;
  const is = of((name) => made(`is${name}`) as Test);
  const ajvIs = of((name) => ajv[exported(name)] ?? (() => false));
  for (const fresh of [false, true]) {
    report.title(`${names.length} schemas of OpenAI's document, valid, ${fresh ? 'freshly parsed' : 'reused'}`);
    const measured = measure(
      [
        { name: 'ajv', run: ajvIs },
        { name: 'ours', run: is },
      ],
      values,
      { answer: true, fresh },
    );
    for (const entry of measured) report.row(entry.name, said(entry, "ajv's"));
    report.atMost('ours to ajv', ratioOf(measured, 'ours'), 1);
  }
  const bad = values.flatMap(([name, value]) => {
    const broken = withoutLastRequired(collection.schemas[name], value);
    return broken === undefined || ajv[exported(name)]?.(broken) === true ? [] : [[name, broken]];
  });
  report.title(`${bad.length} values without the last member that is required, refused`);
  refused(
    {
      boolean: is,
      first: of((name) => (value) => validated(name)(value, { limit: 1 }).ok),
      all: of((name) => (value) => validated(name)(value).ok),
      ajv: ajvIs,
      ajvAll: of((name) => ajvAll[exported(name)] ?? (() => false)),
    },
    bad,
    report,
  );
}

function withoutLastRequired(schema: Schema | undefined, value: unknown): unknown {
  const required = schema?.['required'];
  const last = Array.isArray(required) ? (required.at(-1) as unknown) : undefined;
  if (typeof last !== 'string' || typeof value !== 'object' || value === null) return undefined;
  const { [last]: _left, ...rest } = value as Readonly<Record<string, unknown>>;
  return rest;
}
