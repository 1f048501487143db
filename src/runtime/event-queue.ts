// SPDX-License-Identifier: 0BSD

export interface EventQueueOptions {
  /** How many events wait at most; default 100. */
  readonly limit?: number | undefined;
  /**
   * What happens to an event that finds the queue full: `wait` keeps it and lets `push` take as long as there is no room
   * (default), `drop-oldest` and `drop-newest` lose one, and `fail` ends the stream with an error.
   */
  readonly overflow?: 'wait' | 'drop-oldest' | 'drop-newest' | 'fail' | undefined;
}

/** Events that are pushed from outside, as the body of a stream. Single use. */
export interface EventQueue<T> extends AsyncIterable<T> {
  /** Whether the event was taken; false where it was dropped, and where the stream has ended. */
  push(event: T): Promise<boolean>;
  /** The stream ends once the events that wait are sent. */
  end(): void;
  /** The stream breaks once the events that wait are sent. */
  fail(error: unknown): void;
  /** How many events wait. */
  readonly size: number;
  /** Aborted where the stream has ended: by `end`, by `fail`, or because the client is gone. */
  readonly closed: AbortSignal;
}

/** Makes a bounded queue for sources that push, such as subscriptions. Throws RangeError where an option is none that it can be. */
export function createEventQueue<T>(options: EventQueueOptions = {}): EventQueue<T> {
  return new BoundedQueue<T>(options);
}

const overflows: readonly unknown[] = ['wait', 'drop-oldest', 'drop-newest', 'fail'];

class BoundedQueue<T> implements EventQueue<T> {
  readonly #limit: number;
  readonly #overflow: NonNullable<EventQueueOptions['overflow']>;
  readonly #events: T[] = [];
  /** Pushes that wait for room, in their order. */
  readonly #waiting: { readonly event: T; readonly settle: (taken: boolean) => void }[] = [];
  readonly #closed = new AbortController();
  #failure: { readonly error: unknown } | undefined;
  #wake: () => void = () => undefined;
  #used = false;

  constructor({ limit = 100, overflow = 'wait' }: EventQueueOptions) {
    if (!Number.isInteger(limit) || limit < 1) throw new RangeError('the limit of a queue is a whole number above 0');
    if (!overflows.includes(overflow)) throw new RangeError(`the overflow of a queue is ${overflows.join(', ')}`);
    this.#limit = limit;
    this.#overflow = overflow;
  }

  get size(): number {
    return this.#events.length;
  }

  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  async push(event: T): Promise<boolean> {
    if (this.closed.aborted) return false;
    if (this.#events.length >= this.#limit) {
      if (this.#overflow === 'wait') return new Promise((settle) => void this.#waiting.push({ event, settle }));
      if (this.#overflow === 'fail') this.fail(new Error(`more than ${this.#limit} events wait to be sent`));
      if (this.#overflow !== 'drop-oldest') return false;
      this.#events.shift();
    }
    this.#events.push(event);
    this.#wake();
    return true;
  }

  end(): void {
    this.#closed.abort();
    this.#wake();
  }

  fail(error: unknown): void {
    this.#failure ??= { error };
    this.end();
  }

  [Symbol.asyncIterator](): AsyncIterator<T> {
    if (this.#used) throw new TypeError('the queue is read already');
    this.#used = true;
    const drained = this.#drain();
    return {
      next: () => drained.next(),
      // A client that is gone must not wait for the next event: that may never come.
      return: async () => {
        this.end();
        await drained.return();
        this.#drop();
        return { done: true, value: undefined };
      },
    };
  }

  async *#drain(): AsyncGenerator<T, void, undefined> {
    try {
      for (;;) {
        if (this.#events.length > 0) {
          const event = this.#events.shift() as T;
          // Who waits takes the place at once: a later push must not overtake it.
          const next = this.#waiting.shift();
          if (next) this.#events.push(next.event);
          next?.settle(true);
          yield event;
        } else if (this.#failure) throw this.#failure.error;
        else if (this.closed.aborted) return;
        else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
      }
    } finally {
      this.#drop();
      this.end();
    }
  }

  /** Nobody reads any more. */
  #drop(): void {
    this.#events.length = 0;
    for (const { settle } of this.#waiting.splice(0)) settle(false);
  }
}
