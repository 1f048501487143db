/**
 * Whether a value is valid by a schema of the IR, asked while code is planned: what generated validators say of it when
 * they run. It judges by the same facts and the same runtime functions as they do, but walks the schema, so that any
 * schema can be asked about, also one that has no validator. Both the schema and the value may be hostile: what cannot be
 * told within bounds is taken for invalid, whatever the schemas around say.
 */
import { dynamicTarget, type Environment, noEnvironment, withAnchors } from '../../ir/environment.js';
import type { JsonType, JsonValue, ObjectSchema, Schema, SchemaId } from '../../ir/schema.js';
import { codePoints, equal, memberCount, multipleOf, own, unique } from '../../runtime/checks.js';
import { assertedFormat } from '../checks/asserted.js';
import { Facts } from '../checks/facts.js';
import type { Direction } from '../target.js';
import { Evaluated } from './evaluated.js';
import { hasFormat } from './format-checks.js';
import { PatternMatcher } from './pattern-match.js';

type JsonObject = { readonly [name: string]: JsonValue };

const depthLimit = 300;
const stepLimit = 300_000;
const noNames: ReadonlySet<string> = new Set();

/** It cannot be told: neither `not` nor `anyOf` on the way may take it for an answer. */
class Untold extends Error {}

interface Scope {
  readonly direction: Direction;
  readonly ignored: ReadonlySet<string>;
  readonly environment: Environment;
}

export class Validity {
  readonly facts: Facts;
  readonly patterns = new PatternMatcher();
  readonly #assertFormats: boolean;
  #steps = 0;
  #depth = 0;

  constructor(schemas: ReadonlyMap<SchemaId, Schema>, assertFormats: boolean) {
    this.facts = new Facts(schemas);
    this.#assertFormats = assertFormats;
  }

  accepts(schema: SchemaId, value: JsonValue, direction: Direction): boolean {
    this.#steps = 0;
    this.#depth = 0;
    try {
      return this.#check({ direction, ignored: noNames, environment: noEnvironment }, schema, value, undefined);
    } catch (fault) {
      if (fault instanceof Untold) return false;
      throw fault;
    }
  }

