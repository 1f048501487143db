// SPDX-License-Identifier: 0BSD
import type { CallOptions } from './client.js';
import type { CallError } from './errors.js';
import { type ApiError, unwrap } from './unwrap.js';

interface AnyResult {
  readonly ok: boolean;
  readonly status: number | 'unexpected';
  readonly data?: unknown;
  readonly error?: unknown;
  readonly headers: object;
  readonly response: Response;
}

/** A cache takes no `undefined`. */
type OrNull<D> = undefined extends D ? Exclude<D, undefined> | null : D;

/** What a query gives: the body of the success; null where it has none. */
export type QueryData<R> = OrNull<Extract<R, { readonly ok: true; readonly data: unknown }>['data']>;

/** What a query with the method HEAD gives: the declared headers of the success. */
export type QueryHeaders<R> = Extract<R, { readonly ok: true; readonly headers: unknown }>['headers'];

/** What a mutation gives: the body of the success. */
export type MutationData<R> = Extract<R, { readonly ok: true; readonly data: unknown }>['data'];

/**
 * What queries and mutations throw: an `ApiError` with the answer in `result`, or a `CallError` where there is none.
 * `isApiError(error)` tells them apart.
 */
export type QueryError<R> = ApiError<Extract<R, { readonly ok: false }>> | CallError;

/** The options of a call, but for its signal: that is the query's. */
export type QueryCallOptions<A extends string = never, S extends string = never> = Omit<CallOptions<A, S>, 'signal'>;

/** Members that are never set: whatever takes these options has the type of errors from them. */
interface Shared<R> {
  readonly retry?: boolean | number | ((failureCount: number, error: QueryError<R>) => boolean);
  readonly throwOnError?: boolean | ((error: QueryError<R>) => boolean);
}

interface SharedQuery<K, D, R> extends Shared<R> {
  readonly queryKey: K;
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<D>;
}

/** What `useQuery`, `fetchQuery` and their like take, of a result; spread it to say more: `{ ...getPetQueryOptions(…), staleTime: 5000 }`. */
export interface QueryOptions<K, R> extends SharedQuery<K, QueryData<R>, R> {}

/** The same of an operation with the method HEAD. */
export interface HeadQueryOptions<K, R> extends SharedQuery<K, QueryHeaders<R>, R> {}

/** What `useInfiniteQuery` and `fetchInfiniteQuery` take. */
export interface InfiniteQueryOptions<K, R, P> extends Shared<R>, PageSteps<QueryData<R>, P> {
  readonly queryKey: K;
  readonly queryFn: (context: { readonly signal: AbortSignal; readonly pageParam: P }) => Promise<QueryData<R>>;
}

/** What `useMutation` takes; `mutate` takes the operation's input. */
export interface MutationOptions<K, R, V> extends Shared<R> {
  readonly mutationKey: K;
  readonly mutationFn: (variables: V) => Promise<MutationData<R>>;
}

/** Which page is read first, and which one comes next: `null` or `undefined` where there is none. */
interface PageSteps<D, P> {
  readonly initialPageParam: P;
  readonly getNextPageParam: PageStep<D, P>;
  readonly getPreviousPageParam?: PageStep<D, P>;
  /** How many pages are kept. */
  readonly maxPages?: number;
}

type PageStep<D, P> = (page: D, pages: readonly D[], pageParam: P, pageParams: readonly P[]) => P | null | undefined;

/** The members of a group of an input: of its `query`, for example. */
export type PageMembers<I, G extends string> = G extends keyof I ? NonNullable<I[G]> : never;

/** How an operation is read page by page: `parameter` is the member of the query (or body) that says which page. */
export interface Pages<M, N extends keyof M, R> extends PageSteps<QueryData<R>, M[N]> {
  readonly parameter: N;
}

/** The members of inputs, by their group, that a key does not hold. */
type LeftOut = Readonly<Record<string, readonly string[]>>;

/**
 * The key of a call: its path and its input as plain JSON, without what is undefined, empty groups, cookies and what is
 * left out because it is a credential. Without an input it is the path, which stands for every call of the operation.
 */
export function queryKey<K extends readonly unknown[]>(
  path: readonly string[],
  input: object | undefined,
  options: { readonly accept?: unknown; readonly server?: unknown } = {},
  leftOut: LeftOut = {},
  ...more: readonly string[]
): K {
  if (input === undefined) return path as unknown as K;
  const { accept, server } = options;
  const given = JSON.parse(JSON.stringify({ ...input, accept, server }, plain)) as Record<string, unknown>;
  const groups = Object.entries(given).flatMap(([group, value]) => {
    if (group === 'cookies') return [];
    const kept = without(value, leftOut[group]);
    return group !== 'body' && isEmpty(kept) ? [] : [[group, kept] as const];
  });
  return [...path, Object.fromEntries(groups), ...more] as unknown as K;
}

function plain(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  return typeof URLSearchParams === 'function' && value instanceof URLSearchParams ? value.toString() : value;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function without(value: unknown, names: readonly string[] | undefined): unknown {
  if (!names || !isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

function isEmpty(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

/**
 * The options of a query's call: with its signal, so that a query that nobody waits for ends its request, and without the
 * retries of the client, because queries have their own. `options.retry` says otherwise.
 */
export function queryCall<A extends string, S extends string>(
  options: QueryCallOptions<A, S> | undefined,
  signal: AbortSignal,
  accept?: string,
): CallOptions<A, S> {
  return { retry: false, ...accepting(options, accept), signal };
}

/**
 * The options of a call that asks for a media type where the caller does not. It is one of those that `A` stands for then:
 * who names none is ready for each.
 */
export function accepting<A extends string, S extends string>(
  options: QueryCallOptions<A, S> | undefined,
  accept: string | undefined,
): QueryCallOptions<A, S> {
  return { ...options, accept: options?.accept ?? (accept as A | undefined) };
}

/** The input of a call for one page. */
export function pageInput<I extends object>(
  input: I | undefined,
  group: 'query' | 'body',
  parameter: PropertyKey,
  pageParam: unknown,
): I {
  const members = (input as Readonly<Record<string, object | undefined>> | undefined)?.[group];
  return { ...input, [group]: { ...members, [parameter]: pageParam } } as I;
}

// What these three give is typed by where they stand: the options of one operation.

export async function queryData<D>(answer: Promise<AnyResult>): Promise<D> {
  return (unwrap(await answer) ?? null) as D;
}

export async function queryHeaders<H>(answer: Promise<AnyResult>): Promise<H> {
  const result = await answer;
  unwrap(result);
  return result.headers as H;
}

export async function mutationData<D>(answer: Promise<AnyResult>): Promise<D> {
  return unwrap(await answer) as D;
}
