/** Judges one case: runs it as often as its assertions need and collects everything that is wrong. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transform } from 'esbuild';
import { type HostileCase, ourAssertions, ourChoices, unknownInput } from './cases.js';
import { always, checks, type Evidence, evidenceOf } from './checks.js';
import type { ChildResult } from './child.js';
import { runNode } from './child.js';
import { judgeClientCase } from './client-case.js';
import type { Json } from './expand.js';
import type { Outcome } from './outcome.js';
import { freshFolder, importOutput, runCase, specialFiles } from './run-case.js';
import { judgeValidatorCase } from './validator-case.js';
import { runWatchCase } from './watch-case.js';

export interface Verdict {
  readonly hostile: HostileCase;
  readonly problems: readonly string[];
  /** Files that the compiler has to find nothing in, absolute path to text. */
  readonly typechecks: ReadonlyMap<string, string>;
}

/** Assertions that need more than the outcome of one run. */
const further = new Set([
  'typechecks',
  'importable',
  'validatorRejects',
  'deterministic',
  'previousOutputIntact',
  'setup',
]);
const setupOfSpecialFiles = 'ln -s /dev/zero dev-zero ; repeat with mkfifo and mkdir';

export async function judge(hostile: HostileCase, workspace: string): Promise<Verdict> {
  if (hostile.target === 'client')
    return failed(hostile, await judgeClientCase(withOurs(hostile), setAside.get(hostile.id) ?? []));
  if (hostile.target === 'validator') return failed(hostile, await judgeValidatorCase(hostile));
  const unknown = [
    ...Object.keys(hostile.assert).filter((name) => !checks.has(name) && !further.has(name)),
    ...unknownInput(hostile),
  ];
  if (unknown.length > 0) return failed(hostile, [`the runner does not know ${unknown.join(', ')}`]);
  if (hostile.target !== 'generator') return failed(hostile, [`the runner does not know the target ${hostile.target}`]);
  if (hostile.assert['previousOutputIntact'] !== undefined)
    return failed(hostile, await runWatchCase(hostile, freshFolder(workspace, hostile.id)));
  const { setup } = hostile.assert;
  if (setup === setupOfSpecialFiles) return judgeSpecialFiles(hostile, workspace);
  if (setup !== undefined) return failed(hostile, [`the runner does not know the setup ${String(setup)}`]);

  const folder = freshFolder(workspace, hostile.id);
  const outcome = await runCase(hostile, folder);
  const evidence = evidenceOf(hostile, outcome);
  const problems = [...judgeOutcome(evidence)];
  if (outcome.child.exit === 0) problems.push(...(await judgeImports(evidence)));
  if (hostile.assert['deterministic'] === true) problems.push(...(await judgeReruns(hostile, workspace, outcome)));
  const compile = hostile.assert['typechecks'] === true && outcome.child.exit === 0;
  const typechecks = compile
    ? new Map([...outcome.files].map(([path, text]) => [join(folder, 'out', path), text]))
    : new Map<string, string>();
  return { hostile, problems, typechecks };
}

function failed(hostile: HostileCase, problems: readonly string[]): Verdict {
  return { hostile, problems, typechecks: new Map() };
}

function withOurs(hostile: HostileCase): HostileCase {
  const { calls = [], assert } = ourAssertions.get(hostile.id) ?? { assert: {} };
  const { input } = hostile;
  const given = Array.isArray(input['calls']) ? input['calls'] : [];
  return { ...hostile, input: { ...input, calls: [...given, ...calls] }, assert: { ...hostile.assert, ...assert } };
}

/** The assertions that hold where our choice is another one than the case's; see `ourChoices`. */
const setAside: ReadonlyMap<string, readonly string[]> = new Map([
  ['H012', ['literals']],
  ['H056', ['requestLacks']],
  ['H100', ['typedError']],
]);

function judgeOutcome(evidence: Evidence): readonly string[] {
  const { hostile } = evidence;
  const aside = ourChoices.has(hostile.id) ? (setAside.get(hostile.id) ?? []) : [];
  const told = Object.entries(hostile.assert).flatMap(([name, wanted]) => {
    const check = checks.get(name);
    return check && !aside.includes(name) ? check(evidence, wanted) : [];
  });
  return [...always(evidence), ...told];
}

