/** Options, resolved once. Flags win over the configuration file; what is left out gets its default. */
import { quote } from './diagnostics.js';
import type { LoadLimits } from './load/limits.js';
import { defaultLimits } from './load/limits.js';
import type { FilterOptions } from './normalise/filter.js';
import type { StreamOptions } from './normalise/streams.js';
import type { FormatImport } from './plan/checks/asserted.js';
import type { DeclarationNamesOptions } from './plan/declaration-graph/declared-names.js';
import type { JsonRpcEndpoint, JsonRpcOptions } from './plan/json-rpc-options.js';
import type { PaginationEntry, PaginationOptions } from './plan/pagination/options.js';
import type {
  Framework,
  HeaderEncodingName,
  HeaderFromBody,
  ImportSource,
  PackageOptions,
  PlanOptions,
  QueriesOptions,
  QueryKind,
  SchemasOptions,
  TargetName,
  TypeModes,
} from './plan/target.js';

/**
 * OpenAPI runtime expressions (`$request.body#/method`), the first that yields a value counts; and how the header carries
 * what no header can hold: `base64` as `=?base64?…?=`, `percent` as percent-encoded UTF-8.
 */
export type MirrorOption =
  | string
  | readonly string[]
  | { readonly from: string | readonly string[]; readonly encoding?: HeaderEncodingName };

/** What a user may write in `oasmith.config.*`, in `package.json#oasmith`, or give to `generate()`. */
export interface Options {
  /** Files, patterns (`specs/*.yaml`), URLs or `-` for standard input. */
  readonly input?: string | readonly string[];
  /** The folder that is generated and managed; paths are relative to the configuration file. */
  readonly output?: string;
  /** By default every target but `schemas`, and `json-rpc` where `jsonRpc` says something. */
  readonly targets?: readonly TargetName[];
  /** Which adapters of the server are written; none by default, so that the output needs no package. */
  readonly framework?: Framework | readonly Framework[];
  readonly importExtension?: 'js' | 'ts' | 'none';
  /** Named enumerations as unions of literals (default), or as constants with a type of the same name. */
  readonly enums?: TypeModes['enums'];
  /** Whether enumerations in answers admit values that the document does not list (default `closed`). */
  readonly clientEnums?: TypeModes['clientEnums'];
  /** What dates and times are in types (default `string`). */
  readonly dates?: TypeModes['dates'];
  /** What XML that has a schema is for callers: text (default), or the value that the schema describes, by a codec that the client is given. */
  readonly xml?: NonNullable<PlanOptions['xml']>;
  /** One file for all operations (default), or files by tag. */
  readonly layout?: PlanOptions['layout'];
  /** Whether what the code needs is copied into the output (default), or imported from the package `oasmith`. */
  readonly runtime?: NonNullable<PlanOptions['runtime']>;
  /** Makes the output a package that can be published: its name, or what else its `package.json` says. */
  readonly package?: string | PackageOptions;
  /** The folder that references must not leave; by default that of each entry. */
  readonly refRoot?: string;
  /** Origins that references may lead to: `https://example.com`. */
  readonly allowRemote?: readonly string[];
  /** Request headers that mirror a member of the body: operation → header → OpenAPI runtime expression(s). */
  readonly headersFromBody?: Readonly<Record<string, Readonly<Record<string, MirrorOption>>>>;
  /** The operations that are JSON-RPC endpoints, by operationId or `METHOD /path`; the target `json-rpc` is made for them. */
  readonly jsonRpc?: Readonly<Record<string, JsonRpcOptions>>;
  /**
   * How operations are paged, by operationId, `METHOD /path` or a pattern with `*` (for those that it fits); `false` for no
   * pages, whatever the document says.
   */
  readonly pagination?: Readonly<Record<string, PaginationOptions | false>>;
  /** Names of your own: component name or operationId → identifier. */
  readonly names?: Readonly<Record<string, string>>;
  /** Send the valid defaults of required parameters (default true). */
  readonly sendDefaults?: boolean;
  /** Type the events of an untyped stream by its JSON sibling (default true). */
  readonly inheritEventSchema?: boolean;
  /** How the streams of operations are read where the document misleads: operationId, or `GET /path` → how its items are told apart, what its schema describes, and what ends it. */
  readonly streams?: Readonly<Record<string, StreamOptions>>;
  /** Read what stands beside a `$ref` in OpenAPI 3.0 (default `honour`). */
  readonly refSiblings?: 'honour' | 'ignore';
  /** Check `format` in validators (default false). */
  readonly assertFormats?: boolean;
  /** Check what texts hold: `contentEncoding`, `contentMediaType` (JSON) and `contentSchema` (default false). */
  readonly assertContent?: boolean;
  /** Standard JSON Schema beside Standard Schema: `PetSchema['~standard'].jsonSchema` (default false). */
  readonly standardJsonSchema?: boolean;
  /** Formats of your own, always checked: format → module (a package, or a path relative to the configuration) and function. */
  readonly formats?: Readonly<Record<string, { readonly from: string; readonly name: string }>>;
  /** How many issues validators collect where a call does not say it (default 20). */
  readonly issueLimit?: number;
  /** A folder for handler skeletons of your own; only missing handlers are ever inserted. */
  readonly scaffold?: string;
  /** What the target `schemas` makes of each component: its `$id`, its date, and whether there are declarations (default true). */
  readonly schemas?: { readonly baseUri?: string; readonly date?: string; readonly declarations?: boolean };
  /** The package of TanStack Query whose types the target `tanstack-query` imports (default `@tanstack/react-query`). */
  readonly queryPackage?: string;
  /** What the keys of queries and mutations begin with, where programs use several APIs; of several entries the name of the folder. */
  readonly queryKeyPrefix?: string;
  /** What the target `tanstack-query` makes of operations, by operationId or `METHOD /path`: by default queries of GET, HEAD and QUERY, mutations of all others. */
  readonly queries?: Readonly<Record<string, QueryKind>>;
  /** What the declaration graph (`oasmith ir --format decls`) calls things: component or operationId → `resource.name`. */
  readonly decls?: {
    readonly models?: Readonly<Record<string, string>>;
    readonly methods?: Readonly<Record<string, string>>;
  };
  /**
   * Files that another package provides the types of: path or URL → package. Their types are imported, not declared. With
   * `validators` their validators are, too: from a module of that name, or (`true`) from the same one.
   */
  readonly imports?: Readonly<
    Record<string, string | { readonly package: string; readonly validators?: string | boolean }>
  >;
  /** Overlays (OpenAPI Overlay 1.0 or 1.1) that are applied to the documents, in this order. */
  readonly overlays?: readonly string[];
  /** What is generated: `tag:…`, `operation:…`, `path:…`, `schema:…` with `*`, or `deprecated`; everything where there is none. */
  readonly include?: readonly string[];
  /** What is not, in the same form; it wins over `include`. */
  readonly exclude?: readonly string[];
  /** Leave out the named schemas that nothing refers to (default false). */
  readonly dropUnreachable?: boolean;
  /** Leave out what a fault concerns, and generate the rest (default false). */
  readonly keepGoing?: boolean;
  readonly limits?: Partial<LoadLimits>;
}

