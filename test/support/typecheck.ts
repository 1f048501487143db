/**
 * TypeScript 5.9 in this process, over files that need not be on a disk. Library files are parsed once for all programs.
 * The flags are those of `strict.tsconfig.json`, which every user's project may have.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { repository } from './paths.js';

export interface TypeFault {
  /** The file, as it was given. */
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

const strict = readStrict();

function readStrict(): ts.CompilerOptions {
  const file = join(repository, 'test/support/strict.tsconfig.json');
  const { config, error } = ts.parseConfigFileTextToJson(file, readFileSync(file, 'utf8'));
  const { options, errors } = ts.parseJsonConfigFileContent(config, { ...ts.sys, readDirectory: () => [] }, repository);
  const [fault] = [error, ...errors].filter((entry) => entry !== undefined && entry.code !== 18003);
  if (fault) throw new Error(ts.flattenDiagnosticMessageText(fault.messageText, '\n'));
  return options;
}

const parsed = new Map<string, ts.SourceFile | undefined>();

/** A host that sees `files` (absolute path to text) in front of the disk. */
function hostOver(files: ReadonlyMap<string, string>, options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options, true);
  const folders = new Set<string>();
  for (const path of files.keys())
    for (let at = dirname(path); !folders.has(at) && at !== dirname(at); at = dirname(at)) folders.add(at);
  const { fileExists, readFile, getSourceFile, directoryExists } = host;
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.readFile = (path) => files.get(path) ?? readFile(path);
  host.directoryExists = (path) => folders.has(path) || (directoryExists?.(path) ?? false);
  host.realpath = (path) => (files.has(path) ? path : (ts.sys.realpath?.(path) ?? path));
  const twins = firstCopies(files);
  const cache = ts.createModuleResolutionCache(repository, (path) => path, options);
  host.resolveModuleNameLiterals = (literals, from, redirect, settings, source) =>
    literals.map((literal) => {
      const mode = ts.getModeForUsageLocation(source, literal, settings);
      const found = ts.resolveModuleName(literal.text, from, settings, host, cache, redirect, mode);
      const { resolvedModule: module } = found;
      const first = module && twins.get(module.resolvedFileName);
      return module && first !== undefined
        ? { ...found, resolvedModule: { ...module, resolvedFileName: first } }
        : found;
    });
  host.getSourceFile = (path, language, onError, fresh) => {
    const text = files.get(path);
    if (text !== undefined) return ts.createSourceFile(path, text, language, true);
    if (!parsed.has(path)) parsed.set(path, getSourceFile(path, language, onError, fresh));
    return parsed.get(path);
  };
  return host;
}

/**
 * The runtime is copied into every output: of equal copies only the first is compiled. What a copy imports are copies
 * too, so nothing is lost.
 */
function firstCopies(files: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const firsts = new Map<string, string>();
  const twins = new Map<string, string>();
  for (const [path, text] of files) {
    const name = /\/runtime\/[^/]+\.ts$/.exec(path)?.[0];
    if (name === undefined) continue;
    const key = `${name}\n${text}`;
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, path);
    twins.set(path, first ?? path);
  }
  return twins;
}

/** The adapters and what they stand on need Node's types; nothing else of the output may. */
export const needsNode = /(?:^|\/)(?:server-(?:node|fastify)|runtime\/[a-z-]*(?:node|fastify)[a-z-]*)\.ts$/;

/** For what a tool writes; a test may declare more than it uses. */
export const nothingUnused = { noUnusedLocals: true, noUnusedParameters: true } as const;

/** Checks TypeScript files, absolute path to text. An empty list means that the compiler found nothing. */
export function typecheck(files: ReadonlyMap<string, string>, more: ts.CompilerOptions = {}): readonly TypeFault[] {
  const options = { ...strict, ...more };
  const twins = firstCopies(files);
  const sources = [...files.keys()].filter((path) => /\.[cm]?ts$/.test(path) && (twins.get(path) ?? path) === path);
  const plain = sources.filter((path) => !needsNode.test(path));
  const faults = check(plain, files, options);
  const adapters = sources.filter((path) => needsNode.test(path));
  if (adapters.length === 0) return faults;
  const known = new Set(plain);
  const found = check(adapters, files, { ...options, types: ['node'] });
  return [...faults, ...found.filter(({ file }) => !known.has(file))];
}

function check(
  roots: readonly string[],
  files: ReadonlyMap<string, string>,
  options: ts.CompilerOptions,
): readonly TypeFault[] {
  const program = ts.createProgram({ rootNames: roots, options, host: hostOver(files, options) });
  const diagnostics = [...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics()];
  for (const source of program.getSourceFiles()) {
    if (!files.has(source.fileName)) continue;
    diagnostics.push(...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source));
    diagnostics.push(...program.getDeclarationDiagnostics(source));
  }
  return diagnostics.map(({ file, start = 0, messageText, code }) => ({
    file: file?.fileName ?? '',
    line: file ? file.getLineAndCharacterOfPosition(start).line + 1 : 0,
    message: `TS${code}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
  }));
}

/** One line per fault, for a test's message. */
export function faultLines(faults: readonly TypeFault[], root: string): string {
  return faults
    .slice(0, 40)
    .map(({ file, line, message }) => `${file.replace(`${root}/`, '')}:${line} ${message}`)
    .join('\n');
}
