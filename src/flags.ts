/** What the flags of the command line mean: options as a configuration would have them. */
import { flagName, frameworkNames, type Options, targetNames } from './config.js';
import { knownWord, optionFlags, schemasFlags, UsageError, usageFault } from './usage.js';

export type Flags = Readonly<Record<string, unknown>>;

/** yargs loses a `-` among the entries, so it gets another name on its way through: one that no argument can have. */
export const standardInput = '\u0000-';

export function argument(word: unknown): string {
  return word === standardInput ? '-' : String(word);
}

export function flagOptions(flags: Flags): Options {
  const given = Object.fromEntries(
    optionFlags.flatMap((name) => (flags[name] === undefined ? [] : [[name, flags[name]] as const])),
  );
  const entries = Array.isArray(flags['entry']) ? flags['entry'].map(argument) : [];
  for (const [name, known] of [
    ['targets', targetNames],
    ['framework', frameworkNames],
  ] as const) {
    if (flags[name] === undefined) continue;
    const { chosen, rest } = splitList(name, flags[name], known);
    given[name] = chosen;
    entries.push(...rest);
  }
  const schemas = Object.fromEntries(
    schemasFlags.flatMap((name) => (flags[name] === undefined ? [] : [[name, flags[name]] as const])),
  );
  const { overlay } = flags;
  return {
    ...given,
    ...(Array.isArray(overlay) && { overlays: overlay.map(argument) }),
    ...(entries.length > 0 && { input: entries }),
    ...(Object.keys(schemas).length > 0 && { schemas }),
  };
}

const listFlags = new Set(['targets', 'framework', 'allowRemote', 'overlay', 'include', 'exclude', 'entry', '_']);

/** `--targets types,client document.yaml`: names up to the first that is none, which is an entry if it looks like one. */
function splitList(
  flag: string,
  value: unknown,
  known: readonly string[],
): { readonly chosen: readonly string[]; readonly rest: readonly string[] } {
  const words = (Array.isArray(value) ? value : [value]).map(argument);
  const chosen: string[] = [];
  const rest: string[] = [];
  for (const [index, word] of words.entries()) {
    const names = word.split(',').filter((name) => name !== '');
    const unknown = names.find((name) => !known.includes(name));
    if (unknown === undefined) chosen.push(...names);
    else if (index > 0 && /^-$|[./\\*]/.test(word)) rest.push(word);
    else knownWord(flag, unknown, known);
  }
  return { chosen, rest };
}

/** Refuses an option that is given twice where it has one value. */
export function refuseTwice(flags: Flags): void {
  // An option that is given twice is a list for yargs.
  const twice = Object.keys(flags).find(
    (name) => Array.isArray(flags[name]) && !listFlags.has(name) && name.length > 1 && !name.includes('-'),
  );
  if (twice !== undefined) throw new UsageError(usageFault(`the option ${flagName(twice)} is given twice`));
}
