// SPDX-License-Identifier: 0BSD
import type { Middleware, MiddlewareCall } from './client.js';
import { type Clock, longestWait, systemClock } from './clock.js';
import { isCallError } from './errors.js';
import { randomHex } from './random-hex.js';
import { retryAfter } from './response.js';

export interface RetryOptions {
  /** How often a request is sent at most, the first time among it; default 3. */
  readonly attempts?: number | undefined;
  /** Milliseconds that the first wait is below, twice as many for each further one; default 500. */
  readonly delay?: number | undefined;
  /** Milliseconds that no wait is above, unless the server asks for more; default 20,000. */
  readonly maxDelay?: number | undefined;
  /** Milliseconds from the start of a call after which nothing is sent again; default 60,000. */
  readonly maxTotal?: number | undefined;
  /** Milliseconds for each attempt, up to the head of its answer: what takes longer counts as a network fault. Default: no limit. */
  readonly attemptTimeout?: number | undefined;
  /**
   * How many retries all calls together have in hand; default 10. Each takes one, each call that ends well gives a tenth
   * back: while a server is down, clients do not multiply its load.
   */
  readonly budget?: number | undefined;
  /**
   * The name of a header that lets the server recognise a request that it had before. Requests of methods that are not
   * idempotent get it, with a random value that is the same for all attempts, and are sent again, too.
   */
  readonly idempotencyKey?: string | undefined;
  readonly onRetry?: ((retry: RetryAttempt) => void) | undefined;
  readonly clock?: Clock | undefined;
  /** At least 0, below 1; default `Math.random`. */
  readonly random?: (() => number) | undefined;
}

export interface RetryAttempt {
  readonly operation: string;
  /** 2 for the first repetition. */
  readonly attempt: number;
  /** Milliseconds until it. */
  readonly delay: number;
  /** Why: an error, or the answer. */
  readonly cause: unknown;
}

/** RFC 9110 section 9.2.2; QUERY by its draft. */
const idempotent = /^(?:GET|HEAD|OPTIONS|TRACE|PUT|DELETE|QUERY)$/;
/** Statuses that pass. */
const passing = /^(?:408|425|429|500|502|503|504)$/;

/**
 * Sends requests again on network faults, 408, 425, 429, 500, 502, 503 and 504: `{ retry: retry() }`, as an option of a
 * client or a call. Only where that is allowed (an idempotent method, or a key), never after an abort or the time limit,
 * and never a body that is a stream. No sooner than `Retry-After` says, else by exponential back-off with full jitter. The
 * caller gets the last answer or error. One result is one budget: make one for each server.
 */
export function retry(options: RetryOptions = {}): Middleware {
  const { attempts = 3, maxTotal = 60_000, budget = 10, clock = systemClock, onRetry } = options;
  let left = budget;
  return async (first, next, call) => {
    const request = withKey(first, options.idempotencyKey);
    if (!isRepeatable(request, call, options.idempotencyKey)) return next(request);
    const { signal } = request;
    const started = clock.now();
    for (let attempt = 1; ; attempt += 1) {
      // Sending uses a body up.
      const outcome = await outcomeOf(next, attempt < attempts ? request.clone() : request, options.attemptTimeout);
      if (!outcome.failed) left = Math.min(budget, left + 0.1);
      const delay = outcome.failed && attempt < attempts ? delayOf(outcome, attempt, options, clock) : undefined;
      const isLast = delay === undefined || left < 1 || clock.now() + delay - started > maxTotal || signal.aborted;
      if (isLast) return settle(outcome);
      left -= 1;
      const { response, error } = outcome;
      onRetry?.({ operation: call.operation, attempt: attempt + 1, delay, cause: response ?? error });
      await clock.wait(delay, signal);
      // Aborted meanwhile: what is sent with this signal fails at once, and says why.
      await response?.body?.cancel().catch(() => undefined);
    }
  };
}

interface Outcome {
  readonly response?: Response;
  readonly error?: unknown;
  /** Whether it may be better the next time. */
  readonly failed: boolean;
}

async function outcomeOf(
  next: (request: Request) => Promise<Response>,
  request: Request,
  limit: number | undefined,
): Promise<Outcome> {
  const attempt = new AbortController();
  // A limit beyond what a timer takes is none.
  const isLimited = limit !== undefined && limit <= longestWait;
  const timer = isLimited ? setTimeout(() => attempt.abort(), limit) : undefined;
  const follow = (): void => attempt.abort(request.signal.reason);
  try {
    if (timer === undefined) return answered(await next(request));
    // Not let go of: the body that comes behind the head ends with the call, too.
    request.signal.addEventListener('abort', follow);
    if (request.signal.aborted) follow();
    return answered(await next(new Request(request, { signal: attempt.signal })));
  } catch (error) {
    return { error, failed: isCallError(error) && error.fault === 'network' };
  } finally {
    clearTimeout(timer);
  }
}

function answered(response: Response): Outcome {
  return { response, failed: passing.test(String(response.status)) };
}

function settle({ response, error }: Outcome): Response {
  if (!response) throw error;
  return response;
}

function withKey(request: Request, name: string | undefined): Request {
  if (name === undefined || idempotent.test(request.method) || request.headers.has(name)) return request;
  request.headers.set(name, randomHex());
  return request;
}

function isRepeatable({ method, headers }: Request, call: MiddlewareCall, name = 'Idempotency-Key'): boolean {
  return (idempotent.test(method) || headers.has(name)) && canReplay(call);
}

/** A stream is gone once it was sent; to keep a copy would be to hold all of it. */
export function canReplay({ body }: MiddlewareCall): boolean {
  return !(typeof ReadableStream === 'function' && body instanceof ReadableStream);
}

function delayOf({ response }: Outcome, attempt: number, options: RetryOptions, clock: Clock): number {
  const { delay = 500, maxDelay = 20_000, random = Math.random } = options;
  const jittered = random() * Math.min(maxDelay, delay * 2 ** (attempt - 1));
  const { retryAfterMs = 0 } = response ? retryAfter(response.headers, clock.now()) : {};
  return Math.ceil(Math.max(jittered, retryAfterMs));
}
