// SPDX-License-Identifier: 0BSD

/** Time as retries and tokens see it; another one is given by tests. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Ends after that many milliseconds, or earlier where the signal is aborted; it never rejects. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** Beyond 2^31-1 ms the platform's timer fires at once. */
export const longestWait = 0x7fffffff;

/** Ends after that many milliseconds, or earlier where one of the signals is aborted; it never rejects. */
export function wait(milliseconds: number, ...signals: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, Math.min(milliseconds, longestWait));
    for (const signal of signals) {
      if (signal.aborted) done();
      else signal.addEventListener('abort', done);
    }
  });
}

/** The platform's. */
export const systemClock: Clock = { now: () => Date.now(), wait };
