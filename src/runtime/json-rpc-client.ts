// SPDX-License-Identifier: 0BSD
import type { CallOptions, Client } from './client.js';
import { Deadline } from './deadline.js';
import { CallError } from './errors.js';
import {
  isErrorObject,
  isJsonRpcError,
  isOutcome,
  JsonRpcError,
  type JsonRpcId,
  type NotificationOf,
  type ParamsArguments,
  type ParamsOf,
  resultOf,
} from './json-rpc.js';
import { own } from './parameters.js';
import { ApiError } from './unwrap.js';
import type { Validation } from './validation.js';

/**
 * Looks at what the server sends: a response to a call of `method`, a notification, a request. A result with `ok: false`
 * makes the call throw; everything else lets the message pass.
 */
export type JsonRpcCheck = (
  kind: 'result' | 'notification' | 'request',
  method: string,
  message: object,
) => Validation<unknown> | undefined;

/** Options of all calls. `M` is what every request carries, `I` the input of the endpoint besides its body. */
export interface JsonRpcClientOptions<M = unknown, I = object> {
  /** What every request carries in its configured member; what a call gives there itself wins, member by member. */
  readonly meta?: M | undefined;
  /** Further parameters of the endpoint: `{ headers: { … } }`. */
  readonly input?: I | undefined;
  /** Asked for every message of the server: the result of `validate…Messages()` of `json-rpc-validation.ts`. By default none is. */
  readonly validate?: JsonRpcCheck | undefined;
}

/** Answers by method what a server asks: what a function gives is the result, what it throws an error. */
export type JsonRpcRequestHandlers<Q> = {
  readonly [K in keyof Q]?: Q[K] extends { readonly result: infer R }
    ? (params: ParamsOf<Q[K]>, request: JsonRpcServerRequest) => R | PromiseLike<R>
    : never;
};

/**
 * Options of a call. `N` holds the notifications of the server, `Q` its requests. Aborting cancels the call, and so does
 * `timeout`: it is for the whole call, in whichever form the answer comes.
 */
export interface JsonRpcCallOptions<N, Q = unknown> extends CallOptions {
  /** Is told of each notification that comes before the answer; the next one is read when it has returned. */
  readonly onNotification?: ((notification: NotificationOf<N>) => void | PromiseLike<void>) | undefined;
  /**
   * Answers what the server asks meanwhile: a function for each method, or one for all. What it gives is sent as the result,
   * what it throws as an error. Without one the server is told that there is no such method.
   */
  readonly onRequest?:
    | ((request: JsonRpcServerRequest) => unknown)
    | ([keyof Q] extends [never] ? never : JsonRpcRequestHandlers<Q>)
    | undefined;
}

/** A request that a server sends on the stream of an answer. */
export interface JsonRpcServerRequest {
  readonly jsonrpc: '2.0';
  readonly id: JsonRpcId;
  readonly method: string;
  readonly params?: unknown;
}

/** What a caller gives of parameters whose member `Meta` the client fills. */
type Filled<P, Meta extends PropertyKey> = [Meta] extends [never]
  ? P
  : { readonly [K in keyof P as K extends Meta ? never : K]: P[K] } & {
      readonly [K in Meta]?: Partial<K extends keyof P ? P[K] : never> | undefined;
    };

/** Whether nothing has to be given but what the client fills. */
type CallArguments<M, Meta extends PropertyKey, O> = M extends { readonly params: infer P }
  ? object extends Filled<P, Meta>
    ? [params?: Filled<P, Meta>, options?: O]
    : [params: Filled<P, Meta>, options?: O]
  : M extends { readonly params?: infer P }
    ? [params?: Filled<Exclude<P, undefined>, Meta>, options?: O]
    : never;

type ResultOf<M> = M extends { readonly result: infer R } ? R : never;

