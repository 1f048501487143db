/** The keywords of one schema object, grouped by the instance type that they constrain (JSON Schema Validation, section 6). */
import { type Collector, childAddress, quote } from '../diagnostics.js';
import type {
  ArrayAssertions,
  Discriminator,
  JsonType,
  NumberAssertions,
  ObjectAssertions,
  SchemaId,
  StringAssertions,
} from '../ir/schema.js';
import { isObject } from '../json-object.js';
import type { Dialect } from './dialects.js';
import { extensionsOf, Members, noExtensions } from './json.js';
import type { SchemaContext } from './schema-context.js';

const jsonTypes: readonly JsonType[] = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];

/** Nearly all schemas have one type: one list for all that have the same. */
const listOf: ReadonlyMap<unknown, readonly JsonType[]> = new Map(jsonTypes.map((type) => [type, [type]]));

function isJsonType(name: unknown): name is JsonType {
  return listOf.has(name);
}

/** Whether the keyword of the dialect that allows null is there and true; an extension may have any other value too. */
export function isNullable(members: Members, { nullable }: Dialect): boolean {
  if (nullable === undefined) return false;
  return (nullable.startsWith('x-') ? members.raw(nullable) : members.boolean(nullable)) === true;
}

/** The `type` keyword as a list, with `null` added where `nullable` says so. */
export function readTypes(members: Members, report: Collector, dialect: Dialect): readonly JsonType[] | undefined {
  const value = members.raw('type');
  if (value === undefined) return undefined;
  const only = listOf.get(value);
  if (only !== undefined && !isNullable(members, dialect)) return only;
  const names = Array.isArray(value) ? value : [value];
  const types: JsonType[] = [];
  for (const name of names) {
    if (isJsonType(name)) types.push(name);
    else if (name === 'any') return undefined;
    else if (name === 'file' && dialect.fileType) types.push('string');
    else
      report.report(
        'type-mismatch',
        '"type" must be a JSON type or an array of JSON types',
        childAddress(members.at, 'type'),
      );
  }
  if (isNullable(members, dialect) && !types.includes('null')) types.push('null');
  return [...new Set(types)];
}

/** `undefined` where no member is set, so that an absent group means "asserts nothing". */
function orNothing<T extends object>(group: T): T | undefined {
  return Object.keys(group).length === 0 ? undefined : group;
}

export function readString(context: SchemaContext): StringAssertions | undefined {
  const { members, reader, at, dialect } = context;
  const minLength = members.count('minLength');
  const maxLength = members.count('maxLength');
  const written = members.string('pattern');
  const pattern =
    written === undefined ? undefined : reader.checkPattern(written, childAddress(at, 'pattern'), maxLength);
  const contentEncoding = members.string('contentEncoding');
  const contentMediaType = members.string('contentMediaType');
  const contentSchema = dialect.modernKeywords ? context.child('contentSchema') : undefined;
  return orNothing({
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
    ...(pattern !== undefined && { pattern }),
    ...(contentEncoding !== undefined && { contentEncoding }),
    ...(contentMediaType !== undefined && { contentMediaType }),
    ...(contentSchema !== undefined && { contentSchema }),
  });
}

/** The exclusive bound is a number of its own, or turns the inclusive one exclusive. */
function bounds(
  { members, dialect, report }: SchemaContext,
  name: 'minimum' | 'maximum',
  exclusiveName: string,
): [number | undefined, number | undefined] {
  const inclusive = members.number(name);
  const written = members.raw(exclusiveName);
  if (typeof written !== 'boolean') return [inclusive, members.number(exclusiveName)];
  if (!dialect.exclusiveBooleans) {
    report.report(
      'keyword-legacy',
      `"${exclusiveName}" is a boolean, as in an older version`,
      childAddress(members.at, exclusiveName),
    );
  }
  return written ? [undefined, inclusive] : [inclusive, undefined];
}

export function readNumber(context: SchemaContext): NumberAssertions | undefined {
  const { members, report, at } = context;
  const [minimum, exclusiveMinimum] = bounds(context, 'minimum', 'exclusiveMinimum');
  const [maximum, exclusiveMaximum] = bounds(context, 'maximum', 'exclusiveMaximum');
  const multipleOf = members.number('multipleOf');
  if (multipleOf !== undefined && multipleOf <= 0) {
    report.report('type-mismatch', '"multipleOf" must be greater than 0', childAddress(at, 'multipleOf'));
  }
  return orNothing({
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(exclusiveMinimum !== undefined && { exclusiveMinimum }),
    ...(exclusiveMaximum !== undefined && { exclusiveMaximum }),
    ...(multipleOf !== undefined && multipleOf > 0 && { multipleOf }),
  });
}

