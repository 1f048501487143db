/** Why a target has nothing to generate: the document has nothing, or nothing was left of it. */
import type { Collector } from '../diagnostics.js';
import type { PlanOptions } from './target.js';

/** So many operations are named in a message. */
const namedOperations = 3;

export function reportNoOperation({ withoutOperations = [], filtered }: PlanOptions, report: Collector): void {
  report.report('nothing-to-generate', reasonOf(withoutOperations, filtered === true));
}

function reasonOf(leftOut: readonly string[], filtered: boolean): string {
  if (leftOut.length === 0) {
    return filtered ? 'the filters leave no operation' : 'the document declares no operation';
  }
  const named = leftOut.slice(0, namedOperations).join(', ');
  const more = leftOut.length - namedOperations;
  const whole = more > 0 ? `${named} and ${more} more` : named;
  return `a fault concerns every operation${filtered ? ' that the filters leave' : ''}, so nothing is left: without ${whole}`;
}
