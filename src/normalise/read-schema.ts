/**
 * Reads JSON Schemas into the assertion layer. Works through a list instead of recursing, so neither a deep document nor
 * a long chain of references costs stack; every schema is read once, wherever it is used.
 */
import {
  type Address,
  type Collector,
  childAddress,
  type DocumentUri,
  type JsonPointer,
  quote,
} from '../diagnostics.js';
import { regexFlags } from '../encode.js';
import { derivedId } from '../ir/resolve.js';
import type { Behaviour, BooleanSchema, Docs, JsonValue, ObjectSchema, Schema, SchemaId } from '../ir/schema.js';
import { isObject, type JsonObject, own } from '../json-object.js';
import type { Sources } from '../load/sources.js';
import { PatternCosts, slowness } from '../patterns/pattern-cost.js';
import type { DialectTable } from './dialect-table.js';
import type { Dialect } from './dialects.js';
import { DynamicReferences } from './dynamic-references.js';
import { followReferences } from './follow.js';
import { extensionsOf, type Members, noExtensions } from './json.js';
import type { Origins } from './origins.js';
import {
  isNullable,
  readArray,
  readDiscriminator,
  readNumber,
  readObject,
  readString,
  readTypes,
} from './read-assertions.js';
import { SchemaContext, type SchemaRegistry } from './schema-context.js';

export function schemaId(at: Address): SchemaId {
  return `${at.document}#${at.pointer}` as SchemaId;
}

const rootPointer = '' as JsonPointer;

interface Pending {
  readonly id: SchemaId;
  readonly at: Address;
  readonly value: JsonValue;
  readonly dialect: Dialect;
  /** How many schemas lie between this one and the nearest that has a place of its own. */
  readonly depth: number;
}

export interface SchemaReaderOptions {
  readonly maxDepth: number;
  /** Read what stands beside a `$ref` where the dialect says "ignored" but tools write it. */
  readonly honourRefSiblings: boolean;
}

/** What is being built member by member: a spread for each of them is what reading would cost most. */
type Building<T> = { -readonly [K in keyof T]: T[K] };

/**
 * A schema that says nothing. All members that it may get are there, in one order: every stage asks each schema for nearly
 * all of them, which is several times faster where all objects are laid out alike. To a reader of the IR `undefined` is absent.
 */
function blankSchema(id: SchemaId, at: Address, docs: Docs, behaviour: Behaviour): Building<ObjectSchema> {
  const members: { [K in keyof Required<ObjectSchema>]: ObjectSchema[K] | undefined } = {
    kind: 'schema',
    id,
    at,
    docs,
    behaviour,
    types: undefined,
    enum: undefined,
    const: undefined,
    format: undefined,
    string: undefined,
    number: undefined,
    array: undefined,
    object: undefined,
    ref: undefined,
    allOf: undefined,
    anyOf: undefined,
    oneOf: undefined,
    not: undefined,
    conditional: undefined,
    discriminator: undefined,
    unevaluated: undefined,
    dynamicRef: undefined,
    anchors: undefined,
    extensions: noExtensions,
  };
  return members as Building<ObjectSchema>;
}

/** Laid out alike, too. */
function blankDocs(): Building<Docs> {
  const members: { [K in keyof Required<Docs>]: Docs[K] | undefined } = {
    title: undefined,
    description: undefined,
    deprecated: undefined,
    readOnly: undefined,
    writeOnly: undefined,
    default: undefined,
    examples: undefined,
    externalDocs: undefined,
    xml: undefined,
  };
  return members as Building<Docs>;
}

/** One for all the schemas that are not described. */
const noDocs: Docs = blankDocs();

/** Told once for each document. */
type Often = 'ref-siblings' | 'nullable-enum';

const saidOften: Readonly<Record<Often, string>> = {
  'ref-siblings': 'annotations beside "$ref" are honoured',
  'nullable-enum': 'null is admitted by "nullable" beside an "enum" that does not list it',
};

const anything: BooleanSchema['value'] = true;

