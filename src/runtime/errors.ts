// SPDX-License-Identifier: 0BSD
import type { Issue } from './validation.js';

/**
 * Why a call gave no result.
 *
 * - `request`: the input cannot be sent; nothing was sent.
 * - `network`: the connection failed before or while the answer came in.
 * - `abort`, `timeout`: the caller's signal or the time limit ended the call.
 * - `response`: the answer is declared, but its body is unreadable, too large or refused by a validator.
 * - `stream`: an event is too large or refused, or the stream was read twice.
 */
export type CallFault = 'request' | 'network' | 'abort' | 'timeout' | 'response' | 'stream';

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
  readonly fault: CallFault;
  /** The answer, where there was one. Not enumerable. */
  declare readonly response: Response | undefined;
  /** What a validator found. Not enumerable. */
  declare readonly issues: readonly Issue[] | undefined;

  constructor(fault: CallFault, message: string, details: CallErrorDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : {});
    this.fault = fault;
    // The names that `fetch` and `AbortSignal.timeout` use, so that checks by name go on working.
    const name = fault === 'abort' ? 'AbortError' : fault === 'timeout' ? 'TimeoutError' : 'CallError';
    hide(this, { name, response: details.response, issues: details.issues, [Symbol.for('oasmith.CallError')]: true });
  }
}

/** True for a `CallError` of this or any other copy of the runtime. */
export function isCallError(value: unknown): value is CallError {
  return typeof value === 'object' && value !== null && Symbol.for('oasmith.CallError') in value;
}

/** Sets members that neither `JSON.stringify` nor a logger prints. */
export function hide(target: object, members: object): void {
  for (const name of Reflect.ownKeys(members)) {
    Object.defineProperty(target, name, { value: Reflect.get(members, name), configurable: true });
  }
}
