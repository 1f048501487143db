// SPDX-License-Identifier: 0BSD
import type { Projection } from './server-contract.js';

/**
 * A value without the members that do not travel in this direction: what is `readOnly` in a request, what is
 * `writeOnly` in an answer. The value itself is not changed; parts in which nothing is left out are shared with it.
 */
export function project(value: unknown, index: number, table: readonly Projection[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const rules = rulesOf(index, table);
  return Array.isArray(value) ? projectItems(value, rules, table) : projectMembers(value, rules, table);
}

/** A projection with those that apply to the same value. */
function rulesOf(index: number, table: readonly Projection[]): readonly Projection[] {
  const indices = new Set([index]);
  const rules: Projection[] = [];
  // A set yields what is added while it is walked, once each, so a circle of compositions ends.
  for (const one of indices) {
    const projection = table[one];
    if (projection === undefined) continue;
    rules.push(projection);
    for (const other of projection.also ?? []) indices.add(other);
  }
  return rules;
}

function projectItems(value: readonly unknown[], rules: readonly Projection[], table: readonly Projection[]): unknown {
  let result = value;
  for (const { items } of rules) {
    if (items !== undefined) result = result.map((item) => project(item, items, table));
  }
  return result;
}

function projectMembers(value: object, rules: readonly Projection[], table: readonly Projection[]): unknown {
  const omitted = new Set(rules.flatMap((rule) => rule.omit ?? []));
  let changed = false;
  const members: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    if (omitted.has(name)) {
      changed = true;
      continue;
    }
    let kept: unknown = member;
    for (const rule of rules) {
      const next = rule.members?.find((one) => one.name === name)?.projection ?? rule.rest;
      if (next !== undefined) kept = project(kept, next, table);
    }
    if (kept !== member) changed = true;
    members.push([name, kept]);
  }
  // `fromEntries` defines own properties, so a member named `__proto__` stays one.
  return changed ? Object.fromEntries(members) : value;
}
