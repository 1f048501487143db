/** Bytes of files and of what is remote: a few files at a time, and all together within the limits. */
import { type Host, HostError } from '../host.js';
import { type Fetched, fetchRemote, originOf } from './fetch-remote.js';
import type { LoadLimits } from './limits.js';
import { type Places, readFailure } from './places.js';
import type { Failure } from './references.js';

/** Without bytes where the document is known or cannot be read, without a path where it is not there. */
export interface ReadFile {
  readonly path?: string;
  readonly bytes?: Uint8Array;
  readonly failure?: Failure;
}

const readersAtOnce = 8;

export class Intake {
  readonly #limits: LoadLimits;
  readonly #host: Host;
  readonly #places: Places;
  readonly #isKnown: (path: string) => boolean;
  readonly #origins = new Set<string>();
  readonly #ahead = new Map<string, ReadFile>();
  #bytesAhead = 0;
  #bytes = 0;

  /** `isKnown`: whether the file at a path has been taken in. */
  constructor(
    { limits, allowRemote }: { readonly limits: LoadLimits; readonly allowRemote: readonly string[] },
    host: Host,
    places: Places,
    isKnown: (path: string) => boolean,
  ) {
    this.#limits = limits;
    this.#host = host;
    this.#places = places;
    this.#isKnown = isKnown;
    for (const origin of allowRemote) this.#origins.add(originOf(origin) ?? origin);
  }

  /** How many bytes the next document may have. */
  room(): number {
    const { documentBytes, totalBytes } = this.#limits;
    return Math.max(0, Math.min(documentBytes, totalBytes - this.#bytes - this.#bytesAhead));
  }

  /** Counts what is taken in. */
  count({ length }: Uint8Array): void {
    this.#bytes += length;
  }

  /** Whether a document more would be more than all may have: what was read ahead at the same time did not know of each other. */
  exceeds(bytes: Uint8Array | undefined): boolean {
    return this.#bytes + (bytes?.length ?? 0) > this.#limits.totalBytes;
  }

  /** What the user names may be read, and what stands beside it. */
  allow(url: string): void {
    this.#origins.add(new URL(url).origin);
  }

  download(url: string): Promise<Fetched> {
    return fetchRemote(url, this.#origins, this.#limits, this.room(), this.#host);
  }

  /** Reads files a few at a time; they are taken in one by one, so that the order of documents is always the same. */
  async readAhead(urls: Iterable<string>): Promise<void> {
    const waiting = [...urls].slice(0, this.#limits.documents);
    const readers = Array.from({ length: readersAtOnce }, async () => {
      for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
        this.#ahead.set(url, await this.#readFile(url));
      }
    });
    await Promise.all(readers);
  }

  /** A file that was read ahead, or is read now. */
  async take(url: string): Promise<ReadFile> {
    const file = this.#ahead.get(url) ?? (await this.#readFile(url));
    this.#ahead.delete(url);
    this.#bytesAhead -= file.bytes?.length ?? 0;
    return file;
  }

  /** The bytes of a file, unless its document is known. */
  async #readFile(url: string): Promise<ReadFile> {
    const place = await this.#places.referencedPath(url);
    if (!place.ok) return { failure: place };
    const { path } = place;
    if (this.#isKnown(path)) return { path };
    try {
      const bytes = await this.#host.readBytes(path, this.room());
      this.#bytesAhead += bytes.length;
      return { path, bytes };
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      return { path, failure: readFailure(this.#places.uriOf(path), error) };
    }
  }
}
