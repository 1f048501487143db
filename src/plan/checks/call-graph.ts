/** What follows from which units call which. */
import { writtenId } from '../../ir/resolve.js';
import type { SchemaId } from '../../ir/schema.js';
import type { CallExpression, UnitKey } from './program.js';
import { isInside } from './structures.js';

/** The calls of each unit. */
export type Calls = ReadonlyMap<UnitKey, readonly CallExpression[]>;

export function reachable(calls: Calls, from: readonly UnitKey[]): ReadonlySet<UnitKey> {
  const seen = new Set<UnitKey>(from);
  for (const key of seen) for (const { unit } of calls.get(key) ?? []) seen.add(unit);
  return seen;
}

/** The units that speak for several schemas: those called for another place than their own, and what they call inside theirs. */
export function speakingForSeveral(
  calls: Calls,
  used: ReadonlySet<UnitKey>,
  schemaOf: (unit: UnitKey) => SchemaId,
): ReadonlySet<UnitKey> {
  const shared = new Set<UnitKey>();
  for (const key of used) {
    for (const { unit, place, target = place } of calls.get(key) ?? []) {
      if (target !== schemaOf(unit)) shared.add(unit);
    }
  }
  // The set grows while it is walked.
  for (const key of shared) {
    const around = writtenId(schemaOf(key));
    for (const { unit, place } of calls.get(key) ?? []) {
      if (place !== undefined && isInside(place, around)) shared.add(unit);
    }
  }
  return shared;
}

/** The units from which some cycle of calls can be reached: what is left when callers of nothing but finished units are finished. */
export function reachingCycles(calls: Calls): ReadonlySet<UnitKey> {
  const callers = callersIn(calls);
  const open = new Map<UnitKey, number>();
  const finished: UnitKey[] = [];
  for (const [key, callees] of calls) {
    open.set(key, callees.length);
    if (callees.length === 0) finished.push(key);
  }
  const deep = new Set(calls.keys());
  for (let key = finished.pop(); key !== undefined; key = finished.pop()) {
    deep.delete(key);
    for (const caller of callers.get(key) ?? []) {
      const left = (open.get(caller) ?? 0) - 1;
      open.set(caller, left);
      if (left === 0) finished.push(caller);
    }
  }
  return deep;
}

/** The units from which one of `targets` can be reached, themselves included. */
export function reaching(calls: Calls, targets: ReadonlySet<UnitKey>): ReadonlySet<UnitKey> {
  const found = new Set(targets);
  if (found.size === 0) return found;
  const callers = callersIn(calls);
  // The set grows while it is walked.
  for (const key of found) for (const caller of callers.get(key) ?? []) found.add(caller);
  return found;
}

/** Of each unit those that call it, once for each call. */
function callersIn(calls: Calls): ReadonlyMap<UnitKey, readonly UnitKey[]> {
  const callers = new Map<UnitKey, UnitKey[]>();
  for (const [key, callees] of calls) {
    for (const { unit } of callees) {
      const known = callers.get(unit);
      if (known === undefined) callers.set(unit, [key]);
      else known.push(key);
    }
  }
  return callers;
}
