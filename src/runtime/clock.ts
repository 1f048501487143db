// SPDX-License-Identifier: 0BSD

/** Time as retries and tokens see it; another one is given by tests. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Ends after that many milliseconds, or earlier where the signal is aborted; it never rejects. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** The platform's. */
export const systemClock: Clock = {
  now: () => Date.now(),
  wait: (milliseconds, signal) =>
    new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      };
      // Beyond 2^31-1 ms the platform's timer fires at once.
      const timer = setTimeout(done, Math.min(milliseconds, 0x7fffffff));
      if (signal.aborted) done();
      else signal.addEventListener('abort', done);
    }),
};
