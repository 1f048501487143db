/**
 * Our types and those of json-schema-to-typescript for every component schema of a part of the shared directory: each is
 * assignable to the other, but for what is listed.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { typecheckNative } from '../support/native-typescript.js';
import { shared, sharedTitle } from '../support/paths.js';
import { corrections } from './corrections.js';
import { comparison, theirTypes } from './declarations.js';
import { disagreements } from './disagreements.js';
import { type Compared, compareDirectory, Workspace } from './subjects.js';

const workspace = new Workspace();
afterAll(() => workspace.remove());

/** Members that a request may carry are optional with `undefined` in our types: without the flag that is the same. */
const alike = { exactOptionalPropertyTypes: false };

/** The components of which one type is not assignable to the other; other faults are thrown. */
async function disagreeing(compared: readonly Compared[], files: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const { file, line, message } of await typecheckNative(workspace.folder, files, alike)) {
    const one = compared.find(({ folder }) => file === join(folder, 'compare.ts'));
    const subject = one?.subjects[(line - 2) >> 1];
    if (one === undefined || subject === undefined) throw new Error(`${file}:${line} ${message}`);
    found.add(`${one.document} ${subject.component}`);
  }
  return found;
}

describe.skipIf(shared === undefined)(sharedTitle('the declarations of json-schema-to-typescript'), () => {
  let compared: readonly Compared[] = [];
  const used = new Set<string>();
  const files: string[] = [];

  beforeAll(async () => {
    compared = await compareDirectory(join(shared ?? '', 'corpus/directory'), workspace, ['types']);
    for (const one of compared) {
      workspace.write(`${one.document}/theirs.ts`, await theirTypes(one, used));
      files.push(workspace.write(`${one.document}/compare.ts`, comparison(one)));
    }
  }, 240_000);

  test('are of many documents', () => {
    expect(compared.length).toBeGreaterThanOrEqual(30);
    expect(compared.reduce((sum, { subjects }) => sum + subjects.length, 0)).toBeGreaterThan(1500);
  });

  test('and our types are assignable to each other, but for the listed ones', async () => {
    const listed = Object.values(disagreements).flatMap(({ components }) => components);
    expect([...(await disagreeing(compared, files))].sort()).toEqual([...listed].sort());
  }, 240_000);

  test('need every correction', () => {
    expect([...used].sort()).toEqual(corrections.map(({ kind }) => kind).sort());
  });

  test('differ where they do', async () => {
    const [first] = compared;
    if (first === undefined) throw new Error('nothing is compared');
    const [own, other] = first.subjects;
    if (own === undefined || other === undefined) throw new Error('nothing is compared');
    const one = { ...first, folder: join(workspace.folder, 'self') };
    workspace.write('self/types.ts', `export type ${own.type} = string;\nexport type ${other.type} = 'a';\n`);
    workspace.write('self/theirs.ts', `export interface Root { c0: string; c1: string }\n`);
    const file = workspace.write('self/compare.ts', comparison({ ...one, subjects: [own, other] }));
    expect([...(await disagreeing([one], [file]))]).toEqual([`${one.document} ${other.component}`]);
  });
});