const referenceSiblingsOfNoWeight = new Set([
  '$ref',
  'description',
  'summary',
  '$comment',
  'title',
  'example',
  'examples',
]);

/** What is honoured beside a reference although OpenAPI 2.0 and 3.0 ignore it, and asserts nothing. */
const annotations = ['description', 'title', 'example', 'examples'] as const;

export class SchemaReader implements SchemaRegistry {
  readonly schemas = new Map<SchemaId, Schema>();
  readonly referenced = new Set<SchemaId>();
  readonly #pending: Pending[] = [];
  /** Schemas that are copies of others, and those. */
  readonly #twins = new Map<SchemaId, Omit<Pending, 'id' | 'depth'>>();
  /** What is read in place of the text of the document, which is no schema there. */
  readonly #standIns = new Map<SchemaId, JsonValue>();
  /** Each id once: looking up the very string that is the key of a table needs no comparing. */
  readonly #known = new Map<SchemaId, SchemaId>();
  /** What is said once for a document: the first place, and how many there are. */
  readonly #often: { readonly [K in Often]: Map<DocumentUri, { readonly at: Address; count: number }> } = {
    'ref-siblings': new Map(),
    'nullable-enum': new Map(),
  };
  readonly #sources: Sources;
  readonly #report: Collector;
  readonly #costs = new PatternCosts();
  readonly #options: SchemaReaderOptions;
  readonly #origins: Origins;
  readonly #dialects: DialectTable;
  readonly #dynamic: DynamicReferences;

  constructor(
    sources: Sources,
    report: Collector,
    options: SchemaReaderOptions,
    origins: Origins,
    dialects: DialectTable,
  ) {
    this.#sources = sources;
    this.#report = report;
    this.#options = options;
    this.#origins = origins;
    this.#dialects = dialects;
    this.#dynamic = new DynamicReferences(sources, (at, dialect) => {
      const value = sources.valueAt(at);
      return value === undefined ? undefined : this.#target(at, value, dialect);
    });
  }

  /** Registers the schema at an address and gives its id; it is read when `drain` comes to it. */
  read(place: Address, value: JsonValue, dialect: Dialect, depth = 0): SchemaId {
    const at = this.#origins.of(value, place);
    const id = schemaId(at);
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const twin = this.#twins.get(id);
    if (twin !== undefined) return this.read(twin.at, twin.value, twin.dialect);
    this.#known.set(id, id);
    this.#pending.push({ id, at, value: this.#standIns.get(id) ?? value, dialect, depth });
    return id;
  }

  /** The schema that a document means by something else that stands at this place, whoever refers to it. */
  standIn(at: Address, value: JsonValue): void {
    this.#standIns.set(schemaId(at), value);
  }

  /** Whoever refers to the copy means the other schema; that one is no copy itself. What is said first counts. */
  sameAs(copy: Address, at: Address, value: JsonValue, dialect: Dialect): void {
    const id = schemaId(copy);
    if (!this.#twins.has(id)) this.#twins.set(id, { at, value, dialect });
  }

  /** Reads everything that has been registered, and what it leads to. */
  drain(): void {
    // The list grows while it is walked; in its order, diagnostics and output follow the document.
    for (const next of this.#pending) this.schemas.set(next.id, this.#readOne(next));
    this.#pending.length = 0;
    for (const code of ['ref-siblings', 'nullable-enum'] as const) {
      for (const { at, count } of this.#often[code].values()) {
        const places = count === 1 ? 'one place' : `${count} places, this one first`;
        this.#report.report(code, `${saidOften[code]} in ${places}`, at);
      }
      this.#often[code].clear();
    }
  }

  /** One schema for what any of several describes. */
  anyOf(at: Address, suffix: string, schemas: readonly SchemaId[], { behaviour }: Dialect): SchemaId {
    const [only] = schemas;
    if (only !== undefined && schemas.length === 1) return only;
    return this.#derive(schemaId(at), suffix, (id) => {
      const schema = blankSchema(id, at, noDocs, behaviour);
      schema.anyOf = schemas;
      return schema;
    });
  }

  /** A schema that stands nowhere in a document but follows from it, such as the `null` of `nullable`. */
  #derive(base: SchemaId, suffix: string, make: (id: SchemaId) => Schema): SchemaId {
    const id = derivedId(base, suffix);
    this.schemas.set(id, make(id));
    return id;
  }

  #readOne({ id, at, value, dialect: inherited, depth }: Pending): Schema {
    if (depth > this.#options.maxDepth) {
      this.#report.report(
        'too-deep',
        `schemas are nested too deep: more than ${this.#options.maxDepth} levels (limits.depth)`,
        at,
      );
      return { kind: 'boolean', id, at, value: anything, docs: {} };
    }
    if (typeof value === 'boolean') return { kind: 'boolean', id, at, value, docs: {} };
    if (!isObject(value)) {
      this.#report.report('type-mismatch', 'a schema must be an object or a boolean', at);
      return { kind: 'boolean', id, at, value: anything, docs: {} };
    }
    const schemaUri = own(value, '$schema');
    const dialect = typeof schemaUri === 'string' ? this.#dialects.ofUri(schemaUri, at) : inherited;
    const { hidden } = dialect;
    const visible = hidden?.size
      ? Object.fromEntries(Object.entries(value).filter(([name]) => !hidden.has(name)))
      : value;
    return this.#readObjectSchema(new SchemaContext(this, visible, at, dialect, depth, this.#report), id);
  }

  #readObjectSchema(context: SchemaContext, id: SchemaId): Schema {
    const { members, at, dialect } = context;
    const refValue = members.has('$ref') ? members.string('$ref') : undefined;
    const isIgnoring = refValue !== undefined && dialect.refSiblings !== 'assert' && !this.#options.honourRefSiblings;
    const docs = isIgnoring || !context.keywords.annotated ? noDocs : readDocs(members);
    const ref = refValue === undefined ? undefined : this.#resolve(refValue, at, dialect);
    const schema = blankSchema(id, at, docs, dialect.behaviour);
    if (refValue !== undefined && this.#onlyTheReferenceCounts(members, dialect)) {
      if (ref === undefined) return { kind: 'boolean', id, at, value: anything, docs };
      schema.ref = ref;
      return schema;
    }
    schema.extensions = extensionsOf(members.object);
    if (ref !== undefined) schema.ref = ref;
    const anchors = this.#dynamic.anchorsAt(at, dialect);
    if (anchors !== undefined) schema.anchors = anchors;
    this.#addAssertions(context, schema);
    return isNullOrRest(members, dialect) ? this.#orNull(schema) : schema;
  }

  #addAssertions(context: SchemaContext, schema: Building<ObjectSchema>): void {
    const { members, dialect, keywords } = context;
    const types = readTypes(members, this.#report, dialect);
    if (types !== undefined) schema.types = types;
    const format = members.string('format');
    if (format !== undefined) schema.format = format;
    const string = keywords.string ? readString(context) : undefined;
    if (string !== undefined) schema.string = string;
    const number = keywords.number ? readNumber(context) : undefined;
    if (number !== undefined) schema.number = number;
    const array = keywords.array ? readArray(context) : undefined;
    if (array !== undefined) schema.array = array;
    const object = keywords.object ? readObject(context) : undefined;
    if (object !== undefined) schema.object = object;
    if (keywords.applied) this.#addApplied(context, schema);
    if (keywords.modern) this.#addModern(context, schema);
  }

  /** The keywords of 2019-09 and later. */
  #addModern(context: SchemaContext, schema: Building<ObjectSchema>): void {
    const { members, at, dialect } = context;
    const { dynamicKeyword } = dialect;
    if (dynamicKeyword === undefined) return;
    const unevaluated = readUnevaluated(context);
    if (unevaluated !== undefined) schema.unevaluated = unevaluated;
    const ref = members.has(dynamicKeyword) ? members.string(dynamicKeyword) : undefined;
    const target = ref === undefined ? undefined : this.#resolve(ref, at, dialect);
    if (ref !== undefined && target !== undefined) schema.dynamicRef = this.#dynamic.reference(ref, at, target);
  }

  /** The values, and the schemas that are applied to the same value. */
  #addApplied(context: SchemaContext, schema: Building<ObjectSchema>): void {
    const { members, dialect } = context;
    const discriminator = readDiscriminator(context);
    if (discriminator !== undefined) schema.discriminator = discriminator;
    const values = members.array('enum');
    if (values !== undefined) schema.enum = this.#withNull(values, context);
    const constant = dialect.modernKeywords ? members.raw('const') : undefined;
    if (constant !== undefined) schema.const = { value: constant };
    for (const name of ['allOf', 'anyOf', 'oneOf'] as const) {
      const list = context.list(name);
      if (list !== undefined) schema[name] = list;
    }
    const not = context.child('not');
    if (not !== undefined) schema.not = not;
    const condition = dialect.modernKeywords ? context.child('if') : undefined;
    const thenSchema = context.child('then');
    const elseSchema = context.child('else');
    if (condition === undefined) return;
    schema.conditional = {
      if: condition,
      ...(thenSchema !== undefined && { then: thenSchema }),
      ...(elseSchema !== undefined && { else: elseSchema }),
    };
  }

  /**
   * What `nullable` says, `enum` is to list (OpenAPI 3.0.3), and without `type` it says nothing at all. Who writes it all the
   * same has values that are null: those of Stripe and Box are.
   */
  #withNull(values: readonly JsonValue[], { members, at, dialect }: SchemaContext): readonly JsonValue[] {
    if (values.includes(null) || !isNullable(members, dialect)) return values;
    this.#count('nullable-enum', at);
    return isNullOrRest(members, dialect) ? values : [...values, null];
  }

  #resolve(ref: string, at: Address, dialect: Dialect): SchemaId | undefined {
    const target = this.#sources.resolve(at, ref);
    if (!target.ok) {
      this.#report.report(target.code, target.message, at);
      return undefined;
    }
    return this.#target(target.at, target.value, dialect);
  }

  #target(at: Address, value: JsonValue, dialect: Dialect): SchemaId {
    const id = this.read(at, value, this.#dialects.ofDocument(this.#sources.documents.get(at.document)) ?? dialect);
    this.referenced.add(id);
    return id;
  }

  /**
   * The target of a discriminator's mapping entry: a reference, or the name of a component (OpenAPI, Discriminator Object),
   * of the same document or else of the entry (OpenAPI 3.2, appendix G). A name of nothing is a hint that leads nowhere.
   */
  mappingTarget(text: string, at: Address, dialect: Dialect): SchemaId | undefined {
    const isName = /^[A-Za-z0-9._-]+$/.test(text);
    if (isName) {
      const component = `#/${dialect.namedSchemas.join('/')}/${text}`;
      const entries = this.#sources.entries.map((document): Address => ({ document, pointer: rootPointer }));
      for (const from of [at, ...entries]) {
        if (this.#sources.resolve(from, component).ok) return this.#resolve(component, from, dialect);
      }
      if (!this.#sources.resolve(at, text).ok) {
        this.#report.report('mapping-unknown', `the mapping names ${quote(text)}, which is no component`, at);
        return undefined;
      }
    }
    return this.#resolve(text, at, dialect);
  }

  mapBehind(reference: JsonObject, at: Address, dialect: Dialect): readonly (readonly [string, SchemaId])[] {
    const found = followReferences(this.#sources, this.#report, reference, at);
    if (found === undefined) return [];
    const there = this.#dialects.ofDocument(this.#sources.documents.get(found.at.document)) ?? dialect;
    return Object.entries(found.value).map(([name, value]) => [
      name,
      this.read(childAddress(found.at, name), value, there),
    ]);
  }

  #onlyTheReferenceCounts(members: Members, dialect: Dialect): boolean {
    if (dialect.refSiblings === 'assert') return false;
    const weighty = Object.keys(members.object).filter(
      (name) => name === dialect.nullable || (!referenceSiblingsOfNoWeight.has(name) && !name.startsWith('x-')),
    );
    if (dialect.refSiblings === 'ignore' || !this.#options.honourRefSiblings) return true;
    if (weighty.length === 0) {
      if (annotations.some((name) => members.has(name))) this.#count('ref-siblings', members.at);
      return true;
    }
    this.#report.report('ref-siblings', `${weighty.map(quote).join(', ')} beside "$ref" is honoured`, members.at);
    return false;
  }

  /** Some things so many documents do that one warning for each place would hide all others. */
  #count(code: Often, at: Address): void {
    const known = this.#often[code].get(at.document);
    if (known) known.count += 1;
    else this.#often[code].set(at.document, { at, count: 1 });
  }

  /** `nullable: true` (or its like) on a schema without `type` means: null, or what the rest says. */
  #orNull(schema: ObjectSchema): ObjectSchema {
    const { id, at, docs, behaviour } = schema;
    const shared = { kind: 'schema', at, docs: {}, behaviour, extensions: {} } as const;
    const nothing = this.#derive(id, 'null', (derived) => ({ ...shared, id: derived, types: ['null'] }));
    const rest = this.#derive(id, 'value', (derived) => ({ ...schema, id: derived, docs: {} }));
    return { ...shared, id, docs, anyOf: [rest, nothing] };
  }

  /** A pattern that does not compile is refused here, so that every pattern of the IR can be used. */
  checkPattern(pattern: string, at: Address, maxLength?: number): string | undefined {
    const flags = regexFlags(pattern);
    if (flags === undefined) {
      this.#report.report('pattern-invalid', `${quote(pattern)} is not a regular expression`, at);
      return undefined;
    }
    if (flags === '') this.#report.report('pattern-legacy', `${quote(pattern)} compiles only without the u flag`, at);
    const slow = slowness(pattern, this.#costs.costOf(pattern), maxLength);
    if (slow !== undefined) this.#report.report('pattern-slow', `${quote(pattern)} ${slow}`, at);
    return pattern;
  }
}

