// SPDX-License-Identifier: 0BSD
import type { Issue } from './validation.js';

interface PartFields {
  /** The media type that the part says, with its parameters; `""` where it says none. */
  readonly contentType: string;
  readonly headers: Headers;
}

/** One part of a multipart sequence. */
export interface StreamPart<D> extends PartFields {
  readonly event: 'item';
  /** A value where the part is JSON, a string where it is text, else its bytes. */
  readonly data: D;
}

/** A part that is not what the contract declares; see `onInvalid`. */
export interface InvalidStreamPart extends PartFields {
  readonly event: '$invalid';
  /** The bytes as they came. */
  readonly data: Uint8Array;
  readonly issues: readonly Issue[];
}

/** One part of a request's body as handlers are given it. */
export interface ReceivedPart<D> extends PartFields {
  readonly data: D;
}

/** One part of a form whose parts have an order, as a body sends it. */
export interface NamedPart<D> extends SentPart<D> {
  /** The name of the field (RFC 7578 section 4.2). */
  readonly name: string;
  /** Of a part that is a file. */
  readonly filename?: string | undefined;
}

/** One part as a body sends it. */
export interface SentPart<D> {
  readonly data: D;
  /** Where it is left out: what the contract declares, else what the data is. */
  readonly contentType?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}
