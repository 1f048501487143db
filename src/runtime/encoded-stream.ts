// SPDX-License-Identifier: 0BSD

/** Bytes that are pulled one chunk at a time. `return` ends the source; it does not wait for it. */
export interface ByteStream {
  next(): Promise<IteratorResult<Uint8Array, undefined>>;
  return(): void;
}

export interface EncodedStreamOptions<T> {
  /** The text or the bytes of an item of the handler; what it throws ends the stream. */
  readonly encode: (item: T) => string | Uint8Array;
  /** What is said before the first item. */
  readonly greeting?: string | undefined;
  readonly signal: AbortSignal;
  /** Sent after so many milliseconds of silence, which must be more than 0. */
  readonly idle?: { readonly ms: number; readonly text: string } | undefined;
  /** Asked where the source came to its end; what it throws says why that is too early. */
  readonly ended?: (() => void) | undefined;
  /** What is said where the source came to its end. */
  readonly farewell?: string | undefined;
  /** What is said before the stream ends for a fault; where nothing is, the connection breaks. */
  readonly lastWords?: ((error: unknown) => string | undefined) | undefined;
  /** Is told why the stream ended early. */
  readonly onError: (error: unknown) => void;
}

/** What a stream that is over gives. */
const end: IteratorResult<Uint8Array, undefined> = { done: true, value: undefined };

/**
 * Encodes a stream, one item per pull. What is sent in between leaves the pending item pending. Where the source or the
 * encoding throws and there are no last words, `next` throws: the connection has to break, because a clean end would look
 * like success.
 */
export function encodedStream<T>(source: AsyncIterable<T> | Iterable<T>, options: EncodedStreamOptions<T>): ByteStream {
  const { idle, signal } = options;
  const iterator = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  const encoder = new TextEncoder();
  const piece = (said: string | Uint8Array): IteratorResult<Uint8Array, undefined> => ({
    done: false,
    value: typeof said === 'string' ? encoder.encode(said) : said,
  });
  let { greeting } = options;
  let pending: Promise<IteratorResult<T>> | undefined;
  let open = true;

  function stop(): void {
    if (!open) return;
    open = false;
    // A generator answers `return` only after its pending item, so nobody waits for it here.
    Promise.resolve(iterator.return?.()).catch((error: unknown) => options.onError(error));
  }

  return {
    async next() {
      if (!open || signal.aborted) {
        stop();
        return end;
      }
      if (greeting !== undefined) {
        const said = piece(greeting);
        greeting = undefined;
        return said;
      }
      try {
        pending ??= Promise.resolve(iterator.next());
        const first = await firstOf(pending, idle?.ms ?? 0, signal);
        if (first === 'silent') return piece(idle?.text ?? '');
        if (first === 'aborted') {
          stop();
          return end;
        }
        pending = undefined;
        if (first.done === true) {
          open = false;
          options.ended?.();
          return options.farewell === undefined ? end : piece(options.farewell);
        }
        return piece(options.encode(first.value));
      } catch (error) {
        const { aborted } = signal;
        stop();
        if (aborted) return end;
        options.onError(error);
        const words = options.lastWords?.(error);
        if (words === undefined) throw error;
        return piece(words);
      }
    },
    return: stop,
  };
}

function firstOf<T>(pending: Promise<T>, idleMs: number, signal: AbortSignal): Promise<T | 'silent' | 'aborted'> {
  return new Promise((resolve, reject) => {
    const timer = idleMs > 0 ? setTimeout(() => settle(() => resolve('silent')), idleMs) : undefined;
    const onAbort = (): void => settle(() => resolve('aborted'));
    function settle(how: () => void): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      how();
    }
    signal.addEventListener('abort', onAbort, { once: true });
    pending.then(
      (value) => settle(() => resolve(value)),
      (error: unknown) => settle(() => reject(error)),
    );
  });
}
