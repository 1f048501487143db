/** An example of the document as it travels in one direction. */
import type { JsonValue, SchemaId } from '../../ir/schema.js';
import type { Direction } from '../target.js';
import { type Choose, conjunctionOf } from './conjunction.js';
import { isObject, type Validity } from './validity.js';

const deepest = 50;

/** Without the members that only the other direction carries. Of a union the first branch that accepts the value counts. */
export function visibleValue(
  schema: SchemaId,
  value: JsonValue,
  direction: Direction,
  validity: Validity,
  depth = 0,
): JsonValue {
  if (typeof value !== 'object' || value === null || depth > deepest) return value;
  const { facts } = validity;
  const choose: Choose = (branches) => branches.find((id) => validity.accepts(id, value, direction)) ?? branches[0];
  const nodes = conjunctionOf([schema], facts, choose)?.nodes ?? [];
  const inner = (id: SchemaId | undefined, part: JsonValue): JsonValue =>
    id === undefined ? part : visibleValue(id, part, direction, validity, depth + 1);
  if (Array.isArray(value)) {
    const items: readonly JsonValue[] = value;
    const { array } = nodes.find((node) => node.array?.items !== undefined || node.array?.prefixItems) ?? {};
    return items.map((item, index) => inner(array?.prefixItems?.[index] ?? array?.items, item));
  }
  if (!isObject(value)) return value;
  const ignored = new Set(nodes.flatMap(({ id }) => [...facts.ignoredNames(id, direction)]));
  const properties = nodes.flatMap(({ object }) => object?.properties ?? []);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !ignored.has(name))
      .map(([name, member]) => [name, inner(properties.find((one) => one.name === name)?.schema, member)]),
  );
}
