/** A host in memory: the library's default, and the disk and network of the tests. Paths are POSIX paths. */
import { posix } from 'node:path';
import { type FetchAnswer, type FetchOptions, type FileKind, type Host, HostError } from './host.js';

export interface MemoryHostOptions {
  /** Default `/project`. Relative paths of `files`, `links` and the like are below it. */
  readonly cwd?: string;
  readonly standardInput?: string | Uint8Array;
  /** Symbolic links: path to target, relative to the link's folder or absolute. */
  readonly links?: Readonly<Record<string, string>>;
  /** Folders that are there although they are empty. */
  readonly directories?: readonly string[];
  /** Things that are neither files nor folders, such as devices and pipes. */
  readonly special?: readonly string[];
  /** Answers by URL; any other URL fails as an unreachable host does. */
  readonly remote?: Readonly<Record<string, RemoteAnswer>>;
}

export interface RemoteAnswer {
  readonly status?: number;
  readonly location?: string;
  readonly body?: string | Uint8Array;
}

export interface MemoryHost extends Host {
  /** The files by absolute path, as they are now. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Absolute paths of the files written, removed and read, in order. */
  readonly written: readonly string[];
  readonly removed: readonly string[];
  readonly read: readonly string[];
  readonly requests: readonly { readonly url: string; readonly headers: Readonly<Record<string, string>> }[];
  /** The text of a file; throws HostError where there is none. */
  text(path: string): string;
  /** Puts a file there, as a user with an editor would. */
  put(path: string, content: string | Uint8Array): void;
  directoryExists(path: string): boolean;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? encoder.encode(content) : content;
}

/** A host in memory that holds `files` (path to content). */
export function memoryHost(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: MemoryHostOptions = {},
): MemoryHost {
  return new Memory(files, options);
}

class Memory implements MemoryHost {
  readonly cwd: string;
  readonly files = new Map<string, Uint8Array>();
  readonly written: string[] = [];
  readonly removed: string[] = [];
  readonly read: string[] = [];
  readonly requests: { url: string; headers: Readonly<Record<string, string>> }[] = [];
  readonly #directories = new Set<string>(['/']);
  readonly #links = new Map<string, string>();
  readonly #special = new Set<string>();
  readonly #remote: ReadonlyMap<string, RemoteAnswer>;
  readonly #standardInput: Uint8Array;

  constructor(files: Readonly<Record<string, string | Uint8Array>>, options: MemoryHostOptions) {
    this.cwd = options.cwd ?? '/project';
    this.#makeDirectory(this.cwd);
    for (const path of options.directories ?? []) this.#makeDirectory(this.#absolute(path));
    for (const [path, target] of Object.entries(options.links ?? {}))
      this.#place(path, (at) => this.#links.set(at, target));
    for (const path of options.special ?? []) this.#place(path, (at) => this.#special.add(at));
    for (const [path, content] of Object.entries(files)) this.put(path, content);
    this.#remote = new Map(Object.entries(options.remote ?? {}));
    this.#standardInput = bytesOf(options.standardInput ?? '');
  }

  put(path: string, content: string | Uint8Array): void {
    this.#place(path, (at) => this.files.set(at, bytesOf(content)));
  }

