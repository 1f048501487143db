/**
 * What ajv accepts, our types and validators accept, and what it refuses, our validators refuse: sample values of every
 * component schema of a part of the shared directory.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { typecheckNative } from '../support/native-typescript.js';
import { shared, sharedTitle } from '../support/paths.js';
import { type Compared, compareDirectory, type Subject, Workspace } from './subjects.js';
import { exactType, type Sample, sampleValues } from './values.js';

type Validators = Readonly<Record<string, (value: unknown) => unknown>>;

const workspace = new Workspace();
afterAll(() => workspace.remove());

interface Judged {
  readonly compared: Compared;
  readonly samples: readonly (Sample & { readonly subject: Subject })[];
}

async function load({ folder }: Compared): Promise<Validators> {
  const outfile = join(folder, 'validators.mjs');
  await build({ entryPoints: [join(folder, 'validators.ts')], outfile, bundle: true, format: 'esm', target: 'es2022' });
  return (await import(pathToFileURL(outfile).href)) as Validators;
}

/** Both passes of a validator; `undefined` where they contradict each other. */
function verdict(validators: Validators, name: string, value: unknown): boolean | undefined {
  const answer = validators[`validate${name}`]?.(value) as { readonly ok: boolean };
  return answer.ok === validators[`is${name}`]?.(value) ? answer.ok : undefined;
}

/** A line for each value, which assigns a variable of its most exact type to one of our type. */
function assignments({ samples }: Judged): readonly string[] {
  return samples
    .filter(({ accepted, acceptedAsMeant }) => accepted && acceptedAsMeant)
    .map(
      ({ value, subject: { type } }, index) =>
        `declare const v${index}: ${exactType(value)}; export const t${index}: Ours.${type} = v${index};`,
    );
}

describe.skipIf(shared === undefined)(sharedTitle('sample values of the directory'), () => {
  const judged: Judged[] = [];
  const all = (): Judged['samples'] => judged.flatMap(({ samples }) => samples);

  beforeAll(async () => {
    const directory = join(shared ?? '', 'corpus/directory');
    for (const compared of await compareDirectory(directory, workspace, ['types', 'validators'])) {
      const subjects = new Map(compared.subjects.map((subject) => [subject.component, subject]));
      const samples = sampleValues(compared).flatMap((sample) => {
        const subject = subjects.get(sample.component);
        return subject ? [{ ...sample, subject }] : [];
      });
      judged.push({ compared, samples });
    }
  }, 240_000);

  test('are of many documents, and nearly every component has some that are accepted', () => {
    const components = judged.reduce((sum, { compared }) => sum + compared.subjects.length, 0);
    const covered = judged.flatMap(({ compared, samples }) =>
      compared.subjects.filter(({ component }) => samples.some((s) => s.component === component && s.accepted)),
    );
    expect(judged.length).toBeGreaterThanOrEqual(30);
    expect(components).toBeGreaterThan(1500);
    expect(covered.length / components).toBeGreaterThan(0.85);
    const accepted = all().filter((sample) => sample.accepted).length;
    expect(Math.min(accepted, all().length - accepted)).toBeGreaterThan(5000);
  });

  test('our validators say what ajv says', async () => {
    const contradictions: string[] = [];
    for (const { compared, samples } of judged) {
      const validators = await load(compared);
      for (const { value, accepted, subject } of samples) {
        const ours = verdict(validators, subject.validator, value);
        if (ours !== accepted)
          contradictions.push(`${compared.document} ${subject.component}: ${ours} for ${JSON.stringify(value)}`);
      }
    }
    expect(contradictions).toEqual([]);
  }, 120_000);

  test('what ajv accepts is assignable to our type', async () => {
    const files: string[] = [];
    for (const one of judged) {
      const lines = [`import type * as Ours from './types.js';`, ...assignments(one)];
      files.push(workspace.write(`${one.compared.document}/values.ts`, `${lines.join('\n')}\n`));
    }
    const faults = await typecheckNative(workspace.folder, files);
    const told = faults.map(
      ({ file, line, message }) => `${file.slice(workspace.folder.length + 1)}:${line} ${message}`,
    );
    expect(told).toEqual([]);
  }, 240_000);

  /**
   * The one way in which our types are narrower, on purpose: a schema with keywords for objects alone, or for arrays alone,
   * is printed as such, and ajv accepts a number there (src/README.md, "Types imply what validators do not").
   */
  test('types are narrower only where a type is implied', () => {
    const implied = all().filter(({ accepted, acceptedAsMeant }) => accepted && !acceptedAsMeant);
    expect(implied.length).toBeGreaterThan(0);
    expect(all().filter(({ accepted, acceptedAsMeant }) => !accepted && acceptedAsMeant)).toEqual([]);
  });

  test('a type that is too narrow is seen', async () => {
    workspace.write('self/types.ts', 'export interface Pet { tag: "dog"; names: string[]; age?: number }\n');
    const values = [
      { tag: 'dog', names: ['a'], further: null },
      { tag: 'cat', names: [] },
      { tag: 'dog', names: [1] },
      { tag: 'dog', names: [], age: null },
    ];
    const lines = values.map(
      (value, at) => `declare const v${at}: ${exactType(value)}; export const t${at}: Pet = v${at};`,
    );
    const text = [`import type { Pet } from './types.js';`, ...lines].join('\n');
    const faults = await typecheckNative(workspace.folder, [workspace.write('self/values.ts', text)]);
    expect(faults.map(({ line }) => line)).toEqual([3, 4, 5]);
  });
});
