// SPDX-License-Identifier: 0BSD
import { isCallError } from './errors.js';
import { isApiError } from './unwrap.js';

/** Statuses that pass. */
const passing: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/**
 * How queries are sent again: `new QueryClient({ defaultOptions: { queries: queryRetry } })`. Three times after network
 * faults and answers that may be better the next time, never after others; no sooner than `Retry-After` says, else by
 * exponential back-off with jitter.
 */
export const queryRetry: {
  readonly retry: (failureCount: number, error: unknown) => boolean;
  /** Milliseconds. */
  readonly retryDelay: (failureCount: number, error: unknown) => number;
} = {
  retry: (failureCount, error) => {
    if (failureCount >= 3) return false;
    return isApiError(error) ? passing.has(error.status) : isCallError(error) && error.fault === 'network';
  },
  retryDelay: (failureCount, error) => {
    const asked = isApiError<{ readonly retryAfterMs?: number }>(error) ? error.result.retryAfterMs : undefined;
    return Math.max(asked ?? 0, Math.random() * Math.min(20_000, 500 * 2 ** failureCount));
  },
};
