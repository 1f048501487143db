/**
 * Overlays (OpenAPI Overlay Specification 1.0 and 1.1): changes to a document that stand in a file of their own. Documents are never
 * mutated: what lies on the way to a change is copied, all else is shared. Remembers where changed values come from, so that
 * diagnostics point to the text that somebody wrote. The only home of jsonpath-rfc9535, which evaluates no code.
 */
import {
  type Address,
  type Collector,
  childAddress,
  type DiagnosticCode,
  type DocumentUri,
  pointerSteps,
  quote,
} from '../diagnostics.js';
import type { JsonValue } from '../ir/schema.js';
import { isObject, type JsonObject, member } from '../json-object.js';
import { type Action, Editing, isContainer, type Query } from './overlay-editing.js';
import { rootPointer } from './problem.js';

interface Overlay {
  readonly uri: DocumentUri;
  /** The document that it is meant for; without one it is meant for the entries. */
  readonly extends: { readonly url: string; readonly text: string } | undefined;
  readonly actions: readonly Action[];
  used: boolean;
}

/** A document that overlays may be meant for. */
export interface OverlaidDocument {
  readonly uri: DocumentUri;
  readonly url: string;
  readonly isEntry: boolean;
}

/** Diagnostics of a reference stand at the object that holds it. */
const aboutReferences: ReadonlySet<DiagnosticCode> = new Set([
  'file-not-found',
  'file-too-large',
  'file-unreadable',
  'ref-circular',
  'ref-invalid',
  'ref-not-found',
  'ref-outside-root',
  'ref-remote',
  'ref-siblings',
  'remote-failed',
  'too-many-documents',
]);

const overlayMembers = ['overlay', 'info', 'extends', 'actions'];
const actionMembers = ['target', 'description', 'update', 'remove'];

export class Overlays {
  readonly #found: Collector;
  /** Values in a document, at most. */
  readonly #nodes: number;
  readonly #overlays: Overlay[] = [];
  readonly #changed = new Map<DocumentUri, Editing>();

  constructor(found: Collector, limits: { readonly nodes: number }) {
    this.#found = found;
    this.#nodes = limits.nodes;
  }

  /** Takes an overlay document in; `url` is the one that it was read from. They are applied in this order. */
  add(uri: DocumentUri, url: string, value: JsonValue): void {
    const overlay = this.#read(uri, url, value);
    if (overlay !== undefined) this.#overlays.push(overlay);
  }

  /** The value of a document after all overlays that are meant for it. */
  async apply(document: OverlaidDocument, value: JsonValue): Promise<JsonValue> {
    const meant = this.#overlays.filter(({ extends: target }) =>
      target === undefined ? document.isEntry : target.url === document.url,
    );
    if (meant.length === 0) return value;
    const { exec } = await import('jsonpath-rfc9535');
    const query: Query = (root, text, found) => void exec(root as Parameters<typeof exec>[0], text, found);
    const editing = new Editing(document.uri, value, this.#found, query);
    for (const overlay of meant) {
      overlay.used = true;
      for (const action of overlay.actions) editing.act(action);
    }
    this.#changed.set(document.uri, editing);
    if (meant.some(({ actions }) => actions.some(({ copy }) => copy !== undefined)))
      this.#limitNodes(document, editing.root);
    return editing.root;
  }

