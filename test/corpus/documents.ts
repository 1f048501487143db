/** Which files of the corpus are documents, and where they lie once they are unpacked. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { walkFiles } from '../support/walk-files.js';

export interface CorpusDocument {
  /** The path below the corpus, as it lies there (packed or not). */
  readonly name: string;
  /** The absolute path of the entry. */
  readonly entry: string;
  /** The absolute path of the folder that references must not leave, where it is not the entry's own. */
  readonly refRoot?: string;
}

/** What the files themselves do not tell. Every line must be of use. */
export interface CorpusTable {
  /** The entry of each archive. */
  readonly archives: Readonly<Record<string, string>>;
  /** By document, the folder (below the corpus) that its references must not leave. */
  readonly refRoots: Readonly<Record<string, string>>;
}

export interface FoundDocuments {
  readonly documents: readonly CorpusDocument[];
  /** Lines of the table that nothing in the corpus asks for, and archives without one. */
  readonly problems: readonly string[];
}

const areas = ['documents', 'directory', 'learn', 'oas-examples'];

/** What only a whole document says at its root. */
const declares = ['openapi', 'swagger', '$schema'];

/** What makes an undeclared file a schema; it is an entry where no other file refers to it. */
const schemaKeywords = ['type', 'properties', 'allOf', 'anyOf', 'oneOf', 'enum', 'const', '$defs', 'definitions'];

interface Candidate {
  readonly name: string;
  /** Without the ending of the packing. */
  readonly path: string;
  readonly text: string;
  readonly packed: boolean;
}

/**
 * Finds the documents of a corpus whose names hold a match of `only`. Packed ones are unpacked below `workspace`;
 * the others are read in place, beside the files that they refer to.
 */
export function findDocuments(corpus: string, workspace: string, table: CorpusTable, only: RegExp): FoundDocuments {
  const problems: string[] = [];
  const documents: CorpusDocument[] = [];
  const candidates: Candidate[] = [];
  const archives = new Set<string>();
  for (const name of areas.flatMap((area) => walkFiles(join(corpus, area)).map((path) => `${area}/${path}`))) {
    if (/\.tar\.gz$/.test(name)) archives.add(name);
    else if (/\.(?:json|ya?ml)(?:\.gz)?$/.test(name)) candidates.push(readCandidate(corpus, name));
  }
  for (const name of archives) {
    const entry = Object.hasOwn(table.archives, name) ? table.archives[name] : undefined;
    if (entry === undefined) problems.push(`the entry of ${name} is not in the table`);
    else if (only.test(name)) documents.push({ name, entry: join(unpackArchive(corpus, name, workspace), entry) });
  }
  const referenced = new Set(candidates.flatMap(referencedFiles));
  const entries = candidates.filter((candidate) => isEntry(candidate, referenced));
  for (const candidate of entries) {
    if (!only.test(candidate.name)) continue;
    const refRoot = Object.hasOwn(table.refRoots, candidate.name) ? table.refRoots[candidate.name] : undefined;
    documents.push({
      name: candidate.name,
      entry: candidate.packed ? unpackFile(candidate, workspace) : join(corpus, candidate.path),
      ...(refRoot !== undefined && { refRoot: join(corpus, refRoot) }),
    });
  }
  const known = new Set(entries.map(({ name }) => name));
  for (const name of Object.keys(table.archives))
    if (!archives.has(name)) problems.push(`the table names ${name}, which is no archive of the corpus`);
  for (const name of Object.keys(table.refRoots))
    if (!known.has(name)) problems.push(`the table names ${name}, which is no document of the corpus`);
  return { documents: documents.sort((a, b) => (a.name < b.name ? -1 : 1)), problems };
}

function readCandidate(corpus: string, name: string): Candidate {
  const bytes = readFileSync(join(corpus, name));
  const packed = name.endsWith('.gz');
  return {
    name,
    path: packed ? name.slice(0, -'.gz'.length) : name,
    text: (packed ? gunzipSync(bytes) : bytes).toString('utf8'),
    packed,
  };
}

/** The files that a document refers to, by their paths below the corpus. */
function referencedFiles({ path, text }: Candidate): readonly string[] {
  return [...text.matchAll(/\$ref["']?\s*:\s*["']?([^"'#\s]+)/g)].map(([, target = '']) =>
    posix.join(posix.dirname(path), target),
  );
}

function isEntry({ path, text }: Candidate, referenced: ReadonlySet<string>): boolean {
  const members = rootMembers(path, text);
  if (declares.some((name) => members.has(name))) return true;
  return !referenced.has(path) && schemaKeywords.some((name) => members.has(name));
}

/** The names at the root of a document; in YAML those that are indented as little as the first one. */
function rootMembers(path: string, text: string): ReadonlySet<string> {
  if (path.endsWith('.json')) return membersOfJson(text);
  const [, indentation = ''] = /^([ ]*)["']?[\w$]+["']?[ ]*:/m.exec(text) ?? [];
  const member = new RegExp(`^${indentation}["']?([\\w$]+)["']?[ ]*:`, 'gm');
  return new Set([...text.matchAll(member)].map(([, name = '']) => name));
}

function membersOfJson(text: string): ReadonlySet<string> {
  try {
    const value: unknown = JSON.parse(text);
    return new Set(typeof value === 'object' && value !== null ? Object.keys(value) : []);
  } catch {
    // What does not parse is a document that the generator has to refuse.
    return new Set(declares);
  }
}

function unpackFile({ path, text }: Candidate, workspace: string): string {
  const target = join(workspace, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
  return target;
}

function unpackArchive(corpus: string, name: string, workspace: string): string {
  const folder = join(workspace, name.slice(0, -'.tar.gz'.length));
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-xzf', join(corpus, name), '-C', folder]);
  return folder;
}
