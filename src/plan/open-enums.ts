/**
 * Enumerations that a client must not rely on being complete (`--client-enums open`): where answers are read they admit any
 * string, where requests are written they do not. Members that tell the branches of a union apart by a discriminator stay
 * closed; where conditions tell alternatives apart, what they leave is open.
 */
import type { Api } from '../ir/api.js';
import { ReferenceChains } from '../ir/resolve.js';
import type { SchemaId } from '../ir/schema.js';
import { withUsers } from '../ir/visit.js';
import { requestSchemas } from './request-schemas.js';

/** The enumerations that are open in answers. */
export function openEnums(api: Api): ReadonlySet<SchemaId> {
  const open = new Set<SchemaId>();
  const tags = new Set<string>();
  for (const [id, schema] of api.schemas) {
    if (schema.kind !== 'schema') continue;
    if (schema.discriminator) tags.add(schema.discriminator.propertyName);
    const texts = schema.enum?.filter((value) => typeof value === 'string') ?? [];
    if (texts.length > 1) open.add(id);
  }
  if (tags.size === 0) return open;
  const chains = new ReferenceChains(api.schemas);
  for (const schema of api.schemas.values()) {
    for (const { name, schema: member } of (schema.kind === 'schema' && schema.object?.properties) || [])
      if (tags.has(name)) open.delete(chains.endOf(member).end);
  }
  return open;
}

/** The Api with what is open in answers only told apart by direction. */
export function withOpenEnums(api: Api): Api {
  const requests = requestSchemas(api);
  const directional = new Set(api.directional);
  for (const id of withUsers(openEnums(api), api.schemas)) if (requests.has(id)) directional.add(id);
  return { ...api, directional };
}
