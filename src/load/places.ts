/** Which files and which origins may be read, and how paths, URLs and document names belong together. */
import { posix, win32 } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type DocumentUri, quote } from '../diagnostics.js';
import { type Host, HostError } from '../host.js';
import type { Failure } from './references.js';

export type Place = { readonly ok: true; readonly path: string } | ({ readonly ok: false } & Failure);

export function isUrl(entry: string): boolean {
  return /^https?:\/\//i.test(entry);
}

export class Places {
  readonly #host: Host;
  readonly #windows: boolean;
  readonly #path: typeof posix;
  /** Folders, with their links resolved, below which references may lead to files. */
  readonly #roots: string[] = [];
  /** The folder that document names are relative to. */
  #base: string;

  constructor(host: Host) {
    this.#host = host;
    this.#windows = !host.cwd.startsWith('/');
    this.#path = this.#windows ? win32 : posix;
    this.#base = host.cwd;
  }

  absolute(path: string): string {
    return this.#path.resolve(this.#host.cwd, path);
  }

  /** Sets the folders that references may lead into: `refRoot`, or the folder of every entry that is a file. */
  async open(entries: readonly string[], refRoot: string | undefined): Promise<void> {
    const files = entries.filter((entry) => !isUrl(entry));
    const folders = files.map((entry) => (entry === '-' ? this.#host.cwd : this.#path.dirname(this.absolute(entry))));
    for (const folder of refRoot === undefined ? folders : [this.absolute(refRoot)]) {
      const real = await this.#host.realPath(folder).catch(() => folder);
      if (!this.#roots.includes(real)) this.#roots.push(real);
    }
    const [first, ...others] = this.#roots;
    if (first !== undefined) this.#base = others.reduce((base, root) => this.#commonFolder(base, root), first);
  }

  uriOf(path: string): DocumentUri {
    return this.#path.relative(this.#base, path).replaceAll('\\', '/') as DocumentUri;
  }

  urlOf(path: string): string {
    return pathToFileURL(path, { windows: this.#windows }).href;
  }

  pathOf(url: string): string | undefined {
    try {
      const path = fileURLToPath(url, { windows: this.#windows });
      return path.includes('\0') ? undefined : path;
    } catch {
      return undefined;
    }
  }

  /** The path of an entry with links resolved where that stays below a root, so that a file has one name. */
  async entryPath(path: string): Promise<string> {
    const folder = await this.#host.realPath(this.#path.dirname(path));
    const direct = this.#path.join(folder, this.#path.basename(path));
    const real = await this.#host.realPath(direct);
    return this.#isInside(real) ? real : direct;
  }

  /** The path of a file that a reference leads to. Outside of the roots nothing is touched, not even to look. */
  async referencedPath(url: string): Promise<Place> {
    const path = this.pathOf(url);
    if (path === undefined) return { ok: false, code: 'ref-invalid', message: 'the reference is not a usable path' };
    if (!this.#isInside(path)) return this.#outside(path);
    try {
      const real = await this.#host.realPath(path);
      return this.#isInside(real) ? { ok: true, path: real } : this.#outside(path);
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      return { ok: false, ...readFailure(this.uriOf(path), error) };
    }
  }

  #outside(path: string): Place {
    const message = `ref outside root: ${quote(this.uriOf(path))} is not below the folder that references may lead to`;
    return { ok: false, code: 'ref-outside-root', message };
  }

  #isInside(path: string): boolean {
    return this.#roots.some((root) => {
      const relative = this.#path.relative(root, path);
      return relative !== '..' && !relative.startsWith(`..${this.#path.sep}`) && !this.#path.isAbsolute(relative);
    });
  }

  #commonFolder(left: string, right: string): string {
    let folder = left;
    while (this.#path.relative(folder, right).startsWith('..') && this.#path.dirname(folder) !== folder) {
      folder = this.#path.dirname(folder);
    }
    return folder;
  }
}

/** What to say where a document cannot be read. */
export function readFailure(name: string, error: HostError): Failure {
  switch (error.reason) {
    case 'missing':
      return { code: 'file-not-found', message: `${quote(name)} does not exist` };
    case 'too-large':
      return {
        code: 'file-too-large',
        message: `${quote(name)} is too large: ${error.message} (limits.documentBytes, limits.totalBytes)`,
      };
    case 'network':
      return { code: 'remote-failed', message: `${quote(name)} could not be fetched: ${error.message}` };
    default:
      return { code: 'file-unreadable', message: `${quote(name)} cannot be read: ${error.message}` };
  }
}
