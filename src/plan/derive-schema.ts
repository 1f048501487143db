/**
 * Schema IR → one stand-alone JSON Schema of a named schema: everything that it asserts and says, the schemas that it
 * reaches in `$defs` under their planned names, and where it comes from. What comes out is plain JSON of the newest draft.
 *
 * Nothing is lost but what the IR does not hold, and `$comment`. `discriminator`, `xml` and `externalDocs` stay under their
 * own names, because those who know them look for them there and for everybody else an unknown keyword is an annotation;
 * its mapping leads into `$defs`. `format` stays what the newest draft makes of it, whatever an older document meant.
 *
 * A dynamic reference becomes a plain one. Where its meaning depends on the way, the schemas on each way are definitions
 * of their own: `TreeWithStrictTree` is `Tree` where `StrictTree` led to it.
 */
import type { Component } from '../ir/api.js';
import { type Environment, Environments, noEnvironment, wayLimit } from '../ir/environment.js';
import { isPureReference } from '../ir/resolve.js';
import type { Docs, JsonValue, ObjectSchema, Schema, SchemaId } from '../ir/schema.js';
import type { JsonObject } from '../json-object.js';
import { definitionReference, type Entry, KeywordWriter, objectOf } from './derived-keywords.js';

export const derivedDialect = 'https://json-schema.org/draft/2020-12/schema';

/** What the deriver asks of an API and its names. */
export interface SchemaTable {
  readonly schemas: ReadonlyMap<SchemaId, Schema>;
  /** The name of every schema that a reference leads to. */
  nameOf(schema: SchemaId): string | undefined;
  /** All names that schemas have. */
  readonly names: ReadonlySet<string>;
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
  /** The characters of its definitions, without white space. */
  readonly size: number;
}

/** A schema in an environment. */
export interface Meant {
  readonly schema: SchemaId;
  readonly environment: Environment;
  readonly key: string;
}

export interface Definition {
  readonly value: JsonValue;
  /** What its references lead to, by name; not the root. */
  readonly references: ReadonlyMap<string, Meant>;
  readonly size: number;
}

const generator = 'oasmith';

/** Derives the schemas of one API; they share what they have in common. */
export class SchemaDeriver {
  readonly #table: SchemaTable;
  readonly #environments: Environments;
  readonly #looksAtItems: boolean;
  readonly #known = new Map<string, Definition>();
  readonly #names = new Map<string, string>();
  readonly #taken = new Map<string, string>();
  /** A schema that dynamic references lead to in more ways than are written; what was derived is not whole. */
  tooDynamic: SchemaId | undefined;
  #ways = 0;

