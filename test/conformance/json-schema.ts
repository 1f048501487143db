/**
 * `npm run conformance:json-schema [-- <folder>]`
 *
 * Every group of the official JSON Schema test suite: its schema is compiled ahead of time as `generate` does it, the module
 * is written, imported and run, both passes. Prints what is wrong, a line for each draft and part, and
 * `N passed, N failed`, in tests; exit code 1 where one failed without a reason.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { removeModules } from '../support/generated-validators.js';
import { shared } from '../support/paths.js';
import { readRemotes, readSuite, type SuiteGroup } from '../support/suite.js';
import { cannotPass, dialects, optionsOf, problemsOf } from '../support/suite-judge.js';

interface Part {
  readonly title: string;
  readonly folder: string;
  /** Whether `format` is an assertion there. */
  readonly assertFormats: boolean;
}

const parts: readonly Part[] = [
  { title: 'required', folder: '', assertFormats: false },
  { title: 'optional', folder: '/optional', assertFormats: false },
  { title: 'optional/format', folder: '/optional/format', assertFormats: true },
];

interface Count {
  readonly passed: number;
  readonly failed: number;
  /** Of those that failed, the ones that nobody has a reason for. */
  readonly unexplained: number;
}

async function count(
  groups: readonly SuiteGroup[],
  judge: (group: SuiteGroup) => ReturnType<typeof problemsOf>,
): Promise<Count> {
  let [passed, failed, unexplained] = [0, 0, 0];
  for (const group of groups) {
    const problems = await judge(group).catch((error: unknown) => group.tests.map(() => String(error).split('\n')[0]));
    for (const [index, { description }] of group.tests.entries()) {
      const problem = problems[index];
      if (problem === undefined) passed += 1;
      else {
        failed += 1;
        const reason = cannotPass.get(group.name);
        if (reason === undefined) unexplained += 1;
        const why = reason === undefined ? '' : ` (${reason})`;
        process.stdout.write(`FAIL ${group.name}: ${description}: ${problem}${why}\n`);
      }
    }
  }
  return { passed, failed, unexplained };
}

async function main(): Promise<number> {
  const [given] = process.argv.slice(2);
  const suite = given === undefined ? shared && join(shared, 'conformance/json-schema-test-suite') : resolve(given);
  if (suite === undefined || !existsSync(suite)) {
    process.stderr.write('skipped: there is no suite; set OASMITH_SHARED to the shared material, or name its folder\n');
    return 2;
  }
  const remote = readRemotes(suite);
  const lines: string[] = [];
  let [passed, failed, unexplained] = [0, 0, 0];
  for (const [draft, dialect] of Object.entries(dialects)) {
    const figures: string[] = [];
    for (const { title, folder, assertFormats } of parts) {
      const groups = readSuite(suite, draft + folder);
      const found = await count(groups, (group) =>
        problemsOf(group, dialect, remote, { assertFormats, ...(title === 'optional' && optionsOf(group)) }),
      );
      passed += found.passed;
      failed += found.failed;
      unexplained += found.unexplained;
      figures.push(`${title} ${found.passed}/${found.passed + found.failed}`);
    }
    lines.push(`${draft.padEnd(13)} ${figures.join(', ')}`);
    await removeModules();
  }
  process.stdout.write(`${lines.join('\n')}\n${passed} passed, ${failed} failed\n`);
  return unexplained === 0 ? 0 : 1;
}

process.exitCode = await main();