export function readArray(context: SchemaContext): ArrayAssertions | undefined {
  const { members, dialect } = context;
  const tuple = dialect.tupleItems && Array.isArray(members.raw('items'));
  const prefixItems = tuple ? context.list('items') : dialect.tupleItems ? undefined : context.list('prefixItems');
  const items = tuple ? context.child('additionalItems') : context.child('items');
  const minItems = members.count('minItems');
  const maxItems = members.count('maxItems');
  const uniqueItems = members.boolean('uniqueItems');
  const contains = dialect.modernKeywords ? context.child('contains') : undefined;
  const maxContains = members.count('maxContains');
  return orNothing({
    ...(prefixItems && { prefixItems }),
    ...(items !== undefined && { items }),
    ...(minItems !== undefined && { minItems }),
    ...(maxItems !== undefined && { maxItems }),
    ...(uniqueItems === true && { uniqueItems }),
    ...(contains !== undefined && {
      contains: {
        schema: contains,
        min: members.count('minContains') ?? 1,
        ...(maxContains !== undefined && { max: maxContains }),
      },
    }),
  });
}

export function readObject(context: SchemaContext): ObjectAssertions | undefined {
  const { members, dialect, reader, at } = context;
  const patternProperties = context.map('patternProperties').flatMap(([written, schema]) => {
    const pattern = reader.checkPattern(written, childAddress(at, 'patternProperties', written));
    return pattern === undefined ? [] : [{ pattern, schema }];
  });
  const additionalProperties = context.child('additionalProperties');
  const propertyNames = dialect.modernKeywords ? context.child('propertyNames') : undefined;
  const minProperties = members.count('minProperties');
  const maxProperties = members.count('maxProperties');
  // Before draft 04 and in hasty documents `required` is a boolean on the property; it says nothing about this object.
  const required = typeof members.raw('required') === 'boolean' ? [] : (members.strings('required') ?? []);
  return {
    properties: context.map('properties').map(([name, schema]) => ({ name, schema })),
    required: required.length > 1 ? [...new Set(required)] : required,
    patternProperties,
    ...(additionalProperties !== undefined && { additionalProperties }),
    ...(propertyNames !== undefined && { propertyNames }),
    ...(minProperties !== undefined && { minProperties }),
    ...(maxProperties !== undefined && { maxProperties }),
    ...readDependencies(context),
  };
}

function readDependencies(context: SchemaContext): Pick<ObjectAssertions, 'dependentRequired' | 'dependentSchemas'> {
  const dependentRequired: { name: string; required: readonly string[] }[] = [];
  const dependentSchemas: { name: string; schema: SchemaId }[] = [];
  // `dependencies` is the older spelling of both: an array is a list of names, anything else a schema.
  for (const keyword of ['dependentRequired', 'dependencies'] as const) {
    const lists = context.members.objectMember(keyword);
    if (!lists) continue;
    const entries = new Members(lists, childAddress(context.at, keyword), context.report);
    for (const [name, value] of Object.entries(lists)) {
      if (keyword === 'dependencies' && !Array.isArray(value)) {
        dependentSchemas.push({ name, schema: context.below(value, keyword, name) });
      } else {
        dependentRequired.push({ name, required: entries.strings(name) ?? [] });
      }
    }
  }
  for (const [name, schema] of context.map('dependentSchemas')) dependentSchemas.push({ name, schema });
  return { dependentRequired, dependentSchemas };
}

export function readDiscriminator({ members, reader, report, at, dialect }: SchemaContext): Discriminator | undefined {
  const value = members.raw('discriminator');
  const discriminatorAt = childAddress(at, 'discriminator');
  if (typeof value === 'string' && dialect.discriminatorIsName) {
    return { propertyName: value, mapping: [], at: discriminatorAt, extensions: noExtensions };
  }
  // In JSON Schema `discriminator` is no keyword.
  if (!isObject(value)) return undefined;
  const discriminator = new Members(value, discriminatorAt, report);
  const propertyName = discriminator.string('propertyName');
  if (propertyName === undefined) {
    report.report('keyword-missing', 'a discriminator needs a "propertyName"', discriminatorAt);
    return undefined;
  }
  const mapping = Object.entries(discriminator.objectMember('mapping') ?? {}).flatMap(([name, target]) => {
    if (typeof target !== 'string') {
      report.report(
        'type-mismatch',
        `the mapping of ${quote(name)} must be a string`,
        childAddress(discriminatorAt, 'mapping', name),
      );
      return [];
    }
    const schema = reader.mappingTarget(target, discriminatorAt, dialect);
    return schema === undefined ? [] : [{ value: name, schema }];
  });
  const fallback = discriminator.string('defaultMapping');
  const defaultMapping = fallback === undefined ? undefined : reader.mappingTarget(fallback, discriminatorAt, dialect);
  return {
    propertyName,
    mapping,
    ...(defaultMapping !== undefined && { defaultMapping }),
    at: discriminatorAt,
    extensions: extensionsOf(value),
  };
}
