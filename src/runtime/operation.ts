// SPDX-License-Identifier: 0BSD

import type { chooseServer } from './choose-server.js';
import type { CallOptions } from './client.js';
import type { authorize, CredentialSpec } from './credentials.js';
import type { Deadline } from './deadline.js';
import type { EventSpec } from './event-spec.js';
import type { ParameterSpec } from './parameters.js';
import type { Sent } from './reconnection.js';
import type { declaredHeaders, HeaderSpec } from './response-headers.js';
import type { ValueCodec } from './validation.js';
import type { BodySpec } from './write-body.js';

/**
 * What the runtime must know of one operation: a plain literal in the generated client. It names the functions that the
 * operation needs, so that a bundler drops all others.
 */
export interface OperationSpec {
  /** The name of the generated function. */
  readonly name: string;
  readonly method: string;
  /** The server that the document names, as an absolute or a relative URL. */
  readonly server?: string;
  /** The servers that the document names. */
  readonly servers?: Readonly<Record<string, string>>;
  /** How one of them is chosen. */
  readonly choose?: typeof chooseServer;
  /** Literal text, percent-encoded already, and the variables between. */
  readonly path: readonly (string | PathVariable)[];
  readonly parameters?: readonly ParameterSpec[];
  readonly body?: BodySpec;
  /** Between the input as programs hold it and as it travels. */
  readonly codec?: ValueCodec;
  readonly encode?: (codec: ValueCodec | undefined, input: unknown) => unknown;
  /** Alternatives of credentials that belong together. */
  readonly security?: readonly (readonly CredentialSpec[])[];
  readonly authorize?: typeof authorize;
  /** The header: all media types of the answers. */
  readonly accept?: string;
  /** How a wish for one of several media types is said. */
  readonly prefer?: (accept: string, wish: string | undefined) => string;
  readonly answers: readonly Answer[];
}

export interface PathVariable {
  readonly name: string;
  /** Turns the value into text. */
  readonly write: (value: unknown, variable: PathVariable) => string;
  /** How text is escaped, where that is not `encodeURIComponent`. */
  readonly encoder?: (text: string) => string;
}

export interface Answer {
  readonly status: number | '1XX' | '2XX' | '3XX' | '4XX' | '5XX' | 'default';
  /** Of a `default` beside declared successes: it stands for failures alone. */
  readonly failure?: boolean;
  /** Media type or range in lower case, without parameters; absent where the answer declares no content. */
  readonly type?: string;
  readonly read?: (connection: Connection) => unknown;
  readonly codec?: ValueCodec;
  readonly decode?: (codec: ValueCodec | undefined, body: unknown, response: Response) => unknown;
  readonly headers?: readonly HeaderSpec[];
  readonly readHeaders?: typeof declaredHeaders;
  readonly events?: readonly EventSpec[];
  /** Data that says that the stream is at its end; a stream that ends without it was cut short. */
  readonly sentinels?: readonly string[];
  readonly anyEnd?: boolean;
  /** The event `message` stands for those of every name. */
  readonly anyName?: boolean;
}

/** The options of a call, the client's among them. */
export type Settings = CallOptions<string, string>;

/** An answer whose body is not read yet, as the readers of `read-body.ts` and `event-stream.ts` take it. */
export interface Connection {
  readonly response: Response;
  /** The answer's own media type: lower case, without parameters. */
  readonly contentType: string | undefined;
  /** Absent for an answer that the contract does not declare. */
  readonly answer: Answer | undefined;
  readonly options: Settings;
  readonly deadline: Deadline;
  readonly sent: Sent;
}
