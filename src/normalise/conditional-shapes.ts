/**
 * What `if`/`then`/`else` and `dependentSchemas` say, as alternatives: one for the values that a condition holds for, one for
 * the others. A condition that a type cannot express leaves its alternative as wide as it may be: no valid value is refused.
 */
import type { ObjectSchema, Schema, SchemaId } from '../ir/schema.js';
import type { ObjectShape, PropertyShape, Shape } from '../ir/shape.js';
import { intersection, mergeObjects, union } from './combine-shapes.js';
import { without } from './meet-shapes.js';

export interface ConditionContext {
  readonly schemas: ReadonlyMap<SchemaId, Schema>;
  /** The shape of an applied schema: a ref where it has a name. */
  applied(id: SchemaId): Shape;
  /** What an inline schema looks like; other shapes as they are. */
  resolve(shape: Shape): Shape;
  /** A member as what stands around the conditions describes it, its shape without references. */
  member(name: string): MemberAround | undefined;
}

export interface MemberAround extends PropertyShape {
  /** The schema that the shape is of, where it has one of its own. */
  readonly schema?: SchemaId;
}

/** Shapes that apply together. */
type Alternative = readonly Shape[];

/** Beyond this, several conditions multiplied are not written out. */
const mostAlternatives = 24;

export function hasConditions({ conditional, object }: ObjectSchema): boolean {
  return (
    conditional?.then !== undefined || conditional?.else !== undefined || (object?.dependentSchemas.length ?? 0) > 0
  );
}

/** The union of what the conditions leave, or nothing where they say nothing that a type can say. */
export function conditionalShape(conditions: readonly ObjectSchema[], context: ConditionContext): Shape | undefined {
  let product: readonly Alternative[] = [[]];
  for (const alternatives of conditions.flatMap((schema) => [
    ...conditionalAlternatives(schema, context),
    ...dependentAlternatives(schema, context),
  ])) {
    const next = product.flatMap((left) => alternatives.flatMap((right) => joined(left, right, context)));
    if (next.length <= mostAlternatives) product = next;
  }
  const shapes = product.map((parts) => intersection(parts));
  // An alternative that may be anything makes the whole union anything.
  return shapes.some(saysNothing) ? undefined : union(shapes);
}

function saysNothing(shape: Shape): boolean {
  return shape.kind === 'unknown' || (shape.kind === 'object' && shape.properties.length === 0 && !shape.closed);
}

/** Both alternatives together; none where a member that must be there can have no value. */
function joined(left: Alternative, right: Alternative, { resolve }: ConditionContext): readonly Alternative[] {
  const parts = mergeObjects([...left, ...right], resolve);
  const impossible = parts.some(
    (part) =>
      part.kind === 'never' ||
      (part.kind === 'object' && part.properties.some(({ required, shape }) => required && shape.kind === 'never')),
  );
  return impossible ? [] : [parts];
}

function conditionalAlternatives(
  { conditional }: ObjectSchema,
  context: ConditionContext,
): readonly (readonly Alternative[])[] {
  if (conditional?.then === undefined && conditional?.else === undefined) return [];
  const branch = (id: SchemaId | undefined): Alternative => (id === undefined ? [] : [context.applied(id)]);
  const test = testOf(conditional.if, context);
  return [
    [
      [...holding(conditional.if, context), ...branch(conditional.then)],
      ...(test === 'always' ? [] : [[...(test ? [test] : []), ...branch(conditional.else)]]),
    ],
  ];
}

function dependentAlternatives(
  { object }: ObjectSchema,
  context: ConditionContext,
): readonly (readonly Alternative[])[] {
  return (object?.dependentSchemas ?? []).map(({ name, schema }) => [
    [only({ name, shape: { kind: 'unknown' }, required: true, access: 'both' }), context.applied(schema)],
    [absent(name)],
  ]);
}

function only(property: PropertyShape): ObjectShape {
  return { kind: 'object', properties: [property], closed: false };
}

function absent(name: string): ObjectShape {
  return only({ name, shape: { kind: 'never' }, required: false, access: 'both' });
}

/** What values look like that the condition holds for. Members that are there anyway are demanded, so that they tell alternatives apart. */
function holding(id: SchemaId, context: ConditionContext): Alternative {
  const shape = context.resolve(context.applied(id));
  if (shape.kind === 'intersection' || shape.kind === 'ref') return [];
  if (shape.kind !== 'object') return [shape];
  const properties = shape.properties.map((property) => {
    const around = context.member(property.name);
    return {
      ...property,
      shape: context.resolve(property.shape),
      required: property.required || around?.required === true,
    };
  });
  return [{ ...shape, properties }];
}

/**
 * What values look like that the condition does *not* hold for, where it tests one member for being there or for values that
 * can be counted; `always` where it holds for all values.
 */
function testOf(id: SchemaId, context: ConditionContext): ObjectShape | 'always' | undefined {
  const schema = context.schemas.get(id);
  if (schema?.kind !== 'schema' || !testsMembersOnly(schema)) return undefined;
  const { properties, required } = schema.object;
  const [tested] = properties;
  const [needed] = required;
  if (properties.length === 0 && required.length === 1 && needed !== undefined) return absent(needed);
  const demanded = required.length === 1 && needed === tested?.name;
  if (tested === undefined || properties.length > 1 || required.length > (demanded ? 1 : 0)) return undefined;
  const node = context.schemas.get(tested.schema);
  const around = context.member(tested.name);
  if (node?.kind !== 'schema' || !isLiteral(node) || around === undefined) return undefined;
  const rest = without(around.shape, context.resolve({ kind: 'ref', target: tested.schema }));
  // Where the member may be left out, a condition that does not demand it holds without it.
  const mustBeThere = !demanded || around.required;
  if (rest.kind === 'never') return mustBeThere ? 'always' : absent(tested.name);
  const remainder = around.schema === undefined ? {} : { remainderOf: around.schema };
  return only({ name: tested.name, shape: rest, required: mustBeThere, access: 'both', ...remainder });
}

function testsMembersOnly(schema: ObjectSchema): schema is ObjectSchema & Required<Pick<ObjectSchema, 'object'>> {
  const { object, types, ref, allOf, anyOf, oneOf, not, conditional, enum: values, const: value, unevaluated } = schema;
  if (object === undefined || (types !== undefined && !(types.length === 1 && types[0] === 'object'))) return false;
  if ([ref, allOf, anyOf, oneOf, not, conditional, values, value, unevaluated].some((part) => part !== undefined))
    return false;
  return (
    object.patternProperties.length === 0 &&
    object.additionalProperties === undefined &&
    object.propertyNames === undefined &&
    object.minProperties === undefined &&
    object.maxProperties === undefined &&
    object.dependentRequired.length === 0 &&
    object.dependentSchemas.length === 0
  );
}

/** Whether a schema is nothing but a list of values: then its shape is exact. */
export function isLiteral(schema: ObjectSchema): boolean {
  if (schema.const === undefined && schema.enum === undefined) return false;
  const { string, number, array, object, ref, allOf, anyOf, oneOf, not, conditional, format, unevaluated } = schema;
  return [string, number, array, object, ref, allOf, anyOf, oneOf, not, conditional, format, unevaluated].every(
    (part) => part === undefined,
  );
}
