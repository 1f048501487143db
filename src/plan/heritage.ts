/**
 * Which intersections read better as an interface that extends others: references to plain objects, and members of its own,
 * none of them described twice. Everything else stays an intersection, which never conflicts.
 */
import type { Api } from '../ir/api.js';
import type { ReferenceChains } from '../ir/resolve.js';
import type { SchemaId } from '../ir/schema.js';
import type { IntersectionShape, ObjectShape, Shape } from '../ir/shape.js';

export interface Heritage {
  readonly bases: readonly SchemaId[];
  readonly own: ObjectShape;
}

/** So far up, bases of bases are followed. */
const longestLine = 20;

export class Heritages {
  readonly #api: Api;
  readonly #chains: ReferenceChains;
  readonly #isForeign: (schema: SchemaId) => boolean;

  /** `isForeign` tells which schemas have their types from another package: nobody knows how those are written. */
  constructor(api: Api, chains: ReferenceChains, isForeign: (schema: SchemaId) => boolean) {
    this.#api = api;
    this.#isForeign = isForeign;
    this.#chains = chains;
  }

  /** Nothing where the shape is better printed as it is. */
  of(shape: Shape | undefined): Heritage | undefined {
    const parts = shape?.kind === 'intersection' ? split(shape) : undefined;
    if (parts === undefined || parts.own === undefined) return undefined;
    const { bases, own } = parts;
    return this.#members(bases, own, longestLine) === undefined ? undefined : { bases, own };
  }

  /** The names of all members; nothing where one is described twice, or where something else than a plain object is among it. */
  #members(bases: readonly SchemaId[], own: ObjectShape | undefined, steps: number): ReadonlySet<string> | undefined {
    if (own?.additional || steps === 0) return undefined;
    const names = new Set(own?.properties.map(({ name }) => name));
    for (const base of bases) {
      const inherited = this.#ofBase(base, steps);
      if (inherited === undefined) return undefined;
      for (const name of inherited) {
        if (names.has(name)) return undefined;
        names.add(name);
      }
    }
    return names;
  }

  #ofBase(base: SchemaId, steps: number): ReadonlySet<string> | undefined {
    const { end } = this.#chains.endOf(base);
    if (this.#isForeign(base) || this.#isForeign(end)) return undefined;
    const shape = this.#api.shapes.get(end);
    if (shape?.kind === 'object') return shape.properties.length > 0 ? this.#members([], shape, steps - 1) : undefined;
    const parts = shape?.kind === 'intersection' ? split(shape) : undefined;
    return parts && this.#members(parts.bases, parts.own, steps - 1);
  }
}

/** References and at most one object; nothing where there is more. */
function split({
  members,
}: IntersectionShape): { bases: readonly SchemaId[]; own: ObjectShape | undefined } | undefined {
  const bases: SchemaId[] = [];
  let own: ObjectShape | undefined;
  for (const member of members) {
    if (member.kind === 'ref') bases.push(member.target);
    else if (member.kind === 'object' && own === undefined) own = member;
    else return undefined;
  }
  return bases.length === 0 ? undefined : { bases, own };
}