async function judgeSpecialFiles(hostile: HostileCase, workspace: string): Promise<Verdict> {
  const problems: string[] = [];
  for (const [name, prepare] of specialFiles) {
    const outcome = await runCase(hostile, freshFolder(workspace, hostile.id), { prepare });
    problems.push(...judgeOutcome(evidenceOf(hostile, outcome)).map((problem) => `${name}: ${problem}`));
  }
  return failed(hostile, problems);
}

/** Strips the types and imports every module; also where the case only says that no payload runs. */
async function judgeImports({ hostile, outcome }: Evidence): Promise<readonly string[]> {
  const { assert } = hostile;
  if (!assert['importable'] && !assert['noIdentifier'] && !assert['validatorRejects']) return [];
  const javascript = join(outcome.folder, 'javascript');
  for (const [path, text] of outcome.files) {
    if (!path.endsWith('.ts')) continue;
    const target = join(javascript, path.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    try {
      writeFileSync(target, (await transform(text, { loader: 'ts', format: 'esm', target: 'es2022' })).code);
    } catch (error) {
      return [`${path} cannot be transpiled: ${error instanceof Error ? error.message.split('\n')[1] : ''}`];
    }
  }
  writeFileSync(join(javascript, 'package.json'), '{ "type": "module" }\n');
  const problems = importProblems(await importOutput(javascript));
  const rejects = assert['validatorRejects'];
  return rejects === undefined ? problems : [...problems, ...(await acceptedValues(javascript, rejects))];
}

function importProblems({ exit, stdout, stderr }: ChildResult): readonly string[] {
  if (exit !== 0) return [`the output cannot be imported: ${stderr.slice(0, 200)}`];
  const { failed, polluted, pwned } = JSON.parse(stdout) as Record<string, unknown>;
  return [
    ...(Array.isArray(failed) ? failed.map((line) => `the output cannot be imported: ${String(line)}`) : []),
    ...(polluted === true ? ['importing the output changes Object.prototype'] : []),
    ...(pwned === true ? ['importing the output sets globalThis.__PWNED'] : []),
  ];
}

/** The values that the validator of the document's schema `T` accepts although it must not. */
async function acceptedValues(javascript: string, values: Json): Promise<readonly string[]> {
  const place = JSON.stringify(pathToFileURL(join(javascript, 'validators.js')).href);
  const program =
    `const { isT } = await import(${place});` +
    `console.log(JSON.stringify(JSON.parse(process.argv[1]).map((value) => isT(value))));`;
  const { exit, stdout, stderr } = await runNode(['--input-type=module', '-e', program, JSON.stringify(values)], {
    cwd: javascript,
    limitMs: 30_000,
  });
  if (exit !== 0) return [`the validator cannot be run: ${stderr.slice(0, 200)}`];
  const accepted = JSON.parse(stdout) as readonly boolean[];
  const list = Array.isArray(values) ? values : [];
  return accepted.flatMap((accepts, index) =>
    accepts ? [`the validator accepts ${JSON.stringify(list[index])}`] : [],
  );
}

/** The same document on other machines, at other times, in other folders: the same bytes. */
async function judgeReruns(hostile: HostileCase, workspace: string, first: Outcome): Promise<readonly string[]> {
  const problems: string[] = [];
  const machines = [
    { TZ: 'Pacific/Kiritimati', LANG: 'de_DE.UTF-8', LC_ALL: 'de_DE.UTF-8' },
    { TZ: 'America/St_Johns', LANG: 'tr_TR.UTF-8', LC_ALL: 'C', USER: 'somebody', HOSTNAME: 'elsewhere' },
  ];
  for (const [index, environment] of machines.entries()) {
    const folder = freshFolder(workspace, `${hostile.id}-machine-${index}`);
    const again = await runCase(hostile, folder, { environment });
    const paths = new Set([...first.files.keys(), ...again.files.keys()]);
    for (const path of paths)
      if (first.files.get(path) !== again.files.get(path)) problems.push(`${path} differs on another machine`);
  }
  for (const [path, text] of first.files)
    if (text.includes(first.folder)) problems.push(`${path} holds a path of the machine`);
  return problems;
}
