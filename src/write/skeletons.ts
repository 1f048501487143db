/** Brings files that belong to the user to the disk: a new one as it was printed, an old one with what it lacks inserted. */
import { posix, win32 } from 'node:path';
import { type Diagnostic, diagnostic, quote } from '../diagnostics.js';
import { type Host, HostError } from '../host.js';
import type { OutputFile } from '../output.js';

/** Puts into a file of the user what a freshly printed one has and it has not. */
export type Update = (existing: string, fresh: string) => Promise<Updated>;

type Updated =
  | { readonly kind: 'inserted'; readonly text: string; readonly inserted: readonly string[] }
  | { readonly kind: 'complete' }
  | { readonly kind: 'problem'; readonly message: string };

export interface SkeletonReport {
  /** What was written: the path as the message names it, and the handlers that were inserted; none for a new file. */
  readonly written: readonly { readonly path: string; readonly inserted: readonly string[] }[];
  readonly diagnostics: readonly Diagnostic[];
}

/** No file of handlers is larger. */
const maxFileBytes = 64 * 1024 * 1024;

/** `folder` is absolute. Nothing of the user is ever removed or replaced. */
export async function writeSkeletons(
  folder: string,
  files: readonly OutputFile[],
  update: Update,
  host: Host,
): Promise<SkeletonReport> {
  const path = host.cwd.startsWith('/') ? posix : win32;
  const written: { path: string; inserted: readonly string[] }[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const file of files) {
    if (file.ownership !== 'scaffold') continue;
    const target = path.join(folder, ...file.path.split('/'));
    const name = path.relative(host.cwd, target).replaceAll('\\', '/');
    const skip = (message: string): void =>
      void diagnostics.push(diagnostic('scaffold-skipped', `${quote(name)} was left alone: ${message}`));
    try {
      const kind = await host.kindOf(target);
      if (kind === 'missing') {
        await host.writeText(target, file.text);
        written.push({ path: name, inserted: [] });
      } else if (kind !== 'file') {
        skip('it is not a regular file');
      } else {
        const decoder = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });
        const updated = await update(decoder.decode(await host.readBytes(target, maxFileBytes)), file.text);
        if (updated.kind === 'problem') skip(updated.message);
        if (updated.kind !== 'inserted') continue;
        await host.writeText(target, updated.text);
        written.push({ path: name, inserted: updated.inserted });
      }
    } catch (error) {
      if (error instanceof TypeError) skip('it is not UTF-8');
      else if (error instanceof HostError)
        diagnostics.push(diagnostic('write-failed', `${quote(name)}: ${error.message}`));
      else throw error;
    }
  }
  return { written, diagnostics };
}
