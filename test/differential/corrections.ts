/**
 * Where json-schema-to-typescript is wrong by itself, kind by kind: its input is rewritten so that it says what the schema
 * means. A kind that no document needs fails the test. What is left is in `disagreements.ts`, by name.
 */
import type { JsonValue } from '../../src/ir/schema.js';
import { isObject, type JsonObject } from '../support/component-schemas.js';

export interface Correction {
  readonly kind: string;
  readonly why: string;
  /** The same object where there is nothing to correct. */
  readonly apply: (schema: JsonObject) => JsonObject;
}

/** What their tool makes a type of. */
const structural = [
  ...['type', 'properties', 'required', 'additionalProperties', 'patternProperties', 'items', 'enum', 'const'],
  ...['allOf', 'anyOf', 'oneOf', 'tsType'],
];

export function saysNothing(value: JsonValue): boolean {
  return isObject(value) && !structural.some((keyword) => Object.hasOwn(value, keyword));
}

const members = (schema: JsonObject): readonly string[] =>
  isObject(schema['properties']) ? Object.keys(schema['properties']) : [];

const typesOf = ({ type }: JsonObject): readonly JsonValue[] => (Array.isArray(type) ? type : [type ?? null]);

export const corrections: readonly Correction[] = [
  {
    kind: 'annotation beside a reference',
    why: 'a part of an allOf that has no type is an object to it, and a string of that is never',
    apply: (schema) => {
      const { allOf } = schema;
      if (!Array.isArray(allOf)) return schema;
      const telling = allOf.filter((part) => !isUnknown(part));
      return telling.length === allOf.length || telling.length === 0 ? schema : { ...schema, allOf: telling };
    },
  },
  {
    kind: 'schema that says nothing',
    why: 'without a type it is an object to it, and any value to JSON Schema',
    apply: (schema) => (saysNothing(schema) ? { ...schema, tsType: 'unknown' } : schema),
  },
  {
    kind: 'object without described members',
    why: 'the default that closes objects leaves nothing of it; it is any object',
    apply: (schema) => {
      const described = members(schema).length > 0 || schema['additionalProperties'] !== undefined;
      const composed = ['allOf', 'anyOf', 'oneOf', 'required', 'patternProperties', 'tsType'].some(
        (key) => key in schema,
      );
      const isObjectType =
        typesOf(schema).includes('object') || (schema['type'] === undefined && 'properties' in schema);
      return isObjectType && !described && !composed ? { ...schema, additionalProperties: true } : schema;
    },
  },
  {
    kind: 'value of an enum that is of another type',
    why: 'it prints every value of an enum, and those that the type beside it excludes are none',
    apply: (schema) => {
      const { enum: values, type } = schema;
      if (!Array.isArray(values) || type === undefined) return schema;
      const possible = values.filter((value) => typesOf(schema).some((wanted) => isOfType(value, String(wanted))));
      if (possible.length === values.length) return schema;
      if (possible.length === 0) return { tsType: 'never' };
      return { ...schema, enum: possible };
    },
  },
  {
    kind: 'type that no value of the enum has',
    why: 'it prints null for a type of ["string", "null"], also where the enum beside it does not list null',
    apply: (schema) => {
      const { enum: values } = schema;
      if (!Array.isArray(values) || !Array.isArray(schema['type'])) return schema;
      const types = schema['type'].filter((type) => values.some((value) => isOfType(value, String(type))));
      return types.length === schema['type'].length ? schema : { ...schema, type: types };
    },
  },
  {
    kind: 'default of another type',
    why: 'it takes the type of a default for one of the schema, and intersects the two',
    apply: (schema) => {
      const { default: value, ...rest } = schema;
      if (value === undefined || schema['type'] === undefined) return schema;
      return typesOf(schema).some((type) => isOfType(value, String(type))) ? schema : rest;
    },
  },
  {
    kind: 'required member that is not described',
    why: 'it leaves the member out; it must be there, and may be anything',
    apply: (schema) => {
      const { required } = schema;
      const missing = Array.isArray(required)
        ? required.map(String).filter((name) => !members(schema).includes(name))
        : [];
      if (missing.length === 0 || schema['allOf'] !== undefined || members(schema).length === 0) return schema;
      const added = Object.fromEntries(missing.map((name) => [name, { tsType: 'unknown' }]));
      return { ...schema, properties: { ...(schema['properties'] as JsonObject), ...added } };
    },
  },
];

function isUnknown(value: JsonValue): boolean {
  return saysNothing(value) || (isObject(value) && value['tsType'] === 'unknown');
}

function isOfType(value: JsonValue, type: string): boolean {
  if (value === null) return type === 'null';
  if (Array.isArray(value)) return type === 'array';
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

/** The schema as their tool has to be told it; the kinds of what was changed are added to `used`. */
export function corrected(value: JsonValue, used: Set<string>): JsonValue {
  if (!isObject(value)) return value;
  let schema = value;
  for (const { kind, apply } of corrections) {
    const next = apply(schema);
    if (next !== schema) used.add(kind);
    schema = next;
  }
  return schema;
}
