// SPDX-License-Identifier: 0BSD

/** One item of a stream as it goes on the wire; `data` is text already. */
export interface SseFrame {
  readonly event?: string | undefined;
  readonly data?: string | undefined;
  readonly id?: string | undefined;
  readonly retry?: number | undefined;
  readonly comment?: string | undefined;
}

const lineEnd = /\r\n|\r|\n/;

/**
 * Writes one event (WHATWG HTML, server-sent events). Line ends in `data` and `comment` become lines of their own; in
 * `event` and `id` they would let data pass for fields, so they are refused. Throws TypeError.
 */
export function encodeSse(frame: SseFrame): string {
  let text = '';
  if (frame.comment !== undefined) {
    for (const line of String(frame.comment).split(lineEnd)) text += `: ${line}\n`;
  }
  if (frame.event !== undefined && frame.event !== 'message') {
    if (/[\r\n]/.test(frame.event)) throw new TypeError('the name of an event holds a line end');
    text += `event: ${frame.event}\n`;
  }
  if (frame.id !== undefined) {
    if (/[\r\n\0]/.test(frame.id)) throw new TypeError('the id of an event holds a line end or NUL');
    text += `id: ${frame.id}\n`;
  }
  if (frame.retry !== undefined) {
    if (!Number.isSafeInteger(frame.retry) || frame.retry < 0) {
      throw new TypeError('the retry of an event is not a whole number of milliseconds');
    }
    text += `retry: ${frame.retry}\n`;
  }
  if (frame.data !== undefined) {
    // Always with the space: a reader removes one, so that a leading space of the data survives.
    for (const line of frame.data.split(lineEnd)) text += `data: ${line}\n`;
  }
  return `${text}\n`;
}

/** Bytes that are pulled one chunk at a time. `return` ends the source; it does not wait for it. */
export interface ByteStream {
  next(): Promise<IteratorResult<Uint8Array, undefined>>;
  return(): void;
}

export interface SseStreamOptions<T> {
  /** Turns an item of the handler into a frame; what it throws ends the stream. */
  readonly frame: (item: T) => SseFrame;
  readonly signal: AbortSignal;
  /** Milliseconds of silence after which a comment is sent; 0 sends none. */
  readonly keepAliveMs: number;
  /** Is told why the stream ended early. */
  readonly onError: (error: unknown) => void;
}

const end: IteratorResult<Uint8Array, undefined> = { done: true, value: undefined };

/**
 * Encodes a stream, one item per pull. A comment in between leaves the pending item pending. Where the source or the
 * encoding throws, `next` throws: the connection has to break, because a clean end would look like success.
 */
export function sseStream<T>(source: AsyncIterable<T>, options: SseStreamOptions<T>): ByteStream {
  const iterator = source[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
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
      if (!open || options.signal.aborted) {
        stop();
        return end;
      }
      try {
        pending ??= Promise.resolve(iterator.next());
        const first = await firstOf(pending, options.keepAliveMs, options.signal);
        if (first === 'silent') return { done: false, value: encoder.encode(':\n\n') };
        if (first === 'aborted') {
          stop();
          return end;
        }
        pending = undefined;
        if (first.done === true) {
          open = false;
          return end;
        }
        return { done: false, value: encoder.encode(encodeSse(options.frame(first.value))) };
      } catch (error) {
        const aborted = options.signal.aborted;
        stop();
        if (aborted) return end;
        options.onError(error);
        throw error;
      }
    },
    return: stop,
  };
}

function firstOf<T>(pending: Promise<T>, keepAliveMs: number, signal: AbortSignal): Promise<T | 'silent' | 'aborted'> {
  return new Promise((resolve, reject) => {
    const timer = keepAliveMs > 0 ? setTimeout(() => settle(() => resolve('silent')), keepAliveMs) : undefined;
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
