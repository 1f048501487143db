import { type Address, type Collector, childAddress } from '../diagnostics.js';
import type { JsonValue } from '../ir/schema.js';
import { isObject, type JsonObject, own } from '../json-object.js';
import type { Sources } from '../load/sources.js';
import type { Members } from './json.js';

/** An object of a document and where it stands, after every `$ref` was followed. */
export interface Located {
  readonly value: JsonObject;
  readonly at: Address;
}

/** A value of a document and where it stands. */
export interface Place {
  readonly value: JsonValue;
  readonly at: Address;
}

/** The object at this place, through any chain of `$ref`; `undefined` with a diagnostic where it leads nowhere. */
export function followReferences(
  sources: Sources,
  report: Collector,
  value: JsonValue | undefined,
  at: Address,
): Located | undefined {
  const found = value === undefined ? undefined : followToValue(sources, report, value, at);
  if (found === undefined) return undefined;
  if (isObject(found.value)) return { value: found.value, at: found.at };
  report.report('type-mismatch', 'an object is expected here', found.at);
  return undefined;
}

/** The same for a schema; `undefined` where it is a boolean. */
export function followSchema(
  sources: Sources,
  report: Collector,
  value: JsonValue | undefined,
  at: Address,
): Located | undefined {
  const found = value === undefined ? undefined : followToValue(sources, report, value, at);
  if (found === undefined || typeof found.value === 'boolean') return undefined;
  return followReferences(sources, report, found.value, found.at);
}

function followToValue(sources: Sources, report: Collector, value: JsonValue, at: Address): Place | undefined {
  const seen = new Set<string>();
  let current: Place = { value, at };
  for (;;) {
    const ref = isObject(current.value) ? own(current.value, '$ref') : undefined;
    if (typeof ref !== 'string') return current;
    const place = `${current.at.document}#${current.at.pointer}`;
    if (seen.has(place)) {
      report.report('ref-circular', 'a circular chain of "$ref" leads back to this place', current.at);
      return undefined;
    }
    seen.add(place);
    const target = sources.resolve(current.at, ref);
    if (!target.ok) {
      report.report(target.code, target.message, current.at);
      return undefined;
    }
    current = target;
  }
}

/**
 * The object that a member of the owner holds. Many documents write `paths: { $ref: paths.yaml }`, which no version of
 * OpenAPI provides for and whose meaning nobody doubts: a map whose entries are objects has no text under `$ref`.
 */
export function sectionOf(sources: Sources, report: Collector, owner: Members, name: string): Located | undefined {
  const value = owner.objectMember(name);
  return value && followReferences(sources, report, value, childAddress(owner.at, name));
}

/** The items of a list that a member of the owner holds, or that a `$ref` in its place leads to. */
export function sectionList(
  sources: Sources,
  report: Collector,
  owner: Members,
  name: string,
): readonly Place[] | undefined {
  const value = owner.raw(name);
  let at = childAddress(owner.at, name);
  let items = Array.isArray(value) ? (value as readonly JsonValue[]) : undefined;
  if (items === undefined && isObject(value) && typeof own(value, '$ref') === 'string') {
    const target = followToValue(sources, report, value, at);
    if (!target) return undefined;
    at = target.at;
    items = Array.isArray(target.value) ? target.value : undefined;
    if (items === undefined) report.report('type-mismatch', 'an array is expected here', at);
  }
  return (items ?? owner.array(name))?.map((item, index) => ({ value: item, at: childAddress(at, index) }));
}