/** Methods `M`, notifications `N` of the client and `S` of the server, the member of parameters that is filled, requests `Q` of the server. */
export interface JsonRpcClient<M, N, S, Meta extends PropertyKey = never, Q = unknown> {
  /**
   * Calls a method: gives its result, or throws a `JsonRpcError` for an error that the server answered, an `ApiError` for
   * another refusal, a `CallError` where there was no answer.
   */
  call<K extends keyof M & string>(
    method: K,
    ...given: CallArguments<M[K], Meta, JsonRpcCallOptions<S, Q>>
  ): Promise<ResultOf<M[K]>>;
  /** Tells the server something; nothing is answered but that it came. */
  notify<K extends keyof N & string>(method: K, ...given: ParamsArguments<N[K], CallOptions>): Promise<void>;
}

export interface JsonRpcClientSpec {
  /** The member of parameters that every request carries. */
  readonly meta?: string;
  /** The notification that cancels a request, and its member for the id; without it, closing the connection does. */
  readonly cancel?: { readonly method: string; readonly id: string };
}

/** The generated function of the endpoint. */
type Endpoint = (input: object, options: CallOptions) => Promise<object>;

interface Result {
  readonly ok: boolean;
  readonly status: number | 'unexpected';
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}

export function jsonRpcClient<M, N, S, Meta extends PropertyKey, Q>(
  endpoint: Endpoint,
  { meta: member, cancel }: JsonRpcClientSpec,
  { meta, input, validate }: JsonRpcClientOptions<object>,
  { options: defaults }: Client,
): JsonRpcClient<M, N, S, Meta, Q> {
  let last = 0;
  const send = (message: object, options: CallOptions): Promise<Result> =>
    // Every message is judged here: what the contract says of events need not hold for all of them.
    endpoint({ ...input, body: { jsonrpc: '2.0', ...message } }, { ...options, onInvalid: 'off' }) as Promise<Result>;

  const check: (...given: Parameters<JsonRpcCheck>) => void = (kind, method, message) => {
    const verdict = validate?.(kind, method, message);
    if (verdict && !verdict.ok)
      throw new CallError('response', `the ${kind} of "${method}" breaks the contract`, verdict);
  };

  const notify = async (method: string, params?: object, options: CallOptions = {}): Promise<void> => {
    const result = await send({ method, params }, options);
    if (!result.ok) throw refusal(result);
    const { data } = result;
    if (isStream(data)) await data.close();
  };

  const call = async (
    method: string,
    given?: object,
    { onNotification, onRequest, ...options }: JsonRpcCallOptions<S> = {},
  ): Promise<unknown> => {
    const id = ++last;
    const filled =
      member === undefined || meta === undefined ? undefined : { [member]: { ...meta, ...partOf(given, member) } };
    const params = filled ? { ...given, ...filled } : given;
    // One value is waited for: the limit is for all of it, where that of a stream would be for its start only.
    const deadline = new Deadline(options.signal, options.timeout ?? defaults.timeout);
    const { limit } = deadline;
    const settings: CallOptions = { ...options, signal: limit, timeout: Number.POSITIVE_INFINITY };
    // Whoever has cancelled does not wait, and cannot do anything about a server that was not reached.
    const cancelled = (): void => void notify(cancel?.method ?? '', { [cancel?.id ?? '']: id }).catch(() => undefined);
    const work = async (): Promise<unknown> => {
      const result = await send({ id, method, params }, settings);
      const response = await settle(result, id, async (message) => {
        const isNotification = own(message, 'id') === undefined;
        check(isNotification ? 'notification' : 'request', own(message, 'method') as string, message);
        if (isNotification) return (onNotification as Told)?.(message);
        const answered = await send(await answerTo(message as JsonRpcServerRequest, onRequest as Answers), settings);
        if (!answered.ok) throw refusal(answered);
      });
      check('result', method, response);
      return own(response, 'result');
    };
    if (cancel) limit?.addEventListener('abort', cancelled);
    return within(deadline, work);
  };

  return { call, notify } as object as JsonRpcClient<M, N, S, Meta, Q>;
}

