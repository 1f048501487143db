/**
 * `npm run hostile -- <cases.json> [--target generator] [--only H012,H013]`
 *
 * Runs every case in a fresh folder, prints a line per failing case and `N passed, N failed`; exit code 1 where one failed.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfStale } from '../support/build.js';
import { type TypeFault, typecheck } from '../support/typecheck.js';
import { type HostileCase, ourChoices, readCases } from './cases.js';
import { judge, type Verdict } from './verdict.js';

const parallel = 2;

/** Judges the cases, then compiles what has to compile: one program for all of them. */
export async function judgeAll(cases: readonly HostileCase[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const workspace = mkdtempSync(join(tmpdir(), 'hostile-'));
  mkdirSync(workspace, { recursive: true });
  try {
    const verdicts: Verdict[] = [];
    const waiting = [...cases];
    const worker = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
        verdicts.push(await judge(next, workspace));
    };
    await Promise.all(Array.from({ length: parallel }, worker));
    const compiled = compileAll(verdicts, workspace);
    const ordered = cases.flatMap((hostile) => verdicts.filter((verdict) => verdict.hostile === hostile));
    return new Map(
      ordered.map(({ hostile, problems }) => [hostile.id, [...problems, ...(compiled.get(hostile.id) ?? [])]]),
    );
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
}

function compileAll(verdicts: readonly Verdict[], workspace: string): ReadonlyMap<string, readonly string[]> {
  const problems = new Map<string, string[]>();
  try {
    for (const { file, line, message } of compile(verdicts, workspace)) {
      const [id = '', ...path] = file.slice(workspace.length + 1).split('/');
      const list = problems.get(id) ?? [];
      if (list.length < 5) list.push(`${path.join('/')}:${line} ${message.slice(0, 240)}`);
      problems.set(id, list);
    }
  } catch (error) {
    // The compiler itself gave up on something; one by one shows on what.
    const [only, ...others] = verdicts;
    const fault = `the compiler gives up: ${error instanceof Error ? error.message : String(error)}`;
    if (only && others.length === 0) return new Map([[only.hostile.id, [fault]]]);
    return new Map(verdicts.flatMap((verdict) => [...compileAll([verdict], workspace)]));
  }
  return problems;
}

function compile(verdicts: readonly Verdict[], workspace: string): readonly TypeFault[] {
  const files = new Map(verdicts.flatMap(({ typechecks }) => [...typechecks]));
  for (const { hostile } of verdicts) files.set(join(workspace, hostile.id, 'package.json'), '{ "type": "module" }');
  return typecheck(files);
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { target: { type: 'string' }, only: { type: 'string', multiple: true } },
  });
  const [path] = positionals;
  if (path === undefined) {
    process.stderr.write('usage: npm run hostile -- <cases.json> [--target generator] [--only H012,H013]\n');
    return 2;
  }
  await buildIfStale();
  const only = values.only?.flatMap((list) => list.split(','));
  const cases = readCases(resolve(path)).filter(
    ({ id, target }) => (values.target === undefined || target === values.target) && (only?.includes(id) ?? true),
  );
  const judged = await judgeAll(cases);
  let failures = 0;
  for (const { id, kind } of cases) {
    const problems = judged.get(id) ?? [];
    const choice = ourChoices.get(id);
    if (choice !== undefined) process.stdout.write(`note ${id} ${kind}: our choice is asserted: ${choice}\n`);
    if (problems.length === 0) continue;
    failures++;
    process.stdout.write(`FAIL ${id} ${kind}: ${problems.slice(0, 4).join('; ').replaceAll(/\s+/g, ' ')}\n`);
  }
  process.stdout.write(`${cases.length - failures} passed, ${failures} failed\n`);
  return failures === 0 ? 0 : 1;
}

if (process.argv[1]?.endsWith('run.ts')) process.exitCode = await main();
