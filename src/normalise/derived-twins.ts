/**
 * Derived JSON Schemas beside the description that they come from: `x-source` says of which schema each one is a copy, so
 * it is that schema, and no second type. Where the copy says something else than its source by now, the source counts.
 */
import { type Address, type Collector, type JsonPointer, printable, quote, type Related } from '../diagnostics.js';
import type { Schema, SchemaId } from '../ir/schema.js';
import { isObject, member } from '../json-object.js';
import type { SourceDocument, Sources } from '../load/sources.js';
import { compareSchemas, type Difference } from './compare-schemas.js';

/** Reads schemas for comparing; what is wrong with them is said elsewhere. */
export interface TwinReader {
  readonly schemas: ReadonlyMap<SchemaId, Schema>;
  /** Registers the schema at an address in the dialect of its document. */
  readAt(at: Address): SchemaId | undefined;
  drain(): void;
}

/** A schema of a derived document, and the one that it is a copy of. */
export interface Twin {
  readonly copy: Address;
  readonly source: Address;
}

export interface DerivedTwins {
  /** The documents that are copies as a whole. */
  readonly documents: ReadonlySet<SourceDocument>;
  readonly twins: readonly Twin[];
}

/** Finds the copies among the entries of one API and what these refer to, and reports where they differ from their sources. */
export function findDerivedTwins(
  entries: readonly SourceDocument[],
  sources: Sources,
  makeReader: () => TwinReader,
  report: Collector,
): DerivedTwins {
  const documents = new Set<SourceDocument>();
  const twins: Twin[] = [];
  const all = [...entries, ...[...sources.documents.values()].filter(({ uri }) => !sources.entries.includes(uri))];
  for (const document of all) {
    const claimed = claimedSource(document);
    const source = claimed === undefined ? undefined : sourceOf(claimed, document, all);
    if (claimed === undefined || source === undefined) continue;
    const copy: Address = { document: document.uri, pointer: '' as JsonPointer };
    // Who refers to a copy in place of the source has but the one.
    if (leadsInto(document, source, sources)) continue;
    if (sources.valueAt(source) === undefined) {
      const message = `${quote(claimed)} is not there any more, which this schema was derived from`;
      report.report('derived-drift', message, copy, [
        { message: 'the document that had it', at: { ...source, pointer: '' as JsonPointer } },
      ]);
      continue;
    }
    documents.add(document);
    const found = compareTwins({ copy, source }, makeReader(), report);
    twins.push(...found.filter((twin) => !leadsInto(document, twin.source, sources)));
  }
  return { documents, twins };
}

/** Whether a place holds nothing but a reference into a document, directly or through others. */
function leadsInto({ uri }: SourceDocument, start: Address, sources: Sources): boolean {
  const seen = new Set<string>();
  for (let at = start; !seen.has(`${at.document}#${at.pointer}`); ) {
    seen.add(`${at.document}#${at.pointer}`);
    const ref = member(sources.valueAt(at), '$ref');
    const target = typeof ref === 'string' ? sources.resolve(at, ref) : undefined;
    if (!target?.ok) return false;
    if (target.at.document === uri) return true;
    at = target.at;
  }
  return false;
}

function claimedSource({ kind, value }: SourceDocument): string | undefined {
  const source = member(value, 'x-source');
  const isDerived = kind.kind === 'json-schema' && isObject(value) && member(value, 'x-method') === 'derived';
  return isDerived && typeof source === 'string' ? source : undefined;
}

/** The place that `file#pointer` means among the other entries; a file may have another root by now, but keeps its name. */
function sourceOf(claimed: string, copy: SourceDocument, entries: readonly SourceDocument[]): Address | undefined {
  const others = entries.filter((entry) => entry !== copy && claimedSource(entry) === undefined);
  for (let hash = claimed.indexOf('#'); hash >= 0; hash = claimed.indexOf('#', hash + 1)) {
    const [file, pointer] = [claimed.slice(0, hash), claimed.slice(hash + 1)];
    if (pointer !== '' && !pointer.startsWith('/')) continue;
    const found =
      others.find(({ uri }) => uri === file) ??
      others.find(({ uri }) => uri.endsWith(`/${file}`) || file.endsWith(`/${uri}`)) ??
      only(others.filter(({ uri }) => baseName(uri) === baseName(file)));
    if (found) return { document: found.uri, pointer: pointer as JsonPointer };
  }
  return undefined;
}

function only<T>(list: readonly T[]): T | undefined {
  return list.length === 1 ? list[0] : undefined;
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function compareTwins({ copy, source }: Twin, reader: TwinReader, report: Collector): readonly Twin[] {
  const left = reader.readAt(copy);
  const right = reader.readAt(source);
  reader.drain();
  if (left === undefined || right === undefined) return [{ copy, source }];
  const { pairs, differences } = compareSchemas(reader.schemas, left, right);
  for (const difference of differences)
    report.report('derived-drift', messageOf(difference), difference.copy, related(difference));
  const inCopy = pairs.filter(([one, other]) => one.document === copy.document && other.document !== copy.document);
  return inCopy.map(([one, other]) => ({ copy: one, source: other }));
}

function messageOf({ keyword, copied, given }: Difference): string {
  const name = quote(keyword);
  if (given === undefined) return `${name} is not in the source any more`;
  if (copied === undefined) return `${name} is missing: the source has it`;
  return `${name} is ${shown(copied)}, and ${shown(given)} in the source`;
}

/** JSON as it is, in one line. */
function shown(text: string): string {
  return printable(text.length > 80 ? `${text.slice(0, 79)}…` : text);
}

function related({ source }: Difference): readonly Related[] {
  return [{ message: 'the source', at: source }];
}
