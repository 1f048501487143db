/** Values next to a value: what a careless program sends. */
import type { JsonValue } from '../../ir/schema.js';
import type { Random } from './random.js';
import { isObject } from './validity.js';

/** Names of members that are added: one that no document has, and two that objects have of their own. */
export const strangeNames: readonly string[] = ['further-member', 'length', '__proto__'];

const strangers: readonly JsonValue[] = [null, true, 0, -1, 0.5, 1e9, '', 'x', [], {}, ['x'], { 'further-member': 1 }];

/** The value with one part of it removed, added or replaced, somewhere. */
export function changedValue(value: JsonValue, random: Random, depth = 0): JsonValue {
  if (depth < 100 && Array.isArray(value) && value.length > 0 && random.below(4) > 0) {
    const items: readonly JsonValue[] = value;
    const at = random.below(items.length);
    const what = random.below(6);
    if (what === 0) return items.filter((_, index) => index !== at);
    if (what === 1) return [...items, items[at] ?? null];
    return items.map((item, index) => (index === at ? changedValue(item, random, depth + 1) : item));
  }
  if (depth < 100 && isObject(value) && random.below(5) > 0) return changedObject(value, random, depth);
  if (typeof value === 'string' && random.below(3) === 0)
    return `${value}${random.pick(['!', ' ', '0', 'aaaaaaaaaa'])}`;
  if (typeof value === 'number' && random.below(3) === 0) return value + (random.pick([1, -1, 0.5, -1000, 1e6]) ?? 0);
  return random.pick(strangers) ?? null;
}

function changedObject(value: { readonly [name: string]: JsonValue }, random: Random, depth: number): JsonValue {
  const entries = Object.entries(value);
  const at = random.below(entries.length);
  const what = random.below(4);
  if (what === 0) entries.splice(at, 1);
  else if (what === 1) entries.push([random.pick(strangeNames) ?? '', random.pick(strangers) ?? null]);
  else
    return Object.fromEntries(
      entries.map(([name, member], index) => [name, index === at ? changedValue(member, random, depth + 1) : member]),
    );
  return Object.fromEntries(entries);
}
