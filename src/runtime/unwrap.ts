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
  readonly #result: R & AnyResult;

  constructor(result: R & AnyResult) {
    const { status } = result.response;
    super(`the server answered ${result.status === 'unexpected' ? 'unexpectedly ' : ''}with status ${status}`);
    this.#result = result;
    hide(this, Symbol.for('oasmith.ApiError'), true);
  }

  override get name(): string {
    return 'ApiError';
  }

  /** The real status of the answer. */
  get status(): number {
    return this.#result.response.status;
  }

  /** The whole result, typed by the operation. It is not enumerable: bodies do not belong in logs. */
  get result(): R {
    return this.#result;
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
