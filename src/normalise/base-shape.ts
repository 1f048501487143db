/** The shape that a schema's own type keywords describe, without its applicators. */
import type { JsonType, ObjectSchema, Schema, SchemaId } from '../ir/schema.js';
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

function arrayShape({ array }: ObjectSchema, schemas: ReadonlyMap<SchemaId, Schema>): Shape {
  const rest: Shape = array?.items === undefined ? { kind: 'unknown' } : { kind: 'ref', target: array.items };
  if (!array?.prefixItems) return { kind: 'array', items: rest };
  const items = array.prefixItems.map((target): Shape => ({ kind: 'ref', target }));
  const closed = isNever(array.items, schemas) || (array.maxItems !== undefined && array.maxItems <= items.length);
  return { kind: 'tuple', items, required: Math.min(array.minItems ?? 0, items.length), ...(!closed && { rest }) };
}

function objectShape({ object }: ObjectSchema, schemas: ReadonlyMap<SchemaId, Schema>, property: MakeProperty): Shape {
  // `type: object` alone is any object: a map, which a type without members would not say.
  if (!object) return { kind: 'object', properties: [], additional: { kind: 'unknown' }, closed: false };
  const described = new Set(object.properties.map((entry) => entry.name));
  const required = new Set(object.required);
  const properties = [
    ...object.properties.map((entry) => property(entry.name, entry.schema, required.has(entry.name))),
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
  const closed = isNever(object.additionalProperties, schemas);
  const others = object.patternProperties.map((entry): Shape => ({ kind: 'ref', target: entry.schema }));
  if (object.additionalProperties !== undefined && !closed)
    others.push({ kind: 'ref', target: object.additionalProperties });
  // Members that match no pattern may be anything, unless `additionalProperties` says otherwise.
  if (object.patternProperties.length > 0 && object.additionalProperties === undefined)
    others.push({ kind: 'unknown' });
  if (others.length === 0 && properties.length === 0 && !closed) others.push({ kind: 'unknown' });
  return { kind: 'object', properties, closed, ...(others.length > 0 && { additional: union(others) }) };
}