  constructor(table: SchemaTable) {
    this.#table = table;
    this.#environments = new Environments(table.schemas);
    this.#looksAtItems = [...table.schemas.values()].some(
      (schema) => schema.kind === 'schema' && schema.unevaluated?.items !== undefined,
    );
  }

  /** The schema of a component, with everything that it reaches. Keys are in the order of people: what it is, then what it asserts. */
  derive({ name, schema: id }: Component, { id: uri, date }: Provenance): DerivedSchema {
    const root = this.alone(id);
    const schema = this.#schema(id);
    const references = new Map<string, Meant>();
    const writer = this.#writer(root, root, references);
    const { title, description, ...docs }: Docs = schema.docs;
    const extensions = schema.kind === 'boolean' ? {} : schema.extensions;
    const body =
      schema.kind === 'boolean'
        ? booleanKeywords(schema.value)
        : writer.keywords({ ...schema, docs, extensions: withoutProvenance(extensions) });
    const definitions = this.#definitions(root, references);
    const value = objectOf([
      ['$schema', derivedDialect],
      ['$id', uri],
      ['title', title ?? name],
      ['description', description],
      ['x-generated', date],
      ['x-method', 'derived'],
      ['x-generator', generator],
      ['x-source', originOf(extensions) ?? `${schema.at.document}#${schema.at.pointer}`],
      ...body,
      ['$defs', definitions.size === 0 ? undefined : inOrder(definitions)],
    ]);
    return { value, size: [...definitions.values()].reduce((sum, { size }) => sum + size, 0) };
  }

  /** A schema that nothing led to. */
  alone(schema: SchemaId): Meant {
    return meantOf(schema, this.#environments.inside(noEnvironment, schema));
  }

  /** The body of a schema, with references to `#/$defs/Name`, and what these lead to. */
  definition(meant: Meant): Definition {
    const known = this.#known.get(meant.key) ?? this.#write(meant, undefined);
    this.#known.set(meant.key, known);
    return known;
  }

  /** Everything that is reached from these references, and what that reaches, by name. */
  #definitions(root: Meant, references: ReadonlyMap<string, Meant>): ReadonlyMap<string, Definition> {
    const reached = new Map(references);
    const definitions = new Map<string, Definition>();
    // The map grows while it is walked.
    for (const [name, meant] of reached) {
      if (this.tooDynamic !== undefined) break;
      const definition = this.#definitionIn(root, meant);
      definitions.set(name, definition);
      for (const [other, target] of definition.references) reached.set(other, target);
    }
    return definitions;
  }

  /** A definition is the same in every schema but those that it refers to by `#`. */
  #definitionIn(root: Meant, meant: Meant): Definition {
    const known = this.definition(meant);
    const leadsToRoot = [...known.references.values()].some(({ key }) => key === root.key);
    return leadsToRoot ? this.#write(meant, root) : known;
  }

  #write(meant: Meant, root: Meant | undefined): Definition {
    const references = new Map<string, Meant>();
    const value = this.#writer(meant, root, references).body(meant.schema);
    return { value, references, size: JSON.stringify(value).length };
  }

  #writer({ environment }: Meant, root: Meant | undefined, references: Map<string, Meant>): KeywordWriter {
    const reference = (target: SchemaId, around: Environment): string => {
      const meant = this.#meant(target, around);
      if (meant.key === root?.key) return '#';
      const name = this.#nameOf(meant);
      references.set(name, meant);
      return definitionReference(name);
    };
    const { schemas } = this.#table;
    return new KeywordWriter({ schemas, looksAtItems: this.#looksAtItems, environment, reference });
  }

  /** What a reference leads to; a component that only refers to what has its name is not worth a definition, which would want another one. */
  #meant(target: SchemaId, around: Environment): Meant {
    const way = new Set<SchemaId>([target]);
    let environment = around;
    let last = target;
    // The set grows while it is walked.
    for (const id of way) {
      last = id;
      environment = this.#environments.inside(environment, id);
      const schema = this.#schema(id);
      if (this.#hasNameOfTarget(schema) && isSilent(schema)) way.add(schema.ref);
    }
    return meantOf(last, environment);
  }

  #hasNameOfTarget(schema: Schema): schema is ObjectSchema & { readonly ref: SchemaId } {
    return isPureReference(schema) && this.#table.nameOf(schema.ref) === this.#table.nameOf(schema.id);
  }

  #schema(id: SchemaId): Schema {
    const schema = this.#table.schemas.get(id);
    if (schema === undefined) throw new Error(`there is no schema ${id}`);
    return schema;
  }

  #nameOf(meant: Meant): string {
    const known = this.#names.get(meant.key);
    if (known !== undefined) return known;
    const wanted = this.#wantedName(meant);
    let name = wanted;
    for (let number = 2; !this.#isFree(name, meant); number++) name = `${wanted}${number}`;
    this.#names.set(meant.key, name);
    this.#taken.set(name, meant.key);
    return name;
  }

  #isFree(name: string, { schema }: Meant): boolean {
    if (this.#taken.has(name)) return false;
    return !this.#table.names.has(name) || this.#table.nameOf(schema) === name;
  }

  #wantedName({ schema, environment }: Meant): string {
    const planned = this.#planned(schema);
    const plain = this.#hasNameOfTarget(this.#schema(schema)) ? `${planned}Reference` : planned;
    const own = this.alone(schema).environment;
    const others = [...environment.anchors].filter(([name, anchor]) => own.anchors.get(name) !== anchor);
    if (others.length === 0) return plain;
    this.#ways += 1;
    if (this.#ways > wayLimit) this.tooDynamic ??= schema;
    const leading = new Set(others.map(([, anchor]) => this.#planned(anchor)));
    return `${plain}With${[...leading].sort().join('And')}`;
  }

  #planned(schema: SchemaId): string {
    const name = this.#table.nameOf(schema);
    if (name === undefined) throw new Error(`no name was planned for ${schema}`);
    return name;
  }
}

function meantOf(schema: SchemaId, environment: Environment): Meant {
  return { schema, environment, key: `${schema}\n${environment.key}` };
}

function isSilent({ docs, extensions }: ObjectSchema): boolean {
  return Object.keys(extensions).length === 0 && Object.values(docs).every((value) => value === undefined);
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
