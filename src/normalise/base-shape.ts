/** The shape that a schema's own type keywords describe, without its applicators. */
import { isPureReference } from '../ir/resolve.js';
import type { JsonType, ObjectAssertions, ObjectSchema, Schema, SchemaId } from '../ir/schema.js';
import type { PropertyShape, Shape } from '../ir/shape.js';
import { union } from './combine-shapes.js';

export type MakeProperty = (name: string, schema: SchemaId, required: boolean) => PropertyShape;

export function baseShape(schema: ObjectSchema, schemas: ReadonlyMap<SchemaId, Schema>, property: MakeProperty): Shape {
  const types = schema.types ?? impliedTypes(schema);
  if (!types) return { kind: 'unknown' };
  const [only] = types;
  if (only !== undefined && types.length === 1) return shapeOfType(only, schema, schemas, property);
  return union(types.map((type) => shapeOfType(type, schema, schemas, property)));
}

/**
 * Without `type`, keywords for objects or arrays alone are meant for objects or arrays: nobody writes `properties` for a
 * value that may as well be a number. (The validator asserts only what is written.)
 */
function impliedTypes(schema: ObjectSchema): readonly JsonType[] | undefined {
  if (schema.object && !schema.array && !schema.string && !schema.number) return ['object'];
  if (schema.array && !schema.object && !schema.string && !schema.number) return ['array'];
  return undefined;
}

function shapeOfType(
  type: JsonType,
  schema: ObjectSchema,
  schemas: ReadonlyMap<SchemaId, Schema>,
  property: MakeProperty,
): Shape {
  const format = schema.format === undefined ? {} : { format: schema.format };
  switch (type) {
    case 'null':
      return { kind: 'null' };
    case 'boolean':
      return { kind: 'boolean' };
    case 'integer':
      return { kind: 'number', integer: true, ...format };
    case 'number':
      return { kind: 'number', integer: false, ...format };
    case 'string':
      return { kind: 'string', ...format };
    case 'array':
      return arrayShape(schema, schemas);
    case 'object':
      return objectShape(schema, schemas, property);
  }
}

function isNever(id: SchemaId | undefined, schemas: ReadonlyMap<SchemaId, Schema>): boolean {
  const schema = id === undefined ? undefined : schemas.get(id);
  return schema?.kind === 'boolean' && !schema.value;
}

/** So many items beyond the described ones are written out in a tuple; more are left to the validator. */
const mostWrittenItems = 8;

/**
 * A tuple where `prefixItems` says so; bounds of its length are written out where they are near. A list without it stays an
 * array, whatever its bounds: a tuple would refuse every array that a program has computed.
 */
function arrayShape({ array }: ObjectSchema, schemas: ReadonlyMap<SchemaId, Schema>): Shape {
  const rest: Shape = array?.items === undefined ? { kind: 'unknown' } : { kind: 'ref', target: array.items };
  if (array?.maxItems === 0) return { kind: 'tuple', items: [], required: 0 };
  if (!array?.prefixItems) return { kind: 'array', items: rest };
  const items = array.prefixItems.map((target): Shape => ({ kind: 'ref', target }));
  const [described, { minItems = 0, maxItems = Number.POSITIVE_INFINITY }] = [items.length, array];
  if (isNever(array.items, schemas) || maxItems <= described) {
    const kept = items.slice(0, maxItems);
    return { kind: 'tuple', items: kept, required: Math.min(minItems, kept.length) };
  }
  const closed = maxItems <= described + mostWrittenItems;
  const written = closed
    ? maxItems
    : minItems <= described + mostWrittenItems
      ? Math.max(minItems, described)
      : described;
  while (items.length < written) items.push(rest);
  return { kind: 'tuple', items, required: Math.min(minItems, items.length), ...(!closed && { rest }) };
}

/** More names than this stay a map. */
const mostListedNames = 100;

/** The names that members can have, where `propertyNames` lists them and no pattern gives some a type of their own. */
function listedNames(object: ObjectAssertions, schemas: ReadonlyMap<SchemaId, Schema>): readonly string[] {
  let id = object.propertyNames;
  if (id === undefined || object.patternProperties.length > 0) return [];
  let names = schemas.get(id);
  // Chains of references have an end: circles have been refused. A bound keeps long ones cheap.
  for (let steps = 0; steps < 20 && isPureReference(names); steps++) {
    id = names.ref;
    names = schemas.get(id);
  }
  if (names?.kind !== 'schema') return [];
  const values = names.const ? [names.const.value] : (names.enum ?? []);
  const texts = values.filter((value) => typeof value === 'string');
  return texts.length <= mostListedNames ? [...new Set(texts)] : [];
}

function listedProperty(
  name: string,
  { additionalProperties }: ObjectAssertions,
  required: boolean,
  property: MakeProperty,
): PropertyShape {
  return additionalProperties === undefined
    ? { name, shape: { kind: 'unknown' }, required, access: 'both' }
    : property(name, additionalProperties, required);
}

function objectShape({ object }: ObjectSchema, schemas: ReadonlyMap<SchemaId, Schema>, property: MakeProperty): Shape {
  // `type: object` alone is any object: a map, which a type without members would not say.
  if (!object) return { kind: 'object', properties: [], additional: { kind: 'unknown' }, closed: false };
  const described = new Set(object.properties.map((entry) => entry.name));
  const required = new Set(object.required);
  const closed = isNever(object.additionalProperties, schemas);
  const listed = closed ? [] : listedNames(object, schemas).filter((name) => !described.has(name));
  for (const name of listed) described.add(name);
  const properties = [
    ...object.properties.map((entry) => property(entry.name, entry.schema, required.has(entry.name))),
    ...listed.map((name) => listedProperty(name, object, required.has(name), property)),
    // What is required but not described may be anything.
    ...object.required
      .filter((name) => !described.has(name))
      .map(
        (name): PropertyShape => ({
          name,
          shape: { kind: 'unknown' },
          required: true,
          access: 'both',
        }),
      ),
  ];
  if (listed.length > 0) return { kind: 'object', properties, closed: true };
  const others = object.patternProperties.map((entry): Shape => ({ kind: 'ref', target: entry.schema }));
  if (object.additionalProperties !== undefined && !closed)
    others.push({ kind: 'ref', target: object.additionalProperties });
  // Members that match no pattern may be anything, unless `additionalProperties` says otherwise.
  if (object.patternProperties.length > 0 && object.additionalProperties === undefined)
    others.push({ kind: 'unknown' });
  if (others.length === 0 && properties.length === 0 && !closed) others.push({ kind: 'unknown' });
  return { kind: 'object', properties, closed, ...(others.length > 0 && { additional: union(others) }) };
}
