/** Names of our own that stand beside those of the document: where the document has the name already, ours steps aside. */
import type { Identifier } from '../encode.js';
import type { PlanContext } from './target.js';

/** Everything that the document's things are called in the output's `index`. */
export function documentNames({ api, names }: PlanContext): ReadonlySet<string> {
  const taken = new Set<string>(names.types.map(({ name }) => name));
  for (const { names: validator } of names.validators) {
    for (const name of [validator.validate, ...Object.values(validator.forms ?? {})]) taken.add(name);
  }
  for (const operation of api.operations) {
    const given = names.operationOf(operation);
    for (const name of [given.function, given.input, given.result, given.replies, given.request]) taken.add(name);
  }
  for (const request of api.outgoing) {
    const payload = names.payloadOf(request);
    if (payload !== undefined) taken.add(payload);
  }
  return taken;
}

/** The first of the candidates that is free, else the last one with a number. */
export function ownName(taken: ReadonlySet<string>, ...candidates: readonly [string, ...string[]]): Identifier {
  const free = candidates.find((candidate) => !taken.has(candidate));
  if (free !== undefined) return free as Identifier;
  let number = 2;
  while (taken.has(`${candidates.at(-1)}${number}`)) number++;
  return `${candidates.at(-1)}${number}` as Identifier;
}
