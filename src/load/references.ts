/**
 * The reference table: what every reference of the loaded documents means. Documents stay as they were read; the table
 * holds addresses only.
 */
import {
  type Address,
  childPointer,
  type DiagnosticCode,
  type DocumentUri,
  type JsonPointer,
  pointerSteps,
  quote,
} from '../diagnostics.js';
import type { JsonValue } from '../ir/schema.js';
import { member } from '../json-object.js';
import { rootPointer } from './problem.js';
import { type Fragment, readReference } from './reference-uri.js';
import type { Resolution, SourceDocument } from './sources.js';

export interface Failure {
  readonly code: DiagnosticCode;
  readonly message: string;
  /** The document's own diagnostics say what is wrong; the references to it say nothing more. */
  readonly unreadable?: DocumentUri;
}

type Refusal = { readonly ok: false } & Failure;
type Target = { readonly ok: true; readonly at: Address; readonly value: JsonValue };

/** A pointer may lead through references; so many of them are followed. */
const hopLimit = 20;

export class ReferenceTable {
  readonly documents = new Map<DocumentUri, SourceDocument>();
  /** The URL that each document was read from. */
  readonly #locations = new Map<DocumentUri, string>();
  /** Documents by each URL that leads to them, schema resources by their identifiers. */
  readonly #resources = new Map<string, Address>();
  /** Where the base URI changes inside of a document: at every resource with an identifier of its own. */
  readonly #bases = new Map<DocumentUri, Map<JsonPointer, string>>();
  readonly #anchors = new Map<string, Address>();
  /** By the base URI of the schema resource. */
  readonly #dynamicAnchors = new Map<string, Map<string, Address>>();
  readonly #failures = new Map<string, Failure>();
  /** What is there, but not what the reference needs; by the place of the reference and its text. */
  readonly #refused = new Map<string, Failure>();
  /** By base and text. Only what was found: a failure may yet be mended by a document that is loaded later. */
  readonly #resolved = new Map<string, Map<string, Target>>();

  addDocument(document: SourceDocument, url: string): void {
    this.documents.set(document.uri, document);
    this.#locations.set(document.uri, url);
    this.addAlias(url, document.uri);
  }

