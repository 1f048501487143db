// SPDX-License-Identifier: 0BSD
import type { Issue } from './validation.js';

/**
 * Why a call gave no result.
 *
 * - `request`: the input cannot be sent; nothing was sent.
 * - `auth`: the token that the call needs could not be had; the call was not sent.
 * - `network`: the connection failed before or while the answer came in.
 * - `abort`, `timeout`: the caller's signal or the time limit ended the call.
 * - `response`: the answer is declared, but its body is unreadable, too large or refused by a validator.
 * - `stream`: an event is too large or refused, or the stream was read twice.
 * - `truncated`: the stream ended without the event that the contract ends it with.
 * - `reconnect`: the stream broke, and no attempt to go on with it succeeded.
 */
export type CallFault =
  | ('request' | 'auth' | 'network' | 'abort' | 'timeout' | 'response')
  | ('stream' | 'truncated' | 'reconnect');

export interface CallErrorDetails {
  readonly cause?: unknown;
  readonly response?: Response | undefined;
  readonly issues?: readonly Issue[] | undefined;
}

/**
 * Thrown where a call gives no result. Neither the message nor any enumerable member holds a credential, a parameter
 * value or a piece of a body, so the error can be logged as it is.
 */
export class CallError extends Error {
  declare readonly fault: CallFault;
  readonly #details: CallErrorDetails;

  constructor(fault: CallFault, message: string, details: CallErrorDetails = {}) {
    super(message, details);
    this.fault = fault;
    this.#details = details;
    mark(this, 'oasmith.CallError');
  }

  /** The names that `fetch` and `AbortSignal.timeout` use, so that checks by name go on working. */
  override get name(): string {
    return { abort: 'AbortError', timeout: 'TimeoutError' }[this.fault as string] ?? 'CallError';
  }

  /** The answer, where there was one. */
  get response(): Response | undefined {
    return this.#details.response;
  }

  /** What a validator found. */
  get issues(): readonly Issue[] | undefined {
    return this.#details.issues;
  }
}

/** Marks an error so that every copy of the runtime recognises it; loggers do not print the mark. */
export function mark(error: object, name: string): void {
  Object.defineProperty(error, Symbol.for(name), { value: true });
}

/** True for a `CallError` of this or any other copy of the runtime. */
export function isCallError(value: unknown): value is CallError {
  return typeof value === 'object' && value !== null && Symbol.for('oasmith.CallError') in value;
}