  /** Says what had no effect. */
  finish(): void {
    for (const { uri, extends: target, actions, used } of this.#overlays) {
      if (!used) {
        const at = childAddress({ document: uri, pointer: rootPointer }, 'extends');
        this.#found.report(
          'overlay-unused',
          `no document is ${quote(target?.text ?? '')}, which the overlay extends`,
          at,
        );
        continue;
      }
      for (const { at, target: query, matched } of actions) {
        if (matched === 0)
          this.#found.report(
            'overlay-unmatched',
            `the target ${quote(query)} selects nothing`,
            childAddress(at, 'target'),
          );
      }
    }
  }

  /** Where the value at an address was written that a diagnostic is about, in the document itself or in an overlay. */
  origin(at: Address, code?: DiagnosticCode): Address {
    const ofReference = code !== undefined && aboutReferences.has(code);
    return this.#changed.get(at.document)?.origin(pointerSteps(at.pointer), ofReference) ?? at;
  }

  /** A copy is shared, not repeated, but whoever reads the document sees it at each place. */
  #limitNodes({ uri }: OverlaidDocument, root: JsonValue): void {
    let count = 0;
    const open: JsonValue[] = [root];
    for (let value = open.pop(); value !== undefined; value = open.pop()) {
      count += 1;
      if (count > this.#nodes) {
        const message = `after its overlays the document has more than ${this.#nodes} nodes (limits.nodes)`;
        this.#found.report('too-many-nodes', message, { document: uri, pointer: rootPointer });
        return;
      }
      if (isContainer(value)) for (const child of Object.values(value) as readonly JsonValue[]) open.push(child);
    }
  }

  #read(uri: DocumentUri, url: string, value: JsonValue): Overlay | undefined {
    const at: Address = { document: uri, pointer: rootPointer };
    const refuse = (message: string, place: Address): undefined => {
      this.#found.report('overlay-invalid', message, place);
      return undefined;
    };
    if (!isObject(value)) return refuse('an overlay must be an object', at);
    const version = member(value, 'overlay');
    if (typeof version !== 'string') return refuse('an overlay needs its version, such as "overlay": "1.1.0"', at);
    const minor = /^1\.([01])\.\d+$/.exec(version)?.[1];
    if (minor === undefined)
      return refuse(
        `the version ${quote(version)} of the Overlay Specification is not one that oasmith reads`,
        childAddress(at, 'overlay'),
      );
    this.#refuseUnknown(value, overlayMembers, at);
    const target = member(value, 'extends');
    const actions = member(value, 'actions');
    if (!Array.isArray(actions) || actions.length === 0)
      return refuse('an overlay needs a list of "actions"', Array.isArray(actions) ? childAddress(at, 'actions') : at);
    const resolved = target === undefined ? undefined : resolveUrl(target, url);
    if (target !== undefined && resolved === undefined)
      return refuse('"extends" is not a URI reference', childAddress(at, 'extends'));
    return {
      uri,
      extends: resolved,
      actions: (actions as readonly JsonValue[]).flatMap(
        (action, index) => this.#readAction(action, childAddress(at, 'actions', index), minor === '1') ?? [],
      ),
      used: false,
    };
  }

  #readAction(value: JsonValue, at: Address, hasCopy: boolean): Action | undefined {
    const refuse = (message: string, place: Address = at): undefined => {
      this.#found.report('overlay-invalid', message, place);
      return undefined;
    };
    if (!isObject(value)) return refuse('an action must be an object');
    const target = member(value, 'target');
    if (typeof target !== 'string') return refuse('an action needs a "target", a JSONPath query');
    this.#refuseUnknown(value, hasCopy ? [...actionMembers, 'copy'] : actionMembers, at);
    const remove = member(value, 'remove') ?? false;
    if (typeof remove !== 'boolean') return refuse('"remove" must be a boolean', childAddress(at, 'remove'));
    const update = member(value, 'update');
    const copy = hasCopy ? member(value, 'copy') : undefined;
    if (copy !== undefined && typeof copy !== 'string')
      return refuse('"copy" must be a JSONPath query', childAddress(at, 'copy'));
    if (copy !== undefined && update !== undefined && !remove) return refuse('an action has either "update" or "copy"');
    return {
      at,
      target,
      remove,
      ...(update !== undefined && { update }),
      ...(copy !== undefined && { copy }),
      matched: 0,
    };
  }

  #refuseUnknown(value: JsonObject, known: readonly string[], at: Address): void {
    for (const name of Object.keys(value)) {
      if (known.includes(name) || name.startsWith('x-')) continue;
      const reason = name === 'copy' ? '; it belongs to Overlay 1.1' : '';
      this.#found.report('overlay-invalid', `${quote(name)} has no meaning here${reason}`, childAddress(at, name));
    }
  }
}

function resolveUrl(text: JsonValue, base: string): { readonly url: string; readonly text: string } | undefined {
  if (typeof text !== 'string' || !URL.canParse(text, base)) return undefined;
  const url = new URL(text, base);
  url.hash = '';
  return { url: url.href, text };
}
