/** Finds schemas that apply themselves to the same value for ever: `a: { allOf: [a] }`. Recursion through members and items is fine. */
import { type Collector, quote } from '../diagnostics.js';
import type { ObjectSchema, Schema, SchemaId } from '../ir/schema.js';
import { inPlaceChildren } from '../ir/visit.js';

interface Frame {
  readonly id: SchemaId;
  readonly children: readonly SchemaId[];
  next: number;
}

/** Reports every schema that closes such a circle, with the way round. Depth-first with a list of its own: chains may be long. */
export function reportCompositionCycles(schemas: ReadonlyMap<SchemaId, Schema>, report: Collector): void {
  const done = new Set<SchemaId>();
  const open = new Map<SchemaId, number>();
  const frames: Frame[] = [];
  for (const start of schemas.values()) {
    if (start.kind === 'boolean' || done.has(start.id)) continue;
    enter(start.id);
    for (let frame = frames.at(-1); frame; frame = frames.at(-1)) {
      const child = frame.children[frame.next++];
      if (child === undefined) {
        done.add(frame.id);
        open.delete(frame.id);
        frames.pop();
      } else if (open.has(child)) {
        reportCycle(
          frames.slice(open.get(child)).map((entry) => entry.id),
          schemas,
          report,
        );
      } else if (!done.has(child)) {
        enter(child);
      }
    }
  }

  /** Most schemas apply no other one: those need no place on the way. */
  function enter(id: SchemaId): void {
    const schema = schemas.get(id);
    const children = schema ? inPlaceChildren(schema) : [];
    if (children.length === 0) return;
    open.set(id, frames.length);
    frames.push({ id, children, next: 0 });
  }
}

function reportCycle(way: readonly SchemaId[], schemas: ReadonlyMap<SchemaId, Schema>, report: Collector): void {
  const first = way[0];
  const schema = first === undefined ? undefined : schemas.get(first);
  if (!schema) return;
  const steps = way.slice(0, 8).map((id) => quote(schemas.get(id)?.at.pointer ?? '').slice(1, -1));
  const round = [...steps, ...(way.length > 8 ? ['…'] : []), steps[0] ?? ''].join(' → ');
  report.report('ref-circular', `circular composition, no value can be checked against it: ${round}`, schema.at);
}

/** More meanings than this are not told apart in types. */
const widest = 50;
const farthest = 1000;

/**
 * Whether a type can say all that a dynamic reference may mean: few schemas, and none that leads back to the reference
 * without a step into the value. That is no fault, since it depends on the way whether it does.
 */
export function isSayable({ id, dynamicRef }: ObjectSchema, schemas: ReadonlyMap<SchemaId, Schema>): boolean {
  const reached = new Set<SchemaId>(dynamicRef?.candidates);
  if (reached.size > widest) return false;
  // The set grows while it is walked.
  for (const next of reached) {
    const target = schemas.get(next);
    if (target === undefined) continue;
    for (const child of inPlaceChildren(target)) reached.add(child);
    if (target.kind === 'schema') for (const child of target.dynamicRef?.candidates ?? []) reached.add(child);
    if (reached.has(id) || reached.size > farthest) return false;
  }
  return true;
}
