/**
 * The keywords of one schema of the IR as JSON Schema 2020-12. A dynamic reference is written as what it means on the way
 * that led to it, so every schema that is written has an environment.
 */
import { pointerSteps } from '../diagnostics.js';
import { dynamicTarget, type Environment, withAnchors } from '../ir/environment.js';
import type {
  ArrayAssertions,
  Discriminator,
  Docs,
  JsonValue,
  ObjectAssertions,
  ObjectSchema,
  Schema,
  SchemaId,
  StringAssertions,
} from '../ir/schema.js';
import type { JsonObject } from '../json-object.js';

export type Entry = readonly [string, JsonValue | undefined];

/** The text of a reference to a schema, out of the environment that it stands in. */
export type ReferenceText = (target: SchemaId, around: Environment) => string;

export interface WriterInput {
  readonly schemas: ReadonlyMap<SchemaId, Schema>;
  readonly looksAtItems: boolean;
  readonly environment: Environment;
  readonly reference: ReferenceText;
}

export function objectOf(entries: readonly Entry[]): JsonObject {
  // `fromEntries` defines members, so a member named `__proto__` is one like any other.
  return Object.fromEntries(entries.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
}

/** How a definition is referred to by its name. */
export function definitionReference(name: string): string {
  return `#/$defs/${encodeURIComponent(name)}`;
}

/** Writes one schema. What its references lead to depends on the environment that they stand in, which is kept here on the way down. */
export class KeywordWriter {
  readonly #schemas: ReadonlyMap<SchemaId, Schema>;
  readonly #reference: ReferenceText;
  /** Whether it makes a difference which keywords have looked at items. */
  readonly #looksAtItems: boolean;
  #environment: Environment;

  constructor({ schemas, looksAtItems, environment, reference }: WriterInput) {
    this.#schemas = schemas;
    this.#looksAtItems = looksAtItems;
    this.#environment = environment;
    this.#reference = reference;
  }

  schema(id: SchemaId): Schema {
    const schema = this.#schemas.get(id);
    if (schema === undefined) throw new Error(`there is no schema ${id}`);
    return schema;
  }

  /** Recursion follows what stands inline in the document, whose depth the reader has bounded. */
  body = (id: SchemaId): JsonValue => {
    const schema = this.schema(id);
    return schema.kind === 'boolean' ? schema.value : objectOf(this.keywords(schema));
  };

  /** What stands inline may be a resource with anchors of its own. */
  keywords(schema: ObjectSchema): readonly Entry[] {
    const around = this.#environment;
    this.#environment = withAnchors(around, schema.anchors);
    const keywords = this.#keywords(schema);
    this.#environment = around;
    return keywords;
  }

  #bodies = (ids: readonly SchemaId[]): readonly JsonValue[] => ids.map(this.body);

  #lead(target: SchemaId): string {
    return this.#reference(target, this.#environment);
  }

  #keywords(schema: ObjectSchema): readonly Entry[] {
    const { ref, types, number, string, array, object, conditional } = schema;
    const dynamic = dynamicTarget(this.#environment, schema);
    const reference = ref ?? dynamic;
    const both = ref !== undefined && dynamic !== undefined ? [{ $ref: this.#lead(dynamic) }] : [];
    // In 2019-09 "contains" evaluates no items; what stands under "not" evaluates nothing in any draft.
    const isAside = this.#looksAtItems && array?.contains !== undefined && !schema.behaviour.containsEvaluates;
    const aside = isAside ? [{ not: { not: objectOf(this.#contains(array)) } }] : [];
    const allOf = [...this.#bodies(schema.allOf ?? []), ...both, ...aside];
    const one = (child: SchemaId | undefined): JsonValue | undefined => child && this.body(child);
    const many = (children: readonly SchemaId[] | undefined): JsonValue | undefined =>
      children && this.#bodies(children);
    return [
      ['$ref', reference && this.#lead(reference)],
      ['type', types?.length === 1 ? types[0] : types],
      ['enum', schema.enum],
      ['const', schema.const?.value],
      ['format', schema.format],
      ...docEntries(schema.docs),
      ...Object.entries(number ?? {}),
      ...this.#string(string),
      ...this.#array(array, isAside),
      ['unevaluatedItems', one(schema.unevaluated?.items)],
      ...this.#object(object),
      ['unevaluatedProperties', one(schema.unevaluated?.properties)],
      ['allOf', allOf.length === 0 ? undefined : allOf],
      ['anyOf', many(schema.anyOf)],
      ['oneOf', many(schema.oneOf)],
      ['not', one(schema.not)],
      ['if', one(conditional?.if)],
      ['then', one(conditional?.then)],
      ['else', one(conditional?.else)],
      ['discriminator', schema.discriminator && this.#discriminator(schema.discriminator, schema)],
      ...Object.entries(schema.extensions),
    ];
  }

  #string({ contentSchema, ...rest }: StringAssertions = {}): readonly Entry[] {
    return [...Object.entries(rest), ['contentSchema', contentSchema && this.body(contentSchema)]];
  }

  #array(array: ArrayAssertions = {}, isAside: boolean): readonly Entry[] {
    const { prefixItems, items, contains: _, ...rest } = array;
    return [
      ['prefixItems', prefixItems && this.#bodies(prefixItems)],
      ['items', items && this.body(items)],
      ...(isAside ? [] : this.#contains(array)),
      ...Object.entries(rest),
    ];
  }

  #contains({ contains }: ArrayAssertions): readonly Entry[] {
    return [
      ['contains', contains && this.body(contains.schema)],
      ['minContains', contains?.min === 1 ? undefined : contains?.min],
      ['maxContains', contains?.max],
    ];
  }

  #object(object: ObjectAssertions | undefined): readonly Entry[] {
    if (object === undefined) return [];
    const map = (entries: readonly Entry[]): JsonValue | undefined =>
      entries.length === 0 ? undefined : objectOf(entries);
    return [
      ['required', object.required.length === 0 ? undefined : object.required],
      ['properties', map(object.properties.map(({ name, schema }) => [name, this.body(schema)]))],
      ['patternProperties', map(object.patternProperties.map(({ pattern, schema }) => [pattern, this.body(schema)]))],
      ['additionalProperties', object.additionalProperties && this.body(object.additionalProperties)],
      ['propertyNames', object.propertyNames && this.body(object.propertyNames)],
      ['minProperties', object.minProperties],
      ['maxProperties', object.maxProperties],
      ['dependentRequired', map(object.dependentRequired.map(({ name, required }) => [name, required]))],
      ['dependentSchemas', map(object.dependentSchemas.map(({ name, schema }) => [name, this.body(schema)]))],
    ];
  }

  /**
   * Without a mapping of its own a branch goes by the last step of its reference (OpenAPI, Discriminator Object), which
   * the new references may spell differently: then the old spelling becomes a mapping.
   */
  #discriminator(
    { propertyName, mapping, defaultMapping, extensions }: Discriminator,
    { oneOf = [], anyOf = [] }: ObjectSchema,
  ): JsonValue {
    const entries = new Map(mapping.map(({ value, schema }) => [value, this.#lead(schema)]));
    const mapped = new Set(mapping.map(({ schema }) => schema));
    for (const branch of [...oneOf, ...anyOf]) {
      const schema = this.schema(branch);
      const target = schema.kind === 'schema' ? schema.ref : undefined;
      if (target === undefined || mapped.has(target)) continue;
      const spelling = pointerSteps(this.schema(target).at.pointer).at(-1);
      const reference = this.#lead(target);
      const same = spelling !== undefined && reference === definitionReference(spelling);
      if (spelling !== undefined && !same && !entries.has(spelling)) entries.set(spelling, reference);
    }
    return objectOf([
      ['propertyName', propertyName],
      ['mapping', entries.size === 0 ? undefined : Object.fromEntries(entries)],
      ['defaultMapping', defaultMapping && this.#lead(defaultMapping)],
      ...Object.entries(extensions),
    ]);
  }
}

function docEntries(docs: Docs): readonly Entry[] {
  return [
    ['title', docs.title],
    ['description', docs.description],
    ['deprecated', docs.deprecated],
    ['readOnly', docs.readOnly],
    ['writeOnly', docs.writeOnly],
    ['default', docs.default?.value],
    ['examples', docs.examples],
    ['externalDocs', docs.externalDocs],
    ['xml', docs.xml],
  ];
}
