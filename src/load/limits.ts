/** How much `load` reads before it gives up. */
export interface LoadLimits {
  readonly documents: number;
  readonly documentBytes: number;
  readonly totalBytes: number;
  /** Nesting of schemas inline, checked by `normalise`. */
  readonly depth: number;
  /** Nesting of arrays and objects in a text. */
  readonly nesting: number;
  /** Values in a document, counted with every YAML alias expanded. */
  readonly nodes: number;
  /** Milliseconds until the whole body of a remote document must have arrived. */
  readonly fetchTimeoutMs: number;
  readonly redirects: number;
}

const mebibyte = 1024 * 1024;

export const defaultLimits: LoadLimits = {
  documents: 5000,
  documentBytes: 64 * mebibyte,
  totalBytes: 256 * mebibyte,
  depth: 200,
  nesting: 2000,
  nodes: 1_000_000,
  fetchTimeoutMs: 30_000,
  redirects: 5,
};

/**
 * The parsers of YAML are recursive, and to run out of stack inside of a regular expression ends the whole process, so
 * the depth is bounded well below what the default stack holds, whatever the limit says.
 */
export const yamlNesting = 500;