/** `true` is kept as well: it leaves nothing over for a schema around. */
function readUnevaluated(context: SchemaContext): ObjectSchema['unevaluated'] {
  const properties = context.child('unevaluatedProperties');
  const items = context.child('unevaluatedItems');
  if (properties === undefined && items === undefined) return undefined;
  return { ...(properties !== undefined && { properties }), ...(items !== undefined && { items }) };
}

/** Beside a reference or a composition, "nullable" is meant for the whole, also where a type stands there too. */
function isNullOrRest(members: Members, dialect: Dialect): boolean {
  if (!isNullable(members, dialect)) return false;
  return !members.has('type') || ['$ref', 'allOf', 'anyOf', 'oneOf'].some((name) => members.has(name));
}

/** The annotations of a schema, a parameter or a header. */
export function readDocs(members: Members): Docs {
  const title = members.text('title');
  const description = members.text('description');
  const deprecated = members.boolean('deprecated');
  const readOnly = members.boolean('readOnly');
  const writeOnly = members.boolean('writeOnly');
  const fallback = members.raw('default');
  const example = members.raw('example');
  const examples = members.raw('examples');
  const all = [...(example === undefined ? [] : [example]), ...(Array.isArray(examples) ? examples : [])];
  const docs = blankDocs();
  if (title !== undefined) docs.title = title;
  if (description !== undefined) docs.description = description;
  if (deprecated !== undefined) docs.deprecated = deprecated;
  if (readOnly !== undefined) docs.readOnly = readOnly;
  if (writeOnly !== undefined) docs.writeOnly = writeOnly;
  if (fallback !== undefined) docs.default = { value: fallback };
  if (all.length > 0) docs.examples = all;
  const externalDocs = members.raw('externalDocs');
  if (externalDocs !== undefined) docs.externalDocs = externalDocs;
  const xml = members.raw('xml');
  if (xml !== undefined) docs.xml = xml;
  return docs;
}
