/**
 * The component schemas of an OpenAPI description as plain JSON Schema, for libraries that know nothing of OpenAPI: what
 * other tools are compared with. It is written against the specifications and shares nothing with the generator.
 */
import type { JsonValue } from '../../src/ir/schema.js';

export type JsonObject = { readonly [key: string]: JsonValue };

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export interface ComponentOptions {
  /** What is done with a member that only requests carry: an answer's reader does not look at it, or does not know it. */
  readonly writeOnly: 'unchecked' | 'absent';
  /** Says `type` where it is left out beside keywords for objects alone, or for arrays alone: what their authors mean. */
  readonly impliedTypes?: boolean;
  /** What refers to a component, by its name as a step of a pointer; `#/definitions/<name>` where it is left out. */
  readonly reference?: (step: string) => string;
}

const maps = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
const lists = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const singles = new Set(['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames']);

const keywords = {
  object: ['properties', 'required', 'additionalProperties', 'patternProperties', 'minProperties', 'maxProperties'],
  array: ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'contains'],
  string: ['minLength', 'maxLength', 'pattern'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
};

/** Beside `$ref`, what OpenAPI 3.0 tools write and mean nothing by. */
const annotations = new Set(['description', 'summary', 'title', 'example', 'examples', '$comment']);

const prefix = '#/components/schemas/';

/** Schemas by component name, as they are for who reads an answer; references lead to `#/definitions/…`. */
export function componentSchemas(
  description: JsonObject,
  options: ComponentOptions,
): Readonly<Record<string, JsonValue>> {
  const { components } = description;
  const schemas = isObject(components) && isObject(components['schemas']) ? components['schemas'] : {};
  const translation = new Translation(schemas, String(description['openapi']).startsWith('3.0'), options);
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, translation.schema(schema)]));
}

class Translation {
  readonly #schemas: JsonObject;
  /** OpenAPI 3.0: `nullable`, exclusive bounds that are booleans. */
  readonly #old: boolean;
  readonly #options: ComponentOptions;

  constructor(schemas: JsonObject, old: boolean, options: ComponentOptions) {
    this.#schemas = schemas;
    this.#old = old;
    this.#options = options;
  }

  schema(value: JsonValue): JsonValue {
    if (!isObject(value)) return value;
    const made: Record<string, JsonValue> = {};
    const lonely = this.#old && typeof value['$ref'] === 'string' && this.#isPlainReference(value);
    for (const [key, member] of Object.entries(value)) {
      if (lonely && key !== '$ref') continue;
      if (key === '$ref' && typeof member === 'string') made['$ref'] = this.#reference(member);
      else if (maps.has(key) && isObject(member)) made[key] = this.#map(member);
      else if (lists.has(key) && Array.isArray(member)) made[key] = member.map((part) => this.schema(part));
      else if (singles.has(key)) made[key] = this.schema(member);
      else made[key] = member;
    }
    this.#leaveOutWriteOnly(value, made);
    const implied = this.#options.impliedTypes === true && !('type' in made) ? impliedType(value) : undefined;
    if (implied !== undefined) made['type'] = implied;
    return this.#old ? this.#modern(made) : made;
  }

  #reference(target: string): string {
    if (!target.startsWith(prefix)) return target;
    const { reference = (step: string) => `#/definitions/${step}` } = this.#options;
    return reference(target.slice(prefix.length));
  }

  #isPlainReference(value: JsonObject): boolean {
    return Object.keys(value).every((key) => key === '$ref' || annotations.has(key) || key.startsWith('x-'));
  }

  #map(members: JsonObject): JsonObject {
    return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, this.schema(member)]));
  }

  #leaveOutWriteOnly(value: JsonObject, made: Record<string, JsonValue>): void {
    const hidden = this.#writeOnlyNames(value);
    if (hidden.size === 0) return;
    const entries = Object.entries(isObject(made['properties']) ? made['properties'] : {});
    made['properties'] =
      this.#options.writeOnly === 'absent'
        ? Object.fromEntries(entries.filter(([name]) => !hidden.has(name)))
        : Object.fromEntries(entries.map(([name, member]) => [name, hidden.has(name) ? true : member]));
    const { required } = made;
    if (Array.isArray(required)) made['required'] = required.filter((name) => !hidden.has(String(name)));
  }

  #writeOnlyNames({ properties }: JsonObject): ReadonlySet<string> {
    const names = Object.entries(isObject(properties) ? properties : {}).filter(([, member]) => this.#writes(member));
    return new Set(names.map(([name]) => name));
  }

  #writes(member: JsonValue, hops = 8): boolean {
    if (!isObject(member) || hops === 0) return false;
    if (member['writeOnly'] === true) return member['readOnly'] !== true;
    const { $ref: reference } = member;
    if (typeof reference !== 'string' || !reference.startsWith(prefix)) return false;
    const target = this.#schemas[decodePointer(reference.slice(prefix.length))];
    return target !== undefined && this.#writes(target, hops - 1);
  }

  /** What OpenAPI 3.0 says in its own words. */
  #modern({ nullable, exclusiveMinimum, exclusiveMaximum, ...rest }: Record<string, JsonValue>): JsonValue {
    const made = { ...rest };
    for (const [flag, bound, exclusive] of [
      [exclusiveMinimum, 'minimum', 'exclusiveMinimum'],
      [exclusiveMaximum, 'maximum', 'exclusiveMaximum'],
    ] as const) {
      if (typeof flag === 'number') made[exclusive] = flag;
      if (flag !== true || made[bound] === undefined) continue;
      made[exclusive] = made[bound];
      delete made[bound];
    }
    if (nullable !== true) return made;
    // What it admits, `enum` need not list: the diagnostic `nullable-enum` says so.
    const { enum: values } = made;
    if (Array.isArray(values) && !values.includes(null)) made['enum'] = [...values, null];
    const composed = ['$ref', 'allOf', 'anyOf', 'oneOf'].some((key) => key in made);
    if (typeof made['type'] !== 'string' || composed) return { anyOf: [made, { type: 'null' }] };
    return { ...made, type: [made['type'], 'null'] };
  }
}

function impliedType(value: JsonObject): string | undefined {
  const used = Object.entries(keywords).filter(([, names]) => names.some((name) => Object.hasOwn(value, name)));
  const [only] = used.map(([type]) => type);
  return used.length === 1 && (only === 'object' || only === 'array') ? only : undefined;
}

export function decodePointer(step: string): string {
  return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
}

export function encodePointer(step: string): string {
  return encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'));
}
