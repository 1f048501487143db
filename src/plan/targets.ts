/** The targets that a run makes unless it is told others. They are read with the command; the others when they are asked for. */
import type { Target, TargetName } from './target.js';
import { clientTarget } from './targets/client.js';
import { operationsTarget } from './targets/operations.js';
import { serverTarget } from './targets/server.js';
import { typesTarget } from './targets/types.js';
import { validatorsTarget } from './targets/validators.js';

const usual: readonly Target[] = [typesTarget, operationsTarget, validatorsTarget, clientTarget, serverTarget];

/** The chosen targets, in the order in which they plan. */
export async function chosenTargets(names: readonly TargetName[]): Promise<readonly Target[]> {
  const isUsual = new Set(usual.map(({ name }) => name));
  const others = names.every((name) => isUsual.has(name))
    ? []
    : (await import('./optional-targets.js')).optionalTargets;
  return [...usual, ...others].filter(({ name }) => names.includes(name));
}
