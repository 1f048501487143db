// SPDX-License-Identifier: 0BSD
import { CallError } from './errors.js';

/** The life of one call: ends by the caller's signal, by the time limit, or by `end`. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** The same, where something can end the call: a request that nothing ends costs less without one. */
  readonly limit: AbortSignal | null;
  /** Stops the clock and lets go of the caller's signal, unless the connection was handed over. */
  end(): void;
  /** For a stream: stops the clock, keeps the caller's signal, and gives what lets go of it in the end. */
  handOver(): () => void;
  /** Says why the connection broke; who made it break puts its own reason here. */
  explain(error: unknown): CallError;
}

export function startDeadline(caller: AbortSignal | null | undefined, timeout: number | undefined): Deadline {
  // Made when it is asked for, which is seldom where nothing can end the call.
  let made: AbortController | undefined;
  const controller = (): AbortController => (made ??= new AbortController());
  let late = false;
  const abort = (): void => controller().abort(caller?.reason);
  const expire = (): void => {
    late = true;
    controller().abort();
  };
  // Beyond 2^31-1 ms the platform's timer fires at once; such a limit is none.
  const clock = (timeout ?? 2 ** 31) < 2 ** 31 ? setTimeout(expire, timeout) : undefined;
  const end = (): void => {
    clearTimeout(clock);
    caller?.removeEventListener('abort', abort);
  };
  if (caller?.aborted) abort();
  caller?.addEventListener('abort', abort);
  return {
    limit: caller || clock ? controller().signal : null,
    get signal() {
      return controller().signal;
    },
    end,
    handOver() {
      clearTimeout(clock);
      this.end = () => undefined;
      return end;
    },
    explain(error) {
      if (error instanceof CallError) return error;
      if (late) return new CallError('timeout', `incomplete after ${timeout} ms`);
      if (made?.signal.aborted) return new CallError('abort', 'the call was aborted', { cause: error });
      return new CallError('network', 'the connection failed', { cause: error });
    },
  };
}
