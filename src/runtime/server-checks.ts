// SPDX-License-Identifier: 0BSD
import type { ContentContract, Contract } from './server-contract.js';
import type { StreamErrorEvent } from './server-options.js';
import { project } from './server-projection.js';
import type { Issue, Validator } from './validation.js';

export interface AnswerOptions {
  readonly contract: Contract;
  readonly validate: 'throw' | 'report' | false;
  readonly keepAliveMs: number;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
  /** The event that says what went wrong after the headers were sent. */
  readonly errorEvent?: ((error: unknown) => StreamErrorEvent | undefined) | undefined;
}

/** A handler's answer that breaks the contract; goes to `onError`. */
export class ContractBroken extends Error {
  readonly issues: readonly Issue[];

  constructor(what: string, issues: readonly Issue[]) {
    const [first] = issues;
    super(
      `${what} does not match the contract${first === undefined ? '' : `: ${first.pointer || '/'} ${first.message}`}`,
    );
    this.name = 'ContractBroken';
    this.issues = issues;
  }
}

/** The JSON of a value without what must not leave; checked as it will be read, not as it is held. */
export function jsonText(
  value: unknown,
  content: Pick<ContentContract, 'validate' | 'projection' | 'codec'>,
  options: AnswerOptions,
  what: string,
): string {
  const { projection, codec } = content;
  const wire = codec ? codec.encode(value) : value;
  const sent = projection === undefined ? wire : project(wire, projection, options.contract.projections);
  const text = JSON.stringify(sent) as string | undefined;
  if (text === undefined) throw new TypeError(`${what}: the body is not a JSON value`);
  if (options.validate !== false && content.validate !== undefined) {
    check(content.validate, JSON.parse(text) as unknown, options, what);
  }
  return text;
}

export function check(validate: Validator<unknown>, value: unknown, options: AnswerOptions, what: string): void {
  const result = validate(value);
  if (result.ok) return;
  const broken = new ContractBroken(what, result.issues);
  if (options.validate === 'throw') throw broken;
  options.onError(broken);
}
