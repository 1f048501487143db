/** Watches files and runs a callback when they change. The only file that imports chokidar. */
import { dirname, resolve } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';

/** chokidar says nothing of a change within 50 ms of another, so a run must not start before those are over. */
const leastDebounceMs = 60;

export interface WatchOptions {
  /** Milliseconds without a change before the callback runs, so that one save is one run; at least 60. */
  readonly debounceMs: number;
}

export interface FileWatch {
  /** Resolves when changes are seen. */
  readonly ready: Promise<void>;
  /** Stops, and waits for the run that is under way. */
  close(): Promise<void>;
}

/** Gets the absolute paths that changed, sorted; may answer with the whole new list of files to watch. */
export type OnChange = (changed: readonly string[]) => Promise<readonly string[] | undefined>;

/**
 * Calls `onChange` when one of the files (absolute paths) changes, goes or comes, never twice at a time; what changes
 * during a run makes another one. Never throws: a callback that fails is up to its owner, and its files stay watched.
 */
export function watchFiles(paths: readonly string[], onChange: OnChange, options: WatchOptions): FileWatch {
  const session = new Session(onChange, options.debounceMs);
  return { ready: session.follow(paths), close: () => session.close() };
}

class Session {
  readonly #onChange: OnChange;
  readonly #debounceMs: number;
  readonly #changed = new Set<string>();
  #files: ReadonlySet<string> = new Set();
  #watcher: FSWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;
  #run: Promise<void> | undefined;
  #closed = false;

  constructor(onChange: OnChange, debounceMs: number) {
    this.#onChange = onChange;
    this.#debounceMs = Math.max(debounceMs, leastDebounceMs);
  }

  /** Watches these files in place of the former ones, which are watched until that is ready. */
  async follow(paths: readonly string[]): Promise<void> {
    const files = new Set(paths.map((path) => resolve(path)));
    if (this.#closed || (files.size === this.#files.size && [...files].every((file) => this.#files.has(file)))) return;
    this.#files = files;
    const former = this.#watcher;
    const watcher = this.#open(files);
    this.#watcher = watcher;
    await new Promise<void>((settle) => watcher.once('ready', () => settle()));
    await former?.close();
  }

  /** Folders are watched rather than files: editors save by renaming, and what is missing may come. */
  #open(files: ReadonlySet<string>): FSWatcher {
    const { top, folders } = foldersOf([...files]);
    const watcher = watch(top, {
      ignoreInitial: true,
      ignored: (path) => !files.has(resolve(path)) && !folders.has(resolve(path)),
    });
    for (const event of ['add', 'change', 'unlink'] as const) watcher.on(event, (path) => this.#note(resolve(path)));
    // Such as a folder that cannot be read; the others go on.
    watcher.on('error', () => undefined);
    return watcher;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#run;
    await this.#watcher?.close();
  }

  #note(path: string): void {
    if (!this.#files.has(path) || this.#closed) return;
    this.#changed.add(path);
    this.#schedule();
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#closed || this.#run !== undefined || this.#changed.size === 0) return;
    this.#timer = setTimeout(() => {
      this.#run = this.#runOnce().finally(() => {
        this.#run = undefined;
        this.#schedule();
      });
    }, this.#debounceMs);
  }

  async #runOnce(): Promise<void> {
    const changed = [...this.#changed].sort();
    this.#changed.clear();
    try {
      const paths = await this.#onChange(changed);
      if (paths !== undefined) await this.follow(paths);
    } catch {
      // The callback reports its own faults; watching goes on.
    }
  }
}

/** The folders on the way to the files, from the folders that hold all of them (one for each drive) downwards. */
function foldersOf(files: readonly string[]): { readonly top: string[]; readonly folders: ReadonlySet<string> } {
  const drives = new Map<string, (readonly string[])[]>();
  for (const file of files) {
    const folders = chain(dirname(file));
    const drive = folders.at(-1) ?? '';
    drives.set(drive, drives.get(drive) ?? []);
    drives.get(drive)?.push(folders);
  }
  const tops: string[] = [];
  const folders = new Set<string>();
  for (const chains of drives.values()) {
    const top = (chains[0] ?? []).find((folder) => chains.every((other) => other.includes(folder))) ?? '';
    tops.push(top);
    for (const own of chains) for (const folder of own.slice(0, own.indexOf(top) + 1)) folders.add(folder);
  }
  return { top: tops, folders };
}

/** A folder and all above it. */
function chain(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...chain(parent)];
}
