/**
 * A named schema of a derived JSON Schema → the schema that json-schema-to-typescript is given. That library prints names,
 * keys, literals and comments of its input as they are, fetches what references lead to, follows them by recursion and
 * repeats tuples for each length; the document is hostile. So its input is made anew out of the keywords that become
 * types, one declaration at a time, and everything in it is harmless:
 *
 * * a reference is a finished type: the name of another declaration. There are no `$ref`, `$defs` and `$id`;
 * * no `title` (it beats the name), no `default` (a type would be guessed from it);
 * * literals and keys that our encoders would write differently reach it as finished types, or not at all;
 * * bounds of arrays only where what is repeated is a name or a word, and few times.
 */
import { code, commentLines, joinCode, key, literal } from '../encode.js';
import type { JsonValue } from '../ir/schema.js';
import type { JsonObject } from '../json-object.js';

/** `nameOf` gives the name of the declaration that a reference leads to, as the library spells it. */
export function declarationInput(schema: JsonValue, nameOf: (reference: string) => string): JsonObject {
  return new Converter(nameOf).schema(schema);
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function list(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** A tuple or a bound with more items is printed as a plain array. */
const mostItems = 20;

const anything: JsonObject = { tsType: 'unknown' };

class Converter {
  readonly #nameOf: (reference: string) => string;

  constructor(nameOf: (reference: string) => string) {
    this.#nameOf = nameOf;
  }

  schema = (schema: JsonValue): JsonObject => {
    if (refusesAll(schema)) return { tsType: 'never' };
    if (!isObject(schema)) return anything;
    const { $ref: reference, description, deprecated } = schema;
    const assertions = this.#assertions(schema);
    const target = typeof reference === 'string' ? { tsType: this.#nameOf(reference) } : anything;
    const isBare = Object.keys(assertions).length === 0;
    return {
      ...(typeof description === 'string' && { description: commentLines(description).join('\n') }),
      ...(deprecated === true && { deprecated }),
      ...(isBare ? target : target === anything ? assertions : { allOf: [target, assertions] }),
    };
  };

  #assertions(schema: JsonObject): JsonObject {
    const values = Object.hasOwn(schema, 'const') ? [schema['const'] ?? null] : schema['enum'];
    const composed = Object.fromEntries(
      ['allOf', 'anyOf', 'oneOf']
        .map((keyword) => [keyword, list(schema[keyword]).map(this.schema)] as const)
        .filter(([, branches]) => branches.length > 0),
    );
    if (Array.isArray(values)) return { ...literals(values), ...composed };
    const { type } = schema;
    return {
      ...(type !== undefined && { type }),
      ...this.#array(schema),
      ...this.#object(schema),
      ...composed,
    };
  }

  #array(schema: JsonObject): JsonObject {
    const { items, prefixItems } = schema;
    const count = (keyword: string): number | undefined => {
      const value = schema[keyword];
      return typeof value === 'number' ? value : undefined;
    };
    const [minItems, maxItems] = [count('minItems') ?? 0, count('maxItems')];
    if (prefixItems === undefined) {
      if (items === undefined) return {};
      const bounds = { ...(minItems > 0 && { minItems }), ...(maxItems !== undefined && { maxItems }) };
      const printable =
        isWord(items) && Math.max(minItems, maxItems ?? 0) <= mostItems && minItems <= (maxItems ?? mostItems);
      return { items: this.schema(items), ...(printable && bounds) };
    }
    const members = list(prefixItems);
    const rest =
      items === undefined ? {} : { additionalItems: typeof items === 'boolean' ? items : this.schema(items) };
    const all = minItems >= members.length;
    if (members.length <= mostItems && (all || [...members, items ?? true].every(isWord))) {
      const least = Math.min(minItems, members.length);
      return {
        items: members.map(this.schema),
        additionalItems: true,
        ...rest,
        ...(least > 0 && { minItems: least }),
      };
    }
    return { items: items === false ? { anyOf: members.map(this.schema) } : anything };
  }

  #object(schema: JsonObject): JsonObject {
    const { properties, patternProperties, additionalProperties, required } = schema;
    const members = Object.entries(isObject(properties) ? properties : {});
    const printed = members.filter(([name]) => isPlainKey(name));
    const patterns = Object.values(isObject(patternProperties) ? patternProperties : {});
    const open = printed.length < members.length || additionalProperties === undefined || additionalProperties === true;
    const others = [...patterns, ...(additionalProperties === undefined ? [] : [additionalProperties])];
    const rest =
      patterns.length === 0
        ? this.#rest(additionalProperties)
        : { anyOf: others.filter((one) => one !== false).map(this.schema) };
    const isMap = members.length > 0 || patterns.length > 0 || additionalProperties !== undefined;
    return {
      ...(required !== undefined && { required }),
      ...(printed.length > 0 && {
        properties: Object.fromEntries(printed.map(([name, member]) => [name, this.schema(member)])),
      }),
      ...(isMap && { additionalProperties: open ? true : rest }),
    };
  }

  #rest(additional: JsonValue | undefined): JsonValue {
    return typeof additional === 'boolean' ? additional : this.schema(additional ?? true);
  }
}

/** `false`, or what it becomes where a schema must be an object. */
function refusesAll(schema: JsonValue): boolean {
  if (!isObject(schema)) return schema === false;
  const { not } = schema;
  return not === true || (isObject(not) && Object.keys(not).length === 0);
}

/** Whether a type is printed as one name or word, however large the schema behind it. */
function isWord(schema: JsonValue): boolean {
  if (!isObject(schema) || Object.hasOwn(schema, '$ref')) return true;
  return !composing.some((keyword) => Object.hasOwn(schema, keyword));
}

const composing: readonly string[] =
  'enum const items prefixItems properties patternProperties additionalProperties allOf anyOf oneOf'.split(' ');

/** The library writes keys as JSON does; those that need more stay out, and the object open. */
function isPlainKey(name: string): boolean {
  const written: string = key(name);
  return written === name || written === JSON.stringify(name);
}

function literals(values: readonly JsonValue[]): JsonObject {
  const isPlain = (value: JsonValue): boolean =>
    (typeof value !== 'object' || value === null) && literal(value) === JSON.stringify(value);
  if (values.length > 0 && values.every(isPlain)) return { enum: values };
  return { tsType: values.length === 0 ? 'never' : code`(${joinCode(values.map(literal), ' | ')})` };
}
