/** Words of the command line that mean nothing, and what was meant perhaps. */
import { flagName } from './config.js';
import { printable } from './diagnostics.js';
import { nearest } from './nearest.js';

export const optionFlags = [
  'output',
  'targets',
  'framework',
  'importExtension',
  'enums',
  'clientEnums',
  'dates',
  'layout',
  'refRoot',
  'allowRemote',
  'refSiblings',
  'assertFormats',
  'scaffold',
  'keepGoing',
  'include',
  'exclude',
  'dropUnreachable',
] as const;

/** Flags of `derive` that are members of the option `schemas`. */
export const schemasFlags = ['baseUri', 'date', 'declarations'] as const;

export class UsageError extends Error {}

export function knownWord<T extends string>(flag: string, word: string, known: readonly T[]): T {
  const found = known.find((name) => name === word);
  if (found !== undefined) return found;
  throw new UsageError(
    `Unknown value of --${flag}: ${printable(word)}${suggestion(word, known)}\nIt may be ${known.join(', ')}.`,
  );
}

function suggestion(name: string, known: readonly string[], dashes = ''): string {
  const meant = nearest(name, known);
  return meant === undefined ? '' : `; did you mean ${dashes}${meant}?`;
}

/** yargs names an unknown option in both of its spellings, and knows no near one. */
export function withSuggestions(message: string, words: readonly string[]): string {
  const [whole, list = ''] = /^Unknown arguments?: (.*)$/s.exec(message) ?? [];
  if (whole === undefined) return message;
  const names = list.split(', ');
  const given = names.filter((name) => !names.some((other) => other !== name && camelCase(other) === name));
  return given.map((name) => unknownOption(name, commandOf(words))).join('\n');
}

const everywhere = ['config', 'report', 'quiet', 'help', 'version'];
const reading = [
  'ref-root',
  'allow-remote',
  'overlay',
  'include',
  'exclude',
  'drop-unreachable',
  'ref-siblings',
  'keep-going',
];
const generating = optionFlags.map((name) => flagName(name).slice(2)).filter((name) => !reading.includes(name));
const deriving = [...schemasFlags.map((name) => flagName(name).slice(2)), 'output', 'check'];

/** The options of each command, beside those of all. */
const flagsOf: Readonly<Record<string, readonly string[]>> = {
  generate: [...reading, ...generating, 'watch'],
  watch: [...reading, ...generating],
  check: [...reading, ...generating],
  derive: [...reading, ...deriving],
  validate: reading,
  ir: [...reading, 'format'],
  explain: [],
};

function commandOf([first = '']: readonly string[]): string {
  return Object.hasOwn(flagsOf, first) ? first : 'generate';
}

/** An option of another command is not misspelt; but it may be near to the one that is meant. */
function unknownOption(name: string, command: string): string {
  const known = [...everywhere, ...(flagsOf[command] ?? [])];
  const owners = Object.keys(flagsOf).filter((other) => flagsOf[other]?.includes(name));
  if (owners.length === 0) return `Unknown option: ${printable(name)}${suggestion(name, known, '--')}`;
  const list = owners.length === 1 ? owners.join() : `${owners.slice(0, -1).join(', ')} and ${owners.at(-1)}`;
  return `The option --${name} belongs to ${list}, not to ${command}${suggestion(name, known, '--')}`;
}

function camelCase(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