/** One run: options with every default in place. */
export interface Job {
  readonly input: readonly string[];
  readonly output: string | undefined;
  readonly targets: readonly TargetName[];
  readonly frameworks: readonly Framework[];
  readonly importExtension: '.js' | '.ts' | '';
  readonly enums: TypeModes['enums'];
  readonly clientEnums: TypeModes['clientEnums'];
  readonly dates: TypeModes['dates'];
  readonly xml: NonNullable<PlanOptions['xml']>;
  readonly layout: PlanOptions['layout'];
  readonly runtime: NonNullable<PlanOptions['runtime']>;
  readonly package: PackageOptions | undefined;
  readonly refRoot: string | undefined;
  readonly allowRemote: readonly string[];
  readonly headersFromBody: readonly HeaderFromBody[];
  readonly jsonRpc: readonly JsonRpcEndpoint[];
  readonly pagination: readonly PaginationEntry[];
  readonly names: ReadonlyMap<string, string>;
  readonly sendDefaults: boolean;
  readonly inheritEventSchema: boolean;
  readonly streams: ReadonlyMap<string, StreamOptions>;
  readonly honourRefSiblings: boolean;
  readonly assertFormats: boolean;
  readonly assertContent: boolean;
  readonly standardJsonSchema: boolean;
  readonly formats: ReadonlyMap<string, FormatImport>;
  readonly issueLimit: number | undefined;
  readonly scaffold: string | undefined;
  readonly schemas: SchemasOptions;
  readonly queries: QueriesOptions;
  readonly declarationNames: DeclarationNamesOptions;
  readonly imports: ReadonlyMap<string, ImportSource>;
  readonly overlays: readonly string[];
  readonly filter: FilterOptions | undefined;
  readonly keepGoing: boolean;
  readonly limits: LoadLimits;
}

export const defaultTargets: readonly TargetName[] = ['types', 'operations', 'validators', 'client', 'server'];
export const targetNames: readonly TargetName[] = [
  ...defaultTargets,
  ...(['json-rpc', 'schemas', 'paths', 'api', 'webhooks', 'tanstack-query', 'zod', 'msw', 'operation-table'] as const),
];
/** The targets that take their types from `types.ts`. */
const typed: readonly TargetName[] = ['operations', 'validators', 'json-rpc', 'paths', 'zod'];
/** The targets that are of use with a client only. */
const onClient: readonly TargetName[] = ['api', 'tanstack-query', 'operation-table'];
export const queryKinds: readonly QueryKind[] = ['query', 'infinite', 'mutation', 'none'];
export const frameworkNames: readonly Framework[] = ['fastify', 'node', 'fetch'];
export const importExtensions = ['js', 'ts', 'none'] as const;
/** The choices of options that take one word; the first is the default. */
export const choices = {
  enums: ['union', 'const'],
  clientEnums: ['closed', 'open'],
  dates: ['string', 'Date'],
  xml: ['text', 'typed'],
  layout: ['single', 'tags'],
  runtime: ['inline', 'package'],
} as const;

