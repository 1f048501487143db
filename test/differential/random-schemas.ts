/** Schemas by a grammar, and values near what they allow: the same ones for the same seed. */
import type { JsonValue } from '../../src/ir/schema.js';
import type { Random } from '../../src/plan/samples/random.js';

type Schema = boolean | { readonly [keyword: string]: JsonValue };

// ajv knows no empty name in `required`.
const names = ['a', 'b', 'c', 'x-1', 'toast'];
const texts = ['', 'a', 'ab', 'abc', 'x-1', '😀', '😀😀', 'A1', '1'];
const numbers = [-2, -1, 0, 0.5, 1, 1.5, 2, 3, 10, 1e9];
const patterns = ['^a', 'b$', '^[a-c]*$', '\\d', '^.$', '^x-'];
const types = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];

export class SchemaGrammar {
  readonly #random: Random;
  /** The named schemas that references may lead to. */
  readonly #named: readonly string[];
  readonly #unevaluated: boolean;

  /** `unevaluated`: with what is left over, where ajv is often wrong. */
  constructor(random: Random, named: readonly string[], unevaluated = false) {
    this.#random = random;
    this.#named = named;
    this.#unevaluated = unevaluated;
  }

  schema(depth: number): Schema {
    const random = this.#random;
    if (random.below(12) === 0) return random.below(4) > 0;
    if (random.below(10) === 0) return { $ref: this.#pick(this.#named) };
    const groups: ((depth: number) => Record<string, JsonValue>)[] = [
      this.#types,
      this.#values,
      this.#text,
      this.#number,
    ];
    if (depth > 0) groups.push(this.#array, this.#object, this.#array, this.#object, this.#applied, this.#applied);
    let all: Record<string, JsonValue> = {};
    for (let count = 1 + random.below(3); count > 0; count -= 1)
      all = { ...all, ...this.#pick(groups).call(this, depth - 1) };
    // ajv forgets `contains` of an empty array where `prefixItems` stands beside it.
    if (!this.#unevaluated && Object.hasOwn(all, 'contains')) delete all['prefixItems'];
    if (!this.#unevaluated) return all;
    if (depth > 0 && random.below(8) === 0) all['unevaluatedProperties'] = this.schema(0);
    if (depth > 0 && random.below(8) === 0) all['unevaluatedItems'] = this.schema(0);
    return all;
  }

  value(depth: number): JsonValue {
    const random = this.#random;
    const kind = random.below(depth > 0 ? 9 : 5);
    if (kind === 0) return null;
    if (kind === 1) return random.below(2) === 0;
    if (kind === 2) return this.#pick(numbers);
    if (kind <= 4) return this.#pick(texts);
    if (kind <= 6) return Array.from({ length: random.below(5) }, () => this.value(depth - 1));
    return Object.fromEntries(this.#some(names).map((name) => [name, this.value(depth - 1)]));
  }

  #pick<T>(list: readonly T[]): T {
    const found = this.#random.pick(list);
    if (found === undefined) throw new Error('nothing to pick from');
    return found;
  }

  #some<T>(list: readonly T[]): readonly T[] {
    return list.filter(() => this.#random.below(2) === 0);
  }

  #maybe(name: string, make: () => JsonValue): Record<string, JsonValue> {
    return this.#random.below(2) === 0 ? { [name]: make() } : {};
  }

  #types(): Record<string, JsonValue> {
    const some = this.#some(types);
    return { type: some.length < 2 ? this.#pick(types) : [...some] };
  }

  #values(): Record<string, JsonValue> {
    if (this.#random.below(2) === 0) return { const: this.value(1) };
    // ajv admits no value twice.
    const values = new Map(
      [this.value(1), this.value(0), this.value(0)].map((value) => [JSON.stringify(value), value]),
    );
    return { enum: [...values.values()] };
  }

  #text(): Record<string, JsonValue> {
    return {
      ...this.#maybe('minLength', () => this.#random.below(3)),
      ...this.#maybe('maxLength', () => this.#random.below(4)),
      ...this.#maybe('pattern', () => this.#pick(patterns)),
    };
  }

  #number(): Record<string, JsonValue> {
    return {
      ...this.#maybe('minimum', () => this.#pick(numbers)),
      ...this.#maybe('exclusiveMaximum', () => this.#pick(numbers)),
      ...this.#maybe('multipleOf', () => this.#pick([1, 2, 0.5])),
    };
  }

  #array(depth: number): Record<string, JsonValue> {
    const contains = this.#random.below(3) === 0;
    return {
      ...this.#maybe('prefixItems', () => [this.schema(depth), this.schema(0)]),
      ...this.#maybe('items', () => this.schema(depth)),
      ...(contains && {
        contains: this.schema(0),
        ...this.#maybe('minContains', () => this.#random.below(3)),
        ...this.#maybe('maxContains', () => 1 + this.#random.below(2)),
      }),
      ...this.#maybe('minItems', () => this.#random.below(3)),
      ...this.#maybe('uniqueItems', () => true),
    };
  }

  #object(depth: number): Record<string, JsonValue> {
    return {
      properties: Object.fromEntries(this.#some(names).map((name) => [name, this.schema(depth)])),
      ...this.#maybe('required', () => [...this.#some(names)]),
      ...this.#maybe('patternProperties', () => ({ [this.#pick(patterns)]: this.schema(0) })),
      ...(this.#random.below(3) === 0 && { additionalProperties: this.schema(0) }),
      ...(this.#random.below(4) === 0 && { propertyNames: this.#text() }),
      ...this.#maybe('minProperties', () => this.#random.below(3)),
      ...(this.#random.below(4) === 0 && { maxProperties: this.#random.below(4) }),
      ...(this.#random.below(4) === 0 && { dependentRequired: { [this.#pick(names)]: [...this.#some(names)] } }),
      ...(this.#random.below(4) === 0 && { dependentSchemas: { [this.#pick(names)]: this.schema(depth) } }),
    };
  }

  #applied(depth: number): Record<string, JsonValue> {
    const branches = (): JsonValue => Array.from({ length: 1 + this.#random.below(3) }, () => this.schema(depth));
    switch (this.#random.below(5)) {
      case 0:
        return { allOf: branches() };
      case 1:
        return { anyOf: branches() };
      case 2:
        return { oneOf: branches() };
      case 3:
        return { not: this.schema(depth) };
      default:
        return {
          if: this.schema(0),
          ...this.#maybe('then', () => this.schema(depth)),
          ...this.#maybe('else', () => this.schema(depth)),
        };
    }
  }
}
