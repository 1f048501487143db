/** Which entries make up one API, and the folder that it gets. */
import type { DocumentUri } from './diagnostics.js';
import type { Sources } from './load/sources.js';

export interface EntryGroup {
  /** Empty where there is only one group: then the output folder itself is the API's. */
  readonly folder: string;
  readonly entries: readonly DocumentUri[];
}

/** JSON Schemas beside the only OpenAPI description belong to it; otherwise every entry is an API of its own. */
export function groupEntries({ entries, documents }: Sources): readonly EntryGroup[] {
  const descriptions = entries.filter((uri) => documents.get(uri)?.kind.kind === 'openapi');
  if (entries.length < 2 || descriptions.length === 1) return [{ folder: '', entries }];
  const taken = new Set<string>();
  return entries.map((uri) => ({ folder: freeFolder(uri, taken), entries: [uri] }));
}

/** The stem of the document's file as a folder name that no other group has, whatever the disk thinks of case. */
function freeFolder(uri: DocumentUri, taken: Set<string>): string {
  const file = uri.split(/[/\\]/).at(-1) ?? '';
  const stem =
    (file.split('.')[0] ?? '')
      .replace(/[^A-Za-z0-9_-]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 60) || 'api';
  let folder = /^(con|prn|aux|nul|com\d|lpt\d|runtime)$/i.test(stem) ? `${stem}-api` : stem;
  for (let number = 2; taken.has(folder.toLowerCase()); number++) folder = `${stem}-${number}`;
  taken.add(folder.toLowerCase());
  return folder;
}
