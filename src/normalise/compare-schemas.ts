/**
 * Whether a copy of a schema still says what its source says: keyword by keyword, through references, each pair once. A
 * dynamic reference counts as what it means on the way that led to it.
 */
import type { Address } from '../diagnostics.js';
import { dynamicTarget, type Environment, Environments, noEnvironment } from '../ir/environment.js';
import { isPureReference } from '../ir/resolve.js';
import type { Docs, JsonValue, ObjectSchema, Schema, SchemaId } from '../ir/schema.js';

export interface Difference {
  readonly keyword: string;
  /** What each of them says, as text; `undefined` where it says nothing. */
  readonly copied: string | undefined;
  readonly given: string | undefined;
  readonly copy: Address;
  readonly source: Address;
}

export interface Comparison {
  /** What references of the copy lead to, and what those of the source do; the two roots first. */
  readonly pairs: readonly (readonly [Address, Address])[];
  readonly differences: readonly Difference[];
}

interface Meant {
  readonly id: SchemaId;
  readonly environment: Environment;
}

interface Pair {
  readonly copy: Meant;
  readonly source: Meant;
  readonly isRoot: boolean;
  /** Where it stands in the schema around it: `additionalProperties`, `anyOf/0`. */
  readonly keyword: string;
}

/** So many differences say enough. */
const mostDifferences = 100;

/** Circles of different lengths meet in as many pairs as their product; a copy in good faith has one for each schema. */
const mostPairsPerSchema = 4;

/** Iterative, since chains of references may be long. */
export function compareSchemas(schemas: ReadonlyMap<SchemaId, Schema>, copy: SchemaId, source: SchemaId): Comparison {
  const environments = new Environments(schemas);
  const inside = (around: Environment, id: SchemaId): Meant => ({ id, environment: environments.inside(around, id) });
  const pairs: (readonly [Address, Address])[] = [];
  const differences: Difference[] = [];
  const seen = new Set<string>();
  const alone = (id: SchemaId): Meant => inside(noEnvironment, id);
  const open: Pair[] = [{ copy: alone(copy), source: alone(source), isRoot: true, keyword: 'schema' }];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    if (differences.length >= mostDifferences || seen.size > mostPairsPerSchema * schemas.size) break;
    const key = [pair.copy, pair.source].map(({ id, environment }) => `${id}\n${environment.key}`).join('\n');
    const [left, right] = [schemas.get(pair.copy.id), schemas.get(pair.source.id)];
    if (seen.has(key) || left === undefined || right === undefined) continue;
    seen.add(key);
    const isTop = pair.copy.id === copy && pair.source.id === source;
    if (pair.isRoot && isAlone(pair.source, alone)) pairs.push([left.at, right.at]);
    const further = isTop ? undefined : pastReference(pair, left, right, inside);
    if (further !== undefined) open.push(further);
    else {
      const plain = withPlainContains(left, right, schemas);
      open.push(...comparePair(pair, plain, right, isTop, inside, differences).reverse());
    }
  }
  return { pairs, differences };
}

/** What is said of a schema on the way to it is said of nobody else, so its copy is no copy of the schema by itself. */
function isAlone({ id, environment }: Meant, alone: (id: SchemaId) => Meant): boolean {
  return environment.key === alone(id).environment.key;
}

type Contains = NonNullable<ObjectSchema['array']>['contains'];

/**
 * In 2019-09 `contains` evaluates no items, so beside `unevaluatedItems` it is derived as the last of `allOf`, under two
 * `not`. That says what the keyword does in the source.
 */
function withPlainContains(copy: Schema, source: Schema, schemas: ReadonlyMap<SchemaId, Schema>): Schema {
  if (copy.kind === 'boolean' || source.kind === 'boolean' || copy.array?.contains !== undefined) return copy;
  if (source.array?.contains === undefined || source.behaviour.containsEvaluates) return copy;
  const { allOf = [] } = copy;
  const contains = containsAlone(negated(negated(allOf.at(-1), schemas), schemas), schemas);
  return contains === undefined ? copy : { ...copy, array: { ...copy.array, contains }, allOf: allOf.slice(0, -1) };
}

