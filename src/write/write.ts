/**
 * The last stage: brings the output folder to the files that were generated. It manages exactly that folder, and of it
 * only what its manifest lists. Everything is checked before the first byte is written.
 */
import { posix, win32 } from 'node:path';
import { Collector, type Diagnostic, diagnostic, failed, ok, quote, type Result } from '../diagnostics.js';
import { type FileKind, type Host, HostError } from '../host.js';
import type { OutputFile, OutputPath } from '../output.js';
import { contentHash, formatManifest, type Manifest, manifestName, parseManifest } from './manifest.js';

export interface WriteRequest {
  /** Absolute. */
  readonly outputFolder: string;
  readonly files: readonly OutputFile[];
  /** `generator` is the version of oasmith. */
  readonly manifest: { readonly generator: string };
  /** Absolute; the output folder may be neither it nor above it. The same holds for the working directory. */
  readonly projectRoot?: string;
}

export interface WriteReport {
  /** New or changed; in check mode those that would be. */
  readonly written: readonly OutputPath[];
  readonly unchanged: readonly OutputPath[];
  readonly removed: readonly OutputPath[];
  /** Generated files that somebody had changed since; they are replaced. */
  readonly edited: readonly OutputPath[];
  /** Files that are the user's since he edited them, and would be others by now. */
  readonly kept: readonly OutputPath[];
  /** In check mode only: what would change, as unified diffs. */
  readonly differences: readonly { readonly path: OutputPath; readonly diff: string }[];
}

/** `check` compares and writes nothing. */
export type WriteMode = 'write' | 'check';

export async function write(request: WriteRequest, host: Host, mode: WriteMode): Promise<Result<WriteReport>> {
  const writer = new Writer(request, host, mode);
  try {
    return await writer.run();
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    return failed([...writer.found.diagnostics, writer.hostFault(error)]);
  }
}

/** What is wrong with the folder whatever is written to it: asked before there is anything to write. */
export async function outputFaults(outputFolder: string, host: Host): Promise<readonly Diagnostic[]> {
  const writer = new Writer({ outputFolder, files: [], manifest: { generator: '' } }, host, 'check');
  try {
    await writer.manifest();
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    return [...writer.found.diagnostics, writer.hostFault(error)];
  }
  return writer.found.failed ? writer.found.diagnostics : [];
}

const noManifest: Manifest = { generator: '', files: new Map(), editable: new Set() };

/** No generated file is larger. */
const maxFileBytes = 256 * 1024 * 1024;

/** A file before and after the run; `undefined` where it is not there. */
interface Change {
  readonly path: OutputPath;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

class Writer {
  readonly found = new Collector();
  readonly #request: WriteRequest;
  readonly #host: Host;
  readonly #mode: WriteMode;
  readonly #path: typeof posix;
  readonly #files: ReadonlyMap<OutputPath, string>;
  readonly #editable: ReadonlySet<OutputPath>;
  /** The files that are the user's by now. */
  readonly #kept = new Set<OutputPath>();
  /** What is being read or written, for the message of a fault. */
  #busy = '';

  constructor(request: WriteRequest, host: Host, mode: WriteMode) {
    this.#request = request;
    this.#host = host;
    this.#mode = mode;
    this.#path = host.cwd.startsWith('/') ? posix : win32;
    const managed = request.files.filter(({ ownership }) => ownership !== 'scaffold');
    assertDistinct(managed);
    this.#files = new Map(managed.map(({ path, text }) => [path, text]));
    this.#editable = new Set(managed.flatMap(({ path, ownership }) => (ownership === 'editable' ? [path] : [])));
  }

