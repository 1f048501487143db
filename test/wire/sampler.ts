/** Values for what a request carries, sampled from shapes; the same for the same seed. Nobody checks them: they travel. */
import type { Api } from '../../src/ir/api.js';
import type { SchemaId } from '../../src/ir/schema.js';
import type { PropertyShape, Shape } from '../../src/ir/shape.js';
import { takenApart } from '../../src/ir/visit.js';
import { Random } from '../../src/plan/samples/random.js';

/** What can travel where the value goes. */
export interface Carrier {
  /** How deep arrays and objects may be inside each other. */
  readonly levels: number;
  readonly words: readonly string[];
  readonly fits: (text: string) => boolean;
  readonly nulls: boolean;
}

const groups = new Set(['union', 'intersection'] as const);

export class WireSampler {
  readonly #api: Api;
  readonly #random: Random;

  constructor(api: Api, seed: number) {
    this.#api = api;
    this.#random = new Random(seed);
  }

  /** `undefined` where nothing of the schema can travel there. */
  value(schema: SchemaId | undefined, carrier: Carrier): unknown {
    return this.#value(schema === undefined ? { kind: 'unknown' } : { kind: 'ref', target: schema }, carrier, 0);
  }

  shape(shape: Shape, carrier: Carrier): unknown {
    return this.#value(shape, carrier, 0);
  }

  /** The members that a schema describes, each once. */
  properties(schema: SchemaId): readonly PropertyShape[] {
    const found = new Map<string, PropertyShape>();
    for (const part of this.parts({ kind: 'ref', target: schema }))
      for (const property of part.kind === 'object' ? part.properties : [])
        if (property.access !== 'read' && !found.has(property.name)) found.set(property.name, property);
    return [...found.values()];
  }

  parts(shape: Shape): readonly Shape[] {
    return takenApart(shape, this.#api.shapes, groups);
  }

  #value(shape: Shape, carrier: Carrier, depth: number): unknown {
    if (depth > 12) return undefined;
    const inner: Carrier = { ...carrier, levels: carrier.levels - 1 };
    switch (shape.kind) {
      case 'unknown':
      case 'string':
        return this.#random.pick(carrier.words);
      case 'number':
        return shape.integer ? this.#random.below(1000) - 1 : this.#random.below(100) / 4;
      case 'boolean':
        return this.#random.below(2) === 0;
      case 'null':
        return carrier.nulls ? null : undefined;
      case 'literal':
        return typeof shape.value === 'object' || (typeof shape.value === 'string' && !carrier.fits(shape.value))
          ? undefined
          : shape.value;
      case 'array':
        return this.#list(
          Array.from({ length: 1 + this.#random.below(2) }, () => shape.items),
          carrier,
          inner,
          depth,
        );
      case 'tuple':
        return this.#list(shape.items, carrier, inner, depth);
      case 'object':
        return carrier.levels === 0 ? undefined : this.#object(shape.properties, inner, depth);
      case 'union': {
        const start = this.#random.below(shape.members.length);
        const turned = [...shape.members.slice(start), ...shape.members.slice(0, start)];
        for (const member of turned) {
          const found = this.#value(member, carrier, depth + 1);
          if (found !== undefined) return found;
        }
        return undefined;
      }
      case 'intersection': {
        const all = shape.members.map((member) => this.#value(member, carrier, depth + 1));
        const objects = all.filter((one) => typeof one === 'object' && one !== null && !Array.isArray(one));
        return objects.length > 0 ? Object.assign({}, ...objects) : all.find((one) => one !== undefined);
      }
      case 'ref':
        return this.#value(this.#api.shapes.get(shape.target) ?? { kind: 'unknown' }, carrier, depth + 1);
      default:
        return undefined;
    }
  }

  #list(items: readonly Shape[], { levels }: Carrier, inner: Carrier, depth: number): unknown {
    if (levels === 0) return undefined;
    const made = items.map((item) => this.#value(item, { ...inner, nulls: inner.levels > 2 }, depth + 1));
    const known = made.filter((one) => one !== undefined);
    return known.length === 0 ? undefined : known;
  }

  #object(properties: readonly PropertyShape[], inner: Carrier, depth: number): unknown {
    const entries = properties.flatMap(({ name, shape, required }) => {
      const wanted = carried(name, inner) && (required || (depth < 4 && this.#random.below(3) > 0));
      const member = wanted ? this.#value(shape, inner, depth + 1) : undefined;
      return member === undefined ? [] : [[name, member] as const];
    });
    return entries.length === 0 && inner.levels < 3 ? undefined : Object.fromEntries(entries);
  }
}

/** Names of members travel in the same places as values. */
function carried(name: string, { fits }: Carrier): boolean {
  return fits(name) && !/[[\]=]/.test(name) && name !== '__proto__';
}