/** What stands under `not` in a schema that says nothing else. */
function negated(id: SchemaId | undefined, schemas: ReadonlyMap<SchemaId, Schema>): SchemaId | undefined {
  const said = saidBy(id, schemas);
  return said?.plain.size === 0 && said.children.size === 1 ? said.children.get('not') : undefined;
}

function containsAlone(id: SchemaId | undefined, schemas: ReadonlyMap<SchemaId, Schema>): Contains | undefined {
  const said = saidBy(id, schemas);
  const schema = id === undefined ? undefined : schemas.get(id);
  if (said?.plain.size !== 1 || said.children.size !== 1 || schema?.kind !== 'schema') return undefined;
  return schema.array?.contains;
}

function saidBy(id: SchemaId | undefined, schemas: ReadonlyMap<SchemaId, Schema>): Content | undefined {
  const schema = id === undefined ? undefined : schemas.get(id);
  return id && schema && contentOf(schema, false, { id, environment: noEnvironment });
}

type Inside = (around: Environment, id: SchemaId) => Meant;

/** Whoever only refers to another schema says what that one says, so one side may have a reference more than the other. */
function pastReference(pair: Pair, left: Schema, right: Schema, inside: Inside): Pair | undefined {
  if (left.kind !== right.kind) return undefined;
  const [one, other] = [onlyReference(left, pair.copy), onlyReference(right, pair.source)];
  if ((one === undefined) === (other === undefined)) return undefined;
  return {
    ...pair,
    copy: one === undefined ? pair.copy : inside(pair.copy.environment, one),
    source: other === undefined ? pair.source : inside(pair.source.environment, other),
    isRoot: true,
  };
}

/** Notes what two schemas say differently, and gives the pairs below them in the order of the document. */
function comparePair(
  pair: Pair,
  left: Schema,
  right: Schema,
  isTop: boolean,
  inside: Inside,
  differences: Difference[],
): Pair[] {
  const [mine, theirs] = [contentOf(left, isTop, pair.copy), contentOf(right, isTop, pair.source)];
  const different = (keyword: string, copied: string | undefined, given: string | undefined): void => {
    if (copied !== given) differences.push({ keyword, copied, given, copy: left.at, source: right.at });
  };
  if (left.kind !== right.kind && !isTop) {
    different(pair.keyword, kindText(left), kindText(right));
    return [];
  }
  if (isTop && !theirs.plain.has('title')) mine.plain.delete('title');
  if (isTop && isNothing(right) && mine.plain.size === 0 && [...mine.children.keys()].join() === 'not') return [];
  for (const keyword of new Set([...mine.plain.keys(), ...theirs.plain.keys()]))
    different(keyword, mine.plain.get(keyword), theirs.plain.get(keyword));
  const below: Pair[] = [];
  for (const keyword of new Set([...mine.children.keys(), ...theirs.children.keys()])) {
    const [one, other] = [mine.children.get(keyword), theirs.children.get(keyword)];
    // A branch whose name has changed gets an entry of the mapping.
    if (other === undefined && keyword.startsWith('discriminator/mapping/')) continue;
    if (one === undefined || other === undefined) different(keyword, one && 'there', other && 'there');
    else {
      const isRoot = keyword === '$ref' || keyword.startsWith('discriminator');
      below.push({
        copy: inside(pair.copy.environment, one),
        source: inside(pair.source.environment, other),
        isRoot,
        keyword: isRoot ? pair.keyword : keyword,
      });
    }
  }
  return below;
}

interface Content {
  /** Keywords and their values as text that does not depend on the order of members. */
  readonly plain: Map<string, string>;
  readonly children: ReadonlyMap<string, SchemaId>;
}

const provenance: ReadonlySet<string> = new Set(['x-generated', 'x-method', 'x-generator', 'x-source']);

function kindText(schema: Schema): string {
  return schema.kind === 'boolean' ? String(schema.value) : 'an object';
}

/** Where a schema leads that says nothing else. */
function onlyReference(schema: Schema, { environment }: Meant): SchemaId | undefined {
  if (schema.kind === 'boolean') return undefined;
  const { dynamicRef: _, ...rest } = schema;
  const dynamic = dynamicTarget(environment, schema);
  const plain = schema.ref === undefined && dynamic !== undefined ? { ...rest, ref: dynamic } : schema;
  if (!isPureReference(plain) || Object.keys(plain.extensions).length > 0) return undefined;
  return Object.values(plain.docs).every((value) => value === undefined) ? plain.ref : undefined;
}

