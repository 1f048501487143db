/** Watches files and runs a callback when they change. The only file that imports chokidar. */
import { dirname, resolve } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';

export interface WatchOptions {
  /** Milliseconds without a change before the callback runs, so that one save is one run. */
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
  session.follow(paths);
  return { ready: session.ready, close: () => session.close() };
}

class Session {
  readonly ready: Promise<void>;
  readonly #onChange: OnChange;
  readonly #debounceMs: number;
  readonly #watcher: FSWatcher;
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();
  readonly #changed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #run: Promise<void> | undefined;
  #closed = false;

  constructor(onChange: OnChange, debounceMs: number) {
    this.#onChange = onChange;
    this.#debounceMs = debounceMs;
    // Folders are watched rather than files: editors save by renaming, and a missing file may appear.
    this.#watcher = watch([], {
      ignoreInitial: true,
      depth: 0,
      followSymlinks: true,
      ignored: (path) => !this.#files.has(resolve(path)) && !this.#folders.has(resolve(path)),
    });
    this.ready = new Promise((settle) => this.#watcher.once('ready', () => settle()));
    for (const event of ['add', 'change', 'unlink'] as const) {
      this.#watcher.on(event, (path) => this.#note(resolve(path)));
    }
    // Such as a folder that cannot be read; the others go on.
    this.#watcher.on('error', () => undefined);
  }

  follow(paths: readonly string[]): void {
    const files = new Set(paths.map((path) => resolve(path)));
    const folders = new Set([...files].map((path) => dirname(path)));
    const gone = [...this.#folders].filter((folder) => !folders.has(folder));
    const unseen = [...files].filter((file) => !this.#files.has(file));
    const fresh = [...folders].filter((folder) => !this.#folders.has(folder));
    replaceAll(this.#files, files);
    replaceAll(this.#folders, folders);
    if (gone.length > 0) this.#watcher.unwatch(gone);
    this.#watcher.add([...fresh, ...unseen]);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#run;
    await this.#watcher.close();
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
      if (paths !== undefined && !this.#closed) this.follow(paths);
    } catch {
      // The callback reports its own faults; watching goes on.
    }
  }
}

function replaceAll(set: Set<string>, by: ReadonlySet<string>): void {
  set.clear();
  for (const item of by) set.add(item);
}
