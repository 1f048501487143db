/**
 * The host of the real machine: the only file that imports Node's file system, and the only one that opens a socket.
 * Files are read and written synchronously: a run does one thing at a time, and the way by other threads costs several
 * times what the system call does.
 */
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type FetchAnswer,
  type FetchOptions,
  type FileKind,
  type Host,
  HostError,
  type HostErrorReason,
} from './host.js';

/** The machine's disk and network, with `cwd` as the folder that relative paths mean. */
export function nodeHost(cwd: string): Host {
  return {
    cwd,
    kindOf,
    realPath: (path) => plainly(() => realpathSync.native(path)),
    readBytes,
    list: (path) => plainly(() => readdirSync(path).sort()),
    writeText,
    removeFile: (path) => plainly(() => rmSync(path)),
    removeEmptyDirectory,
    readStandardInput,
    fetch: fetchOnce,
  };
}

/**
 * The templates and the runtime that are part of this package, or those of one folder, by their paths below its root
 * (`templates/client/client.hbs`, `src/runtime/validation.ts`). The root is one level above this file in `src/` and `dist/`.
 */
export async function packageAssets(
  ...folders: readonly ('templates' | 'src/runtime')[]
): Promise<ReadonlyMap<string, string>> {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const assets = new Map<string, string>();
  for (const folder of folders.length > 0 ? folders : (['templates', 'src/runtime'] as const)) {
    collect(root, folder, folder === 'templates' ? '.hbs' : '.ts', assets);
  }
  return assets;
}

/** The runtime among the assets, by paths below `src/runtime/`. */
export function runtimeTexts(assets: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const folder = 'src/runtime/';
  const own = [...assets].filter(([path]) => path.startsWith(folder));
  return new Map(own.map(([path, text]) => [path.slice(folder.length), text]));
}

/** What the build made of templates and runtime (`precompile.ts`): one module in place of a hundred files. */
export interface BuiltAssets {
  /** By template name, what `Handlebars.template` takes. */
  readonly specifications: Readonly<Record<string, object>>;
  /** The texts of the runtime, by their paths below `src/runtime/`. */
  readonly runtime: Readonly<Record<string, string>>;
}

/** Absent in a run from the sources. The name is no literal, because the file is there only after a build. */
export async function builtAssets(): Promise<BuiltAssets | undefined> {
  if (!import.meta.url.endsWith('.js')) return undefined;
  const built: string = './precompiled.js';
  try {
    return (await import(built)) as BuiltAssets;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** The version of this package, as its manifest says it. */
export async function packageVersion(): Promise<string> {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return String((JSON.parse(text) as { version: unknown }).version);
}

function collect(root: string, folder: string, ending: string, into: Map<string, string>): void {
  const place = join(root, folder);
  if (!existsSync(place)) return;
  const entries = readdirSync(place, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) collect(root, path, ending, into);
    else if (entry.name.endsWith(ending)) into.set(path, readFileSync(join(root, path), 'utf8'));
  }
}

async function kindOf(path: string): Promise<FileKind> {
  let found: Stats | undefined;
  try {
    found = lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    const reason = hostError(error);
    if (reason.reason !== 'missing') throw reason;
  }
  if (found === undefined) return 'missing';
  if (found.isSymbolicLink()) return 'link';
  if (found.isFile()) return 'file';
  return found.isDirectory() ? 'directory' : 'other';
}

function assertRegular(found: Stats): void {
  if (found.isDirectory()) throw new HostError('not-a-file', 'it is a directory');
  if (!found.isFile()) throw new HostError('not-a-file', 'it is not a regular file');
}

async function readBytes(path: string, maxBytes: number): Promise<Uint8Array> {
  return plainly(() => {
    // Before opening: to open a pipe waits for a writer. After opening: the path may have been replaced in between.
    assertRegular(statSync(path));
    const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const found = fstatSync(file);
      assertRegular(found);
      if (found.size > maxBytes) throw tooLarge(maxBytes);
      return readWhole(file, found.size, maxBytes);
    } finally {
      closeSync(file);
    }
  });
}

