/** Words of the command line that mean nothing, and what was meant perhaps. */
import { flagName } from './config.js';
import { type Diagnostic, diagnostic, printable, quote } from './diagnostics.js';
import { nearest } from './nearest.js';
import { wrongWord } from './option-checks.js';

export const optionFlags = [
  'output',
  'targets',
  'framework',
  'importExtension',
  'enums',
  'clientEnums',
  'dates',
  'xml',
  'layout',
  'runtime',
  'package',
  'refRoot',
  'allowRemote',
  'refSiblings',
  'assertFormats',
  'assertContent',
  'standardJsonSchema',
  'issueLimit',
  'scaffold',
  'queryPackage',
  'keepGoing',
  'include',
  'exclude',
  'dropUnreachable',
] as const;

/** Flags of `derive` that are members of the option `schemas`. */
export const schemasFlags = ['baseUri', 'date', 'declarations'] as const;

/** Thrown where the command line cannot be understood; `faults` say why, one at least. */
export class UsageError extends Error {
  readonly faults: readonly Diagnostic[];

  constructor(...faults: readonly Diagnostic[]) {
    super('wrong usage');
    this.faults = faults;
  }
}

export function usageFault(message: string): Diagnostic {
  return diagnostic('usage-invalid', message);
}

/** The word if it is one that the option takes. */
export function knownWord<T extends string>(option: string, word: string, known: readonly T[]): T {
  const found = known.find((name) => name === word);
  if (found !== undefined) return found;
  throw new UsageError(diagnostic('config-invalid', wrongWord(flagName(option), word, known)));
}

function suggestion(name: string, known: readonly string[], dashes = ''): string {
  const meant = nearest(name, known);
  return meant === undefined ? '' : `; did you mean ${dashes}${meant}?`;
}

/** What yargs says of wrong words, said by us: it names an option in each of its spellings, and knows no near one. */
export function usageFaults(message: string, words: readonly string[]): readonly Diagnostic[] {
  const [, unknown] = /^Unknown arguments?: (.*)$/s.exec(message) ?? [];
  if (unknown !== undefined) {
    const names = unknown.split(', ');
    const given = names.filter((name) => !names.some((other) => other !== name && camelCase(other) === name));
    return given.map((name) => usageFault(unknownOption(name, commandOf(words))));
  }
  const [, valueless] = /^Not enough arguments following: (.*)$/s.exec(message) ?? [];
  return [usageFault(valueless === undefined ? printable(message) : `the option ${dashed(valueless)} needs a value`)];
}

/** Options that are there or not; `--help` names the same ones. */
const switches: ReadonlySet<string> = new Set([
  'assert-content',
  'assert-formats',
  'check',
  'declarations',
  'drop-unreachable',
  'help',
  'keep-going',
  'quiet',
  'standard-json-schema',
  'version',
  'watch',
]);

/** Refuses a word behind a switch: yargs takes every one but `true` for false. */
export function refuseSwitchWords(words: readonly string[]): void {
  const end = words.indexOf('--');
  for (const word of end < 0 ? words : words.slice(0, end)) {
    const [, name = '', value = ''] = /^--(?:no-)?([^=]+)=(.*)$/s.exec(word) ?? [];
    if (switches.has(name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)) && !/^(?:true|false)$/.test(value))
      throw new UsageError(usageFault(`the option --${name} takes no value but true and false, not ${quote(value)}`));
  }
}

/** A name as it is written on the command line; yargs also gives it as the member of an object. */
function dashed(name: string): string {
  const spelt = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return `${name.length === 1 ? '-' : '--'}${printable(spelt)}`;
}

/** What is wrong with a first word that names neither a file nor a command; nothing where it looks like a path. */
export function unknownCommand(word: string): Diagnostic | undefined {
  if (!/^[\w-]+$/.test(word) || word === '-') return undefined;
  const meant = suggestion(word, commandNames);
  const more = meant === '' ? `, and no file of that name; the commands are ${commandNames.join(', ')}` : meant;
  return usageFault(`unknown command ${quote(word)}${more}`);
}

/** Whether the report is to be for machines, where the command line as a whole was not understood. */
export function wantsJson(words: readonly string[]): boolean {
  return words.some((word, index) => word === '--report=json' || (word === '--report' && words[index + 1] === 'json'));
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
  explain: [],
  ir: [...reading, 'format'],
};

const commandNames = Object.keys(flagsOf);

/** Options may stand before the name of the command. */
function commandOf(words: readonly string[]): string {
  return words.find((word) => Object.hasOwn(flagsOf, word)) ?? 'generate';
}

/** An option of another command is not misspelt; but it may be near to the one that is meant. */
function unknownOption(name: string, command: string): string {
  const known = [...everywhere, ...(flagsOf[command] ?? [])];
  const owners = Object.keys(flagsOf).filter((other) => flagsOf[other]?.includes(name));
  if (owners.length === 0) return `unknown option ${dashed(name)}${suggestion(name, known, '--')}`;
  const list = owners.length === 1 ? owners.join() : `${owners.slice(0, -1).join(', ')} and ${owners.at(-1)}`;
  return `the option --${name} belongs to ${list}, not to ${command}${suggestion(name, known, '--')}`;
}

function camelCase(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
