/**
 * Patterns among the entries: `*` and `?` within a name, `**` for any folders, `{a,b}` for alternatives. Shells expand them
 * before oasmith sees them, unless they are quoted or stand in a configuration.
 */
import { posix, win32 } from 'node:path';
import { type Host, HostError } from './host.js';

/** Puts the files that a pattern matches, sorted, in its place; a pattern without any stays, so that it is reported. */
export async function expandEntries(entries: readonly string[], host: Host): Promise<readonly string[]> {
  const expanded = new Set<string>();
  for (const entry of entries) for (const path of await expandEntry(entry, host)) expanded.add(path);
  return [...expanded];
}

async function expandEntry(entry: string, host: Host): Promise<readonly string[]> {
  if (entry === '-' || /^https?:\/\//i.test(entry) || !/[*?{]/.test(entry)) return [entry];
  const path = host.cwd.startsWith('/') ? posix : win32;
  // A file may have a name that looks like a pattern.
  if ((await kindOf(host, path.resolve(host.cwd, entry))) !== 'missing') return [entry];
  const found = new Set<string>();
  for (const pattern of alternatives(path === win32 ? entry.replaceAll('\\', '/') : entry)) {
    const absolute = /^(?:[A-Za-z]:)?\//.exec(pattern)?.[0] ?? '';
    const steps = pattern
      .slice(absolute.length)
      .split('/')
      .filter((step) => step !== '' && step !== '.');
    for (const file of await new Search(host, path).below(absolute, steps)) found.add(file);
  }
  return found.size === 0 ? [entry] : [...found].sort();
}

/** `a{b,c}d` as `abd` and `acd`; the innermost braces first. */
function alternatives(pattern: string): readonly string[] {
  const braces = /\{([^{}]*)\}/.exec(pattern);
  if (braces === null) return [pattern];
  const [whole, inner = ''] = braces;
  const replaced = inner
    .split(',')
    .map((text) => pattern.slice(0, braces.index) + text + pattern.slice(braces.index + whole.length));
  return [...new Set(replaced.slice(0, 100).flatMap(alternatives))].slice(0, 1000);
}

class Search {
  readonly #host: Host;
  readonly #path: typeof posix;

  constructor(host: Host, path: typeof posix) {
    this.#host = host;
    this.#path = path;
  }

  /** The files below `folder` (as the user names it) that the steps lead to. */
  async below(folder: string, [step, ...rest]: readonly string[]): Promise<readonly string[]> {
    if (step === undefined) return [];
    if (step === '**') {
      const here = await this.below(folder, rest);
      const deeper: string[] = [];
      for (const name of await this.#names(folder)) {
        const path = folder + name;
        // Links are not followed: they may lead in circles.
        if (!name.startsWith('.') && name !== 'node_modules' && (await this.#kindOf(path)) === 'directory')
          deeper.push(...(await this.below(`${path}/`, [step, ...rest])));
      }
      return [...here, ...deeper];
    }
    const names = /[*?]/.test(step) ? (await this.#names(folder)).filter(matcher(step)) : [step];
    const found: string[] = [];
    for (const name of names) {
      const path = folder + name;
      const kind = await this.#kindOf(path);
      if (rest.length > 0 && kind !== 'missing' && kind !== 'file') found.push(...(await this.below(`${path}/`, rest)));
      if (rest.length === 0 && (kind === 'file' || kind === 'link')) found.push(path);
    }
    return found;
  }

  #kindOf(path: string): ReturnType<Host['kindOf']> {
    return kindOf(this.#host, this.#path.resolve(this.#host.cwd, path));
  }

  async #names(folder: string): Promise<readonly string[]> {
    try {
      return await this.#host.list(this.#path.resolve(this.#host.cwd, folder));
    } catch (error) {
      if (error instanceof HostError) return [];
      throw error;
    }
  }
}

/** What cannot be looked at is not there for a pattern. */
async function kindOf(host: Host, path: string): ReturnType<Host['kindOf']> {
  try {
    return await host.kindOf(path);
  } catch (error) {
    if (error instanceof HostError) return 'missing';
    throw error;
  }
}

/** Hidden names match only where the pattern says the dot. Linear: the pattern's parts are searched from left to right. */
function matcher(step: string): (name: string) => boolean {
  const [first = '', ...parts] = step.split(/\*+/);
  const last = parts.pop();
  return (name) => {
    if (name.startsWith('.') && !step.startsWith('.')) return false;
    if (!fits(name, 0, first)) return false;
    if (last === undefined) return name.length === first.length;
    let at = first.length;
    for (const part of parts) {
      while (at + part.length <= name.length && !fits(name, at, part)) at += 1;
      if (at + part.length > name.length) return false;
      at += part.length;
    }
    return at + last.length <= name.length && fits(name, name.length - last.length, last);
  };
}

/** Whether the part, in which `?` is any one letter, stands in the name at this index. */
function fits(name: string, at: number, part: string): boolean {
  return (
    at + part.length <= name.length && [...part].every((letter, index) => letter === '?' || name[at + index] === letter)
  );
}
