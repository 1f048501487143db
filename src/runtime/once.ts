// SPDX-License-Identifier: 0BSD
import { type Answers, tooDeep } from './checks.js';
import { type Findings, fork, full, type Path } from './issues.js';
import type { Issue } from './validation.js';

type Test = (value: unknown, depth: number, answers: Answers) => boolean;

type Collect = (value: unknown, path: Path, findings: Findings, depth: number, base?: string) => void;

/** What one function of the second pass has said of a value. */
interface Explanation {
  readonly path: Path;
  readonly base: string | undefined;
  readonly issues: readonly Issue[];
}

/** Runs a check that counts its depth and remembers its answers; false where the value is nested too deep. */
export function shallowOnce(test: Test, value: unknown): boolean {
  try {
    return test(value, 0, new Map());
  } catch (fault) {
    if (fault === tooDeep) return false;
    throw fault;
  }
}

/** Asks once for each object or array: alternatives that all lead to the same value would double the work at each level. */
export function once(test: Test, value: unknown, depth: number, answers: Answers): boolean {
  if (typeof value !== 'object' || value === null) return test(value, depth, answers);
  const known = answersOf(answers, test);
  let answer = known.get(value);
  if (answer === undefined) {
    answer = test(value, depth, answers);
    known.set(value, answer);
  }
  return answer === true;
}

/** The same for the second pass: what is known of a value is said again. */
export function explainOnce(
  collect: Collect,
  value: unknown,
  path: Path,
  findings: Findings,
  depth: number,
  base?: string,
): void {
  if (typeof value !== 'object' || value === null) {
    collect(value, path, findings, depth, base);
    return;
  }
  const known = answersOf(findings.answers, collect);
  const said = (known.get(value) ?? []) as readonly Explanation[];
  let explanation = said.find((entry) => entry.base === base && isSame(entry.path, path));
  if (explanation === undefined) {
    const apart = fork(findings);
    collect(value, path, apart, depth, base);
    explanation = { path, base, issues: apart.issues };
    known.set(value, [...said, explanation]);
  }
  for (const issue of explanation.issues) if (!full(findings)) findings.issues.push(issue);
}

function answersOf(answers: Answers, asked: unknown): Map<unknown, unknown> {
  const known = answers.get(asked) ?? new Map<unknown, unknown>();
  answers.set(asked, known);
  return known;
}

function isSame(left: Path, right: Path): boolean {
  return left.length === right.length && left.every((step, index) => step === right[index]);
}
