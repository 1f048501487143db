// SPDX-License-Identifier: 0BSD
import { hide } from './errors.js';

interface AnyResult {
  readonly ok: boolean;
  readonly status: number | 'unexpected';
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}

/** The result that `unwrap` refused: a declared failure or an unexpected answer. */
export class ApiError<R = AnyResult> extends Error {
  /** The real status of the answer. */
  readonly status: number;
  /** The whole result, typed by the operation. Not enumerable: bodies do not belong in logs. */
  declare readonly result: R;

  constructor(result: R & AnyResult) {
    const { status } = result.response;
    super(`the server answered ${result.status === 'unexpected' ? 'unexpectedly ' : ''}with status ${status}`);
    this.status = status;
    hide(this, { name: 'ApiError', result, [Symbol.for('oasmith.ApiError')]: true });
  }
}

/** True for an `ApiError` of this or any other copy of the runtime. */
export function isApiError<R = AnyResult>(value: unknown): value is ApiError<R> {
  return typeof value === 'object' && value !== null && Symbol.for('oasmith.ApiError') in value;
}

/** The data of a success; throws an `ApiError` for every other result. */
export function unwrap<R extends AnyResult>(result: R): Extract<R, { readonly ok: true }>['data'] {
  if (!result.ok) throw new ApiError(result);
  return result.data as Extract<R, { readonly ok: true }>['data'];
}
