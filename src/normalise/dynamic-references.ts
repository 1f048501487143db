/**
 * `$dynamicRef` and `$recursiveRef` (JSON Schema core, section 8.2). What they mean by themselves is settled here, and what
 * they may mean in all; which of it they mean at a place depends on the way to it, and is settled where checks are compiled.
 */
import type { Address } from '../diagnostics.js';
import type { DynamicAnchor, DynamicReference, SchemaId } from '../ir/schema.js';
import type { Sources } from '../load/sources.js';
import type { Dialect } from './dialects.js';

/** Registers the schema at an address, as the target of a reference. */
export type ReadAnchor = (at: Address, dialect: Dialect) => SchemaId | undefined;

export class DynamicReferences {
  readonly #sources: Sources;
  readonly #read: ReadAnchor;
  readonly #byResource = new Map<ReadonlyMap<string, Address>, readonly DynamicAnchor[]>();
  /** The lists grow until all schemas are read. */
  readonly #byName = new Map<string, SchemaId[]>();

  constructor(sources: Sources, read: ReadAnchor) {
    this.#sources = sources;
    this.#read = read;
  }

  /** The anchors of the schema resource that a place lies in, where it has any. */
  anchorsAt(at: Address, dialect: Dialect): readonly DynamicAnchor[] | undefined {
    const found = this.#sources.dynamicAnchorsAt(at);
    if (found === undefined) return undefined;
    const known = this.#byResource.get(found);
    if (known !== undefined) return known;
    const anchors: DynamicAnchor[] = [];
    this.#byResource.set(found, anchors);
    for (const [name, place] of found) {
      if ((name === '') !== (dialect.dynamicKeyword === '$recursiveRef')) continue;
      const schema = this.#read(place, dialect);
      if (schema === undefined) continue;
      anchors.push({ name, schema });
      this.#candidates(name).push(schema);
    }
    return anchors;
  }

  /** The reference `ref` that stands at a place and leads to `target`. */
  reference(ref: string, at: Address, target: SchemaId): DynamicReference {
    const resolved = this.#sources.resolve(at, ref);
    const name = ref.slice(ref.indexOf('#') + 1);
    const anchor = resolved.ok ? this.#sources.dynamicAnchorsAt(resolved.at)?.get(name) : undefined;
    const isDynamic = resolved.ok && anchor !== undefined && samePlace(anchor, resolved.at) && ref.includes('#');
    return isDynamic ? { target, name, candidates: this.#candidates(name) } : { target, candidates: [target] };
  }

  #candidates(name: string): SchemaId[] {
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    const list: SchemaId[] = [];
    this.#byName.set(name, list);
    return list;
  }
}

function samePlace(left: Address, right: Address): boolean {
  return left.document === right.document && left.pointer === right.pointer;
}