  /** Another URL that leads to a document: what a redirect or a link of the file system started from. */
  addAlias(url: string, document: DocumentUri): void {
    if (!this.#resources.has(url)) this.#resources.set(url, { document, pointer: rootPointer });
  }

  addFailure(url: string, failure: Failure): void {
    this.#failures.set(url, failure);
  }

  /** From now on a reference leads nowhere for those who read documents. */
  refuse(from: Address, ref: string, failure: Failure): void {
    this.#refused.set(`${from.document}#${from.pointer}\n${ref}`, failure);
  }

  /** Registers an identifier; false where it is not a URI reference. The first of two that are equal counts. */
  addIdentifier(id: string, at: Address): boolean {
    let url: URL;
    try {
      url = new URL(id, this.#baseAbove(at));
    } catch {
      return false;
    }
    url.hash = '';
    const bases = this.#bases.get(at.document) ?? new Map<JsonPointer, string>();
    bases.set(at.pointer, url.href);
    this.#bases.set(at.document, bases);
    if (!this.#resources.has(url.href)) this.#resources.set(url.href, at);
    return true;
  }

  addAnchor(name: string, at: Address): void {
    const key = `${this.baseAt(at)}#${name}`;
    if (!this.#anchors.has(key)) this.#anchors.set(key, at);
  }

  addDynamicAnchor(name: string, at: Address): void {
    const base = this.baseAt(at);
    const anchors = this.#dynamicAnchors.get(base) ?? new Map<string, Address>();
    if (!anchors.has(name)) anchors.set(name, at);
    this.#dynamicAnchors.set(base, anchors);
  }

  readonly dynamicAnchorsAt = (at: Address): ReadonlyMap<string, Address> | undefined =>
    this.#dynamicAnchors.size === 0 ? undefined : this.#dynamicAnchors.get(this.baseAt(at));

  /** Whether the URL leads to something that is loaded, or is known to lead nowhere. */
  isSettled(url: string): boolean {
    return this.#resources.has(url) || this.#failures.has(url);
  }

  documentAt(url: string): DocumentUri | undefined {
    return this.#resources.get(url)?.document;
  }

  locationOf(document: DocumentUri): string {
    const url = this.#locations.get(document);
    if (url === undefined) throw new Error('the document is not in the table');
    return url;
  }

  /** The base URI of the references that stand at an address. */
  baseAt(at: Address): string {
    const bases = this.#bases.get(at.document);
    return bases?.get(at.pointer) ?? this.#baseAbove(at);
  }

  #baseAbove(at: Address): string {
    const bases = this.#bases.get(at.document);
    let pointer: string = at.pointer;
    while (bases !== undefined && pointer !== '') {
      pointer = pointer.slice(0, pointer.lastIndexOf('/'));
      const base = bases.get(pointer as JsonPointer);
      if (base !== undefined) return base;
    }
    return this.locationOf(at.document);
  }

  readonly resolve = (from: Address, ref: string): Resolution => {
    const refused =
      this.#refused.size === 0 ? undefined : this.#refused.get(`${from.document}#${from.pointer}\n${ref}`);
    return refused === undefined ? this.find(from, ref) : { ok: false, ...refused };
  };

  /** As `resolve`, whatever kind of thing it leads to. */
  find(from: Address, ref: string): Target | Refusal {
    return this.#follow(this.baseAt(from), ref, 0);
  }

  readonly valueAt = (at: Address): JsonValue | undefined => {
    let value = this.documents.get(at.document)?.value;
    for (const step of pointerSteps(at.pointer)) {
      value = stepInto(value, step);
      if (value === undefined) return undefined;
    }
    return value;
  };

  #follow(base: string, ref: string, hops: number): Target | Refusal {
    const resolved = this.#resolved.get(base) ?? new Map<string, Target>();
    const known = resolved.get(ref);
    if (known !== undefined) return known;
    const found = this.#resolveNow(base, ref, hops);
    if (found.ok) this.#resolved.set(base, resolved.set(ref, found));
    return found;
  }

  #resolveNow(base: string, ref: string, hops: number): Target | Refusal {
    const reference = readReference(ref, base);
    if (!reference.ok) return reference;
    const resource = this.#resources.get(reference.url);
    if (resource === undefined) return { ok: false, ...(this.#failures.get(reference.url) ?? notFound(ref)) };
    const root = this.valueAt(resource);
    if (root === undefined) return { ok: false, ...notFound(ref) };
    const target = this.#fragment(resource, root, reference.fragment, ref, hops);
    if (target.ok && target.at.pointer === '' && this.documents.get(target.at.document)?.kind.kind === 'openapi') {
      return { ok: false, code: 'ref-invalid', message: `${quote(ref)} leads to a whole OpenAPI document` };
    }
    return target;
  }

  #fragment(resource: Address, root: JsonValue, fragment: Fragment, ref: string, hops: number): Target | Refusal {
    if (fragment.kind === 'root') return { ok: true, at: resource, value: root };
    if (fragment.kind === 'anchor') {
      const at = this.#anchors.get(`${this.baseAt(resource)}#${fragment.name}`);
      const value = at && this.valueAt(at);
      if (at !== undefined && value !== undefined) return { ok: true, at, value };
      const message = `unresolved $ref ${quote(ref)}: there is no anchor ${quote(fragment.name)}`;
      return { ok: false, code: 'ref-not-found', message };
    }
    return this.#pointer(resource, root, fragment.steps, ref, hops);
  }

  #pointer(resource: Address, root: JsonValue, steps: readonly string[], ref: string, hops: number): Target | Refusal {
    let at = resource;
    let value = root;
    let followed = hops;
    for (const step of steps) {
      let next = stepInto(value, step);
      // The pointer of a bundler may lead through references: it goes on at their target, which keeps its own address.
      for (; next === undefined && followed < hopLimit; next = stepInto(value, step)) {
        followed += 1;
        const through = member(value, '$ref');
        const target = typeof through === 'string' ? this.#follow(this.baseAt(at), through, followed) : undefined;
        if (!target?.ok) break;
        at = target.at;
        value = target.value;
      }
      if (next === undefined) return { ok: false, ...notFound(ref, step) };
      at = { document: at.document, pointer: childPointer(at.pointer, step) };
      value = next;
    }
    return { ok: true, at, value };
  }
}

function notFound(ref: string, step?: string): Failure {
  const reason = step === undefined ? 'no such document or $id is loaded' : `there is no member ${quote(step)}`;
  return { code: 'ref-not-found', message: `unresolved $ref ${quote(ref)}: ${reason}` };
}

/** One step of a pointer: own members, and the items of arrays by their indexes as RFC 6901 section 4 writes them. */
function stepInto(value: JsonValue | undefined, step: string): JsonValue | undefined {
  if (Array.isArray(value)) return /^(?:0|[1-9]\d{0,15})$/.test(step) ? value[Number(step)] : undefined;
  return member(value, step);
}