/** A file may grow while it is read, and some report no size at all; the buffer has one byte to see the end. */
function readWhole(file: number, size: number, maxBytes: number): Uint8Array {
  let buffer = Buffer.allocUnsafe(size + 1);
  for (let length = 0; ; ) {
    const bytesRead = readSync(file, buffer, length, buffer.length - length, null);
    length += bytesRead;
    if (length > maxBytes) throw tooLarge(maxBytes);
    if (bytesRead === 0) return buffer.subarray(0, length);
    if (length === buffer.length) buffer = Buffer.concat([buffer], Math.min(2 * length + 1024, maxBytes + 1));
  }
}

async function readStandardInput(maxBytes: number): Promise<Uint8Array> {
  return plainly(() => readAtMost(process.stdin, maxBytes));
}

async function readAtMost(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of chunks) {
    size += part.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    parts.push(part);
  }
  return Buffer.concat(parts, size);
}

async function writeText(path: string, text: string): Promise<void> {
  await plainly(() => {
    const folder = dirname(path);
    // Unpredictable and exclusive, so that nobody can have put a link in its place.
    const temporary = join(folder, `.oasmith-${randomUUID()}.tmp`);
    const file = createIn(folder, temporary);
    try {
      try {
        writeFileSync(file, text, 'utf8');
      } finally {
        closeSync(file);
      }
      renameSync(temporary, path);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  });
}

/** Nearly always the folder is there. */
function createIn(folder: string, path: string): number {
  try {
    return openSync(path, 'wx');
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    mkdirSync(folder, { recursive: true });
    return openSync(path, 'wx');
  }
}

async function removeEmptyDirectory(path: string): Promise<void> {
  try {
    rmdirSync(path);
  } catch (error) {
    const code = codeOf(error);
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'ENOENT') throw hostError(error);
  }
}

async function fetchOnce(url: string, options: FetchOptions): Promise<FetchAnswer> {
  try {
    const response = await fetch(url, {
      headers: options.headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(options.timeoutMs),
    });
    const location = response.headers.get('location');
    const redirected = response.status >= 300 && response.status < 400;
    if (redirected) await response.body?.cancel();
    const body =
      redirected || response.body === null ? new Uint8Array() : await readAtMost(response.body, options.maxBytes);
    return { status: response.status, body, ...(location !== null && { location }) };
  } catch (error) {
    if (error instanceof HostError) throw error;
    if (error instanceof Error && error.name === 'TimeoutError') {
      throw new HostError('network', `it did not arrive within ${options.timeoutMs / 1000} seconds`);
    }
    throw new HostError('network', networkFault(error));
  }
}

/** Node hides the reason of a failed fetch in `cause`; only its code is told, since its text may hold addresses. */
function networkFault(error: unknown): string {
  const code = codeOf(error instanceof Error ? error.cause : undefined);
  return code === undefined ? 'the request failed' : `the request failed (${code})`;
}

function tooLarge(maxBytes: number): HostError {
  return new HostError('too-large', `it has more than ${maxBytes} bytes`);
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

const faults: ReadonlyMap<string, readonly [HostErrorReason, string]> = new Map([
  ['ENOENT', ['missing', 'no such file']],
  ['ENOTDIR', ['missing', 'a part of the path is not a directory']],
  ['EISDIR', ['not-a-file', 'it is a directory']],
  ['ELOOP', ['other', 'its links lead in a circle']],
  ['EACCES', ['denied', 'access is refused']],
  ['EPERM', ['denied', 'access is refused']],
  ['EROFS', ['denied', 'the file system is read-only']],
  ['ENOSPC', ['other', 'no space is left']],
  ['ENAMETOOLONG', ['other', 'the name is too long']],
]);

function hostError(error: unknown): HostError {
  if (error instanceof HostError) return error;
  const code = codeOf(error);
  const [reason, message] =
    faults.get(code ?? '') ?? (['other', `the system refused it (${code ?? 'unknown'})`] as const);
  return new HostError(reason, message);
}

/** Turns the errors of the system into HostErrors: one plain sentence, no path, no stack. */
async function plainly<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw hostError(error);
  }
}