  text(path: string): string {
    const bytes = this.files.get(this.#absolute(path));
    if (bytes === undefined) throw new HostError('missing', 'no such file');
    return decoder.decode(bytes);
  }

  directoryExists(path: string): boolean {
    return this.#directories.has(this.#absolute(path));
  }

  async kindOf(path: string): Promise<FileKind> {
    const real = this.#follow(path, false);
    if (real === undefined) return 'missing';
    if (this.#links.has(real)) return 'link';
    if (this.files.has(real)) return 'file';
    if (this.#special.has(real)) return 'other';
    return this.#directories.has(real) ? 'directory' : 'missing';
  }

  async realPath(path: string): Promise<string> {
    const real = this.#follow(path, true);
    if (real === undefined || (await this.kindOf(real)) === 'missing') throw new HostError('missing', 'no such file');
    return real;
  }

  async readBytes(path: string, maxBytes: number): Promise<Uint8Array> {
    const real = await this.realPath(path);
    const bytes = this.files.get(real);
    if (bytes === undefined) throw new HostError('not-a-file', notAFile(this.#directories.has(real)));
    this.read.push(real);
    return within(bytes, maxBytes);
  }

  async list(path: string): Promise<readonly string[]> {
    const real = await this.realPath(path);
    if (!this.#directories.has(real)) throw new HostError('not-a-file', 'it is not a directory');
    const prefix = real === '/' ? '/' : `${real}/`;
    const names = new Set<string>();
    for (const known of [...this.files.keys(), ...this.#links.keys(), ...this.#special, ...this.#directories]) {
      if (known.startsWith(prefix) && known !== prefix) names.add(known.slice(prefix.length).split('/')[0] ?? '');
    }
    return [...names].sort();
  }

  async writeText(path: string, text: string): Promise<void> {
    const real = this.#follow(path, false);
    if (real === undefined) throw new HostError('other', 'a part of the path is not a directory');
    if (this.#directories.has(real)) throw new HostError('not-a-file', 'it is a directory');
    this.#links.delete(real);
    this.put(real, text);
    this.written.push(real);
  }

  async removeFile(path: string): Promise<void> {
    const real = this.#follow(path, false);
    if (real === undefined || !(this.files.delete(real) || this.#links.delete(real))) {
      throw new HostError('missing', 'no such file');
    }
    this.removed.push(real);
  }

  async removeEmptyDirectory(path: string): Promise<void> {
    const real = this.#follow(path, false);
    if (real !== undefined && this.#directories.has(real) && (await this.list(real)).length === 0) {
      this.#directories.delete(real);
    }
  }

  async readStandardInput(maxBytes: number): Promise<Uint8Array> {
    return within(this.#standardInput, maxBytes);
  }

  async fetch(url: string, options: FetchOptions): Promise<FetchAnswer> {
    this.requests.push({ url, headers: options.headers });
    const answer = this.#remote.get(url);
    if (answer === undefined) throw new HostError('network', 'the host cannot be reached');
    const { status = 200, location } = answer;
    const body = within(bytesOf(answer.body ?? ''), options.maxBytes);
    return { status, body, ...(location !== undefined && { location }) };
  }

  #absolute(path: string): string {
    return posix.resolve(this.cwd, path);
  }

  #place(path: string, put: (at: string) => void): void {
    const at = this.#absolute(path);
    this.#makeDirectory(posix.dirname(at));
    put(at);
  }

  #makeDirectory(path: string): void {
    for (let at = path; at !== '/'; at = posix.dirname(at)) this.#directories.add(at);
  }

  /** The path with the links in it resolved, the one at its last step only on request; `undefined` for a broken one. */
  #follow(path: string, last: boolean): string | undefined {
    let steps = this.#absolute(path).split('/').slice(1);
    let at = '/';
    for (let hops = 0; steps.length > 0; ) {
      const [step = '', ...rest] = steps;
      const next = posix.join(at, step);
      const target = this.#links.get(next);
      if (target !== undefined && (last || rest.length > 0)) {
        hops += 1;
        if (hops > 40) return undefined;
        steps = [...posix.resolve(at, target).split('/').slice(1), ...rest];
        at = '/';
      } else {
        if (rest.length > 0 && (this.files.has(next) || this.#special.has(next))) return undefined;
        at = next;
        steps = rest;
      }
    }
    return at;
  }
}

function within(bytes: Uint8Array, maxBytes: number): Uint8Array {
  if (bytes.length > maxBytes) throw new HostError('too-large', `it has more than ${maxBytes} bytes`);
  return bytes;
}

function notAFile(directory: boolean): string {
  return directory ? 'it is a directory' : 'it is not a regular file';
}
