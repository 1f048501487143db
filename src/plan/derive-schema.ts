/**
 * Schema IR → one stand-alone JSON Schema of a named schema: everything that it asserts and says, the schemas that it
 * reaches in `$defs` under their planned names, and where it comes from. What comes out is plain JSON of the newest draft.
 *
 * Nothing is lost but what the IR does not hold, `$comment`, and dynamic references, which are told to
 * the caller. `discriminator`, `xml` and `externalDocs` stay under their own names, because those who know them look for them there and
 * for everybody else an unknown keyword is an annotation; its mapping leads into `$defs`. `format` stays what the newest
 * draft makes of it, whatever an older document meant.
 */
import { type Address, pointerSteps } from '../diagnostics.js';
import type { Component } from '../ir/api.js';
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

export const derivedDialect = 'https://json-schema.org/draft/2020-12/schema';

/** What the deriver asks of an API and its names. */
export interface SchemaTable {
  readonly schemas: ReadonlyMap<SchemaId, Schema>;
  /** The name of every schema that a reference leads to. */
  nameOf(schema: SchemaId): string | undefined;
}

/** What is said of a derived schema beyond its content. */
export interface Provenance {
  /** The absolute URI of the schema; without it the schema has no `$id`. */
  readonly id?: string;
  /** When it was made, as it shall be printed; the pipeline has no clock. */
  readonly date?: string;
}

export interface DerivedSchema {
  readonly value: JsonObject;
  /** Keywords that a stand-alone schema cannot carry over, with the schemas that have them. */
  readonly leftOut: readonly LeftOut[];
  /** The characters of its definitions, without white space. */
  readonly size: number;
}

export interface LeftOut {
  readonly keyword: string;
  readonly at: Address;
}

type Entry = readonly [string, JsonValue | undefined];

const generator = 'oasmith';

/** Derives the schemas of one API; they share what they have in common. */
export class SchemaDeriver {
  readonly #table: SchemaTable;
  readonly #known = new Map<SchemaId, Definition>();

  constructor(table: SchemaTable) {
    this.#table = table;
  }

  /** The schema of a component, with everything that it reaches. Keys are in the order of people: what it is, then what it asserts. */
  derive({ name, schema: root }: Component, { id, date }: Provenance): DerivedSchema {
    const writer = new Writer(this.#table, root);
    const schema = writer.schema(root);
    const { title, description, ...docs }: Docs = schema.docs;
    const extensions = schema.kind === 'boolean' ? {} : schema.extensions;
    const body =
      schema.kind === 'boolean'
        ? booleanKeywords(schema.value)
        : writer.keywords({ ...schema, docs, extensions: withoutProvenance(extensions) });
    const definitions = this.#definitions(root, writer.references);
    const value = objectOf([
      ['$schema', derivedDialect],
      ['$id', id],
      ['title', title ?? name],
      ['description', description],
      ['x-generated', date],
      ['x-method', 'derived'],
      ['x-generator', generator],
      ['x-source', originOf(extensions) ?? `${schema.at.document}#${schema.at.pointer}`],
      ...body,
      ['$defs', definitions.size === 0 ? undefined : inOrder(definitions)],
    ]);
    const written = [...definitions.values()];
    return {
      value,
      leftOut: [...writer.leftOut, ...written.flatMap(({ leftOut }) => leftOut)],
      size: written.reduce((sum, { size }) => sum + size, 0),
    };
  }

  /** The body of a schema, with references to `#/$defs/Name`, and what these lead to. */
  definition(id: SchemaId): Pick<Definition, 'value' | 'references' | 'leftOut'> {
    const known = this.#known.get(id) ?? writeDefinition(this.#table, id, undefined);
    this.#known.set(id, known);
    return known;
  }

  /** Everything that is reached from these references, and what that reaches, by name. */
  #definitions(root: SchemaId, references: ReadonlyMap<string, SchemaId>): ReadonlyMap<string, Definition> {
    const reached = new Map(references);
    const definitions = new Map<string, Definition>();
    // The map grows while it is walked.
    for (const [name, id] of reached) {
      const definition = this.#definition(id, root);
      definitions.set(name, definition);
      for (const [other, target] of definition.references) if (target !== root) reached.set(other, target);
    }
    return definitions;
  }

  /** A definition is the same in every schema but those that it refers to by `#`. */
  #definition(id: SchemaId, root: SchemaId): Definition {
    const known = this.#known.get(id) ?? writeDefinition(this.#table, id, undefined);
    this.#known.set(id, known);
    const name = this.#table.nameOf(root);
    return name !== undefined && known.references.get(name) === root ? writeDefinition(this.#table, id, root) : known;
  }
}

interface Definition {
  readonly value: JsonValue;
  readonly references: ReadonlyMap<string, SchemaId>;
  readonly leftOut: readonly LeftOut[];
  readonly size: number;
}

function writeDefinition(table: SchemaTable, id: SchemaId, root: SchemaId | undefined): Definition {
  const writer = new Writer(table, root);
  const value = writer.body(id);
  return { value, references: writer.references, leftOut: writer.leftOut, size: JSON.stringify(value).length };
}

function inOrder(definitions: ReadonlyMap<string, Definition>): JsonObject {
  const entries = [...definitions].map(([name, { value }]) => [name, value] as const);
  return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)));
}

