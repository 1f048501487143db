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
  type JsonPointer,
  pointerSteps,
  quote,
} from '../diagnostics.js';
import type { JsonValue } from '../ir/schema.js';
import { isObject, type JsonObject, member } from '../json-object.js';
import { rootPointer } from './problem.js';

type Query = typeof import('jsonpath-rfc9535').exec;
type Path = readonly (string | number)[];
type Step = string | number;

interface Action {
  readonly at: Address;
  readonly target: string;
  readonly update?: JsonValue;
  readonly copy?: string;
  readonly remove: boolean;
  /** How many nodes the target has selected, in all documents. */
  matched: number;
}

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
    const editing = new Editing(document.uri, value, this.#found, exec);
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

type Container = Record<Step, JsonValue>;

function isContainer(value: JsonValue | undefined): value is JsonObject | readonly JsonValue[] {
  return typeof value === 'object' && value !== null;
}

/** One document while its overlays are applied. */
class Editing {
  readonly #document: DocumentUri;
  readonly #found: Collector;
  readonly #query: Query;
  /** Of a changed array or object: the members that do not come from the place where the document has them. */
  readonly #places = new Map<object, Map<string, Address>>();
  /** What this action copied itself, and may change in place. */
  #owned = new Set<object>();
  root: JsonValue;

  constructor(document: DocumentUri, root: JsonValue, found: Collector, query: Query) {
    this.#document = document;
    this.root = root;
    this.#found = found;
    this.#query = query;
  }

  act(action: Action): void {
    this.#owned = new Set();
    const paths = this.#select(action.target, childAddress(action.at, 'target'));
    if (paths === undefined || paths.length === 0) {
      // A query that is none has been reported.
      if (paths === undefined) action.matched += 1;
      return;
    }
    action.matched += paths.length;
    if (action.remove) {
      this.#remove(paths, action.at);
      return;
    }
    const source = this.#sourceOf(action);
    if (source === undefined || !this.#areAlike(paths, action)) return;
    for (const path of paths) this.#update(path, source.value, source.at, action.at);
  }

  /** `ofReference`: of the text under `$ref` where only that comes from elsewhere. */
  origin(steps: Path, ofReference = false): Address {
    let at: Address = { document: this.#document, pointer: '' as JsonPointer };
    let value: JsonValue | undefined = this.root;
    for (const step of steps) {
      const place: Address | undefined = isContainer(value) ? this.#places.get(value)?.get(String(step)) : undefined;
      at = place ?? childAddress(at, step);
      value = childOf(value, step);
    }
    const ref = ofReference && isContainer(value) ? this.#places.get(value)?.get('$ref') : undefined;
    return ref ?? at;
  }

  /** The places that a query selects; `undefined` where it is none, which is reported. */
  #select(query: string, at: Address): readonly Path[] | undefined {
    const paths: Path[] = [];
    try {
      this.#query(this.root as Parameters<Query>[0], query, (_, path) => {
        paths.push(path.map((step) => (typeof step === 'string' ? plainKey(step) : step)));
      });
    } catch (error) {
      const reason = error instanceof Error ? error.message : '';
      this.#found.report('overlay-invalid', `${quote(query)} is not a JSONPath query (RFC 9535): ${quote(reason)}`, at);
      return undefined;
    }
    const seen = new Set<string>();
    return paths.filter((path) => {
      const key = JSON.stringify(path);
      return !seen.has(key) && seen.add(key);
    });
  }

  /** What is merged into the targets, and where it was written. */
  #sourceOf({ at, update, copy }: Action): { readonly value: JsonValue; readonly at: Address } | undefined {
    if (copy === undefined) return update === undefined ? undefined : { value: update, at: childAddress(at, 'update') };
    const place = childAddress(at, 'copy');
    const paths = this.#select(copy, place);
    const [path] = paths ?? [];
    if (path !== undefined && paths?.length === 1) {
      const value = this.#valueAt(path);
      if (value !== undefined) return { value, at: this.origin(path) };
    }
    if (paths !== undefined)
      this.#found.report(
        'overlay-invalid',
        `${quote(copy)} selects ${paths.length} nodes, where "copy" needs one`,
        place,
      );
    return undefined;
  }

  #areAlike(paths: readonly Path[], { at, target }: Action): boolean {
    const kinds = new Set(paths.map((path) => kindOf(this.#valueAt(path))));
    if (kinds.size < 2) return true;
    const message = `the target ${quote(target)} selects ${[...kinds].join(' and ')} together, which nothing can be merged with`;
    this.#found.report('overlay-invalid', message, childAddress(at, 'target'));
    return false;
  }

  #valueAt(path: Path): JsonValue | undefined {
    let value: JsonValue | undefined = this.root;
    for (const step of path) value = childOf(value, step);
    return value;
  }

  #update(path: Path, source: JsonValue, sourceAt: Address, actionAt: Address): void {
    const target = this.#valueAt(path);
    const parent = path.slice(0, -1);
    const step = path.at(-1);
    if (isObject(target) && isObject(source)) this.#merge(this.#ownedAt(path), source, sourceAt, actionAt);
    else if (Array.isArray(target)) this.#append(this.#ownedAt(path), source, sourceAt);
    else if (!isContainer(target) && !isContainer(source) && step !== undefined)
      this.#put(this.#ownedAt(parent), step, source, sourceAt);
    else this.#incompatible(source, target, actionAt);
  }

  #incompatible(source: JsonValue, target: JsonValue | undefined, at: Address): void {
    const message = `${kindOf(source)} cannot be merged with ${kindOf(target)}`;
    this.#found.report('overlay-invalid', message, at);
  }

  /** Objects are merged member by member, lists grow, plain values are replaced (Overlay 1.1, Action Object). */
  #merge(into: Container, source: JsonObject, sourceAt: Address, actionAt: Address): void {
    const open = [{ into, source, sourceAt }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      for (const [name, value] of Object.entries(next.source)) {
        const at = childAddress(next.sourceAt, name);
        const before = Object.hasOwn(next.into, name) ? next.into[name] : undefined;
        if (isObject(before) && isObject(value)) {
          open.push({ into: this.#own(next.into, name), source: value, sourceAt: at });
        } else if (Array.isArray(before) && Array.isArray(value)) this.#append(this.#own(next.into, name), value, at);
        else if (before === undefined || (!isContainer(before) && !isContainer(value)))
          this.#put(next.into, name, value, at);
        else this.#incompatible(value, before, at.document === actionAt.document ? at : actionAt);
      }
    }
  }

  #append(into: Container, source: JsonValue, sourceAt: Address): void {
    const list = into as unknown as JsonValue[];
    const items: readonly JsonValue[] = Array.isArray(source) ? source : [source];
    for (const [index, item] of items.entries())
      this.#put(into, list.length, item, Array.isArray(source) ? childAddress(sourceAt, index) : sourceAt);
  }

  #put(into: Container, step: Step, value: JsonValue, at: Address): void {
    // An assignment to "__proto__" would not make a member.
    Object.defineProperty(into, step, { value, enumerable: true, configurable: true, writable: true });
    const places = this.#places.get(into) ?? new Map<string, Address>();
    places.set(String(step), at);
    this.#places.set(into, places);
  }

  /** Removes from each list or object at once what is selected in it; what lies deepest goes first. */
  #remove(paths: readonly Path[], at: Address): void {
    const groups = new Map<string, { readonly parent: Path; readonly steps: Set<string> }>();
    for (const path of paths) {
      const step = path.at(-1);
      if (step === undefined) {
        this.#found.report('overlay-invalid', 'the root of a document cannot be removed', childAddress(at, 'target'));
        continue;
      }
      const parent = path.slice(0, -1);
      const key = JSON.stringify(parent);
      const group = groups.get(key) ?? { parent, steps: new Set<string>() };
      group.steps.add(String(step));
      groups.set(key, group);
    }
    const deepestFirst = [...groups.values()].sort((left, right) => right.parent.length - left.parent.length);
    for (const { parent, steps } of deepestFirst) this.#removeFrom(parent, steps);
  }

  #removeFrom(path: Path, steps: ReadonlySet<string>): void {
    const origin = this.origin(path);
    const owned = this.#ownedAt(path);
    const places = this.#places.get(owned) ?? new Map<string, Address>();
    if (!Array.isArray(owned)) {
      for (const step of steps) {
        delete owned[step];
        places.delete(step);
      }
      return;
    }
    const kept = [...owned.entries()].filter(([index]) => !steps.has(String(index)));
    const moved = kept.map(
      ([index], now) => [String(now), places.get(String(index)) ?? childAddress(origin, index)] as const,
    );
    owned.splice(0, owned.length, ...kept.map(([, item]) => item as JsonValue));
    this.#places.set(owned, new Map(moved));
  }

  /** The array or object at a path, copied with everything on the way to it, so that it may be changed. */
  #ownedAt(path: Path): Container {
    const holder: Container = { root: this.root };
    let owned = this.#own(holder, 'root');
    this.root = owned as unknown as JsonValue;
    for (const step of path) owned = this.#own(owned, step);
    return owned;
  }

  #own(parent: Container, step: Step): Container {
    const value = parent[step];
    if (!isContainer(value)) throw new Error('only arrays and objects can be copied');
    if (this.#owned.has(value)) return value as Container;
    const copy = (Array.isArray(value) ? [...value] : { ...value }) as Container;
    this.#owned.add(copy);
    const places = this.#places.get(value);
    if (places !== undefined) this.#places.set(copy, new Map(places));
    Object.defineProperty(parent, step, { value: copy, enumerable: true, configurable: true, writable: true });
    return copy;
  }
}

function childOf(value: JsonValue | undefined, step: Step): JsonValue | undefined {
  if (Array.isArray(value)) return value[Number(step)];
  return member(value, String(step));
}

function kindOf(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return 'a list';
  return isObject(value) ? 'an object' : 'a plain value';
}

/** The library gives keys as they stand in a normalised path (RFC 9535 section 2.7). */
function plainKey(key: string): string {
  const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
  return key.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (_, code: string | undefined, letter: string) =>
    code === undefined ? (escapes[letter] ?? letter) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}
