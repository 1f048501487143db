/** The first stage: reads the entries and every document that references lead to, and settles what each reference means. */
import {
  type Address,
  Collector,
  type DiagnosticCode,
  type DocumentUri,
  diagnostic,
  quote,
  type Result,
} from '../diagnostics.js';
import { type Host, HostError } from '../host.js';
import type { JsonValue } from '../ir/schema.js';
import type { ObjectKind } from './grammar.js';
import { Intake } from './intake.js';
import { knownDocument } from './known-documents.js';
import type { LoadLimits } from './limits.js';
import type { Overlays } from './overlay.js';
import { isUrl, Places, readFailure } from './places.js';
import { problemDiagnostic } from './problem.js';
import { readDocument, readPlainDocument } from './read-document.js';
import { readReference } from './reference-uri.js';
import { type Failure, ReferenceTable } from './references.js';
import type { DocumentText, SourceDocument, Sources } from './sources.js';
import { type Dialect, dialectOf, type FoundReference, type WalkSink, type WalkStart, walk } from './walk.js';

export interface LoadRequest {
  /** Paths as the user wrote them (relative to the host's working directory), http(s) URLs, or `-` for standard input. */
  readonly entries: readonly string[];
  /** The folder below which references may lead to files; by default the folder of each entry. */
  readonly refRoot?: string;
  /** Origins, such as `https://example.com`, that references may lead to. */
  readonly allowRemote: readonly string[];
  readonly limits: LoadLimits;
  /** Paths or URLs of overlays, which are applied in this order. */
  readonly overlays?: readonly string[];
}

/** A Result, and what is known of the documents whether it succeeded or not. */
export type LoadResult = Result<Sources> & {
  /** The texts that were read, those that did not parse among them: diagnostics are shown in them. */
  readonly texts: ReadonlyMap<DocumentUri, DocumentText>;
  /** The absolute paths of the files that were read or looked for: what a watcher has to watch. */
  readonly files: ReadonlyMap<DocumentUri, string>;
  /** What could be read although there are errors. Absent where that is not what the user means: overlays are to be applied first. */
  readonly partial?: Sources;
  /** Whether every entry could be read. */
  readonly complete: boolean;
  /** Where the value at an address was written that a diagnostic is about: an overlay may have put it there. */
  origin(at: Address, code: DiagnosticCode): Address;
};

export async function load(request: LoadRequest, host: Host): Promise<LoadResult> {
  const loader = new Loader(request, host);
  return loader.run();
}

type Loaded = { readonly ok: true; readonly document: SourceDocument } | { readonly ok: false };

class Loader {
  readonly #request: LoadRequest;
  readonly #host: Host;
  readonly #places: Places;
  readonly #intake: Intake;
  readonly #found = new Collector();
  readonly #table = new ReferenceTable();
  readonly #texts = new Map<DocumentUri, DocumentText>();
  readonly #files = new Map<DocumentUri, string>();
  readonly #walks: WalkStart[] = [];
  readonly #walked = new Map<object, ObjectKind>();
  readonly #walkedMaps = new Set<object>();
  readonly #references: FoundReference[] = [];
  #overlays: Overlays | undefined;
  #followed = 0;

  constructor(request: LoadRequest, host: Host) {
    this.#request = request;
    this.#host = host;
    this.#places = new Places(host);
    this.#intake = new Intake(request, host, this.#places, (path) => this.#texts.has(this.#places.uriOf(path)));
  }