  async run(): Promise<Result<WriteReport>> {
    const manifest = await this.manifest();
    if (manifest === undefined) return failed(this.found.diagnostics);
    const changes = await this.#compare(manifest);
    if (this.found.failed) return failed(this.found.diagnostics);

    const differing = changes.filter(({ before, after }) => before !== after);
    if (this.#mode === 'write') await this.#apply(differing, manifest);
    const report: WriteReport = {
      written: differing.filter(({ after }) => after !== undefined).map(({ path }) => path),
      unchanged: changes.filter(({ before, after }) => before === after).map(({ path }) => path),
      removed: differing.filter(({ after }) => after === undefined).map(({ path }) => path),
      edited: changes.filter((change) => isEdited(manifest, change)).map(({ path }) => path),
      kept: [...this.#kept].filter((path) => this.#isOutdated(path, manifest)),
      differences: this.#mode === 'check' ? await diffs(differing) : [],
    };
    return ok(report, this.found.diagnostics);
  }

  /** Nothing where the folder cannot be used. */
  async manifest(): Promise<Manifest | undefined> {
    await this.#checkFolder(this.#request.outputFolder);
    return this.found.failed ? undefined : await this.#readManifest();
  }

  hostFault(error: HostError): Diagnostic {
    const place = this.#busy === '' ? 'the output folder' : quote(this.#busy);
    return diagnostic('write-failed', `${place}: ${error.message}`);
  }

  #at(path: string): string {
    return this.#path.join(this.#request.outputFolder, ...path.split('/'));
  }

  /** The folder must be one of its own: neither a link nor a file, nor one that holds the project. */
  async #checkFolder(folder: string): Promise<void> {
    const name = quote(this.#path.relative(this.#host.cwd, folder).replaceAll('\\', '/') || '.');
    const refuse = (message: string): void => this.found.report('output-unsafe', `${name} ${message}`);
    const kind = await this.#host.kindOf(folder);
    if (kind === 'link') return refuse('is a link');
    if (kind !== 'missing' && kind !== 'directory') return refuse('is not a folder');
    const real = await this.#realFolder(folder);
    for (const root of [this.#host.cwd, this.#request.projectRoot ?? this.#host.cwd]) {
      const realRoot = await this.#host.realPath(root).catch(() => root);
      if (this.#holds(folder, root) || this.#holds(real, realRoot)) {
        return refuse('is the project itself or a folder above it');
      }
    }
  }

  /** The real path of a folder that need not be there yet: that of the nearest folder that is, and the rest. */
  async #realFolder(folder: string): Promise<string> {
    const parent = this.#path.dirname(folder);
    if ((await this.#host.kindOf(folder)) !== 'missing' || parent === folder) return this.#host.realPath(folder);
    return this.#path.join(await this.#realFolder(parent), this.#path.basename(folder));
  }

  #holds(folder: string, other: string): boolean {
    const relative = this.#path.relative(folder, other);
    return relative !== '..' && !relative.startsWith(`..${this.#path.sep}`) && !this.#path.isAbsolute(relative);
  }

  async #readManifest(): Promise<Manifest | undefined> {
    const path = this.#at(manifestName);
    const kind = await this.#host.kindOf(path);
    if (kind === 'missing') return (await this.#isEmpty()) ? noManifest : undefined;
    const manifest = kind === 'file' ? parseManifest(await this.#read(path)) : { fault: 'it is not a file' };
    if (!('fault' in manifest)) return manifest;
    this.found.report(
      'manifest-invalid',
      `${quote(manifestName)} in the output folder is not usable: ${manifest.fault}`,
    );
    return undefined;
  }

  async #isEmpty(): Promise<boolean> {
    const { outputFolder } = this.#request;
    if ((await this.#host.kindOf(outputFolder)) === 'missing') return true;
    const [first, ...others] = await this.#host.list(outputFolder);
    if (first === undefined) return true;
    const rest = others.length === 0 ? '' : ` and ${others.length} more`;
    this.found.report(
      'output-foreign',
      `the output folder holds ${quote(first)}${rest}, but no ${quote(manifestName)}`,
    );
    return false;
  }

  async #compare(manifest: Manifest): Promise<readonly Change[]> {
    const paths = [...new Set([...this.#files.keys(), ...manifest.files.keys()])].sort();
    const changes: Change[] = [];
    for (const path of paths) {
      this.#busy = path;
      const kind = await this.#checkPath(path);
      const after = this.#files.get(path);
      if (kind === undefined || (kind === 'missing' && after === undefined)) continue;
      if (kind === 'file' && (await this.#isKept(path, manifest))) {
        this.#kept.add(path);
        continue;
      }
      if (kind === 'file' && !manifest.files.has(path)) {
        this.found.report('output-foreign', `${quote(path)} is in the way and was not written by oasmith`);
        continue;
      }
      changes.push({ path, before: kind === 'file' ? await this.#read(this.#at(path)) : undefined, after });
    }
    this.#busy = '';
    return changes;
  }

  /** An editable file that somebody has edited, or that was there before. */
  async #isKept(path: OutputPath, manifest: Manifest): Promise<boolean> {
    if (!this.#editable.has(path) && !manifest.editable.has(path)) return false;
    const text = await this.#read(this.#at(path));
    return text !== this.#files.get(path) && manifest.files.get(path) !== contentHash(text);
  }

  /** What would be written is not what was written at last: its owner may want to know. */
  #isOutdated(path: OutputPath, { files }: Manifest): boolean {
    const text = this.#files.get(path);
    const known = files.get(path);
    return text !== undefined && known !== undefined && contentHash(text) !== known;
  }

  /** Goes down to the file; every folder on the way must be a real one. `undefined` where it was refused. */
  async #checkPath(path: OutputPath): Promise<FileKind | undefined> {
    const steps = path.split('/');
    for (let count = 1; count <= steps.length; count += 1) {
      const part = steps.slice(0, count).join('/');
      const kind = await this.#host.kindOf(this.#at(part));
      const expected = count === steps.length ? 'file' : 'directory';
      if (kind === 'missing') return kind;
      if (kind === 'link') {
        this.found.report('output-unsafe', `${quote(part)} in the output folder is a link`);
        return undefined;
      }
      if (kind !== expected) {
        const message = `${quote(part)} in the output folder is not a ${expected === 'file' ? 'file' : 'folder'}`;
        this.found.report('output-foreign', message);
        return undefined;
      }
    }
    return 'file';
  }

  async #read(path: string): Promise<string> {
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await this.#host.readBytes(path, maxFileBytes));
  }

  /**
   * The manifest is written first with the files of both runs, so that whatever an interrupted run leaves behind is
   * known as generated, and last with those of this run.
   */
  async #apply(changes: readonly Change[], before: Manifest): Promise<void> {
    const { generator } = this.#request.manifest;
    // What was there before is none of ours.
    const own = [...this.#files].filter(([path]) => !this.#kept.has(path) || before.files.has(path));
    const hashes = new Map(own.map(([path, text]) => [path, contentHash(text)]));
    const editable = new Set([...this.#editable].filter((path) => hashes.has(path)));
    const path = this.#at(manifestName);
    const current = (await this.#host.kindOf(path)) === 'file' ? await this.#read(path) : undefined;
    const replace = async (text: string): Promise<void> => {
      this.#busy = manifestName;
      if (text !== current) await this.#host.writeText(path, text);
    };
    if (changes.length > 0) {
      // A run that is interrupted must not make an old text look like one that a user wrote.
      const old = [...before.files].filter(([path]) => before.editable.has(path));
      const files = new Map([...before.files, ...hashes, ...old]);
      await replace(formatManifest({ generator, files, editable: new Set([...before.editable, ...editable]) }));
      for (const change of changes) await this.#applyOne(change);
      this.#busy = manifestName;
      await this.#host.writeText(path, formatManifest({ generator, files: hashes, editable }));
    } else {
      await replace(formatManifest({ generator, files: hashes, editable }));
    }
  }

  async #applyOne({ path, after }: Change): Promise<void> {
    this.#busy = path;
    if (after !== undefined) return this.#host.writeText(this.#at(path), after);
    await this.#host.removeFile(this.#at(path));
    for (let folder = posix.dirname(path); folder !== '.'; folder = posix.dirname(folder)) {
      await this.#host.removeEmptyDirectory(this.#at(folder));
    }
  }
}

function isEdited(manifest: Manifest, { path, before }: Change): boolean {
  const hash = manifest.files.get(path);
  return before !== undefined && hash !== undefined && contentHash(before) !== hash;
}

/** On many file systems names that differ by case only are one file. */
function assertDistinct(files: readonly OutputFile[]): void {
  const seen = new Set<string>([manifestName]);
  for (const { path } of files) {
    if (seen.has(path.toLowerCase())) throw new Error(`two output files have the name ${path}`);
    seen.add(path.toLowerCase());
  }
}

async function diffs(changes: readonly Change[]): Promise<WriteReport['differences']> {
  if (changes.length === 0) return [];
  const { createTwoFilesPatch } = await import('diff');
  return changes.map(({ path, before, after }) => {
    const from = before === undefined ? '/dev/null' : `a/${path}`;
    const to = after === undefined ? '/dev/null' : `b/${path}`;
    const patch = createTwoFilesPatch(from, to, before ?? '', after ?? '', undefined, undefined, { context: 3 });
    // Its first line is a rule of "=" signs, which no tool needs.
    return { path, diff: patch.replace(/^=+\n/, '') };
  });
}
