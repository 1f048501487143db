// SPDX-License-Identifier: 0BSD

/** Bytes at hand. A `File` is a `Blob` with a name. */
export type Bytes = Blob | ArrayBuffer | ArrayBufferView;

/** The body of a media type that holds neither text nor values. */
export type RawBody = Bytes | ReadableStream<Uint8Array>;

/** A member of a multipart form with what its part says of it. */
export interface FormPart<D> {
  readonly data: D;
  /** Default: the name of a `File`, else `blob`; of what is not bytes, none. */
  readonly filename?: string | undefined;
  /** The media type. Default: that of a `Blob`, else what the contract declares, else what the data is. */
  readonly type?: string | undefined;
  readonly headers?: HeadersInit | undefined;
}

/** A member of a multipart form that is a file. */
export type Upload = Bytes | FormPart<Bytes | string>;