  #matches(pattern: string, text: string): boolean {
    const answer = this.patterns.matches(pattern, text);
    if (answer === undefined) throw new Untold();
    return answer;
  }

  #check(outer: Scope, id: SchemaId, value: JsonValue, seen: Evaluated | undefined): boolean {
    const schema = this.facts.schema(id);
    if (schema.kind === 'boolean') return schema.value;
    if (++this.#steps > stepLimit || this.#depth >= depthLimit) throw new Untold();
    this.#depth++;
    const ignored = this.facts.ignoredNames(id, outer.direction);
    const scope: Scope = {
      direction: outer.direction,
      ignored: ignored.size === 0 ? outer.ignored : new Set([...outer.ignored, ...ignored]),
      environment: withAnchors(outer.environment, schema.anchors),
    };
    const local = schema.unevaluated === undefined ? seen : new Evaluated();
    const valid = this.#asserted(scope, schema, value, local) && this.#leftOver(scope, schema, value, local);
    if (valid && local !== undefined && local !== seen) seen?.add(local);
    this.#depth--;
    return valid;
  }

  #asserted(scope: Scope, schema: ObjectSchema, value: JsonValue, seen: Evaluated | undefined): boolean {
    const values = this.facts.valuesOf(schema);
    if (values !== undefined && !values.some((entry) => equal(value, entry))) return false;
    if (schema.types !== undefined && !schema.types.some((type) => isOfType(value, type))) return false;
    return this.#grouped(scope, schema, value, seen) && this.#applied(scope, schema, value, seen);
  }

  #grouped(scope: Scope, schema: ObjectSchema, value: JsonValue, seen: Evaluated | undefined): boolean {
    if (typeof value === 'string') return this.#string(schema, value);
    if (typeof value === 'number') return this.#number(schema, value);
    if (Array.isArray(value)) return this.#array({ ...scope, ignored: noNames }, schema, value, seen);
    if (isObject(value)) return this.#object(scope, schema, value, seen);
    return true;
  }

  #string(schema: ObjectSchema, value: string): boolean {
    const { string } = schema;
    const format = assertedFormat(schema, { assertFormats: this.#assertFormats });
    const { minLength, maxLength, pattern } = string ?? {};
    if (maxLength !== undefined && codePoints(value) > maxLength) return false;
    if (minLength !== undefined && codePoints(value) < minLength) return false;
    if (pattern !== undefined && !this.#matches(pattern, value)) return false;
    return format === undefined || hasFormat(format, value);
  }

  #number(schema: ObjectSchema, value: number): boolean {
    const { number } = schema;
    const format = assertedFormat(schema, { assertFormats: this.#assertFormats });
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf: divisor } = number ?? {};
    if ((minimum !== undefined && value < minimum) || (maximum !== undefined && value > maximum)) return false;
    if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) return false;
    if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) return false;
    if (divisor !== undefined && !multipleOf(value, divisor, 0)) return false;
    return format === undefined || hasFormat(format, value);
  }

  #array(scope: Scope, schema: ObjectSchema, value: readonly JsonValue[], seen: Evaluated | undefined): boolean {
    const { array, behaviour } = schema;
    if (array === undefined) return true;
    const { prefixItems = [], items, minItems, maxItems, uniqueItems, contains } = array;
    if (value.length < (minItems ?? 0) || value.length > (maxItems ?? value.length)) return false;
    for (const [index, item] of value.entries()) {
      const id = prefixItems[index] ?? items;
      if (id !== undefined && !this.#check(scope, id, item, undefined)) return false;
    }
    if (items !== undefined) seen?.addAll();
    else for (let index = 0; index < prefixItems.length; index++) seen?.addItem(index);
    if (contains !== undefined) {
      let count = 0;
      for (const [index, item] of value.entries()) {
        if (!this.#check(scope, contains.schema, item, undefined)) continue;
        count++;
        if (behaviour.containsEvaluates) seen?.addItem(index);
      }
      if (count < contains.min || count > (contains.max ?? count)) return false;
    }
    return uniqueItems !== true || unique(value);
  }

  #object(scope: Scope, schema: ObjectSchema, value: JsonObject, seen: Evaluated | undefined): boolean {
    const { object } = schema;
    if (object === undefined) return true;
    const count = memberCount(value);
    if (count < (object.minProperties ?? 0) || count > (object.maxProperties ?? count)) return false;
    const { ignored } = scope;
    const has = (name: string): boolean => own(value, name) !== undefined;
    if (object.required.some((name) => !ignored.has(name) && !has(name))) return false;
    for (const { name, required } of object.dependentRequired) {
      if (ignored.has(name) || !has(name)) continue;
      if (required.some((other) => !ignored.has(other) && !has(other))) return false;
    }
    for (const { name, schema: id } of object.dependentSchemas) {
      if (!ignored.has(name) && has(name) && !this.#check(scope, id, value, seen)) return false;
    }
    const inner: Scope = { ...scope, ignored: noNames };
    return Object.entries(value).every(
      ([name, member]) => ignored.has(name) || this.#member(inner, object, name, member, seen),
    );
  }

  #member(
    scope: Scope,
    object: NonNullable<ObjectSchema['object']>,
    name: string,
    value: JsonValue,
    seen: Evaluated | undefined,
  ): boolean {
    const { properties, patternProperties, additionalProperties, propertyNames } = object;
    if (propertyNames !== undefined && !this.#check(scope, propertyNames, name, undefined)) return false;
    let known = false;
    const apply = (id: SchemaId): boolean => {
      known = true;
      return this.#check(scope, id, value, undefined);
    };
    for (const property of properties) if (property.name === name && !apply(property.schema)) return false;
    for (const entry of patternProperties) {
      if (this.#matches(entry.pattern, name) && !apply(entry.schema)) return false;
    }
    if (!known && additionalProperties !== undefined && !apply(additionalProperties)) return false;
    if (known) seen?.addName(name);
    return true;
  }

  /** The keywords that apply other schemas to the same value. */
  #applied(scope: Scope, schema: ObjectSchema, value: JsonValue, seen: Evaluated | undefined): boolean {
    const { ref, allOf = [], anyOf, oneOf, not, conditional } = schema;
    for (const id of [ref, dynamicTarget(scope.environment, schema), ...allOf]) {
      if (id !== undefined && !this.#check(scope, id, value, seen)) return false;
    }
    if (anyOf !== undefined && this.#holding(scope, anyOf, value, seen) === 0) return false;
    if (oneOf !== undefined && this.#holding(scope, oneOf, value, seen) !== 1) return false;
    if (not !== undefined && this.#check(scope, not, value, undefined)) return false;
    if (conditional === undefined) return true;
    const holds = this.#branch(scope, conditional.if, value, seen);
    const next = holds ? conditional.then : conditional.else;
    return next === undefined || this.#check(scope, next, value, seen);
  }

  #holding(scope: Scope, branches: readonly SchemaId[], value: JsonValue, seen: Evaluated | undefined): number {
    return branches.filter((branch) => this.#branch(scope, branch, value, seen)).length;
  }

  /** What a branch has looked at counts only where it holds. */
  #branch(scope: Scope, id: SchemaId, value: JsonValue, seen: Evaluated | undefined): boolean {
    const inner = seen && new Evaluated();
    const holds = this.#check(scope, id, value, inner);
    if (holds && inner !== undefined) seen?.add(inner);
    return holds;
  }

  #leftOver(scope: Scope, { unevaluated }: ObjectSchema, value: JsonValue, seen: Evaluated | undefined): boolean {
    if (unevaluated === undefined || seen === undefined) return true;
    const inner: Scope = { ...scope, ignored: noNames };
    if (Array.isArray(value)) {
      const { items } = unevaluated;
      if (items === undefined) return true;
      const left = value.filter((_, index) => !seen.hasItem(index));
      if (!left.every((item) => this.#check(inner, items, item, undefined))) return false;
      seen.addAll();
    } else if (isObject(value)) {
      const { properties } = unevaluated;
      if (properties === undefined) return true;
      const left = Object.entries(value).filter(([name]) => !seen.hasName(name) && !scope.ignored.has(name));
      if (!left.every(([, member]) => this.#check(inner, properties, member, undefined))) return false;
      for (const name of Object.keys(value)) seen.addName(name);
    }
    return true;
  }
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isOfType(value: JsonValue, type: JsonType): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return Number.isFinite(value);
    default:
      return typeof value === type;
  }
}
