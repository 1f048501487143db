/**
 * Sources → Api. Input: documents as they are. Output: the IR of one API, complete, immutable and without versions.
 * Works in named passes, in this order; each adds to what the ones before it found:
 *
 * 1. documents   which entry is the API, which are schemas beside it
 * 2. components  the schemas that documents name
 * 3. operations  an older form is upgraded, then paths, parameters, bodies, responses, security
 * 4. schemas     everything that was registered, and what it refers to
 * 5. cycles      compositions that never end are refused
 * 6. shapes      what values look like, and in which direction
 */
import {
  type Address,
  Collector,
  childAddress,
  type DocumentUri,
  type JsonPointer,
  ok,
  quote,
  type Result,
} from '../diagnostics.js';
import type { Api, ApiRequest } from '../ir/api.js';
import type { Info } from '../ir/details.js';
import { withUsers } from '../ir/visit.js';
import { isObject, own } from '../json-object.js';
import type { SourceDocument, Sources } from '../load/sources.js';
import { reportCompositionCycles } from './cycles.js';
import { readDeclarations } from './declared-schemas.js';
import { findDerivedTwins, type TwinReader } from './derived-twins.js';
import { DialectTable } from './dialect-table.js';
import { type Dialect, dialectOfSchemaUri } from './dialects.js';
import { type Located, sectionOf } from './follow.js';
import { extensionsOf, Members, present, sectionExtensions } from './json.js';
import { limitProducts } from './limit-products.js';
import { NamedSchemas } from './named-schemas.js';
import { Origins } from './origins.js';
import { readExternalDocs, readInfo, readTags } from './read-details.js';
import { readRequests } from './read-operations.js';
import { SchemaReader } from './read-schema.js';
import { readSecurity, SecuritySchemes } from './read-security.js';
import { readServers } from './read-servers.js';
import { Reading } from './reading.js';
import type { Selection } from './selection.js';
import { ShapeDeriver } from './shapes.js';
import type { StreamOptions } from './streams.js';
import { upgradeDescription } from './upgrade-swagger.js';
import { reportUncheckedWholes } from './whole-streams.js';

export interface NormaliseOptions {
  /** Schemas nested deeper than this inside one another, without a reference between, are refused. */
  readonly maxSchemaDepth: number;
  readonly honourRefSiblings: boolean;
  readonly inheritEventSchema: boolean;
  /** How the streams of operations are read, by operationId or by method and path. */
  readonly streams: ReadonlyMap<string, StreamOptions>;
  /** Report at the root: which of the entries make up this API; all of them where absent. */
  readonly entries?: readonly DocumentUri[];
  /** What is read of the description; all of it where absent. */
  readonly selection?: Selection;
  /** Read `x-webhooks`, which is where descriptions before OpenAPI 3.1 have them; for who wants webhooks only. */
  readonly extendedWebhooks?: boolean;
  /** Give the Api although there are errors; the caller knows that they concern nothing in it. */
  readonly tolerateErrors?: boolean;
}

export const defaultNormaliseOptions: NormaliseOptions = {
  maxSchemaDepth: 200,
  honourRefSiblings: true,
  inheritEventSchema: true,
  streams: new Map(),
};

type HttpPart = Omit<Api, 'schemas' | 'shapes' | 'components' | 'referenced' | 'directional' | 'exactNumbers'>;

