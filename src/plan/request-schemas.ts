/** Which schemas a request can carry, and which of them therefore need a write view. */
import type { Api } from '../ir/api.js';
import type { SchemaId } from '../ir/schema.js';
import { inPlaceChildren, partChildren } from '../ir/visit.js';
import { sentItems } from './inline-schemas.js';

/** Everything that a request can carry: the schemas that bodies and parameters reach. */
export function requestSchemas(api: Api): ReadonlySet<SchemaId> {
  const found = new Set<SchemaId>();
  const pending: SchemaId[] = [];
  for (const { parameters, body } of api.operations) {
    const whole = parameters.flatMap(({ content }) => content ?? []);
    for (const { schema } of [...parameters, ...whole, ...(body?.content ?? [])])
      if (schema !== undefined) pending.push(schema);
    for (const media of body?.content ?? []) pending.push(...sentItems(media));
  }
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    const schema = api.schemas.get(id);
    if (schema) pending.push(...inPlaceChildren(schema), ...partChildren(schema));
  }
  return found;
}

/**
 * The directional schemas that something can be written to: those that requests reach, and those that components reach, which
 * are for everybody. What stands inline in answers has no write view.
 */
export function writableSchemas(api: Api, requests: ReadonlySet<SchemaId>): ReadonlySet<SchemaId> {
  const found = new Set<SchemaId>();
  const pending = api.components.map(({ schema }) => schema);
  for (const id of api.directional) if (requests.has(id)) pending.push(id);
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (found.has(id) || !api.directional.has(id)) continue;
    found.add(id);
    const schema = api.schemas.get(id);
    if (schema) pending.push(...inPlaceChildren(schema), ...partChildren(schema));
  }
  return found;
}
