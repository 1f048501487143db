// SPDX-License-Identifier: 0BSD

/** Registered status codes (IANA HTTP Status Code Registry), by their first digit. */
export type Status1XX = 100 | 101 | 102 | 103;
export type Status2XX = 200 | 201 | 202 | 203 | 204 | 205 | 206 | 207 | 208 | 226;
export type Status3XX = 300 | 301 | 302 | 303 | 304 | 305 | 307 | 308;
export type Status4XX =
  | (400 | 401 | 402 | 403 | 404 | 405 | 406 | 407 | 408 | 409 | 410 | 411 | 412 | 413 | 414 | 415 | 416 | 417 | 418)
  | (421 | 422 | 423 | 424 | 425 | 426 | 428 | 429 | 431 | 451);
export type Status5XX = 500 | 501 | 502 | 503 | 504 | 505 | 506 | 507 | 508 | 510 | 511;
/** What `fetch` can hand over: a final answer, so never one of the 1XX. */
export type HttpStatus = Status2XX | Status3XX | Status4XX | Status5XX;

/** The statuses of `S` that are not declared on their own. */
export type Except<S, Declared> = S extends Declared ? never : S;

/** The headers of an answer that declares none. */
export type NoHeaders = Readonly<Record<never, never>>;

/** An answer that the contract declares as success. */
export interface Success<S, C, D, H = NoHeaders> {
  readonly ok: true;
  readonly status: S;
  /** The declared media type without parameters; the real header is in `response.headers`. */
  readonly contentType: C;
  readonly data: D;
  readonly error?: undefined;
  /** The declared response headers, decoded. One that is absent or cannot be decoded is left out. */
  readonly headers: H;
  readonly response: Response;
}

/** An answer that the contract declares, but not as success. */
export interface Failure<S, C, E, H = NoHeaders> {
  readonly ok: false;
  readonly status: S;
  readonly contentType: C;
  readonly data?: undefined;
  readonly error: E;
  readonly headers: H;
  /** How long to wait before the next try, from `Retry-After`. */
  readonly retryAfterMs?: number;
  readonly response: Response;
}

/** An answer that the contract does not declare, by its status or its media type. The real status is `response.status`. */
export interface Unexpected {
  readonly ok: false;
  readonly status: 'unexpected';
  readonly contentType: string | undefined;
  readonly data?: undefined;
  /** The body, decoded by its media type: JSON as a value, text as a string, other types as a `Blob`. */
  readonly error: unknown;
  readonly headers: NoHeaders;
  readonly retryAfterMs?: number;
  readonly response: Response;
}

/** The answers that are left of `R` when the caller accepts only the media types `A`. */
export type Accepted<R, A> = R extends { readonly ok: true; readonly contentType: string }
  ? R['contentType'] extends A
    ? R
    : never
  : R;