function isNothing(schema: Schema): boolean {
  return schema.kind === 'boolean' && !schema.value;
}

/** A derived schema is an object also where its source is a boolean, and has a title also where that has none. */
function contentOf(schema: Schema, isTop: boolean, { environment }: Meant): Content {
  const plain = new Map<string, string>();
  const children = new Map<string, SchemaId>();
  const say = (keyword: string, value: unknown): void => {
    if (value !== undefined) plain.set(keyword, textOf(value as JsonValue));
  };
  if (schema.kind === 'boolean') {
    if (!isTop || !schema.value) say('schema', schema.value);
    return { plain, children };
  }
  const { types, enum: values, const: constant, format, docs, extensions } = schema;
  say('type', types && [...types].sort());
  say('enum', values);
  say('const', constant?.value);
  say('format', format);
  for (const [name, value] of docEntries(docs)) say(name, value);
  for (const [name, value] of Object.entries(extensions)) if (!isTop || !provenance.has(name)) say(name, value);
  const child = (keyword: string, id: SchemaId | undefined): void => {
    if (id !== undefined) children.set(keyword, id);
  };
  // Derived, a dynamic reference is a plain one.
  const dynamic = dynamicTarget(environment, schema);
  child('$ref', schema.ref ?? dynamic);
  if (schema.ref !== undefined) child(`allOf/${schema.allOf?.length ?? 0}`, dynamic);
  addAssertions(schema, say, child);
  return { plain, children };
}

function docEntries({ default: given, ...docs }: Docs): readonly (readonly [string, unknown])[] {
  return [...Object.entries(docs), ['default', given?.value]];
}

function addAssertions(
  schema: ObjectSchema,
  say: (keyword: string, value: unknown) => void,
  child: (keyword: string, id: SchemaId | undefined) => void,
): void {
  const { string, number, array, object, conditional, unevaluated, discriminator } = schema;
  const list = (keyword: string, ids: readonly SchemaId[] | undefined): void => {
    for (const [index, id] of (ids ?? []).entries()) child(`${keyword}/${index}`, id);
  };
  for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const) list(keyword, schema[keyword]);
  child('not', schema.not);
  for (const keyword of ['if', 'then', 'else'] as const) child(keyword, conditional?.[keyword]);
  child('unevaluatedProperties', unevaluated?.properties);
  child('unevaluatedItems', unevaluated?.items);
  const { contentSchema, ...text } = string ?? {};
  child('contentSchema', contentSchema);
  const { prefixItems, items, contains, ...bounds } = array ?? {};
  list('prefixItems', prefixItems);
  child('items', items);
  child('contains', contains?.schema);
  if (contains !== undefined) say('contains', [contains.min, contains.max ?? null]);
  for (const [keyword, value] of Object.entries({ ...text, ...number, ...bounds })) say(keyword, value);
  if (object !== undefined) addObject(object, say, child);
  if (discriminator === undefined) return;
  say('discriminator', discriminator.propertyName);
  for (const { value, schema: target } of discriminator.mapping) child(`discriminator/mapping/${value}`, target);
  child('discriminator/defaultMapping', discriminator.defaultMapping);
}

function addObject(
  object: NonNullable<ObjectSchema['object']>,
  say: (keyword: string, value: unknown) => void,
  child: (keyword: string, id: SchemaId | undefined) => void,
): void {
  if (object.required.length > 0) say('required', [...object.required].sort());
  say('minProperties', object.minProperties);
  say('maxProperties', object.maxProperties);
  for (const { name, schema } of object.properties) child(`properties/${name}`, schema);
  for (const { pattern, schema } of object.patternProperties) child(`patternProperties/${pattern}`, schema);
  child('additionalProperties', object.additionalProperties);
  child('propertyNames', object.propertyNames);
  for (const { name, required } of object.dependentRequired) say(`dependentRequired/${name}`, [...required].sort());
  for (const { name, schema } of object.dependentSchemas) child(`dependentSchemas/${name}`, schema);
}

function textOf(value: JsonValue): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}
