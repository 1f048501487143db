// SPDX-License-Identifier: 0BSD
import type { InvalidEventPolicy, ResponseCheck } from './client.js';
import type { CredentialSpec } from './credentials.js';
import type { Deadline } from './deadline.js';
import type { Validator } from './validation.js';

/** What the runtime must know of one operation: a plain literal in the generated client. */
export interface OperationSpec {
  /** The name of the generated function. */
  readonly name: string;
  readonly method: string;
  /** The server that the document names, as an absolute or a relative URL. */
  readonly server?: string;
  /** Literal text, percent-encoded already, and the variables between. */
  readonly path: readonly (string | ParameterSpec)[];
  readonly query?: readonly ParameterSpec[];
  readonly headers?: readonly ParameterSpec[];
  readonly cookies?: readonly ParameterSpec[];
  /** The declared media types of the request body; the first is the default. */
  readonly body?: readonly RequestContent[];
  /** Alternatives of credentials that belong together. */
  readonly security?: readonly (readonly CredentialSpec[])[];
  readonly answers: readonly Answer[];
}

export interface ParameterSpec {
  /** The name on the wire, and the key in its group of the input. */
  readonly name: string;
  /** The value may be an array or an object. Without it only text, numbers and booleans are sent. */
  readonly list?: true;
  /** Sent where the caller gives nothing. */
  readonly default?: string | number | boolean;
  /** Members of the body that the header repeats, as paths of property names; the first that is there counts. */
  readonly from?: readonly (readonly string[])[];
}

export interface RequestContent {
  /** Media type or range, as the document writes it. */
  readonly type: string;
  readonly write: (value: unknown) => BodyInit;
}

export interface Answer {
  readonly status: number | '1XX' | '2XX' | '3XX' | '4XX' | '5XX' | 'default';
  /** Media type or range in lower case, without parameters; absent where the answer declares no content. */
  readonly type?: string;
  readonly read?: (connection: Connection) => unknown;
  readonly headers?: readonly HeaderSpec[];
  readonly events?: readonly EventSpec[];
}

export interface HeaderSpec {
  readonly name: string;
  /** Absent for text. */
  readonly type?: 'number' | 'integer' | 'boolean';
}

export interface EventSpec {
  readonly name: string;
  readonly data: 'json' | 'text';
  readonly validate?: Validator<unknown>;
}

/** The options of a call that its answer is read by. */
export interface ReadOptions {
  readonly accept?: string | undefined;
  readonly maxResponseBytes?: number | undefined;
  readonly maxEventLength?: number | undefined;
  readonly onInvalid?: InvalidEventPolicy | undefined;
  /** Asked for successes. */
  readonly validate?: ResponseCheck | undefined;
  /** Asked for every declared answer. */
  readonly validateAll?: ResponseCheck | undefined;
}

/** An answer whose body is not read yet, as the readers of `codecs.ts` and `event-stream.ts` take it. */
export interface Connection {
  readonly response: Response;
  /** The answer's own media type: lower case, without parameters. */
  readonly contentType: string | undefined;
  /** Absent for an answer that the contract does not declare. */
  readonly answer: Answer | undefined;
  readonly options: ReadOptions;
  readonly deadline: Deadline;
}
