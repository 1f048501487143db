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
  /** The answer, where there was one. */
  declare readonly response: Response | undefined;
  /** What a validator found. */
  declare readonly issues: readonly Issue[] | undefined;

  constructor(fault: CallFault, message: string, details: CallErrorDetails = {}) {
    super(message, details);
    this.fault = fault;
    hide(this, Symbol.for('oasmith.CallError'), true);
    hide(this, 'response', details.response);
    hide(this, 'issues', details.issues);
  }

  /** The names that `fetch` and `AbortSignal.timeout` use, so that checks by name go on working. */
  override get name(): string {
    return { abort: 'AbortError', timeout: 'TimeoutError' }[this.fault as string] ?? 'CallError';
  }
}

/** Puts something on an object that loggers do not print. By such a symbol every copy of the runtime recognises an error. */
export function hide<T extends object>(object: T, name: string | symbol, value: unknown): T {
  return Object.defineProperty(object, name, { value });
}

/** True for a `CallError` of this or any other copy of the runtime. */
export function isCallError(value: unknown): value is CallError {
  return typeof value === 'object' && value !== null && Symbol.for('oasmith.CallError') in value;
}
