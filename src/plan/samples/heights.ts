/** How deep the least value of each schema is: the way out of recursion. */
import type { ObjectSchema, Schema, SchemaId } from '../../ir/schema.js';

/** Schemas that need longer than this to settle are nested that deep; nobody makes values of them. */
const mostRounds = 60;

export function heightsOf(schemas: ReadonlyMap<SchemaId, Schema>): ReadonlyMap<SchemaId, number> {
  const heights = new Map<SchemaId, number>();
  const of = (id: SchemaId): number => heights.get(id) ?? Number.POSITIVE_INFINITY;
  for (let round = 0, changed = true; changed && round < mostRounds; round++) {
    changed = false;
    for (const [id, schema] of schemas) {
      const height = schema.kind === 'boolean' ? (schema.value ? 0 : Number.POSITIVE_INFINITY) : heightOf(schema, of);
      if (height >= of(id)) continue;
      heights.set(id, height);
      changed = true;
    }
  }
  return heights;
}

function heightOf(schema: ObjectSchema, of: (id: SchemaId) => number): number {
  const { ref, dynamicRef, allOf, anyOf, oneOf, object, array, types } = schema;
  if (schema.const || schema.enum) return 1;
  const parts = [ref, dynamicRef?.target, ...(allOf ?? [])].flatMap((id) => (id === undefined ? [] : [of(id)]));
  for (const branches of [anyOf, oneOf]) if (branches !== undefined) parts.push(Math.min(...branches.map(of)));
  const others = types?.some((type) => type !== 'object' && type !== 'array') ?? false;
  if (others) return Math.max(1, ...parts);
  const required = new Set(object?.required);
  const members = object?.properties.filter(({ name }) => required.has(name)) ?? [];
  const inside = members.map((member) => of(member.schema));
  const { minItems = 0, prefixItems = [], items } = array ?? {};
  for (let index = 0; index < Math.min(minItems, prefixItems.length + 1); index++) {
    const item = prefixItems[index] ?? items;
    if (item !== undefined) inside.push(of(item));
  }
  return Math.max(1, ...parts, ...inside.map((height) => height + 1));
}
