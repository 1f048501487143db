/**
 * Where what stands inline ends. An inline object with the members of a named schema is written out, and may so contain
 * itself: below itself, and below many others of its kind, it is a reference to the named schema that it goes through.
 */
import type { SchemaId } from '../../ir/schema.js';
import type { View } from './views.js';

/** The merged objects around a declaration, the innermost first. */
export interface MergedWay {
  readonly id: SchemaId;
  /** Whose member led on; nothing where the object says that member itself. */
  readonly owner: SchemaId | undefined;
  readonly depth: number;
  readonly above: MergedWay | undefined;
}

/** Ids grow with each level: a long chain of objects in each other would be written in the square of its length. */
const maxDepth = 16;

export function intoMember(view: View, name: string, way: MergedWay | undefined): MergedWay | undefined {
  if (view.kind !== 'object' || view.merged === undefined) return way;
  const { id, owners } = view.merged;
  return { id, owner: owners.get(name), depth: (way?.depth ?? 0) + 1, above: way };
}

/** The view itself, or a reference in its place. */
export function endedView(view: View, way: MergedWay | undefined): View {
  if (way === undefined || view.kind !== 'object' || view.merged === undefined) return view;
  const { id, owners } = view.merged;
  let met: MergedWay | undefined = way;
  while (met !== undefined && met.id !== id) met = met.above;
  if (met === undefined && way.depth < maxDepth) return view;
  const [first] = owners.values();
  const target = met?.owner ?? first;
  const { at, docs, constraints, nullable } = view;
  const facts = { at, docs, constraints, nullable };
  return target === undefined ? { ...facts, kind: 'scalar', name: 'unknown' } : { ...facts, kind: 'reference', target };
}
