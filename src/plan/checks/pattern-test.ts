/** A pattern as an object that tests texts: the engine's, or where that may look too long a search of our own. */
import { type Code, code, joinCode, literal, number, regex } from '../../encode.js';
import { linearSteps } from '../../patterns/linear-steps.js';
import { isQuickWithin, longestLength, type PatternCosts, quickLength } from '../../patterns/pattern-cost.js';

export interface PatternTest {
  readonly text: Code;
  /** It is no `RegExp`. */
  readonly own: boolean;
}

/** `maxLength`: longer texts, in code points, never come to it. */
export function patternTest(
  pattern: string,
  costs: PatternCosts,
  slowPattern: () => Code,
  maxLength?: number,
): PatternTest {
  const engine = regex(pattern);
  const cost = costs.costOf(pattern);
  if (isQuickWithin(cost, maxLength)) return { text: engine, own: false };
  const steps = linearSteps(pattern);
  const quick = steps === undefined ? longestLength(cost) : quickLength(cost);
  const parts = [engine, number(quick), ...(steps === undefined ? [] : [literal(steps)])];
  return { text: code`${slowPattern()}(${joinCode(parts, ', ')})`, own: true };
}
