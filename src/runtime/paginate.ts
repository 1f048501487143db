// SPDX-License-Identifier: 0BSD
import type { CallOptions, Client } from './client.js';
import { own } from './parameters.js';
import { unwrap } from './unwrap.js';

/** Options of the calls, which are made one after the other: `signal` ends them all, `timeout` is for each. */
export interface PageOptions<S extends string = never> extends CallOptions<never, S> {
  /** How many items are given at most. Default: all. Pages that `pages()` gives are not cut. */
  readonly limit?: number | undefined;
  /** How many pages are asked for at most. Default: all. */
  readonly maxPages?: number | undefined;
}

/**
 * The items of all pages, asked for as they are read. Each iteration starts with the first page again. An answer that is no
 * success throws an `ApiError` with the result of the operation in it.
 */
export interface Paginated<Item, Result> extends AsyncIterable<Item> {
  [Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined>;
  /** The results of the operation, page by page. One that is no success is given like the others, and is the last. */
  pages(): AsyncGenerator<Result, void, undefined>;
  /** All items as an array. */
  collect(): Promise<Item[]>;
}

/** Where a value of an answer is: in a header, or in the body or its last item, by the names of members. */
export interface PageSource {
  readonly header?: string;
  readonly body?: readonly string[];
  readonly lastItem?: readonly string[];
}

/** How an operation is paged: a plain literal in the generated code. */
export interface PageSpec {
  /** The names of the members that lead to the items. */
  readonly items: readonly string[];
  readonly next: (spec: PageSpec, page: Page) => NextPage | undefined;
  /** Sends the request of a page to a URL that an answer gave. */
  readonly follow?: (client: Client, next: NextPage | undefined, visit: Visit, spec: PageSpec) => Client;
  /** What leads to the next page: a cursor or a URL. */
  readonly from?: PageSource;
  /** Where the input takes the cursor, the number of the page or the offset. */
  readonly to?: readonly string[];
  /** Says `false` where there are no more pages. */
  readonly more?: PageSource;
  /** How many items there are, and how many pages. */
  readonly total?: PageSource;
  readonly pages?: PageSource;
  /** The number of the first page or item. */
  readonly start?: number;
  /** Where the input says how many items a page has; a page with fewer is the last one. */
  readonly size?: { readonly to: readonly string[]; readonly default?: number; readonly max?: number };
  /** The media type that has the items, where there are several. */
  readonly accept?: string;
  /** Credentials in the query, which a URL of the next page has to have as well. */
  readonly keys?: readonly string[];
}

/** The request of the next page. */
export interface NextPage {
  readonly input: unknown;
  readonly url?: string;
  /** What tells it from other pages. */
  readonly key: unknown;
}

/** Where a page was asked for. */
export interface Visit {
  url?: string;
}

/** A page that was read. */
export interface Page {
  readonly input: unknown;
  readonly data: unknown;
  readonly items: readonly unknown[];
  /** How many items the first page had. */
  readonly usual: number;
  readonly response: Response;
  readonly visit: Visit;
}

interface AnyResult {
  readonly ok: boolean;
  readonly status: number | 'unexpected';
  readonly data?: unknown;
  readonly response: Response;
}

/** Pages through an operation; nothing is sent before the first page is read. */
export function paginate<Item, Result extends AnyResult>(
  // Any operation: with `accept` in the literal, its results are narrowed to those of the media type.
  call: (client: Client, input: never, options: never) => Promise<AnyResult>,
  spec: PageSpec,
  client: Client,
  input: unknown,
  options: PageOptions<string> = {},
): Paginated<Item, Result> {
  const pages = (): AsyncGenerator<Result, void, undefined> =>
    readPages(call as (...given: readonly unknown[]) => Promise<Result>, spec, client, input, options);
  const items = (): AsyncGenerator<Item, void, undefined> => readItems<Item>(pages, spec, options.limit);
  return {
    pages,
    [Symbol.asyncIterator]: items,
    async collect(): Promise<Item[]> {
      const all: Item[] = [];
      for await (const item of items()) all.push(item);
      return all;
    },
  };
}

async function* readItems<Item>(
  pages: () => AsyncGenerator<AnyResult, void, undefined>,
  spec: PageSpec,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<Item, void, undefined> {
  let left = limit;
  if (left <= 0) return;
  for await (const page of pages()) {
    for (const item of itemsOf(unwrap(page), spec)) {
      yield item as Item;
      left -= 1;
      // Before the next page is asked for.
      if (left <= 0) return;
    }
  }
}

async function* readPages<Result extends AnyResult>(
  call: (...given: readonly unknown[]) => Promise<Result>,
  spec: PageSpec,
  client: Client,
  input: unknown,
  { limit, maxPages = Number.POSITIVE_INFINITY, ...options }: PageOptions<string>,
): AsyncGenerator<Result, void, undefined> {
  // A server that gives the same cursor again would be asked for ever.
  const seen = new Set<string>();
  let next: NextPage | undefined;
  let usual: number | undefined;
  for (let count = 0; count < maxPages; count += 1) {
    const visit: Visit = {};
    const from = spec.follow ? spec.follow(client, next, visit, spec) : client;
    const asked = next ? next.input : input;
    const result = await call(from, asked, spec.accept === undefined ? options : { ...options, accept: spec.accept });
    yield result;
    if (!result.ok) return;
    const { data, response } = result;
    seen.add(JSON.stringify(visit.url ?? valueAt(asked, spec.to ?? [])));
    const items = itemsOf(data, spec);
    usual ??= items.length;
    next = spec.next(spec, { input: asked, data, items, usual, response, visit });
    if (!next) return;
    const key = JSON.stringify(next.key);
    if (seen.has(key)) return;
    seen.add(key);
  }
}

/** What stands behind the names of members, each an own one. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce(own, value);
}

function itemsOf(data: unknown, { items }: PageSpec): readonly unknown[] {
  const found = valueAt(data, items);
  return Array.isArray(found) ? found : [];
}

/** The value that an answer has at a place. */
export function sourceValue(source: PageSource | undefined, { data, items, response }: Page): unknown {
  if (!source) return undefined;
  const { header, body, lastItem } = source;
  if (header !== undefined) return response.headers.get(header) ?? undefined;
  return body ? valueAt(data, body) : valueAt(items.at(-1), lastItem ?? []);
}

/** Whether the answer says that it is the last page. */
export function isLast({ more }: PageSpec, page: Page): boolean {
  return /^false$/i.test(String(sourceValue(more, page)));
}

/** A copy of the input with another value at a place. */
export function withValue(input: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  const isObject = typeof input === 'object' && input !== null;
  if (Array.isArray(input))
    return input.map((item, index) => (`${index}` === name ? withValue(item, rest, value) : item));
  return { ...(isObject ? input : {}), [name]: withValue(own(input, name), rest, value) };
}