const provenanceKeys: ReadonlySet<string> = new Set(['x-generated', 'x-method', 'x-generator', 'x-source']);

function withoutProvenance(extensions: ObjectSchema['extensions']): ObjectSchema['extensions'] {
  return Object.fromEntries(Object.entries(extensions).filter(([name]) => !provenanceKeys.has(name)));
}

/** A schema that was derived before still comes from where it came from then. */
function originOf(extensions: ObjectSchema['extensions']): string | undefined {
  const source = Object.hasOwn(extensions, 'x-source') ? extensions['x-source'] : undefined;
  return extensions['x-method'] === 'derived' && typeof source === 'string' ? source : undefined;
}

/** A boolean schema as keywords, where it must be an object. */
function booleanKeywords(value: boolean): readonly Entry[] {
  return value ? [] : [['not', {}]];
}

function objectOf(entries: readonly Entry[]): JsonObject {
  // `fromEntries` defines members, so a member named `__proto__` is one like any other.
  return Object.fromEntries(entries.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
}

/** Writes one schema, and notes what its references lead to. */
class Writer {
  readonly leftOut: LeftOut[] = [];
  /** What references lead to, by name; not the root. */
  readonly references = new Map<string, SchemaId>();
  readonly #table: SchemaTable;
  readonly #root: SchemaId | undefined;

  constructor(table: SchemaTable, root: SchemaId | undefined) {
    this.#table = table;
    this.#root = root;
  }

  schema(id: SchemaId): Schema {
    const schema = this.#table.schemas.get(id);
    if (schema === undefined) throw new Error(`there is no schema ${id}`);
    return schema;
  }

  /** Recursion follows what stands inline in the document, whose depth the reader has bounded. */
  body = (id: SchemaId): JsonValue => {
    const schema = this.schema(id);
    return schema.kind === 'boolean' ? schema.value : objectOf(this.keywords(schema));
  };

  #bodies = (ids: readonly SchemaId[]): readonly JsonValue[] => ids.map(this.body);

  #reference(target: SchemaId): string {
    if (target === this.#root) return '#';
    const name = this.#table.nameOf(target);
    if (name === undefined) throw new Error(`no name was planned for ${target}`);
    this.references.set(name, target);
    return `#/$defs/${encodeURIComponent(name)}`;
  }

  keywords(schema: ObjectSchema): readonly Entry[] {
    const { at, types, number, string, array, object, conditional } = schema;
    const reference = certainReference(schema);
    if (schema.dynamicRef !== undefined && reference !== schema.dynamicRef.target)
      this.leftOut.push({ keyword: dynamicKeyword(schema), at });
    const one = (child: SchemaId | undefined): JsonValue | undefined => child && this.body(child);
    const many = (children: readonly SchemaId[] | undefined): JsonValue | undefined =>
      children && this.#bodies(children);
    return [
      ['$ref', reference && this.#reference(reference)],
      ['type', types?.length === 1 ? types[0] : types],
      ['enum', schema.enum],
      ['const', schema.const?.value],
      ['format', schema.format],
      ...docEntries(schema.docs),
      ...Object.entries(number ?? {}),
      ...this.#string(string),
      ...this.#array(array),
      ['unevaluatedItems', one(schema.unevaluated?.items)],
      ...this.#object(object),
      ['unevaluatedProperties', one(schema.unevaluated?.properties)],
      ['allOf', many(schema.allOf)],
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

  #array({ prefixItems, items, contains, ...rest }: ArrayAssertions = {}): readonly Entry[] {
    return [
      ['prefixItems', prefixItems && this.#bodies(prefixItems)],
      ['items', items && this.body(items)],
      ['contains', contains && this.body(contains.schema)],
      ['minContains', contains?.min === 1 ? undefined : contains?.min],
      ['maxContains', contains?.max],
      ...Object.entries(rest),
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
    const entries = new Map(mapping.map(({ value, schema }) => [value, this.#reference(schema)]));
    const mapped = new Set(mapping.map(({ schema }) => schema));
    for (const branch of [...oneOf, ...anyOf]) {
      const schema = this.schema(branch);
      const target = schema.kind === 'schema' ? schema.ref : undefined;
      if (target === undefined || mapped.has(target)) continue;
      const spelling = pointerSteps(this.schema(target).at.pointer).at(-1);
      const same = target !== this.#root && spelling === this.#table.nameOf(target);
      if (spelling !== undefined && !same && !entries.has(spelling)) entries.set(spelling, this.#reference(target));
    }
    return objectOf([
      ['propertyName', propertyName],
      ['mapping', entries.size === 0 ? undefined : Object.fromEntries(entries)],
      ['defaultMapping', defaultMapping && this.#reference(defaultMapping)],
      ...Object.entries(extensions),
    ]);
  }
}

/** A dynamic reference that means the same on every way is a plain one. */
function certainReference({ ref, dynamicRef }: ObjectSchema): SchemaId | undefined {
  const isCertain = dynamicRef !== undefined && (dynamicRef.name === undefined || dynamicRef.candidates.length === 1);
  return ref ?? (isCertain ? dynamicRef.target : undefined);
}

/** References that are resolved while a value is read; what they lead to is not in the IR. */
function dynamicKeyword({ behaviour }: ObjectSchema): string {
  return behaviour.containsEvaluates ? '$dynamicRef' : '$recursiveRef';
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
