/** The manifest of an output folder: which files oasmith wrote there. What is read from a disk is not to be trusted. */
import { createHash } from 'node:crypto';
import { type OutputPath, outputPath } from '../output.js';

export const manifestName = 'oasmith.json';

export interface Manifest {
  readonly generator: string;
  /** The SHA-256 of each file that was written, in hexadecimal. */
  readonly files: ReadonlyMap<OutputPath, string>;
  /** Those of them that are the user's from the first edit on. */
  readonly editable: ReadonlySet<OutputPath>;
}

export function contentHash(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** The same bytes for the same files: sorted, two spaces, a line break at the end. */
export function formatManifest(manifest: Manifest): string {
  const files = [...manifest.files].sort(([left], [right]) => (left < right ? -1 : 1));
  const editable = [...manifest.editable].sort();
  const content = {
    generator: manifest.generator,
    files: Object.fromEntries(files),
    ...(editable.length > 0 && { editable }),
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** The manifest in a text, or what is wrong with it. */
export function parseManifest(text: string): Manifest | { readonly fault: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: 'it is not JSON' };
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'files'))
    return { fault: 'it has no "files"' };
  const { files, generator, editable = [] } = value as { files: unknown; generator?: unknown; editable?: unknown };
  if (typeof files !== 'object' || files === null || Array.isArray(files)) return { fault: '"files" is not an object' };
  if (typeof generator !== 'string') return { fault: 'it does not say what wrote it' };
  const entries = new Map<OutputPath, string>();
  for (const [path, hash] of Object.entries(files)) {
    if (typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash)) return { fault: 'a hash is malformed' };
    const safe = safePath(path);
    if (safe === undefined) return { fault: 'it names a path that oasmith never writes' };
    entries.set(safe, hash);
  }
  const known = Array.isArray(editable) ? [...entries.keys()].filter((path) => editable.includes(path)) : [];
  return { generator, files: entries, editable: new Set(known) };
}

function safePath(path: string): OutputPath | undefined {
  try {
    return outputPath(path);
  } catch {
    return undefined;
  }
}
