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
import type { Api, Info, Operation, SecurityScheme, Server } from '../ir/api.js';
import { isObject, type JsonObject, own } from '../json-object.js';
import type { SourceDocument, Sources } from '../load/sources.js';
import { reportCompositionCycles } from './cycles.js';
import { type Dialect, dialectOfDocument, dialectOfSchemaUri, isReadInPart } from './dialects.js';
import { findDirectional } from './directions.js';
import { Members } from './json.js';
import { limitProducts } from './limit-products.js';
import { NamedSchemas } from './named-schemas.js';
import { Origins } from './origins.js';
import { readOperations } from './read-operations.js';
import { SchemaReader } from './read-schema.js';
import { readSecurity, readSecuritySchemes, readServers } from './read-security.js';
import { Reading } from './reading.js';
import type { Selection } from './selection.js';
import { ShapeDeriver } from './shapes.js';
import { upgradeDescription } from './upgrade-swagger.js';

export interface NormaliseOptions {
  /** Schemas nested deeper than this inside one another, without a reference between, are refused. */
  readonly maxSchemaDepth: number;
  readonly honourRefSiblings: boolean;
  readonly inheritEventSchema: boolean;
  /** Report at the root: which of the entries make up this API; all of them where absent. */
  readonly entries?: readonly DocumentUri[];
  /** What is read of the description; all of it where absent. */
  readonly selection?: Selection;
  /** Give the Api although there are errors; the caller knows that they concern nothing in it. */
  readonly tolerateErrors?: boolean;
}

export const defaultNormaliseOptions: NormaliseOptions = {
  maxSchemaDepth: 200,
  honourRefSiblings: true,
  inheritEventSchema: true,
};

interface HttpPart {
  readonly info: Info;
  readonly servers: readonly Server[];
  readonly operations: readonly Operation[];
  readonly securitySchemes: readonly SecurityScheme[];
}

export function normalise(sources: Sources, options: NormaliseOptions): Result<Api> {
  const report = new Collector();
  const origins = new Origins();
  const schemas = new SchemaReader(
    sources,
    report,
    { maxDepth: options.maxSchemaDepth, honourRefSiblings: options.honourRefSiblings },
    origins,
    (at) => documentDialect(sources.documents.get(at.document)),
  );
  const entries = (options.entries ?? sources.entries).flatMap((uri) => sources.documents.get(uri) ?? []);
  const named = new NamedSchemas(sources, schemas, options.selection);
  for (const document of entries) registerComponents(document, named, report);
  const description = entries.find((document) => document.kind.kind === 'openapi');
  const http = description && readDescription(description, sources, schemas, origins, report, options);
  named.drain();
  reportCompositionCycles(schemas.schemas, report);
  const deriver = new ShapeDeriver(schemas.schemas, schemas.referenced);
  const [first] = entries;
  const failed = report.failed && options.tolerateErrors !== true;
  const shapes = failed ? new Map() : limitProducts(deriver.deriveAll(), schemas.schemas, report);
  const api: Api = {
    ...(http ?? { info: schemaInfo(first), servers: [], operations: [], securitySchemes: [] }),
    schemas: schemas.schemas,
    shapes,
    components: named.components,
    referenced: schemas.referenced,
    directional: findDirectional(deriver.oneWayOwners, schemas.schemas),
  };
  return options.tolerateErrors ? ok(api, report.diagnostics) : report.finish(api);
}

function documentDialect(document: SourceDocument | undefined): Dialect | undefined {
  if (!document) return undefined;
  const uri = isObject(document.value) ? own(document.value, 'jsonSchemaDialect') : undefined;
  return dialectOfDocument(document.kind, typeof uri === 'string' ? uri : undefined);
}

function rootOf(document: SourceDocument): Address {
  return { document: document.uri, pointer: '' as JsonPointer };
}

/** The schemas that a document names: components of a description; root and definitions of a JSON Schema. */
function registerComponents(document: SourceDocument, named: NamedSchemas, report: Collector): void {
  const at = rootOf(document);
  const dialect = documentDialect(document) ?? dialectOfSchemaUri('');
  const { value } = document;
  if (document.kind.kind === 'json-schema') {
    named.add(schemaName(document), at, value, dialect);
    const object = isObject(value) ? new Members(value, at, report) : undefined;
    for (const keyword of ['$defs', 'definitions'])
      addAll(object?.objectMember(keyword), childAddress(at, keyword), named, dialect);
    return;
  }
  let list = isObject(value) ? value : undefined;
  let place = at;
  for (const step of dialect.namedSchemas) {
    list = list && new Members(list, place, report).objectMember(step);
    place = childAddress(place, step);
  }
  addAll(list, place, named, dialect);
}

function addAll(list: JsonObject | undefined, at: Address, named: NamedSchemas, dialect: Dialect): void {
  for (const [name, value] of Object.entries(list ?? {})) named.add(name, childAddress(at, name), value, dialect);
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
  };
}

function readDescription(
  document: SourceDocument,
  sources: Sources,
  schemas: SchemaReader,
  origins: Origins,
  report: Collector,
  options: NormaliseOptions,
): HttpPart | undefined {
  const dialect = documentDialect(document);
  const value = upgradeDescription(document, sources, report, origins);
  if (!isObject(value) || !dialect) return undefined;
  const root = new Members(value, rootOf(document), report);
  const componentsValue = root.objectMember('components');
  const components = componentsValue && new Members(componentsValue, childAddress(root.at, 'components'), report);
  const schemeNames = new Set(Object.keys(components?.objectMember('securitySchemes') ?? {}));
  const reading = new Reading(sources, report, schemas, dialect, origins, schemeNames, {
    inheritEventSchema: options.inheritEventSchema,
    selection: options.selection,
  });
  reportUnread(document, root, report);
  reading.rootSecurity = readSecurity(reading, root) ?? [];
  const operations = readOperations(reading, root);
  reportDuplicateIds(operations, report);
  return {
    info: readInfo(root, report),
    servers: readServers(reading, root) ?? [],
    operations,
    securitySchemes: readSecuritySchemes(reading, components),
  };
}

/** Parts of a description that are read by a later version of oasmith; each is said once. */
function reportUnread(document: SourceDocument, root: Members, report: Collector): void {
  if (document.kind.kind === 'openapi' && isReadInPart(document.kind.version)) {
    report.report(
      'not-yet-version',
      `OpenAPI ${quote(document.kind.version).slice(1, -1)} is read by what it shares with the version before`,
      childAddress(root.at, 'openapi'),
    );
  }
  const webhooks = root.objectMember('webhooks');
  if (webhooks && Object.keys(webhooks).length > 0) {
    report.report('not-yet-operation', 'webhooks are not generated by this version', childAddress(root.at, 'webhooks'));
  }
}

function readInfo(root: Members, report: Collector): Info {
  const at = childAddress(root.at, 'info');
  const value = root.objectMember('info');
  if (!value) {
    if (!root.has('info')) report.report('keyword-missing', 'a description needs "info"', root.at);
    return { title: '', version: '', at };
  }
  const info = new Members(value, at, report);
  const description = info.string('description');
  return {
    title: info.string('title') ?? '',
    // A number here has been reported by load: YAML reads an unquoted 1.0 as one.
    version: typeof info.raw('version') === 'number' ? String(info.raw('version')) : (info.string('version') ?? ''),
    ...(description !== undefined && { description }),
    at,
  };
}

function reportDuplicateIds(operations: readonly Operation[], report: Collector): void {
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
