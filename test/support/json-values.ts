/** Values for a schema, some of which it accepts and some of which it nearly does; the same ones for the same seed. */
import type { JsonValue } from '../../src/ir/schema.js';

type JsonObject = { readonly [key: string]: JsonValue };

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A linear congruential generator (Numerical Recipes): numbers of at least 0 and below `limit`. */
export function numbers(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const scalars: readonly JsonValue[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  0.5,
  30,
  1e9,
  '',
  'x',
  'ABC-1',
  [],
  {},
  ['x'],
  { x: 1 },
];

/** Makes values for one stand-alone schema whose references lead to its root or into its `$defs`. */
export class ValueMaker {
  readonly #root: JsonObject;
  readonly #below: (limit: number) => number;

  constructor(root: JsonObject, seed: number) {
    this.#root = root;
    this.#below = numbers(seed);
  }

  /** A value in the sense of the schema, in about half of the cases with something changed. */
  next(): JsonValue {
    const value = this.#value(this.#root, 6);
    return this.#below(2) === 0 ? value : this.#change(value);
  }

  #pick<T>(from: readonly T[]): T | undefined {
    return from[this.#below(from.length)];
  }

  #value(schema: JsonValue, depth: number): JsonValue {
    if (!isObject(schema) || depth === 0) return this.#pick(scalars) ?? null;
    const { $ref: reference, enum: values, allOf } = schema;
    if (Object.hasOwn(schema, 'const')) return schema['const'] ?? null;
    if (Array.isArray(values)) return this.#pick(values as readonly JsonValue[]) ?? null;
    const parts = [
      ...(typeof reference === 'string' ? [this.#target(reference)] : []),
      ...(Array.isArray(allOf) ? allOf : []),
    ];
    for (const keyword of ['anyOf', 'oneOf']) {
      const branches = schema[keyword];
      if (Array.isArray(branches)) parts.push(this.#pick(branches as readonly JsonValue[]) ?? true);
    }
    const own = this.#own(schema, depth);
    const made = parts.map((part) => this.#value(part, depth - 1));
    const objects = [...made, own].filter(isObject);
    return objects.length > 0 ? Object.assign({}, ...objects) : (made.at(-1) ?? own ?? this.#pick(scalars) ?? null);
  }

  #target(reference: string): JsonValue {
    if (reference === '#') return this.#root;
    const definitions = this.#root['$defs'];
    const name = decodeURIComponent(reference.slice('#/$defs/'.length));
    return (isObject(definitions) ? definitions[name] : undefined) ?? true;
  }

  #own(schema: JsonObject, depth: number): JsonValue | undefined {
    const { type, properties, items, prefixItems } = schema;
    const wanted = Array.isArray(type) ? this.#pick(type as readonly JsonValue[]) : type;
    if (wanted === 'object' || (wanted === undefined && properties !== undefined)) return this.#object(schema, depth);
    if (wanted === 'array' || (wanted === undefined && (items ?? prefixItems) !== undefined)) {
      const first = Array.isArray(prefixItems) ? prefixItems.map((item) => this.#value(item, depth - 1)) : [];
      const rest = Array.from({ length: this.#below(3) }, () => this.#value(items ?? true, depth - 1));
      return this.#below(3) === 0 ? first : [...first, ...rest];
    }
    const simple = scalars.filter((value) =>
      value === null ? wanted === 'null' : typeof value === (wanted === 'integer' ? 'number' : wanted),
    );
    return wanted === undefined ? undefined : this.#pick(simple);
  }

  #object(schema: JsonObject, depth: number): JsonObject {
    const { properties, required, additionalProperties } = schema;
    const needed = Array.isArray(required) ? required : [];
    const entries: [string, JsonValue][] = [];
    for (const [name, member] of Object.entries(isObject(properties) ? properties : {}))
      if (needed.includes(name) || this.#below(3) > 0) entries.push([name, this.#value(member, depth - 1)]);
    if (this.#below(4) === 0)
      entries.push([this.#pick(['x-more', 'more']) ?? '', this.#value(additionalProperties ?? true, depth - 1)]);
    return Object.fromEntries(entries);
  }

  /** The value with one part of it removed or replaced, somewhere. */
  #change(value: JsonValue): JsonValue {
    if (Array.isArray(value) && value.length > 0 && this.#below(3) > 0) {
      const at = this.#below(value.length);
      return value.map((item, index) => (index === at ? this.#change(item) : item));
    }
    if (isObject(value) && this.#below(4) > 0) {
      const entries = Object.entries(value);
      const at = this.#below(entries.length);
      if (this.#below(3) === 0) entries.splice(at, 1);
      return Object.fromEntries(
        entries.map(([name, member], index) => [name, index === at ? this.#change(member) : member]),
      );
    }
    return this.#pick(scalars) ?? null;
  }
}
