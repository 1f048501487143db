// SPDX-License-Identifier: 0BSD
import { longestWait, wait } from './clock.js';
import { CallError } from './errors.js';
import type { Breakable, Reconnect, Sent, StreamPosition } from './reconnection.js';
import { retryAfter } from './response.js';

export interface ReconnectOptions {
  /** How many attempts in a row may bring no event; default 5. Then a `CallError` of kind `reconnect` is thrown. */
  readonly maxAttempts?: number | undefined;
  /** Milliseconds before the first attempt, twice as many before each further one; default 1000. */
  readonly delay?: number | undefined;
  /** Milliseconds at most, where the server asks for no more; default 30,000. */
  readonly maxDelay?: number | undefined;
  /**
   * Makes the request that goes on, where it is not the same one again with `Last-Event-ID`. Allows reconnecting a
   * request that must not be sent twice. `request` is the one before, with its credentials.
   */
  readonly resume?: ((lastEventId: string, request: Request) => Request | PromiseLike<Request>) | undefined;
  readonly onReconnect?: ((attempt: ReconnectAttempt) => void) | undefined;
}

export interface ReconnectAttempt {
  /** 1 for the first since the last event. */
  readonly attempt: number;
  /** Milliseconds until it. */
  readonly delay: number;
  /** Why: an error, or an answer that asks to come again; nothing where the stream just ended. */
  readonly cause: unknown;
}

/** Methods that may be sent again (RFC 9110 section 9.2.1; OpenAPI 3.2 for QUERY). */
const safe = /^(?:GET|HEAD|QUERY)$/;

/**
 * Lets event streams connect again where they break or end, from their last event id on: `{ reconnect: reconnect() }`, as
 * an option of a client or a call. Only GET, HEAD and QUERY are sent again, unless `resume` says how to go on. Asks again
 * on network faults, 408, 425, 429 and 5xx; an answer 204 ends the stream, every other one is a `CallError`. The `timeout`
 * of the call limits each attempt until its answer begins. Throws RangeError where a number is none that it can be.
 */
export function reconnect(options: ReconnectOptions = {}): Reconnect {
  const { maxAttempts = 0, delay = 0, maxDelay = 0 } = options;
  if (!(maxAttempts >= 0)) throw new RangeError('maxAttempts is a number, 0 or more');
  if (!(delay >= 0 && maxDelay >= 0)) throw new RangeError('delay and maxDelay are milliseconds, 0 or more');
  return (stream) => {
    if (!options.resume && !safe.test(stream.sent[0].method)) return undefined;
    const closed = new AbortController();
    const progress = { attempt: 0, told: false, closed: closed.signal };
    return {
      arrived() {
        progress.attempt = 0;
      },
      next: (fault, position) => {
        progress.told ||= position.lastEventId !== '';
        return connectAgain(stream, options, progress, position, fault);
      },
      close: () => closed.abort(),
    };
  };
}

/** How far the attempts have come. */
interface Progress {
  /** Attempts since the last event. */
  attempt: number;
  /** Whether the server has said where the stream stood; until then it stands where the caller said. */
  told: boolean;
  /** Ends the wait. */
  readonly closed: AbortSignal;
}

/** `Last-Event-ID` is UTF-8 on the wire (HTML Standard); `Headers` takes a character for each byte. */
function headerText(id: string): string {
  return Array.from(new TextEncoder().encode(id), (byte) => String.fromCharCode(byte)).join('');
}

/**
 * What no field value can hold (RFC 9110 section 5.5), white space at its ends among it: to send it would fail each time or
 * name another event, and to leave it out would lose events.
 */
const unsendable = /[\0-\x08\n-\x1f\x7f]|^[ \t]|[ \t]$/;

/** Connects until an event stream answers; nothing where the server says 204, or the stream is closed meanwhile. */
async function connectAgain(
  { sent, deadline, contentType, options: { timeout } }: Breakable,
  settings: ReconnectOptions,
  progress: Progress,
  { lastEventId, retryMs = 0 }: StreamPosition,
  fault: CallError | undefined,
): Promise<Response | undefined> {
  const { maxAttempts = 5, delay: first = 1000, maxDelay = 30_000, resume, onReconnect } = settings;
  const { closed } = progress;
  if (!resume && unsendable.test(lastEventId)) {
    throw new CallError('reconnect', 'the last event id holds a control character, which cannot be sent', {
      cause: fault,
    });
  }
  let cause: unknown = fault;
  let asked = 0;
  for (;;) {
    progress.attempt += 1;
    const { attempt } = progress;
    if (attempt > maxAttempts) {
      throw new CallError('reconnect', `${maxAttempts} attempts to go on with the stream brought no event`, { cause });
    }
    const backoff = Math.min(maxDelay, first * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
    const delay = Math.min(longestWait, Math.ceil(Math.max(retryMs, asked, backoff)));
    onReconnect?.({ attempt, delay, cause });
    await wait(delay, closed, deadline.signal);
    if (deadline.signal.aborted) throw deadline.explain(deadline.signal.reason);
    if (closed.aborted) return undefined;
    let request: Request;
    try {
      request = resume ? await resume(lastEventId, sent[0]) : again(sent, lastEventId, progress.told);
    } catch (error) {
      // Another attempt would not mend it. What the caller throws is the caller's own.
      if (closed.aborted) return undefined;
      if (deadline.signal.aborted) throw deadline.explain(error);
      throw resume ? error : new CallError('reconnect', 'the request cannot be sent again', { cause: error });
    }
    let response: Response;
    try {
      response = await begun(request, sent, timeout);
    } catch (error) {
      const fault = deadline.explain(error);
      if (fault.fault !== 'network') throw fault;
      cause = fault;
      continue;
    }
    const type = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
    if (response.status === 200 && type === contentType) return response;
    if (response.status === 204) return undefined;
    if (!/^(?:408|425|429|5\d\d)$/.test(String(response.status))) {
      throw new CallError('reconnect', 'the answer to the reconnection is no event stream', { response });
    }
    asked = retryAfter(response.headers).retryAfterMs ?? 0;
    cause = response;
    await response.body?.cancel();
  }
}

/** The head of the answer. An attempt that takes longer than a call may is one that failed. */
async function begun(request: Request, [, , run]: Sent, timeout: number | undefined): Promise<Response> {
  // A limit beyond what a timer takes is none.
  if (timeout === undefined || timeout > longestWait) return run(request);
  const attempt = new AbortController();
  // Not let go of: the events that come behind the head end with the call, too.
  const follow = (): void => attempt.abort(request.signal.reason);
  request.signal.addEventListener('abort', follow);
  if (request.signal.aborted) follow();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      attempt.abort();
      reject(new CallError('network', `no answer after ${timeout} ms`));
    }, timeout);
  });
  try {
    return await Promise.race([run(new Request(request, { signal: attempt.signal })), late]);
  } finally {
    clearTimeout(timer);
  }
}

function again([request, { body }]: Sent, lastEventId: string, told: boolean): Request {
  const headers = new Headers(request.headers);
  if (lastEventId) headers.set('last-event-id', headerText(lastEventId));
  else if (told) headers.delete('last-event-id');
  return new Request(request.url, {
    method: request.method,
    headers,
    body,
    redirect: request.redirect,
    // What a cache has is where the stream was before (HTML Standard, server-sent events).
    cache: 'no-store',
    signal: request.signal,
    credentials: request.credentials,
  });
}
