// SPDX-License-Identifier: 0BSD
import { type Answers, tooDeep } from './checks.js';
import { apart, deepRules, type Explain, pathOf, type Rule, tested } from './explain.js';
import { full, type Path } from './issues.js';
import type { Issue } from './validation.js';

type Test = (value: unknown, depth: number, answers: Answers) => boolean;

/** What one function of the second pass has said of a value. */
interface Explanation {
  readonly path: Path;
  readonly place: string;
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

/** The rules of a schema that values are asked for once: what is known of a value is said again. */
export function onceRules(base: string, test: Test, make: () => Rule): Explain {
  const explainSchema = deepRules(base, test, make);
  const explainOnce: Explain = (value, at, place = base) => {
    if (typeof value !== 'object' || value === null) {
      explainSchema(value, at, place);
      return;
    }
    const { findings } = at;
    const path = pathOf(at);
    const known = answersOf(findings.answers, explainSchema);
    const said = (known.get(value) ?? []) as readonly Explanation[];
    let explanation = said.find((entry) => entry.place === place && isSame(entry.path, path));
    if (explanation === undefined) {
      const branch = apart(at, place);
      explainSchema(value, branch, place);
      explanation = { path, place, issues: branch.findings.issues };
      known.set(value, [...said, explanation]);
    }
    for (const issue of explanation.issues) if (!full(findings)) findings.issues.push(issue);
  };
  return tested((value, depth, answers) => once(test, value, depth, answers), explainOnce);
}

function answersOf(answers: Answers, asked: unknown): Map<unknown, unknown> {
  const known = answers.get(asked) ?? new Map<unknown, unknown>();
  answers.set(asked, known);
  return known;
}

function isSame(left: Path, right: Path): boolean {
  return left.length === right.length && left.every((step, index) => step === right[index]);
}