  async run(): Promise<LoadResult> {
    const { entries, refRoot, overlays = [] } = this.#request;
    await this.#places.open(entries, refRoot);
    const documents: DocumentUri[] = [];
    const overlaid = overlays.length === 0 || (await this.#readOverlays(overlays));
    let complete = true;
    for (const entry of entries) {
      const loaded = await this.#entry(entry);
      complete &&= loaded.ok;
      if (!loaded.ok || documents.includes(loaded.document.uri)) continue;
      documents.push(loaded.document.uri);
      this.#walkWhole(loaded.document);
    }
    await this.#followReferences();
    for (const reference of this.#references) this.#check(reference);
    this.#overlays?.finish();
    const usable = overlaid && documents.length > 0 && !this.#isMisapplied();
    const { documents: all, resolve, valueAt, dynamicAnchorsAt } = this.#table;
    const files = new Map([...this.#files].filter(([uri]) => all.has(uri)));
    const sources: Sources = { entries: documents, documents: all, files, resolve, dynamicAnchorsAt, valueAt };
    return {
      ...this.#found.finish(sources),
      texts: this.#texts,
      files: this.#files,
      origin: (at, code) => this.#overlays?.origin(at, code) ?? at,
      complete: complete && usable,
      ...(usable && { partial: sources }),
    };
  }

  async #entry(entry: string): Promise<Loaded> {
    try {
      if (isUrl(entry)) return await this.#remoteEntry(entry);
      if (entry === '-') {
        const bytes = await this.#host.readStandardInput(this.#intake.room());
        const base = this.#places.urlOf(this.#places.absolute('-'));
        return await this.#read(bytes, '-' as DocumentUri, base, 'entry');
      }
      return await this.#fileEntry(this.#places.absolute(entry));
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      const failure = readFailure(entry, error);
      this.#found.report(failure.code, failure.message);
      return { ok: false };
    }
  }

  /** Reads the overlays; false where one of them could not be used. */
  async #readOverlays(names: readonly string[]): Promise<boolean> {
    const { Overlays } = await import('./overlay.js');
    const read = new Overlays(this.#found, this.#request.limits);
    this.#overlays = read;
    const before = this.#found.diagnostics.length;
    for (const name of names) {
      try {
        const { uri, url, bytes } = await this.#overlayBytes(name);
        this.#intake.count(bytes);
        const { text, format, value, problems } = await readPlainDocument(bytes, this.#request.limits);
        this.#texts.set(uri, { text, format });
        for (const problem of problems) this.#found.add(problemDiagnostic(uri, problem));
        if (value !== undefined) read.add(uri, url, value);
      } catch (error) {
        if (!(error instanceof HostError)) throw error;
        const failure = readFailure(name, error);
        this.#found.report(failure.code, failure.message);
      }
    }
    return !this.#found.diagnostics.slice(before).some(({ severity }) => severity === 'error');
  }

  /** Whether an overlay has not done what it says, or made a document larger than any may be. */
  #isMisapplied(): boolean {
    const codes = new Set<string>(['overlay-invalid', 'too-many-nodes']);
    return this.#overlays !== undefined && this.#found.diagnostics.some(({ code }) => codes.has(code));
  }

  async #overlayBytes(name: string): Promise<{ uri: DocumentUri; url: string; bytes: Uint8Array }> {
    if (isUrl(name)) {
      this.#intake.allow(name);
      const fetched = await this.#intake.download(name);
      if (!fetched.ok) throw new HostError('network', fetched.message);
      return { uri: fetched.url as DocumentUri, url: fetched.url, bytes: fetched.body };
    }
    const named = this.#places.absolute(name);
    this.#files.set(this.#places.uriOf(named), named);
    const path = await this.#places.entryPath(named);
    const uri = this.#places.uriOf(path);
    this.#files.set(uri, path);
    return { uri, url: this.#places.urlOf(path), bytes: await this.#host.readBytes(path, this.#intake.room()) };
  }

  async #fileEntry(path: string): Promise<Loaded> {
    this.#files.set(this.#places.uriOf(path), path);
    const real = await this.#places.entryPath(path);
    if (real !== path) this.#files.delete(this.#places.uriOf(path));
    const uri = this.#places.uriOf(real);
    this.#files.set(uri, real);
    const known = this.#table.documents.get(uri);
    if (known !== undefined) return { ok: true, document: known };
    const bytes = await this.#host.readBytes(real, this.#intake.room());
    return this.#read(bytes, uri, this.#places.urlOf(real), 'entry');
  }

  async #remoteEntry(entry: string): Promise<Loaded> {
    const url = new URL(entry);
    url.hash = '';
    if (url.username !== '' || url.password !== '') {
      this.#found.report('remote-failed', 'a URL must not hold credentials');
      return { ok: false };
    }
    this.#intake.allow(url.href);
    const fetched = await this.#intake.download(url.href);
    if (!fetched.ok) {
      this.#found.report(fetched.code, fetched.message);
      return { ok: false };
    }
    return this.#remote(url.href, fetched.url, fetched.body, 'entry');
  }

  async #remote(asked: string, url: string, body: Uint8Array, role: 'entry' | 'referenced'): Promise<Loaded> {
    const known = this.#table.documents.get(url as DocumentUri);
    const loaded: Loaded = known
      ? { ok: true, document: known }
      : await this.#read(body, url as DocumentUri, url, role);
    if (loaded.ok) this.#table.addAlias(asked, loaded.document.uri);
    return loaded;
  }

  async #read(bytes: Uint8Array, uri: DocumentUri, url: string, role: 'entry' | 'referenced'): Promise<Loaded> {
    this.#intake.count(bytes);
    const overlays = this.#overlays;
    const amend = overlays && ((value: JsonValue) => overlays.apply({ uri, url, isEntry: role === 'entry' }, value));
    const { text, format, value, kind, problems } = await readDocument(bytes, role, this.#request.limits, amend);
    this.#texts.set(uri, { text, format });
    for (const problem of problems) this.#found.add(problemDiagnostic(uri, problem));
    if (value === undefined || kind === undefined) return { ok: false };
    const exactNumbers = problems.flatMap(({ pointer, exact }) =>
      pointer === undefined || exact === undefined ? [] : [{ pointer, text: exact }],
    );
    const document: SourceDocument = { uri, kind, value, text, format, exactNumbers };
    this.#table.addDocument(document, url);
    return { ok: true, document };
  }

