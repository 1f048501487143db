/**
 * Which defaults a client sends. A default documents the receiver and is not inserted (OpenAPI, Schema Object), but what
 * is required must be sent: then a default that is fit to be sent makes the argument optional.
 */
import { type Address, quote } from '../diagnostics.js';
import { regexFlags } from '../encode.js';
import type { Api, Parameter } from '../ir/api.js';
import type { JsonType, JsonValue, NumberAssertions, Schema, SchemaId, StringAssertions } from '../ir/schema.js';
import type { PlanContext } from './target.js';

export type SentDefault = string | number | boolean;

/** The default that stands in for a parameter that the caller leaves out; `undefined` where the caller must give it. */
export function sentDefault({ api, options, report }: PlanContext, parameter: Parameter): SentDefault | undefined {
  const { schema, required, at } = parameter;
  if (!options.sendDefaults || !required || parameter.in === 'path' || schema === undefined) return undefined;
  const found = defaultOf(api, schema);
  if (!found) return undefined;
  const value = found.value;
  const name = `the ${parameter.in} parameter ${quote(parameter.name)}`;
  if (!isScalar(value) || !accepts(api, schema, value)) {
    report.report('default-invalid', `the default of ${name} does not fit its schema`, found.at);
    return undefined;
  }
  if (isPlaceholder(value)) return undefined;
  report.report('default-sent', `${name} is sent as ${quote(String(value))} where it is not given`, at);
  return value;
}

function isScalar(value: JsonValue): value is SentDefault {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** Text for a reader in place of a value: `{{token}}`, `${KEY}`, `<your key>`, a sentence. */
function isPlaceholder(value: SentDefault): boolean {
  if (typeof value !== 'string') return false;
  return value.trim() === '' || /\{\{|\$\{|<[^>]*>|\byour\b/i.test(value) || value.trim().split(/\s+/).length > 2;
}

function defaultOf(api: Api, id: SchemaId): { readonly value: JsonValue; readonly at: Address } | undefined {
  const seen = new Set<SchemaId>();
  for (let current: SchemaId | undefined = id; current !== undefined && !seen.has(current); ) {
    seen.add(current);
    const schema: Schema | undefined = api.schemas.get(current);
    if (schema?.docs.default) return { value: schema.docs.default.value, at: schema.at };
    current = schema?.kind === 'schema' ? schema.ref : undefined;
  }
  return undefined;
}

/** Whether a scalar satisfies a schema. Follows what applies in place; each schema is asked once. */
function accepts(api: Api, start: SchemaId, value: SentDefault, seen: Set<SchemaId> = new Set()): boolean {
  const schema = api.schemas.get(start);
  if (!schema || seen.has(start)) return true;
  if (schema.kind === 'boolean') return schema.value;
  seen.add(start);
  const every = [...(schema.allOf ?? []), ...(schema.ref === undefined ? [] : [schema.ref])];
  const alternatives = [schema.anyOf, schema.oneOf].filter((list) => list !== undefined);
  return (
    (schema.types === undefined || schema.types.some((type) => isOfType(value, type))) &&
    (schema.enum === undefined || schema.enum.includes(value)) &&
    (schema.const === undefined || schema.const.value === value) &&
    (typeof value !== 'string' || stringAccepts(schema.string, value)) &&
    (typeof value !== 'number' || numberAccepts(schema.number, value)) &&
    every.every((id) => accepts(api, id, value, seen)) &&
    alternatives.every((list) => list.some((id) => accepts(api, id, value, new Set(seen))))
  );
}

function isOfType(value: SentDefault, type: JsonType): boolean {
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}

function stringAccepts(assertions: StringAssertions = {}, value: string): boolean {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = assertions;
  const length = [...value].length;
  if (length < minLength || length > maxLength) return false;
  const flags = pattern === undefined ? undefined : regexFlags(pattern);
  // A pattern of the document on a long text could run for ever; such a default is not sent.
  return pattern === undefined || (flags !== undefined && length <= 256 && new RegExp(pattern, flags).test(value));
}

function numberAccepts(assertions: NumberAssertions = {}, value: number): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = assertions;
  return (
    (minimum === undefined || value >= minimum) &&
    (maximum === undefined || value <= maximum) &&
    (exclusiveMinimum === undefined || value > exclusiveMinimum) &&
    (exclusiveMaximum === undefined || value < exclusiveMaximum) &&
    (multipleOf === undefined || Math.abs(value / multipleOf - Math.round(value / multipleOf)) < 1e-9)
  );
}
