// SPDX-License-Identifier: 0BSD
import { itemsOf, type Page, type PageSpec, withValue } from './paginate.js';

/** The pages of an infinite query, as the contract says which one comes next. */
interface KnownPages<D, P> {
  /** The first page is that of the input as it is. */
  readonly initialPageParam: P | undefined;
  readonly getNextPageParam: (
    page: D,
    pages: readonly D[],
    pageParam: P | undefined,
    pageParams: readonly (P | undefined)[],
  ) => P | undefined;
}

/** Of a rule that asks neither for headers nor for the URL of an answer: a cache has its body alone. */
export function knownPages<D, P>(spec: PageSpec, input: object | undefined): KnownPages<D, P> {
  return {
    initialPageParam: undefined,
    getNextPageParam: (data, pages, pageParam, pageParams) => {
      const usual = itemsOf(pages[0], spec).length;
      const page = { input: inputOf(spec, input, pageParam), data, items: itemsOf(data, spec), usual };
      const next = spec.next(spec, page as unknown as Page)?.key as P | undefined;
      // A server that gives the same cursor again would be asked for ever.
      return pageParams.includes(next) ? undefined : next;
    },
  };
}

/** The input of a call for one page. */
export function inputOf<I>(spec: PageSpec, input: I, pageParam: unknown): I {
  return pageParam === undefined ? input : (withValue(input, spec.to ?? [], pageParam) as I);
}
