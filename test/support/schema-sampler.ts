/** Values that a JSON Schema most likely accepts, and changed ones that it most likely refuses; the same for the same seed. */
import type { JsonValue } from '../../src/ir/schema.js';
import { decodePointer, isObject, type JsonObject } from './component-schemas.js';
import { numbers } from './json-values.js';

/** How many of the optional members a value has. */
export type Fullness = 'least' | 'some' | 'all';

const deepest = 7;

const words = [
  'x',
  'ab',
  'A1',
  '42',
  '2024-02-29',
  '2024-02-29T12:00:00Z',
  'a@example.org',
  'https://example.org/a',
  '',
];

/** Tried against patterns, at every length that is asked for. */
const fillers = ['a', '1', 'A', 'a1', 'f0-', 'é', '/', '/aws/', 'arn:aws:iam::123456789012:role/a', 'AB'];

/** The one name that no document has: what is open has a member of this name now and then. */
export const stranger = 'further-member';

const strangers: readonly JsonValue[] = [null, true, 0, -1, 0.5, 1e9, '', 'x', [], {}, ['x'], { [stranger]: 1 }];

export class SchemaSampler {
  readonly #definitions: JsonObject;
  readonly #below: (limit: number) => number;
  #fullness: Fullness = 'some';

  /** `definitions` are what `#/definitions/…` leads to. */
  constructor(definitions: JsonObject, seed: number) {
    this.#definitions = definitions;
    this.#below = numbers(seed);
  }

  value(schema: JsonValue, fullness: Fullness): JsonValue {
    this.#fullness = fullness;
    return this.#value(schema, 0);
  }

  /** The value with one part removed, added or replaced. */
  changed(value: JsonValue): JsonValue {
    if (Array.isArray(value) && value.length > 0 && this.#below(4) > 0) {
      const at = this.#below(value.length);
      return value.map((item, index) => (index === at ? this.changed(item) : item));
    }
    if (isObject(value) && this.#below(5) > 0) {
      const entries = Object.entries(value);
      const at = this.#below(entries.length);
      const what = this.#below(4);
      if (what === 0 && entries.length > 0) entries.splice(at, 1);
      else if (what === 1) entries.push([stranger, this.#pick(strangers) ?? null]);
      else return Object.fromEntries(entries.map(([name, v], i) => [name, i === at ? this.changed(v) : v] as const));
      return Object.fromEntries(entries);
    }
    return this.#pick(strangers) ?? null;
  }

  #pick<T>(from: readonly T[]): T | undefined {
    return from[this.#below(from.length)];
  }

  #value(schema: JsonValue, depth: number): JsonValue {
    if (!isObject(schema)) return this.#pick(strangers) ?? null;
    if (Object.hasOwn(schema, 'const')) return schema['const'] ?? null;
    if (Array.isArray(schema['enum'])) return this.#pick(schema['enum'] as readonly JsonValue[]) ?? null;
    const { $ref: reference, allOf } = schema;
    const parts: JsonValue[] = Array.isArray(allOf) ? [...(allOf as readonly JsonValue[])] : [];
    if (typeof reference === 'string') parts.unshift(this.#target(reference));
    for (const keyword of ['anyOf', 'oneOf']) {
      const branches = schema[keyword];
      if (Array.isArray(branches)) parts.push(this.#branch(branches as readonly JsonValue[], depth));
    }
    const made = parts.map((part) => this.#value(part, depth + 1));
    const own = this.#own(schema, depth);
    if (own !== undefined) made.unshift(own);
    const objects = made.filter(isObject);
    if (objects.length > 0 && objects.length === made.length) return Object.assign({}, ...objects) as JsonValue;
    return made.at(-1) ?? this.#pick(strangers) ?? null;
  }

  /** Where it is deep already, the branch that says least. */
  #branch(branches: readonly JsonValue[], depth: number): JsonValue {
    if (depth < deepest) return this.#pick(branches) ?? true;
    return branches.find((branch) => isObject(branch) && branch['$ref'] === undefined) ?? branches[0] ?? true;
  }

  #target(reference: string): JsonValue {
    return this.#definitions[decodePointer(reference.replace('#/definitions/', ''))] ?? true;
  }

  #own(schema: JsonObject, depth: number): JsonValue | undefined {
    const { type } = schema;
    const wanted = Array.isArray(type) ? this.#pick(type as readonly JsonValue[]) : type;
    const says = (...keywords: readonly string[]): boolean =>
      keywords.some((keyword) => Object.hasOwn(schema, keyword));
    if (wanted === 'object') return this.#object(schema, depth);
    if (wanted === 'array') return this.#array(schema, depth);
    if (wanted === 'string') return this.#string(schema);
    if (wanted === 'integer' || wanted === 'number') return this.#number(schema, wanted === 'integer');
    if (wanted === 'boolean') return this.#below(2) === 0;
    if (wanted === 'null') return null;
    if (says('properties', 'required', 'additionalProperties')) return this.#object(schema, depth);
    if (says('items', 'prefixItems')) return this.#array(schema, depth);
    return says('pattern', 'minLength') ? this.#string(schema) : undefined;
  }

  #string({ minLength, maxLength, pattern }: JsonObject): string {
    const least = typeof minLength === 'number' ? minLength : 0;
    const most = typeof maxLength === 'number' ? maxLength : Number.POSITIVE_INFINITY;
    const lengths = [...new Set([least, Math.min(most, least + 1), 2, 12, 32, 36])].filter(
      (n) => n >= least && n <= most,
    );
    const filled = fillers.flatMap((filler) => lengths.map((length) => filler.repeat(length).slice(0, length)));
    const fitting = [...words, ...fillers, ...filled].filter(({ length }) => length >= least && length <= most);
    if (typeof pattern !== 'string') return this.#pick(fitting.slice(0, words.length)) ?? '';
    return this.#pick(fitting.filter((text) => matches(pattern, text))) ?? fitting[0] ?? '';
  }

