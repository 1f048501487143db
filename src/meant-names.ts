/**
 * Names of operations and schemas in the configuration. What a filter or a fault leaves out, or another description of the
 * run has, is there to be named all the same: it is no fault that this API lacks it.
 */
import type { Api } from './ir/api.js';
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
  const names = new Set(components.map(({ name }) => name));
  for (const { operationId, method, path } of operations) {
    names.add(`${method} ${path.text}`);
    if (operationId !== undefined) names.add(operationId);
  }
  return names;
}
