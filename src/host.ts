/**
 * The one door to disk and network: the contract. `node-host.ts` fulfils it on the real
 * machine (the only file that may), `memory-host.ts` in memory.
 */

export type FileKind = 'missing' | 'file' | 'directory' | 'link' | 'other';

/** Paths are absolute and use the platform's separator; a Host never interprets document text as a path by itself. */
export interface Host {
  /** The working directory that relative paths of the configuration are resolved against. */
  readonly cwd: string;
  /** What is at `path`, without following a link at its last step. */
  kindOf(path: string): Promise<FileKind>;
  /** The path with every link resolved. Throws HostError where nothing is there. */
  realPath(path: string): Promise<string>;
  /** Reads a regular file of at most `maxBytes`. Throws HostError. */
  readBytes(path: string, maxBytes: number): Promise<Uint8Array>;
  /** The names in a directory, sorted. Throws HostError. */
  list(path: string): Promise<readonly string[]>;
  /** Writes a whole file by way of a temporary file beside it and a rename; makes the folders that are missing. */
  writeText(path: string, text: string): Promise<void>;
  removeFile(path: string): Promise<void>;
  /** Removes a directory if it is empty. */
  removeEmptyDirectory(path: string): Promise<void>;
  /** Everything on standard input. */
  readStandardInput(maxBytes: number): Promise<Uint8Array>;
  /** One GET request, redirects not followed. */
  fetch(url: string, options: FetchOptions): Promise<FetchAnswer>;
}

export interface FetchOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly maxBytes: number;
  /** Milliseconds until the whole body must have arrived. */
  readonly timeoutMs: number;
}

export interface FetchAnswer {
  readonly status: number;
  readonly location?: string;
  readonly body: Uint8Array;
}

export type HostErrorReason = 'missing' | 'not-a-file' | 'denied' | 'too-large' | 'network' | 'other';

/** Why the host could not do it; the message is plain text without a stack. */
export class HostError extends Error {
  readonly reason: HostErrorReason;

  constructor(reason: HostErrorReason, message: string) {
    super(message);
    this.name = 'HostError';
    this.reason = reason;
  }
}
