/** Brings handler skeletons into a folder of the user's: a file that is not there is written, one that is there only grows. */
import { join } from 'node:path';
import { Collector, quote, type Result } from '../diagnostics.js';
import { type Host, HostError } from '../host.js';
import type { OutputFile } from '../output.js';

export interface ScaffoldReport {
  /** Files that were written or grew, with the handlers that were inserted; none are named where the whole file is new. */
  readonly changed: readonly { readonly path: string; readonly inserted: readonly string[] }[];
}

/** No file of handlers is larger. */
const maxFileBytes = 16 * 1024 * 1024;

/** Takes the scaffold files of a run and an absolute folder. Never removes or replaces a byte that is there. */
export async function writeScaffold(
  files: readonly OutputFile[],
  folder: string,
  host: Host,
): Promise<Result<ScaffoldReport>> {
  const report = new Collector();
  const changed: { path: string; inserted: readonly string[] }[] = [];
  for (const file of files.filter(({ ownership }) => ownership === 'scaffold')) {
    const path = join(folder, file.path);
    try {
      const inserted = await bringUpToDate(path, file.text, host, report);
      if (inserted) changed.push({ path, inserted });
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      report.report('write-failed', `${quote(path)}: ${error.message}`);
    }
  }
  return report.finish({ changed });
}

/** The names that were inserted; `undefined` where nothing was written. */
async function bringUpToDate(
  path: string,
  fresh: string,
  host: Host,
  report: Collector,
): Promise<readonly string[] | undefined> {
  const kind = await host.kindOf(path);
  if (kind === 'missing') {
    await host.writeText(path, fresh);
    return [];
  }
  if (kind !== 'file') {
    report.report('scaffold-left-alone', `${quote(path)} is not a regular file`);
    return undefined;
  }
  // Bytes that are not UTF-8 would not survive the round trip.
  const existing = decode(await host.readBytes(path, maxFileBytes));
  if (existing === undefined) {
    report.report('scaffold-left-alone', `${quote(path)} is not UTF-8`);
    return undefined;
  }
  const { updateHandlers } = await import('./scaffold.js');
  const update = await updateHandlers(existing, fresh);
  if (update.kind === 'problem') report.report('scaffold-left-alone', `${quote(path)}: ${update.message}`);
  if (update.kind !== 'inserted') return undefined;
  await host.writeText(path, update.text);
  return update.inserted;
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
