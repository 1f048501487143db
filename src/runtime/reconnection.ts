// SPDX-License-Identifier: 0BSD
import type { Deadline } from './deadline.js';
import type { CallError } from './errors.js';

/** What was sent, and what it takes to send again: a tuple, because its members' names would be in every bundle. */
export type Sent = readonly [
  request: Request,
  built: { readonly body: BodyInit | null },
  /** Sends a request through the middleware. */
  run: (request: Request) => Promise<Response>,
];

/** A stream that may break. */
export interface Breakable {
  readonly sent: Sent;
  readonly deadline: Deadline;
  /** Those of the call. */
  readonly options: { readonly timeout?: number | undefined };
  /** What every answer that goes on with it must be of. */
  readonly contentType: string | undefined;
}

/** Goes on with a stream that broke or ended; nothing where that must not be. */
export type Reconnect = (stream: Breakable) => Reconnection | undefined;

/** Where a stream was when it broke. */
export interface StreamPosition {
  readonly lastEventId: string;
  readonly retryMs: number | undefined;
}

export interface Reconnection {
  /** Is told of each event that came. */
  arrived(): void;
  /** The answer to go on with; nothing where the stream is at its end. */
  next(fault: CallError | undefined, position: StreamPosition): Promise<Response | undefined>;
  /** Ends a wait in `next`. */
  close(): void;
}
