/** The order in which schemas are declared so that each stands behind those it refers to, as far as there is one. */
import type { Api } from '../../ir/api.js';
import type { SchemaId } from '../../ir/schema.js';
import { inPlaceChildren, partChildren } from '../../ir/visit.js';
import type { Names, ValidatorEntry } from '../target.js';

type Visit = { readonly entry: ValidatorEntry; readonly leave: boolean };

/** All validators, those that others refer to first. In a circle the one that is met first comes last. */
export function declarationOrder(api: Api, names: Names): readonly ValidatorEntry[] {
  const byNames = new Map(names.validators.map((entry) => [entry.names, entry]));
  const ordered: ValidatorEntry[] = [];
  const met = new Set<ValidatorEntry>();
  const pending: Visit[] = [...names.validators].reverse().map((entry) => ({ entry, leave: false }));
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { entry, leave } = next;
    if (leave) ordered.push(entry);
    if (leave || met.has(entry)) continue;
    met.add(entry);
    pending.push({ entry, leave: true });
    for (const id of referredFrom(api, names, entry)) {
      const found = names.validatorOf(id, entry.direction);
      const target = found && byNames.get(found);
      if (target !== undefined && !met.has(target)) pending.push({ entry: target, leave: false });
    }
  }
  return ordered;
}

/** The schemas with a validator of their own that an entry's schema refers to, through those that have none. */
function referredFrom({ schemas }: Api, names: Names, { schema, direction }: ValidatorEntry): readonly SchemaId[] {
  const found: SchemaId[] = [];
  const inside = new Set<SchemaId>([schema]);
  // The set grows while it is walked.
  for (const id of inside) {
    const node = schemas.get(id);
    if (node === undefined) continue;
    for (const child of [...inPlaceChildren(node), ...partChildren(node)]) {
      if (names.validatorOf(child, direction) === undefined) inside.add(child);
      else found.push(child);
    }
  }
  return found.reverse();
}
