// SPDX-License-Identifier: 0BSD
import { hide } from './errors.js';

/** What a request is told by: unique among those of its sender that are not answered yet. */
export type JsonRpcId = string | number;

export interface JsonRpcErrorOptions {
  readonly data?: unknown;
  /** The HTTP status that it is answered with, and was. A server sends 200 where none is given. */
  readonly status?: number | undefined;
}

/**
 * An error in the words of JSON-RPC. A call throws the one that the server answered; a handler throws one to answer it.
 * The message and the data are what the other side is told.
 */
export class JsonRpcError<C extends number = number> extends Error {
  readonly code: C;
  readonly #options: JsonRpcErrorOptions;

  constructor(code: C, message: string, options: JsonRpcErrorOptions = {}) {
    super(message);
    this.code = code;
    this.#options = options;
    hide(this, Symbol.for('oasmith.JsonRpcError'), true);
  }

  override get name(): string {
    return 'JsonRpcError';
  }

  /** Not enumerable: it does not belong in logs. */
  get data(): unknown {
    return this.#options.data;
  }

  get status(): number | undefined {
    return this.#options.status;
  }
}

/** True for a `JsonRpcError` of this or any other copy of the runtime; with `code`, for one of that code. */
export function isJsonRpcError<C extends number = number>(value: unknown, code?: C): value is JsonRpcError<C> {
  if (typeof value !== 'object' || value === null || !(Symbol.for('oasmith.JsonRpcError') in value)) return false;
  return code === undefined || (value as JsonRpcError).code === code;
}

/** The arguments that a message takes: none have to be given where its parameters can be left out. */
export type ParamsArguments<M, O = never> = M extends { readonly params: infer P }
  ? [params: P, ...([O] extends [never] ? [] : [options?: O])]
  : M extends { readonly params?: infer P }
    ? [params?: P, ...([O] extends [never] ? [] : [options?: O])]
    : never;

/** The parameters of a message. */
export type ParamsOf<M> = M extends { readonly params: infer Q }
  ? Q
  : M extends { readonly params?: infer Q }
    ? Q
    : never;

/** A notification, told by its `method`. */
export type NotificationOf<N> = {
  [K in keyof N]: { readonly jsonrpc: '2.0'; readonly method: K } & N[K];
}[keyof N];

/** An error object (JSON-RPC 2.0 section 5.1). */
export function isErrorObject(value: unknown): value is { readonly code: number; readonly message: string } {
  const { code, message } = (value ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  return Number.isInteger(code) && typeof message === 'string';
}

/** Whether a message is a response, whoever it is for: has either a result or an error (JSON-RPC 2.0 section 5). */
export function isOutcome(message: unknown): boolean {
  const { jsonrpc, result, error } = (message ?? {}) as Readonly<Record<string, unknown>>;
  return (
    jsonrpc === '2.0' && (error === undefined ? result !== undefined : result === undefined && isErrorObject(error))
  );
}

/** What is answered for what a handler gave: an empty object for nothing at all. Null is a result (JSON-RPC 2.0 section 5). */
export function resultOf(given: unknown): unknown {
  return given === undefined ? {} : given;
}
