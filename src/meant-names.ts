/**
 * Names of operations and schemas in the configuration. What a filter or a fault leaves out, or another description of the
 * run has, is there to be named all the same: it is no fault that this API lacks it.
 */

import type { Api } from './ir/api.js';
import { operationNames } from './ir/operation-names.js';
import type { ReadApis } from './read-apis.js';

/** Whether what is said of a name is meant for an API: that it is the API's own, or of nothing that is known at all. */
export type IsMeant = (name: string) => boolean;

/** `excluded`: what filters leave out. */
export function meantNames(
  { apis, leftOut }: Pick<ReadApis, 'apis' | 'leftOut'>,
  excluded: ReadonlySet<string>,
): (api: Api) => IsMeant {
  const names = new Map(apis.map(({ api }) => [api, namesOf(api)]));
  const known = new Set([...leftOut, ...excluded, ...[...names.values()].flatMap((set) => [...set])]);
  return (api) => {
    const own = names.get(api);
    return (name) => own?.has(name) === true || !known.has(name);
  };
}

/** How a configuration may name the parts of an API: `getPet`, `GET /pets/{id}`, `Pet`. */
export function namesOf({ components, operations }: Api): ReadonlySet<string> {
  return new Set([...components.map(({ name }) => name), ...operations.flatMap(operationNames)]);
}

/** How a configuration may name the operations of all APIs. */
export function namedOperations(apis: ReadApis['apis']): readonly string[] {
  return apis.flatMap(({ api }) => api.operations.flatMap(operationNames));
}
