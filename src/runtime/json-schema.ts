// SPDX-License-Identifier: 0BSD
import { type StandardSchema, standardSchema } from './standard-schema.js';
import type { Validator } from './validation.js';

type Json = Readonly<Record<string, unknown>>;

/** A named schema as JSON Schema 2020-12; references lead to `#/$defs/Name` of those that it uses. */
export interface JsonSchemaSource {
  readonly name: string;
  readonly schema: Json | boolean;
  readonly uses?: () => readonly JsonSchemaSource[];
}

export interface JsonSchemaOptions {
  /** `draft-2020-12` or `draft-07`. */
  readonly target: string;
  readonly libraryOptions?: Record<string, unknown> | undefined;
}

/** Standard JSON Schema, version 1, beside Standard Schema (https://standardschema.dev). */
export interface StandardJsonSchema<T> {
  readonly '~standard': StandardSchema<T>['~standard'] & {
    readonly jsonSchema: {
      /** Throws a RangeError where the target is not known, or cannot say what the schema says. */
      readonly input: (options: JsonSchemaOptions) => Record<string, unknown>;
      readonly output: (options: JsonSchemaOptions) => Record<string, unknown>;
    };
  };
}

export function standardJsonSchema<T>(validate: Validator<T>, source: JsonSchemaSource): StandardJsonSchema<T> {
  const schema = ({ target }: JsonSchemaOptions): Record<string, unknown> => jsonSchemaOf(source, target);
  return { '~standard': { ...standardSchema(validate)['~standard'], jsonSchema: { input: schema, output: schema } } };
}

function jsonSchemaOf(source: JsonSchemaSource, target: string): Record<string, unknown> {
  const definitions = new Map<string, Json | boolean>();
  const waiting = [source];
  // The list grows while it is walked.
  for (const { name, schema, uses } of waiting) {
    if (definitions.has(name)) continue;
    definitions.set(name, schema);
    waiting.push(...(uses?.() ?? []));
  }
  const reference = `#/$defs/${encodeURIComponent(source.name)}`;
  const isUsed = [...definitions.values()].some((schema) => JSON.stringify(schema).includes(`"$ref":"${reference}"`));
  if (!isUsed) definitions.delete(source.name);
  const body = typeof source.schema === 'boolean' ? (source.schema ? {} : { not: {} }) : source.schema;
  const entries = Object.fromEntries(definitions);
  if (target === 'draft-2020-12') {
    const $schema = 'https://json-schema.org/draft/2020-12/schema';
    return { $schema, ...body, ...(definitions.size > 0 && { $defs: entries }) };
  }
  if (target !== 'draft-07') throw new RangeError(`there is no JSON Schema for the target ${JSON.stringify(target)}`);
  const older = draft07(body) as Json;
  const $schema = 'http://json-schema.org/draft-07/schema#';
  return { $schema, ...older, ...(definitions.size > 0 && { definitions: mapped(entries) }) };
}

const maps = ['properties', 'patternProperties'];
const lists = ['allOf', 'anyOf', 'oneOf'];
const schemas = 'additionalProperties propertyNames contains not if then else items'.split(' ');
/** What draft 07 cannot say. */
const newer = 'unevaluatedProperties unevaluatedItems minContains maxContains $dynamicRef $recursiveRef'.split(' ');

function mapped(value: unknown): Json {
  return Object.fromEntries(Object.entries(value as Json).map(([name, schema]) => [name, draft07(schema)]));
}

function draft07(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  const said = schema as Json;
  const unsayable = newer.find((keyword) => Object.hasOwn(said, keyword));
  if (unsayable !== undefined) throw new RangeError(`draft-07 has no ${unsayable}`);
  const { $ref, prefixItems, dependentRequired, dependentSchemas, ...rest } = said;
  const result: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(rest)) {
    if (maps.includes(keyword)) result[keyword] = mapped(value);
    else if (lists.includes(keyword)) result[keyword] = (value as readonly unknown[]).map(draft07);
    else if (keyword === 'items' && prefixItems !== undefined) result['additionalItems'] = draft07(value);
    else result[keyword] = schemas.includes(keyword) ? draft07(value) : value;
  }
  if (prefixItems !== undefined) result['items'] = (prefixItems as readonly unknown[]).map(draft07);
  if (dependentRequired !== undefined || dependentSchemas !== undefined) {
    result['dependencies'] = dependencies((dependentRequired ?? {}) as Json, mapped(dependentSchemas ?? {}));
  }
  if (typeof $ref !== 'string') return result;
  const reference = { $ref: $ref.replace('#/$defs/', '#/definitions/') };
  // What stands beside a reference would be ignored.
  if (Object.keys(result).length === 0) return reference;
  return { ...result, allOf: [reference, ...((result['allOf'] ?? []) as readonly unknown[])] };
}

/** Of a name that has both: the list becomes a schema. */
function dependencies(required: Json, applied: Json): Json {
  const both = Object.entries(required).map(([name, list]) => [
    name,
    Object.hasOwn(applied, name) ? { allOf: [{ required: list }, applied[name]] } : list,
  ]);
  return { ...applied, ...Object.fromEntries(both) };
}
