/** What the readers of one OpenAPI description share: the sources, the schema reader and the report. */
import { type Address, type Collector, childAddress, quote } from '../diagnostics.js';
import type { Framing, MediaType } from '../ir/api.js';
import type { Docs, JsonValue, ObjectAssertions, SchemaId } from '../ir/schema.js';
import type { SecurityRequirement } from '../ir/security.js';
import { type JsonObject, own } from '../json-object.js';
import type { Sources } from '../load/sources.js';
import type { Dialect } from './dialects.js';
import { followReferences, followSchema, type Located, type Place, sectionList, sectionOf } from './follow.js';
import { Members } from './json.js';
import { isToken } from './media-types.js';
import type { Origins } from './origins.js';
import { readDocs, type SchemaReader } from './read-schema.js';
import type { OperationFacts, Selection } from './selection.js';
import { inheritEventSchema, type StreamOptions } from './streams.js';

export interface ReadingOptions {
  /** Type the events of an untyped stream by the JSON response of the same status (output.md section 7). */
  readonly inheritEventSchema: boolean;
  readonly selection: Selection | undefined;
  /** By operationId, or by method and path. */
  readonly streams: ReadonlyMap<string, StreamOptions>;
}

export interface Entry {
  readonly key: string;
  readonly value: JsonValue;
  readonly at: Address;
}

const noEntries: readonly Entry[] = [];

export class Reading {
  readonly sources: Sources;
  readonly report: Collector;
  /** The name of the security scheme that a requirement at this place means. */
  schemeName: (key: string, at: Address) => string = (key) => key;
  rootSecurity: readonly (readonly SecurityRequirement[])[] = [];
  /** What the configuration says of the streams of the operation that is being read. */
  streams: StreamOptions | undefined;
  /** The bodies of that operation whose framing the configuration says. */
  framings: ReadonlyMap<JsonObject, Framing> = new Map();
  readonly #schemas: SchemaReader;
  readonly #dialect: Dialect;
  readonly #origins: Origins;
  readonly #options: ReadingOptions;
  /** By reader, and by place. */
  readonly #once = new Map<unknown, Map<string, unknown>>();

  constructor(
    sources: Sources,
    report: Collector,
    schemas: SchemaReader,
    dialect: Dialect,
    origins: Origins,
    options: ReadingOptions,
  ) {
    this.sources = sources;
    this.report = report;
    this.#schemas = schemas;
    this.#dialect = dialect;
    this.#origins = origins;
    this.#options = options;
  }

  /**
   * What an object means that a reference at `from` led to, read once for all operations that refer to it. What stands in
   * its place has one user and needs no table.
   */
  once<T>(read: (reading: Reading, found: Located) => T, found: Located, from: Address): T {
    // What is said of the streams of one operation says nothing of others.
    if (found.at === from || this.streams) return read(this, found);
    const place = `${found.at.document}#${found.at.pointer}`;
    const known = this.#once.get(read) ?? new Map<string, unknown>();
    this.#once.set(read, known);
    if (!known.has(place)) known.set(place, read(this, found));
    return known.get(place) as T;
  }

  /** Whether the operation is wanted; what is not is not read. */
  selects(facts: OperationFacts): boolean {
    return this.#options.selection?.operation(facts) ?? true;
  }

  members({ value, at }: Located): Members {
    return new Members(value, at, this.report);
  }

  schema(at: Address, value: JsonValue): SchemaId {
    return this.#schemas.read(at, value, this.#dialect);
  }

  docs(members: Members): Docs {
    return readDocs(members);
  }

  isToken(name: string, at: Address): boolean {
    if (isToken(name)) return true;
    this.report.report('header-name-invalid', `${quote(name)} is not an HTTP token`, at);
    return false;
  }

  /** Where a value comes from that stands at this place. */
  placeOf(value: JsonValue, at: Address): Address {
    return this.#origins.of(value, at);
  }

  /** The object at this place, through any chain of `$ref`; `undefined` with a diagnostic where it leads nowhere. */
  follow(value: JsonValue | undefined, at: Address): Located | undefined {
    const found = followReferences(this.sources, this.report, value, at);
    return found && { value: found.value, at: this.#origins.of(found.value, found.at) };
  }

  /** The same for a schema; `undefined` where it is a boolean. */
  followSchema(value: JsonValue | undefined, at: Address): Located | undefined {
    const found = followSchema(this.sources, this.report, value, at);
    return found && { value: found.value, at: this.#origins.of(found.value, found.at) };
  }

  /** The object that a member holds, or that the `$ref` in its place leads to. */
  section(owner: Members, name: string): Located | undefined {
    const found = sectionOf(this.sources, this.report, owner, name);
    return found && { value: found.value, at: this.#origins.of(found.value, found.at) };
  }

  object(owner: Members, name: string): Members | undefined {
    const found = this.section(owner, name);
    return found && this.members(found);
  }

  /** The entries of a map, in the document's order, each with its place. */
  entries(owner: Members, name: string): readonly Entry[] {
    if (!owner.has(name)) return noEntries;
    const found = this.section(owner, name);
    if (!found) return noEntries;
    return Object.keys(found.value).map((key) => ({
      key,
      value: own(found.value, key) as JsonValue,
      at: childAddress(found.at, key),
    }));
  }

  /** The items of an array, each with its place; `undefined` where the member is not there. */
  list(owner: Members, name: string): readonly Place[] | undefined {
    return sectionList(this.sources, this.report, owner, name);
  }

  /** The schema of a member; `undefined` where there is none. */
  schemaOf(owner: Members, name: string): SchemaId | undefined {
    const value = owner.raw(name);
    return value === undefined ? undefined : this.schema(childAddress(owner.at, name), value);
  }

  /** One schema for what any of several describes; it stands nowhere, so its id is derived from the place. */
  anyOf(at: Address, suffix: string, schemas: readonly SchemaId[]): SchemaId {
    return this.#schemas.anyOf(at, suffix, schemas, this.#dialect);
  }

  /** A schema of objects with these members, of the same kind. */
  objectOf(at: Address, suffix: string, members: Pick<ObjectAssertions, 'properties' | 'required'>): SchemaId {
    return this.#schemas.objectOf(at, suffix, members, this.#dialect);
  }

  /** Begins to read an operation. */
  enter(operationId: string | undefined, route: string): void {
    const { streams } = this.#options;
    this.streams = (operationId === undefined ? undefined : streams.get(operationId)) ?? streams.get(route);
  }

  inheritEvents(content: readonly MediaType[]): readonly MediaType[] {
    return this.#options.inheritEventSchema && !this.streams?.schema
      ? inheritEventSchema(content, this.report)
      : content;
  }
}