export function normalise(sources: Sources, options: NormaliseOptions): Result<Api> {
  const report = new Collector();
  const origins = new Origins();
  const dialects = new DialectTable(sources);
  const schemas = new SchemaReader(
    sources,
    report,
    { maxDepth: options.maxSchemaDepth, honourRefSiblings: options.honourRefSiblings },
    origins,
    dialects,
  );
  const entries = (options.entries ?? sources.entries).flatMap((uri) => sources.documents.get(uri) ?? []);
  const named = new NamedSchemas(sources, schemas, options.selection);
  const copies = linkCopies(entries, sources, schemas, dialects, report, options);
  for (const document of entries) {
    if (copies.has(document)) continue;
    if (document.kind.kind === 'declarations')
      registerDeclarations(document, { schemas, named, dialects, origins }, report, options);
    else registerComponents(document, sources, named, dialects, report);
  }
  const description = entries.find((document) => document.kind.kind === 'openapi');
  const http =
    description &&
    readDescription(description, dialects.ofDocument(description), sources, schemas, origins, report, options);
  named.drain();
  reportCompositionCycles(schemas.schemas, report);
  if (http) reportUncheckedWholes(http.operations, schemas.schemas, report);
  const [first] = entries;
  const failed = report.failed && options.tolerateErrors !== true;
  const deriver = failed ? undefined : new ShapeDeriver(schemas.schemas, schemas.referenced, report);
  const shapes = deriver
    ? limitProducts(deriver.deriveAll(), deriver.intersections, schemas.schemas, report)
    : new Map();
  const api: Api = {
    ...(http ?? withoutHttp(first)),
    schemas: schemas.schemas,
    shapes,
    components: named.components,
    referenced: schemas.referenced,
    directional: withUsers(deriver?.oneWayOwners ?? new Set(), schemas.schemas),
    exactNumbers: exactNumbers(sources),
  };
  return options.tolerateErrors ? ok(api, report.diagnostics) : report.finish(api);
}

/** A JSON Schema alone. */
function withoutHttp(document: SourceDocument | undefined): HttpPart {
  return {
    info: schemaInfo(document),
    tags: [],
    servers: [],
    operations: [],
    outgoing: [],
    securitySchemes: [],
    extensions: {},
    sections: {},
  };
}

/** What `load` found to be rounded. */
function exactNumbers({ documents }: Sources): Api['exactNumbers'] {
  return [...documents.values()].flatMap(({ uri, exactNumbers: found }) =>
    found.map(({ pointer, text }) => ({ at: { document: uri, pointer }, text })),
  );
}

function rootOf(document: SourceDocument): Address {
  return { document: document.uri, pointer: '' as JsonPointer };
}

/** Sees to it that derived schemas are what they were derived from. */
function linkCopies(
  entries: readonly SourceDocument[],
  sources: Sources,
  schemas: SchemaReader,
  dialects: DialectTable,
  report: Collector,
  { maxSchemaDepth: maxDepth, honourRefSiblings }: NormaliseOptions,
): ReadonlySet<SourceDocument> {
  if (sources.documents.size < 2) return new Set();
  const dialectAt = ({ document }: Address): Dialect =>
    dialects.ofDocument(sources.documents.get(document)) ?? dialectOfSchemaUri('');
  const makeReader = (): TwinReader => {
    const reader = new SchemaReader(sources, new Collector(), { maxDepth, honourRefSiblings }, new Origins(), dialects);
    return {
      schemas: reader.schemas,
      readAt: (at) => {
        const value = sources.valueAt(at);
        return value === undefined ? undefined : reader.read(at, value, dialectAt(at));
      },
      drain: () => reader.drain(),
    };
  };
  const { documents, twins } = findDerivedTwins(entries, sources, makeReader, report);
  for (const { copy, source } of twins) {
    const value = sources.valueAt(source);
    if (value !== undefined) schemas.sameAs(copy, source, value, dialectAt(source));
  }
  return documents;
}

/** The models of a declaration graph, which refer to each other as declarations. */
function registerDeclarations(
  document: SourceDocument,
  to: { schemas: SchemaReader; named: NamedSchemas; dialects: DialectTable; origins: Origins },
  report: Collector,
  { maxSchemaDepth }: NormaliseOptions,
): void {
  const dialect = to.dialects.ofDocument(document) ?? dialectOfSchemaUri('');
  const graph = isObject(document.value) ? document.value : {};
  const { models, shared } = readDeclarations(graph, rootOf(document), to.origins, report, maxSchemaDepth);
  for (const { at, value } of [...models, ...shared]) to.schemas.standIn(at, value);
  for (const { name, at, value } of models) to.named.add(name, at, value, dialect);
}

