/** One document while its overlays are applied, with the places that changed values come from. */
import {
  type Address,
  type Collector,
  childAddress,
  type DocumentUri,
  type JsonPointer,
  quote,
} from '../diagnostics.js';
import type { JsonValue } from '../ir/schema.js';
import { isObject, type JsonObject, member } from '../json-object.js';

/** Evaluates a JSONPath query (RFC 9535), and throws where it is none. */
export type Query = (root: JsonValue, query: string, found: (value: unknown, path: Path) => void) => void;
type Path = readonly (string | number)[];
type Step = string | number;

/** An action of an overlay. */
export interface Action {
  readonly at: Address;
  readonly target: string;
  readonly update?: JsonValue;
  readonly copy?: string;
  readonly remove: boolean;
  /** How many nodes the target has selected, in all documents. */
  matched: number;
}

type Container = Record<Step, JsonValue>;

export function isContainer(value: JsonValue | undefined): value is JsonObject | readonly JsonValue[] {
  return typeof value === 'object' && value !== null;
}

export class Editing {
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
      this.#query(this.root, query, (_, path) => {
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
