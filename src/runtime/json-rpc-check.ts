// SPDX-License-Identifier: 0BSD
import type { JsonRpcCheck } from './json-rpc-client.js';
import type { Issue, Validator } from './validation.js';

type Validators = Readonly<Record<string, Validator<unknown> | undefined>>;

/** The checks of what a server sends, by method. */
export interface JsonRpcChecks {
  /** Of the result, or of the whole response. */
  readonly result: Readonly<
    Record<string, { readonly validate: Validator<unknown> | undefined; readonly isWhole?: true }>
  >;
  /** Of the whole message. */
  readonly notification: Validators;
  readonly request: Validators;
}

/** A message of the server that breaks the contract. */
export interface JsonRpcFault {
  readonly kind: 'result' | 'notification' | 'request';
  readonly method: string;
  readonly issues: readonly Issue[];
}

/** What is done with such a message: the call throws a `CallError` with the issues, or they are told and the message passes. */
export type JsonRpcCheckMode =
  | readonly [mode: 'throw']
  | readonly [mode: 'report', onFault: (fault: JsonRpcFault) => void];

/** The check of all that an endpoint sends, for the option `validate` of its client. */
export function jsonRpcCheck(
  checks: JsonRpcChecks,
  [, onFault]: readonly [mode: string, onFault?: (fault: JsonRpcFault) => void],
): JsonRpcCheck {
  return (kind, method, message) => {
    const { result, ...others } = checks;
    const found = kind === 'result' ? own(result, method) : { validate: own(others[kind], method), isWhole: true };
    const verdict = found?.validate?.(found.isWhole ? message : (message as { readonly result?: unknown }).result);
    if (!onFault || !verdict || verdict.ok) return verdict;
    onFault({ kind, method, issues: verdict.issues });
    return undefined;
  };
}

function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
