/**
 * An intersection of unions has as many alternatives as the product of theirs, and the compiler writes them all out. Where
 * that is too many, the later unions are left out of the shape: it then says less, but nothing wrong. (The validator checks
 * every union by itself and needs no product.)
 */
import { type Collector, quote } from '../diagnostics.js';
import type { Schema, SchemaId } from '../ir/schema.js';
import type { Shape } from '../ir/shape.js';

/** TypeScript gives up at 100,000. */
const mostAlternatives = 10_000;

/** `intersections`: the schemas whose shape is one. */
export function limitProducts(
  shapes: ReadonlyMap<SchemaId, Shape>,
  intersections: readonly SchemaId[],
  schemas: ReadonlyMap<SchemaId, Schema>,
  report: Collector,
): ReadonlyMap<SchemaId, Shape> {
  const counter = new AlternativeCounter(shapes);
  // Hardly any document has one.
  let limited: Map<SchemaId, Shape> | undefined;
  for (const id of intersections) {
    const shape = shapes.get(id);
    if (shape?.kind !== 'intersection' || counter.of(shape) <= mostAlternatives) continue;
    let product = 1;
    const members = shape.members.filter((member) => {
      const count = counter.of(member);
      if (count > 1 && product * count > mostAlternatives) return false;
      product *= count;
      return true;
    });
    limited ??= new Map(shapes);
    limited.set(id, members.length === 1 && members[0] ? members[0] : { kind: 'intersection', members });
    const at = schemas.get(id)?.at;
    const count = shape.members.length - members.length;
    report.report(
      'type-widened',
      `the type of ${quote(at?.pointer ?? '')} leaves out ${count} of ${shape.members.length} parts`,
      at,
    );
  }
  return limited ?? shapes;
}

/** How many alternatives a shape has at its top level, through references; counted up to a bound and once for each schema. */
class AlternativeCounter {
  readonly #shapes: ReadonlyMap<SchemaId, Shape>;
  readonly #counts = new Map<SchemaId, number>();

  constructor(shapes: ReadonlyMap<SchemaId, Shape>) {
    this.#shapes = shapes;
  }

  of(shape: Shape): number {
    switch (shape.kind) {
      case 'union':
        return bounded(shape.members.reduce((sum, member) => sum + this.of(member), 0));
      case 'intersection':
        return shape.members.reduce((product, member) => bounded(product * this.of(member)), 1);
      case 'ref':
        return this.#ofReference(shape.target);
      default:
        return 1;
    }
  }

  #ofReference(first: SchemaId): number {
    // A chain of references may be long; only what is at its end counts.
    const way: SchemaId[] = [];
    let id = first;
    for (;;) {
      const known = this.#counts.get(id);
      if (known !== undefined) return this.#note(way, known);
      way.push(id);
      // A circle through compositions has been refused; while a schema is being counted it counts as one.
      this.#counts.set(id, 1);
      const shape = this.#shapes.get(id);
      if (shape?.kind !== 'ref') return this.#note(way, shape ? this.of(shape) : 1);
      id = shape.target;
    }
  }

  #note(way: readonly SchemaId[], count: number): number {
    for (const id of way) this.#counts.set(id, count);
    return count;
  }
}

function bounded(count: number): number {
  return Math.min(count, Number.MAX_SAFE_INTEGER);
}
