// SPDX-License-Identifier: 0BSD
import type { ResponseCheck } from './client.js';
import type { Issue, Validator } from './validation.js';

/** A declared answer whose body has a schema. */
export interface CheckedAnswer {
  readonly status: number | '1XX' | '2XX' | '3XX' | '4XX' | '5XX' | 'default';
  /** Media type or range in lower case, without parameters. */
  readonly type: string;
  readonly validate: Validator<unknown>;
}

/** A body that breaks the contract. */
export interface ResponseFault {
  readonly operation: string;
  readonly status: number;
  readonly contentType: string;
  readonly issues: readonly Issue[];
}

/** What is done with such a body: the call throws a `CallError` with the issues, or they are told and the body passes. */
export type ResponseCheckMode =
  | readonly [mode: 'throw']
  | readonly [mode: 'report', onFault: (fault: ResponseFault) => void];

/** The check of all answers of an API, for the client's option `validate`. */
export function responseCheck(
  operations: Readonly<Record<string, readonly CheckedAnswer[]>>,
  [, onFault]: readonly [mode: string, onFault?: (fault: ResponseFault) => void],
): ResponseCheck {
  return (data, { operation, status, contentType }) => {
    const answers = Object.hasOwn(operations, operation) ? (operations[operation] ?? []) : [];
    const declared = [status, `${Math.floor(status / 100)}XX`, 'default']
      .map((wanted) => answers.find((answer) => answer.status === wanted && answer.type === contentType))
      .find((answer) => answer !== undefined);
    const verdict = declared?.validate(data);
    if (!onFault || !verdict || verdict.ok) return verdict;
    onFault({ operation, status, contentType, issues: verdict.issues });
    return undefined;
  };
}