/** The schemas that a document names: components of a description; root and definitions of a JSON Schema. */
function registerComponents(
  document: SourceDocument,
  sources: Sources,
  named: NamedSchemas,
  dialects: DialectTable,
  report: Collector,
): void {
  const at = rootOf(document);
  const dialect = dialects.ofDocument(document) ?? dialectOfSchemaUri('');
  const { value } = document;
  if (document.kind.kind === 'json-schema') {
    named.add(schemaName(document), at, value, dialect);
    const object = isObject(value) ? new Members(value, at, report) : undefined;
    for (const keyword of ['$defs', 'definitions']) {
      const list = object?.objectMember(keyword);
      if (list) addAll({ value: list, at: childAddress(at, keyword) }, named, dialect);
    }
    return;
  }
  let section: Located | undefined = isObject(value) ? { value, at } : undefined;
  for (const step of dialect.namedSchemas) {
    section = section && sectionOf(sources, report, new Members(section.value, section.at, report), step);
  }
  if (section) addAll(section, named, dialect);
}

function addAll({ value: list, at }: Located, named: NamedSchemas, dialect: Dialect): void {
  for (const [name, value] of Object.entries(list)) named.add(name, childAddress(at, name), value, dialect);
}

/** The name of a stand-alone schema: its title where that is one word, else the file's stem. */
function schemaName(document: SourceDocument): string {
  const title = isObject(document.value) ? own(document.value, 'title') : undefined;
  if (typeof title === 'string' && title.trim() !== '') return title;
  const file = document.uri.split(/[/\\]/).at(-1) ?? '';
  return file.split('.')[0] || 'Schema';
}

function schemaInfo(document: SourceDocument | undefined): Info {
  const uri = (document?.uri ?? '') as DocumentUri;
  return {
    title: document ? schemaName(document) : '',
    version: '',
    at: { document: uri, pointer: '' as JsonPointer },
    extensions: {},
  };
}

function readDescription(
  document: SourceDocument,
  dialect: Dialect | undefined,
  sources: Sources,
  schemas: SchemaReader,
  origins: Origins,
  report: Collector,
  options: NormaliseOptions,
): HttpPart | undefined {
  const value = upgradeDescription(document, sources, report, origins);
  if (!isObject(value) || !dialect) return undefined;
  const root = new Members(value, rootOf(document), report);
  const reading = new Reading(sources, report, schemas, dialect, origins, {
    inheritEventSchema: options.inheritEventSchema,
    selection: options.selection,
    streams: options.streams,
  });
  const components = root.has('components') ? reading.object(root, 'components') : undefined;
  const securitySchemes = new SecuritySchemes(reading, components);
  reading.schemeName = (key, at) => securitySchemes.nameOf(key, at);
  reading.rootSecurity = readSecurity(reading, root) ?? [];
  const { operations, outgoing } = readRequests(
    reading,
    root,
    options.extendedWebhooks ? ['webhooks', 'x-webhooks'] : ['webhooks'],
  );
  reportDuplicateIds([...operations, ...outgoing], report);
  return {
    info: readInfo(reading, root),
    ...present({ externalDocs: readExternalDocs(reading, root) }),
    tags: readTags(reading, root),
    servers: readServers(reading, root) ?? [],
    operations,
    outgoing,
    securitySchemes: securitySchemes.all,
    extensions: extensionsOf(root.object),
    sections: present({
      paths: sectionExtensions(root.objectMember('paths')),
      components: components && sectionExtensions(components.object),
    }),
  };
}

function reportDuplicateIds(operations: readonly ApiRequest[], report: Collector): void {
  const seen = new Map<string, Address>();
  for (const { operationId, at } of operations) {
    if (operationId === undefined) continue;
    const twin = seen.get(operationId);
    if (twin)
      report.report('operation-id-duplicate', `the operationId ${quote(operationId)} is used twice`, at, [
        { message: 'the other operation', at: twin },
      ]);
    else seen.set(operationId, at);
  }
}
