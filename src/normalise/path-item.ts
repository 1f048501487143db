/** Path items through their references (OpenAPI, Path Item Object). */
import { type Address, quote } from '../diagnostics.js';
import type { JsonValue } from '../ir/schema.js';
import { isObject, own } from '../json-object.js';
import { Members } from './json.js';
import type { Reading } from './reading.js';

/**
 * A path item is the only object of OpenAPI whose `$ref` stands beside other members in every version: both count. Where
 * both say the same member, the one beside the reference is taken, which the specification leaves open.
 */
export class PathItem {
  readonly #parts: readonly Members[];
  /** Where the path itself stands. */
  readonly nearest: Members;

  constructor(nearest: Members, behind: readonly Members[]) {
    this.nearest = nearest;
    this.#parts = [nearest, ...behind];
  }

  /** The object that has the member; `undefined` where none has. */
  owner(name: string): Members | undefined {
    return this.#parts.find((part) => part.has(name));
  }

  text(name: 'summary' | 'description'): string | undefined {
    return this.owner(name)?.text(name);
  }

  get objects(): readonly Members[] {
    return this.#parts;
  }
}

export function followPathItem(reading: Reading, value: JsonValue, at: Address): PathItem | undefined {
  const parts: Members[] = [];
  const seen = new Set<JsonValue>();
  let place = { value, at };
  for (;;) {
    if (!isObject(place.value)) {
      reading.report.report('type-mismatch', 'an object is expected here', place.at);
      return undefined;
    }
    if (seen.has(place.value)) {
      reading.report.report('ref-circular', 'a circular chain of "$ref" leads back to this place', place.at);
      return undefined;
    }
    seen.add(place.value);
    const part = new Members(place.value, reading.placeOf(place.value, place.at), reading.report);
    parts.push(part);
    const ref = own(place.value, '$ref');
    if (typeof ref !== 'string') break;
    const target = reading.sources.resolve(place.at, ref);
    if (!target.ok) {
      reading.report.report(target.code, target.message, place.at);
      return undefined;
    }
    place = target;
  }
  const [nearest, ...behind] = parts;
  if (!nearest) return undefined;
  reportConflicts(reading, parts);
  return new PathItem(nearest, behind);
}

function reportConflicts(reading: Reading, [nearest, ...behind]: readonly Members[]): void {
  if (!nearest || behind.length === 0) return;
  const twice = Object.keys(nearest.object).filter(
    (name) => name !== '$ref' && !name.startsWith('x-') && behind.some((part) => part.has(name)),
  );
  if (twice.length === 0) return;
  const names = twice.map(quote).join(', ');
  reading.report.report('path-item-conflict', `${names} beside "$ref" hides what the reference leads to`, nearest.at);
}
