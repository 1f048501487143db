/** `getPetQueryKey`, `GetPetQueryKey`, `getPetQueryOptions`: made of the function's name, so that an editor finds them all by it. */
import type { Identifier } from '../encode.js';
import { documentNames, ownName } from './own-names.js';
import type { QueryOperation } from './query-operations.js';
import type { PlanContext } from './target.js';

export interface GivenNames {
  readonly keyType: Identifier;
  readonly keyName: Identifier;
  readonly options: Identifier;
  readonly infinite?: Omit<GivenNames, 'infinite'>;
}

/** Names of our own that the module exports beside those of operations. */
const ownExports = ['queryKeyOfTag', 'queryRetry', 'TagQueryKeys'];

/** Where two would have one name, the first by address keeps it: `getPetInfinite` and an infinite `getPet`, for example. */
export function queryNames(
  context: PlanContext,
  operations: readonly QueryOperation[],
): (one: QueryOperation) => GivenNames {
  const taken = new Set([...documentNames(context), ...ownExports]);
  const take = (wanted: string): Identifier => {
    const name = ownName(taken, wanted);
    taken.add(name);
    return name;
  };
  const namesOf = (own: Identifier, kind: string): Omit<GivenNames, 'infinite'> => {
    const [first = '', ...rest] = own;
    return {
      keyType: take(`${first.toUpperCase()}${rest.join('')}${kind}Key`),
      keyName: take(`${own}${kind}Key`),
      options: take(`${own}${kind}Options`),
    };
  };
  const given = new Map<QueryOperation, GivenNames>();
  const byAddress = [...operations].sort((left, right) => (left.operation.id < right.operation.id ? -1 : 1));
  for (const one of byAddress) {
    const own = context.names.operationOf(one.operation).function;
    const names = namesOf(own, one.kind === 'mutation' ? 'Mutation' : 'Query');
    given.set(one, one.kind === 'infinite' ? { ...names, infinite: namesOf(own, 'InfiniteQuery') } : names);
  }
  return (one) => {
    const names = given.get(one);
    if (names === undefined) throw new Error('an operation without names');
    return names;
  };
}
