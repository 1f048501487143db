/** Where the objects come from that an upgrade made: what is said about them is said about that place. */
import type { Address } from '../diagnostics.js';
import type { JsonValue } from '../ir/schema.js';
import { isObject, type JsonObject } from '../json-object.js';

/**
 * Keyed by the object itself, so only objects that the upgrade made belong here: those of a document may stand in several
 * places, as YAML aliases do. Whatever lies below a noted object has its address by the usual steps from there.
 */
export class Origins {
  readonly #places = new Map<JsonObject, Address>();

  note(made: JsonObject, at: Address): JsonObject {
    this.#places.set(made, at);
    return made;
  }

  /** The place that a value comes from; `at` where it stands there itself. */
  of(value: JsonValue | undefined, at: Address): Address {
    // Most descriptions need no upgrade.
    if (this.#places.size === 0) return at;
    return (isObject(value) ? this.#places.get(value) : undefined) ?? at;
  }
}
