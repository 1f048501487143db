import { type Address, type Collector, childAddress } from '../diagnostics.js';
import type { JsonValue, SchemaId } from '../ir/schema.js';
import { type JsonObject, own } from '../json-object.js';
import type { Dialect } from './dialects.js';
import { Members } from './json.js';

/** What the readers of single keywords need of the reader of schemas. */
export interface SchemaRegistry {
  /** Registers the schema at an address; it is read later. */
  read(at: Address, value: JsonValue, dialect: Dialect, depth?: number): SchemaId;
  /** The pattern, or `undefined` with a diagnostic where it does not compile; another one says that it is slow. */
  checkPattern(pattern: string, at: Address, maxLength?: number): string | undefined;
  /** The schema that a discriminator's mapping entry names, or `undefined` with a diagnostic. */
  mappingTarget(text: string, at: Address, dialect: Dialect): SchemaId | undefined;
  /** The entries of the map of schemas that a `$ref` in the place of a map leads to; none with a diagnostic. */
  mapBehind(reference: JsonObject, at: Address, dialect: Dialect): readonly (readonly [string, SchemaId])[];
}

/** Which groups of keywords a schema has any of. */
export interface KeywordGroups {
  string: boolean;
  number: boolean;
  array: boolean;
  object: boolean;
  /** Values, and schemas that are applied to the same value. */
  applied: boolean;
  /** Keywords of 2019-09 and later that few schemas have. */
  modern: boolean;
  /** What a schema says without asserting it. */
  annotated: boolean;
}

function groupsOf(names: string, group: keyof KeywordGroups): [string, keyof KeywordGroups][] {
  return names.split(' ').map((name) => [name, group]);
}

const groupOf: ReadonlyMap<string, keyof KeywordGroups> = new Map([
  ...groupsOf('minLength maxLength pattern contentEncoding contentMediaType contentSchema', 'string'),
  ...groupsOf('minimum maximum exclusiveMinimum exclusiveMaximum multipleOf', 'number'),
  ...groupsOf('items prefixItems additionalItems minItems maxItems uniqueItems', 'array'),
  ...groupsOf('contains minContains maxContains', 'array'),
  ...groupsOf('properties required patternProperties additionalProperties propertyNames', 'object'),
  ...groupsOf('minProperties maxProperties dependentRequired dependentSchemas dependencies', 'object'),
  ...groupsOf('unevaluatedProperties unevaluatedItems $dynamicRef $recursiveRef', 'modern'),
  ...groupsOf('title description deprecated readOnly writeOnly default example examples externalDocs xml', 'annotated'),
  ...groupsOf('enum const allOf anyOf oneOf not if then else discriminator', 'applied'),
]);

/** One schema object while it is read: its members, and how to register the schemas below it. */
export class SchemaContext {
  readonly members: Members;
  readonly at: Address;
  readonly dialect: Dialect;
  readonly reader: SchemaRegistry;
  /** Most schemas have no keyword of most groups, and asking for each by itself would cost more than all the rest. */
  readonly keywords: Readonly<KeywordGroups>;
  readonly report: Collector;
  readonly #depth: number;

  constructor(
    reader: SchemaRegistry,
    object: JsonObject,
    at: Address,
    dialect: Dialect,
    depth: number,
    report: Collector,
  ) {
    this.reader = reader;
    this.members = new Members(object, at, report);
    this.at = at;
    this.dialect = dialect;
    this.report = report;
    this.#depth = depth;
    const keywords: KeywordGroups = {
      string: false,
      number: false,
      array: false,
      object: false,
      applied: false,
      modern: false,
      annotated: false,
    };
    for (const name of Object.keys(object)) {
      const group = groupOf.get(name);
      if (group !== undefined) keywords[group] = true;
    }
    this.keywords = keywords;
  }

  below(value: JsonValue, ...steps: readonly (string | number)[]): SchemaId {
    return this.reader.read(childAddress(this.at, ...steps), value, this.dialect, this.#depth + 1);
  }

  child(name: string): SchemaId | undefined {
    const value = this.members.raw(name);
    return value === undefined ? undefined : this.below(value, name);
  }

  list(name: string): readonly SchemaId[] | undefined {
    return this.members.array(name)?.map((value, index) => this.below(value, name, index));
  }

  /** The entries of a map of schemas, in the document's order, through a `$ref` in its place. */
  map(name: string): readonly (readonly [string, SchemaId])[] {
    const map = this.members.objectMember(name);
    if (map === undefined) return [];
    if (typeof own(map, '$ref') === 'string')
      return this.reader.mapBehind(map, childAddress(this.at, name), this.dialect);
    return Object.entries(map).map(([entry, value]) => [entry, this.below(value, name, entry)]);
  }
}