/** An option as it is spelt on the command line: `--import-extension`. */
export function flagName(option: string): string {
  if (option === 'input' || option === 'schemas') return quote(option);
  const name = option === 'overlays' ? 'overlay' : option.replace(/^schemas\./, '');
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function list<T>(value: T | readonly T[] | undefined, fallback: readonly T[]): readonly T[] {
  if (value === undefined) return fallback;
  return Array.isArray(value) ? value : [value as T];
}

function mirrorOf(value: MirrorOption): Pick<HeaderFromBody, 'expressions' | 'encoding'> {
  if (typeof value === 'string') return { expressions: [value] };
  if (!('from' in value)) return { expressions: value };
  const { from, encoding } = value;
  return { ...mirrorOf(from), ...(encoding !== undefined && { encoding }) };
}

function importSource(given: NonNullable<Options['imports']>[string]): ImportSource {
  if (typeof given === 'string') return { package: given };
  const { package: types, validators = false } = given;
  if (validators === false) return { package: types };
  return { package: types, validators: validators === true ? types : validators };
}

/** Nothing where everything is wanted. */
function filterOf({ include = [], exclude = [], dropUnreachable = false }: Options): FilterOptions | undefined {
  if (include.length === 0 && exclude.length === 0 && !dropUnreachable) return undefined;
  return { include, exclude, dropUnreachable };
}

type ValidationJob = Pick<Job, 'assertFormats' | 'assertContent' | 'standardJsonSchema' | 'formats' | 'issueLimit'>;

/** What validators check, and how they say it. */
function validationOptions({
  assertFormats = false,
  assertContent = false,
  standardJsonSchema = false,
  formats = {},
  issueLimit,
}: Options): ValidationJob {
  return { assertFormats, assertContent, standardJsonSchema, formats: new Map(Object.entries(formats)), issueLimit };
}

/** Fills in the defaults. Takes checked options. */
export function resolveOptions(options: Options): Job {
  const extension = options.importExtension ?? 'js';
  const { jsonRpc = {} } = options;
  const usual = Object.keys(jsonRpc).length > 0 ? [...defaultTargets, 'json-rpc' as const] : defaultTargets;
  const chosen = new Set(list(options.targets, usual));
  // Each of these is written in terms of the others: what it imports must be there.
  if (onClient.some((name) => chosen.has(name))) chosen.add('client');
  if (chosen.has('msw')) chosen.add('server');
  if (chosen.has('client') || chosen.has('server') || chosen.has('webhooks')) chosen.add('operations');
  if (chosen.has('server') || chosen.has('webhooks')) chosen.add('validators');
  if (typed.some((name) => chosen.has(name))) chosen.add('types');
  const headersFromBody = Object.entries(options.headersFromBody ?? {}).flatMap(([operation, headers]) =>
    Object.entries(headers).map(([header, value]) => ({ operation, header, ...mirrorOf(value) })),
  );
  return {
    input: list(options.input, []),
    output: options.output,
    targets: targetNames.filter((name) => chosen.has(name)),
    frameworks: list(options.framework, []),
    importExtension: extension === 'none' ? '' : `.${extension}`,
    enums: options.enums ?? 'union',
    clientEnums: options.clientEnums ?? 'closed',
    dates: options.dates ?? 'string',
    xml: options.xml ?? 'text',
    layout: options.layout ?? 'single',
    runtime: options.runtime ?? 'inline',
    package: typeof options.package === 'string' ? { name: options.package } : options.package,
    refRoot: options.refRoot,
    allowRemote: options.allowRemote ?? [],
    headersFromBody,
    jsonRpc: chosen.has('json-rpc')
      ? Object.entries(jsonRpc).map(([operation, endpoint]) => ({ ...endpoint, operation }))
      : [],
    pagination: Object.entries(options.pagination ?? {}).map(([operation, rule]) => ({ operation, rule })),
    names: new Map(Object.entries(options.names ?? {})),
    sendDefaults: options.sendDefaults ?? true,
    inheritEventSchema: options.inheritEventSchema ?? true,
    streams: new Map(Object.entries(options.streams ?? {})),
    honourRefSiblings: (options.refSiblings ?? 'honour') === 'honour',
    ...validationOptions(options),
    scaffold: options.scaffold,
    schemas: { ...options.schemas, folder: 'schemas/', declarations: options.schemas?.declarations ?? true },
    queries: {
      package: options.queryPackage ?? '@tanstack/react-query',
      ...(options.queryKeyPrefix !== undefined && { keyPrefix: options.queryKeyPrefix }),
      operations: new Map(Object.entries(options.queries ?? {})),
    },
    declarationNames: {
      models: new Map(Object.entries(options.decls?.models ?? {})),
      methods: new Map(Object.entries(options.decls?.methods ?? {})),
    },
    imports: new Map(Object.entries(options.imports ?? {}).map(([file, source]) => [file, importSource(source)])),
    overlays: options.overlays ?? [],
    filter: filterOf(options),
    keepGoing: options.keepGoing ?? false,
    limits: { ...defaultLimits, ...options.limits },
  };
}