  /**
   * Documents of a known kind are walked from their root; of others only what references lead to. A schema that does not
   * say its dialect has that of the document that refers to it.
   */
  #walkWhole(document: SourceDocument, referring: Dialect = 'none'): void {
    const at: Address = { document: document.uri, pointer: '' as Address['pointer'] };
    const { value, kind } = document;
    if (kind.kind === 'openapi')
      this.#walks.push({ at, value, kind: 'openapi', isMap: false, dialect: openapiDialect(kind.version) });
    if (kind.kind !== 'json-schema') return;
    const dialect = dialectOf(value, referring === 'none' ? 'modern' : referring);
    this.#walks.push({ at, value, kind: 'schema', isMap: false, dialect });
  }

  /**
   * First everything that is loaded is walked, since an identifier found late may be what an earlier reference means;
   * then the files, and only when those lead no further, what is remote.
   */
  async #followReferences(): Promise<void> {
    let waiting: FoundReference[] = [];
    let unresolved: FoundReference[] = [];
    for (;;) {
      this.#walkAll();
      for (const reference of this.#references.slice(this.#followed)) waiting.push(reference);
      this.#followed = this.#references.length;
      const open: FoundReference[] = [];
      for (const reference of waiting) {
        const state = this.#enqueueTarget(reference);
        if (state === 'not loaded') open.push(reference);
        else if (state === 'not found') unresolved.push(reference);
      }
      waiting = open;
      if (this.#walks.length > 0) continue;
      if (open.length > 0) {
        await this.#loadTargets(open);
        continue;
      }
      // A pointer that leads through a reference finds its way once the document behind that is there.
      unresolved = unresolved.filter((reference) => this.#enqueueTarget(reference) !== 'found');
      if (this.#walks.length === 0) return;
    }
  }

  async #loadTargets(open: readonly FoundReference[]): Promise<void> {
    const local = open.filter(({ from, ref }) => this.#localUrl(from, ref) !== undefined);
    if (local.length > 0) {
      const urls = new Set(local.flatMap(({ from, ref }) => this.#localUrl(from, ref) ?? []));
      await this.#intake.readAhead(urls);
      for (const reference of local) await this.#loadTarget(reference);
      return;
    }
    // A document that has come may hold identifiers that others of these mean.
    const before = this.#table.documents.size;
    for (const reference of open) {
      await this.#loadTarget(reference);
      if (this.#table.documents.size > before) return;
    }
  }

  #walkAll(): void {
    for (let start = this.#walks.pop(); start !== undefined; start = this.#walks.pop()) walk(start, this.#sink);
  }

  readonly #sink: WalkSink = {
    enter: (value, kind) => {
      if (this.#walked.has(value)) return false;
      this.#walked.set(value, kind);
      return true;
    },
    enterMap: (value) => {
      if (this.#walkedMaps.has(value)) return false;
      this.#walkedMaps.add(value);
      return true;
    },
    reference: (found) => void this.#references.push(found),
    notText: (from, keyword) => this.#found.report('ref-invalid', `the value of ${keyword} is not a string`, from),
    identifier: (id, at) => {
      if (!this.#table.addIdentifier(id, at))
        this.#found.report('ref-invalid', `${quote(id)} is not a URI reference`, at);
    },
    anchor: (name, at) => this.#table.addAnchor(name, at),
    dynamicAnchor: (name, at) => this.#table.addDynamicAnchor(name, at),
  };

  /** Sees to it that what the reference leads to is walked. */
  #enqueueTarget({ from, ref, expects, expectsMap, dialect }: FoundReference): 'found' | 'not found' | 'not loaded' {
    const target = this.#table.find(from, ref);
    if (!target.ok) {
      const reference = readReference(ref, this.#table.baseAt(from));
      return reference.ok && !this.#table.isSettled(reference.url) ? 'not loaded' : 'not found';
    }
    const walked: { has(value: object): boolean } = expectsMap ? this.#walkedMaps : this.#walked;
    if (typeof target.value === 'object' && target.value !== null && !walked.has(target.value)) {
      this.#walks.push({ at: target.at, value: target.value, kind: expects, isMap: expectsMap, dialect });
    }
    return 'found';
  }

  /** The URL of the file that a reference leads to, also where an identifier hides where its document lies. */
  #localUrl(from: Address, ref: string): string | undefined {
    const location = this.#table.locationOf(from.document);
    for (const base of [this.#table.baseAt(from), location]) {
      const reference = readReference(ref, base);
      if (reference.ok && reference.url.startsWith('file:') && !this.#table.isSettled(reference.url))
        return reference.url;
    }
    return undefined;
  }

  async #loadTarget({ from, ref, dialect }: FoundReference): Promise<void> {
    const reference = readReference(ref, this.#table.baseAt(from));
    if (!reference.ok || this.#table.isSettled(reference.url)) return;
    const local = this.#localUrl(from, ref);
    if (local !== undefined) {
      const failure = await this.#loadFile(local, dialect);
      if (failure !== undefined) this.#table.addFailure(local, failure);
      if (local === reference.url) return;
    }
    // A file beside a document with an identifier stands for what the identifier makes of the reference.
    const beside = readReference(ref, this.#table.locationOf(from.document));
    const document = beside.ok ? this.#table.documentAt(beside.url) : undefined;
    if (document !== undefined) {
      this.#table.addAlias(reference.url, document);
      return;
    }
    const failure = await this.#loadRemote(reference.url, ref, dialect);
    if (failure !== undefined) this.#table.addFailure(reference.url, failure);
  }

  async #loadFile(url: string, dialect: Dialect): Promise<Failure | undefined> {
    const { path, bytes, failure } = await this.#intake.take(url);
    if (path === undefined) {
      if (failure?.code === 'file-not-found') this.#watchMissing(url);
      return failure;
    }
    const uri = this.#places.uriOf(path);
    this.#files.set(uri, path);
    const known = this.#table.documents.get(uri);
    if (known === undefined) {
      const refusal = failure ?? (this.#texts.has(uri) ? unreadable(uri) : this.#tooMany(uri, bytes));
      if (refusal !== undefined || bytes === undefined) return refusal;
      const loaded = await this.#read(bytes, uri, this.#places.urlOf(path), 'referenced');
      if (!loaded.ok) return unreadable(uri);
      if (loaded.document.kind.kind === 'json-schema') this.#walkWhole(loaded.document, dialect);
    }
    this.#table.addAlias(url, uri);
    return undefined;
  }

  #watchMissing(url: string): void {
    const path = this.#places.pathOf(url);
    if (path !== undefined) this.#files.set(this.#places.uriOf(path), path);
  }

  async #loadRemote(url: string, ref: string, dialect: Dialect): Promise<Failure | undefined> {
    if (!isUrl(url)) {
      return { code: 'ref-not-found', message: `unresolved $ref ${quote(ref)}: no loaded document has this $id` };
    }
    const full = this.#tooMany(url);
    if (full !== undefined) return full;
    const known = await knownDocument(url);
    const fetched = known ? { ok: true as const, url, body: known } : await this.#intake.download(url);
    if (!fetched.ok) return fetched;
    const loaded = await this.#remote(url, fetched.url, fetched.body, 'referenced');
    if (!loaded.ok) return unreadable(fetched.url);
    if (loaded.document.kind.kind === 'json-schema') this.#walkWhole(loaded.document, dialect);
    return undefined;
  }

  #tooMany(name: string, bytes?: Uint8Array): Failure | undefined {
    const { documents, totalBytes } = this.#request.limits;
    if (this.#intake.exceeds(bytes)) {
      return readFailure(name, new HostError('too-large', `all documents have more than ${totalBytes} bytes`));
    }
    if (this.#table.documents.size < documents) return undefined;
    const message = `the references lead to more than ${documents} documents (limits.documents)`;
    return { code: 'too-many-documents', message };
  }

  #check({ from, ref, expects, expectsMap, optional }: FoundReference): void {
    const target = this.#table.find(from, ref);
    if (!target.ok) {
      if (target.unreadable === undefined && optional !== true)
        this.#found.add(diagnostic(target.code, target.message, { at: from }));
      return;
    }
    if (expectsMap) return;
    const actual = kindOfTarget(target.value, this.#walked);
    if (actual !== undefined && (actual === 'schema') !== (expects === 'schema')) {
      const message = `${quote(ref)} leads to a ${actual}, where a ${expects} is needed`;
      this.#found.report('ref-invalid', message, from, [{ message: `the ${actual} is here`, at: target.at }]);
      this.#table.refuse(from, ref, { code: 'ref-invalid', message });
    }
  }
}

function kindOfTarget(value: JsonValue, walked: ReadonlyMap<object, ObjectKind>): ObjectKind | undefined {
  return typeof value === 'object' && value !== null ? walked.get(value) : undefined;
}

function openapiDialect(version: string): Dialect {
  return /^3\.[12]/.test(version) ? 'modern' : 'none';
}

function unreadable(name: string): Failure {
  const unreadable = name as DocumentUri;
  return { code: 'file-unreadable', message: `${quote(name)} is not a usable document`, unreadable };
}