  #number({ minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }: JsonObject, whole: boolean): number {
    const step = typeof multipleOf === 'number' ? multipleOf : whole ? 1 : 0.5;
    const above = [minimum, exclusiveMinimum].filter((bound) => typeof bound === 'number');
    const below = [maximum, exclusiveMaximum].filter((bound) => typeof bound === 'number');
    const least = above.length > 0 ? Math.ceil(Math.max(...above) / step) : undefined;
    const most = below.length > 0 ? Math.floor(Math.min(...below) / step) : undefined;
    const start = least ?? (most === undefined ? -1 : most - 4);
    const found = [start, start + 1, start + this.#below(5)].map((count) => count * step);
    return this.#pick(found) ?? 0;
  }

  #array(schema: JsonObject, depth: number): JsonValue {
    const { minItems, maxItems, items, prefixItems, uniqueItems } = schema;
    const first = Array.isArray(prefixItems) ? prefixItems.map((item) => this.#value(item, depth + 1)) : [];
    const least = Math.min(typeof minItems === 'number' ? minItems : 0, 50);
    const most = typeof maxItems === 'number' ? maxItems : least + 2;
    const wanted = depth >= deepest || this.#fullness === 'least' ? least : Math.min(most, least + 1 + this.#below(2));
    const made: JsonValue[] = [...first];
    for (let count = 0; made.length < wanted && count < wanted * 4; count++) {
      const item = this.#value(items ?? true, depth + 1);
      const known = uniqueItems === true && made.some((other) => JSON.stringify(other) === JSON.stringify(item));
      if (!known) made.push(item);
    }
    return made;
  }

  #object(schema: JsonObject, depth: number): JsonValue {
    const { required, additionalProperties, minProperties } = schema;
    const properties = isObject(schema['properties']) ? schema['properties'] : {};
    const needed = new Set(Array.isArray(required) ? required.map(String) : []);
    const entries = new Map<string, JsonValue>();
    for (const [name, member] of Object.entries(properties)) {
      if (needed.has(name) || this.#wantsOptional(depth)) entries.set(name, this.#value(member, depth + 1));
    }
    for (const name of needed)
      if (!entries.has(name)) entries.set(name, this.#value(properties[name] ?? true, depth + 1));
    const least = typeof minProperties === 'number' ? minProperties : 0;
    if (isObject(additionalProperties) && depth < deepest)
      entries.set(this.#pick(['a', 'x-more']) ?? '', this.#value(additionalProperties, depth + 1));
    const open = additionalProperties === undefined || additionalProperties === true;
    if (open && (entries.size < least || (entries.size > 0 && this.#fullness === 'some' && this.#below(4) === 0)))
      entries.set(stranger, this.#pick(strangers) ?? null);
    return Object.fromEntries(entries);
  }

  #wantsOptional(depth: number): boolean {
    if (depth >= deepest || this.#fullness === 'least') return false;
    return this.#fullness === 'all' ? depth < 3 || this.#below(2) === 0 : this.#below(3) > 0;
  }
}

function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return new RegExp(pattern).test(text);
  }
}
