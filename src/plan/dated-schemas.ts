/** Which schemas hold dates or times, so that with `--dates Date` what users see differs from what travels. */
import type { Api } from '../ir/api.js';
import type { SchemaId } from '../ir/schema.js';
import type { Shape } from '../ir/shape.js';
import { shapeChildren } from '../ir/visit.js';

export type DateFormat = 'date' | 'date-time';

/** The format of a text that is a date or a time; nothing for everything else. */
export function dateFormat(shape: Shape | undefined): DateFormat | undefined {
  if (shape?.kind !== 'string') return undefined;
  return shape.format === 'date' || shape.format === 'date-time' ? shape.format : undefined;
}

/** The schemas from whose shape a date or a time can be reached. */
export function datedSchemas({ shapes }: Api): ReadonlySet<SchemaId> {
  const found = new Set<SchemaId>();
  const users = new Map<SchemaId, SchemaId[]>();
  for (const [id, shape] of shapes) {
    const pending: Shape[] = [shape];
    for (let next = pending.pop(); next; next = pending.pop()) {
      if (dateFormat(next) !== undefined) found.add(id);
      else if (next.kind === 'ref') {
        const known = users.get(next.target);
        if (known) known.push(id);
        else users.set(next.target, [id]);
      } else pending.push(...shapeChildren(next));
    }
  }
  // The set grows while it is walked.
  for (const id of found) for (const user of users.get(id) ?? []) found.add(user);
  return found;
}
