// SPDX-License-Identifier: 0BSD
import { CallError } from './errors.js';

/**
 * The life of one call: ends by the caller's signal, by the time limit in milliseconds, or by `end`. It is a class for its
 * getter alone: one in an object literal costs more than all else here.
 */
export class Deadline {
  /** The signal, where something can end the call: a request that nothing ends costs less without one. */
  declare readonly limit: AbortSignal | null | undefined;
  /** Stops the clock and lets go of the caller's signal, unless the connection was handed over. */
  declare end: () => void;
  /** For a stream: stops the clock, keeps the caller's signal, and gives what lets go of it in the end. */
  declare handOver: () => () => void;
  /** Says why the connection broke; who made it break puts its own reason here. */
  declare explain: (error: unknown) => CallError;
  /** Made when it is asked for, which is seldom where nothing can end the call. */
  declare private readonly made: () => AbortController;

  constructor(caller: AbortSignal | null | undefined, timeout: number | undefined) {
    let one: AbortController | undefined;
    const controller = (): AbortController => (one ??= new AbortController());
    let ended: CallError | undefined;
    const stop = (fault: 'abort' | 'timeout', message: string): void => {
      ended ??= new CallError(fault, message, { cause: caller?.reason });
      controller().abort(caller?.reason);
    };
    const abort = (): void => stop('abort', 'the call was aborted');
    // Beyond 2^31-1 ms the platform's timer fires at once; such a limit is none.
    const clock =
      (timeout ?? 2 ** 31) < 2 ** 31
        ? setTimeout(stop, timeout, 'timeout', `incomplete after ${timeout} ms`)
        : undefined;
    const end = (): void => {
      clearTimeout(clock);
      caller?.removeEventListener('abort', abort);
    };
    if (caller?.aborted) abort();
    caller?.addEventListener('abort', abort);
    this.made = controller;
    this.limit = ((caller || clock) && this.signal) as AbortSignal | undefined;
    this.end = end;
    this.handOver = () => {
      clearTimeout(clock);
      this.end = () => undefined;
      return end;
    };
    this.explain = (cause) =>
      cause instanceof CallError ? cause : (ended ?? new CallError('network', 'the connection failed', { cause }));
  }

  get signal(): AbortSignal {
    return this.made().signal;
  }
}