/** Work that is not waited for beyond the end of its call, whatever keeps it. */
async function within<T>(deadline: Deadline, work: () => Promise<T>): Promise<T> {
  const ended = new Promise<never>((_, reject) =>
    deadline.limit?.addEventListener('abort', (event) => reject(deadline.explain(event))),
  );
  try {
    return await Promise.race([work(), ended]);
  } finally {
    deadline.end();
  }
}

function partOf(params: unknown, member: string): object {
  return (own(params, member) ?? {}) as object;
}

type Answers =
  | ((request: JsonRpcServerRequest) => unknown)
  | Readonly<Record<string, (params: unknown, request: JsonRpcServerRequest) => unknown>>
  | undefined;

type Told = ((notification: object) => void | PromiseLike<void>) | undefined;

interface Stream extends AsyncIterable<{ readonly event: string; readonly data: unknown }> {
  close(): Promise<void>;
}

function isStream(data: unknown): data is Stream {
  return typeof data === 'object' && data !== null && Symbol.asyncIterator in data;
}

/** The response to request `id` out of an answer, whichever form that has. */
async function settle(result: Result, id: JsonRpcId, tell: Told): Promise<object> {
  if (!result.ok) throw refusal(result);
  if (!isStream(result.data)) {
    const outcome = outcomeOf(result.data, id, result);
    if (outcome) return outcome;
    throw broken(result);
  }
  // Leaving the loop closes the connection.
  for await (const { event, data } of result.data) {
    const message = event === '$unknown' ? undefined : parsed(data);
    const outcome = outcomeOf(message, id, result);
    if (outcome) return outcome;
    if (typeof own(message, 'method') !== 'string') continue;
    if (own(message, 'jsonrpc') !== '2.0') throw broken(result);
    await tell?.(message as object);
  }
  throw new CallError('truncated', 'the stream ended without the answer', { response: result.response });
}

/** The response to a request of the server. */
async function answerTo(request: JsonRpcServerRequest, given: Answers): Promise<object> {
  const { id, method, params } = request;
  const one = typeof given === 'object' && Object.hasOwn(given, method) ? given[method] : undefined;
  const answer = typeof given === 'function' ? given : one && (() => one(params, request));
  if (!answer) return { id, error: { code: -32601, message: 'there is no such method' } };
  try {
    return { id, result: resultOf(await answer(request)) };
  } catch (error) {
    if (!isJsonRpcError(error)) return { id, error: { code: -32603, message: 'something went wrong' } };
    return { id, error: { code: error.code, message: error.message, data: error.data } };
  }
}

/** The contract may say that events are text. */
function parsed(data: unknown): unknown {
  if (typeof data !== 'string') return data;
  try {
    return JSON.parse(data) as unknown;
  } catch {
    return undefined;
  }
}

/** A response to `id` with a result; throws its error. Nothing where the message is something else. */
function outcomeOf(message: unknown, id: JsonRpcId, result: Result): object | undefined {
  const given = own(message, 'id');
  // An error without an id is about a request that could not be read: there is only this one.
  const isOurs = given === id || ((given === undefined || given === null) && own(message, 'error') !== undefined);
  // A request of the server may have the same id.
  if (!isOurs || own(message, 'method') !== undefined) return undefined;
  const error = errorOf(message, result.response);
  if (error) throw error;
  if (!isOutcome(message)) throw broken(result);
  return message as object;
}

function errorOf(message: unknown, { status }: Response): JsonRpcError | undefined {
  const error = own(message, 'error');
  if (!isOutcome(message) || !isErrorObject(error)) return undefined;
  return new JsonRpcError(error.code, error.message, { data: own(error, 'data'), status });
}

function broken({ response }: Result): CallError {
  return new CallError('response', 'the answer is no JSON-RPC response to the request', { response });
}

function refusal(result: Result): Error {
  return errorOf(result.error, result.response) ?? new ApiError(result);
}
