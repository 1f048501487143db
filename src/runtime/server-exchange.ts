// SPDX-License-Identifier: 0BSD

/** A request as an adapter hands it over. */
export interface Exchange {
  readonly method: string;
  /** Path and query, still encoded, or the absolute form of them. */
  readonly target: string;
  /** Characters of all header names and values together. */
  readonly headerBytes: number;
  /** A header by its name in lower case; repeated ones joined as HTTP joins them. */
  header(name: string): string | undefined;
  /** Whether a body is announced; it may still turn out empty. */
  readonly hasBody: boolean;
  body(): AsyncIterable<Uint8Array>;
  readonly signal: AbortSignal;
  readonly raw: unknown;
}
