/**
 * Options, resolved once. Flags win over the configuration file; what is left out gets its default. The configuration is
 * trusted, but misspelt options are faults, never silence.
 */
import { type Address, childAddress, type Diagnostic, diagnostic, quote } from './diagnostics.js';
import type { LoadLimits } from './load/limits.js';
import { defaultLimits } from './load/limits.js';
import { nearest } from './nearest.js';
import type { FilterOptions } from './normalise/filter.js';
import type { StreamOptions } from './normalise/streams.js';
import type { DeclarationNamesOptions } from './plan/declaration-graph/declared-names.js';
import type { JsonRpcEndpoint, JsonRpcOptions } from './plan/json-rpc-options.js';
import type {
  Framework,
  HeaderEncodingName,
  HeaderFromBody,
  PlanOptions,
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
  /** One file for all operations (default), or files by tag. */
  readonly layout?: PlanOptions['layout'];
  /** Whether what the code needs is copied into the output (default), or imported from the package `oasmith`. */
  readonly runtime?: NonNullable<PlanOptions['runtime']>;
  /** The folder that references must not leave; by default that of each entry. */
  readonly refRoot?: string;
  /** Origins that references may lead to: `https://example.com`. */
  readonly allowRemote?: readonly string[];
  /** Request headers that mirror a member of the body: operation → header → OpenAPI runtime expression(s). */
  readonly headersFromBody?: Readonly<Record<string, Readonly<Record<string, MirrorOption>>>>;
  /** The operations that are JSON-RPC endpoints, by operationId or `METHOD /path`; the target `json-rpc` is made for them. */
  readonly jsonRpc?: Readonly<Record<string, JsonRpcOptions>>;
  /** Names of your own: component name or operationId → identifier. */
  readonly names?: Readonly<Record<string, string>>;
  /** Send the valid defaults of required parameters (default true). */
  readonly sendDefaults?: boolean;
  /** Type the events of an untyped stream by its JSON sibling (default true). */
  readonly inheritEventSchema?: boolean;
  /** How the streams of operations are read where the document misleads: operationId → how its items are told apart, what its schema describes, and what ends it. */
  readonly streams?: Readonly<Record<string, StreamOptions>>;
  /** Read what stands beside a `$ref` in OpenAPI 3.0 (default `honour`). */
  readonly refSiblings?: 'honour' | 'ignore';
  /** Check `format` in validators (default false). */
  readonly assertFormats?: boolean;
  /** A folder for handler skeletons of your own; only missing handlers are ever inserted. */
  readonly scaffold?: string;
  /** What the target `schemas` makes of each component: its `$id`, its date, and whether there are declarations (default true). */
  readonly schemas?: { readonly baseUri?: string; readonly date?: string; readonly declarations?: boolean };
  /** What the declaration graph (`oasmith ir --format decls`) calls things: component or operationId → `resource.name`. */
  readonly decls?: {
    readonly models?: Readonly<Record<string, string>>;
    readonly methods?: Readonly<Record<string, string>>;
  };
  /** Files that another package provides the types of: path or URL → package. Their types are imported, not declared. */
  readonly imports?: Readonly<Record<string, string>>;
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
  readonly layout: PlanOptions['layout'];
  readonly runtime: NonNullable<PlanOptions['runtime']>;
  readonly refRoot: string | undefined;
  readonly allowRemote: readonly string[];
  readonly headersFromBody: readonly HeaderFromBody[];
  readonly jsonRpc: readonly JsonRpcEndpoint[];
  readonly names: ReadonlyMap<string, string>;
  readonly sendDefaults: boolean;
  readonly inheritEventSchema: boolean;
  readonly streams: ReadonlyMap<string, StreamOptions>;
  readonly honourRefSiblings: boolean;
  readonly assertFormats: boolean;
  readonly scaffold: string | undefined;
  readonly schemas: SchemasOptions;
  readonly declarationNames: DeclarationNamesOptions;
  readonly imports: ReadonlyMap<string, string>;
  readonly overlays: readonly string[];
  readonly filter: FilterOptions | undefined;
  readonly keepGoing: boolean;
  readonly limits: LoadLimits;
}

const defaultTargets: readonly TargetName[] = ['types', 'operations', 'validators', 'client', 'server'];
export const targetNames: readonly TargetName[] = [...defaultTargets, 'json-rpc', 'schemas'];
export const frameworkNames: readonly Framework[] = ['fastify', 'node', 'fetch'];
export const importExtensions = ['js', 'ts', 'none'] as const;
/** The choices of options that take one word; the first is the default. */
export const choices = {
  enums: ['union', 'const'],
  clientEnums: ['closed', 'open'],
  dates: ['string', 'Date'],
  layout: ['single', 'tags'],
  runtime: ['inline', 'package'],
} as const;

type Check = (value: unknown) => boolean;

const isString: Check = (value) => typeof value === 'string' && value !== '';
const isBoolean: Check = (value) => typeof value === 'boolean';
const oneOf =
  (allowed: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && allowed.includes(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const oneOrMore =
  (check: Check): Check =>
  (value) =>
    check(value) || (listOf(check)(value) && Array.isArray(value) && value.length > 0);
const mapOf =
  (check: Check): Check =>
  (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(check);

const isIdentifier: Check = (value) => typeof value === 'string' && /^[\p{ID_Start}_][\p{ID_Continue}]*$/u.test(value);
const isLimit: Check = (value) => typeof value === 'number' && Number.isInteger(value) && value > 0;

const isBaseUri: Check = (value) =>
  typeof value === 'string' && URL.canParse(value.replace(/\{(?:kebab-)?name\}/g, 'x')) && !value.includes('#');
/** A day that the calendar has: `Date` would take 2020-02-30 for the first of March. */
const isDate: Check = (value) => {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const moment = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(value);
};
/** The members of the option `schemas`, which flags of `derive` are too. */
const schemasChecks: Readonly<Record<string, readonly [Check, string]>> = {
  baseUri: [isBaseUri, 'an absolute URI without a fragment'],
  date: [isDate, 'a day of the calendar (YYYY-MM-DD)'],
  declarations: [isBoolean, 'a boolean'],
};
const isSchemas: Check = (value) =>
  mapOf(() => true)(value) && Object.keys(value as object).every((name) => Object.hasOwn(schemasChecks, name));

const isDeclaredName: Check = (value) =>
  typeof value === 'string' && /^[\p{L}\p{N}_$-]+(?:\.[\p{L}\p{N}_$-]+)+$/u.test(value);
const isDecls: Check = (value) =>
  mapOf(mapOf(isDeclaredName))(value) &&
  Object.keys(value as object).every((name) => name === 'models' || name === 'methods');

const isMirror: Check = (value) =>
  oneOrMore(isString)(value) ||
  (mapOf(() => true)(value) &&
    Object.entries(value as object).every(([name, entry]) =>
      name === 'from' ? oneOrMore(isString)(entry) : name === 'encoding' && oneOf(headerEncodings)(entry),
    ) &&
    Object.hasOwn(value as object, 'from'));
const headerEncodings: readonly HeaderEncodingName[] = ['base64', 'percent'];

const isPointer: Check = (value) => typeof value === 'string' && value.startsWith('#');
const isWhole: Check = (value) => Number.isInteger(value);

/** An object with members of these kinds, of which the named ones must be there. */
const objectOf =
  (members: Readonly<Record<string, Check>>, ...required: readonly string[]): Check =>
  (value) =>
    mapOf(() => true)(value) &&
    required.every((name) => Object.hasOwn(value as object, name)) &&
    Object.entries(value as object).every(
      ([name, entry]) => Object.hasOwn(members, name) && (entry === undefined || members[name]?.(entry) === true),
    );

const isRefusal = objectOf({
  code: isWhole,
  status: (value) => typeof value === 'number' && isWhole(value) && value >= 200 && value <= 599,
});
const isJsonRpc = objectOf(
  {
    schema: isString,
    requests: isPointer,
    notifications: isPointer,
    serverNotifications: isPointer,
    serverRequests: isPointer,
    results: mapOf(isPointer),
    meta: objectOf({ member: isString, schema: isPointer }, 'member'),
    version: objectOf({ from: isString, supported: listOf(isString) }, 'from', 'supported'),
    faults: objectOf({ headers: isRefusal, meta: isRefusal, version: isRefusal, method: isRefusal, params: isRefusal }),
    errors: mapOf(isWhole),
    unknownId: oneOf(['null', 'omit']),
    cancel: objectOf({ method: isString, id: isString }, 'method', 'id'),
  } satisfies Record<keyof JsonRpcOptions, Check>,
  'requests',
);

const isPattern: Check = (value) =>
  typeof value === 'string' && /^(?:deprecated|(?:tag|operation|path|schema):.+)$/s.test(value);
const isFilter = listOf(isPattern);
const filterForm = 'a list of tag:NAME, operation:ID, path:PATH, schema:NAME (with * in them) and deprecated';

const streamKinds = ['event', 'data', 'text'];
const framings = ['sse', 'jsonl', 'json-seq', 'multipart'] as const satisfies readonly StreamOptions['framing'][];
const streamChecks: Readonly<Record<string, Check>> = {
  framing: oneOf(framings),
  schema: oneOf(streamKinds),
  sentinels: listOf((value) => typeof value === 'string'),
};
const isStream: Check = (value) =>
  mapOf(() => true)(value) &&
  Object.entries(value as object).every(
    ([name, entry]) => Object.hasOwn(streamChecks, name) && streamChecks[name]?.(entry),
  );

const refSiblings = ['honour', 'ignore'] as const;

/** Options that take one of a few words. */
const words = { ...choices, importExtension: importExtensions, refSiblings } as const;

const word = (name: keyof typeof words): readonly [Check, string] => [oneOf(words[name]), listed(words[name])];

/** `a, b or c` */
function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

/** Every option, with what it takes; an option that is not here is unknown. */
const checks: Readonly<Record<keyof Options, readonly [Check, string]>> = {
  input: [oneOrMore(isString), 'a path or a list of paths'],
  output: [isString, 'a path'],
  targets: [listOf(oneOf(targetNames)), `a list of ${targetNames.join(', ')}`],
  framework: [oneOrMore(oneOf(frameworkNames)), `${frameworkNames.join(', ')} or a list of them`],
  importExtension: word('importExtension'),
  enums: word('enums'),
  clientEnums: word('clientEnums'),
  dates: word('dates'),
  layout: word('layout'),
  runtime: word('runtime'),
  refRoot: [isString, 'a path'],
  allowRemote: [listOf((value) => isString(value) && URL.canParse(String(value))), 'a list of origins'],
  headersFromBody: [
    mapOf(mapOf(isMirror)),
    'operation → header → runtime expression(s), or from with them and encoding (base64 or percent)',
  ],
  jsonRpc: [mapOf(isJsonRpc), 'operation → schema, requests and what else the README lists'],
  names: [mapOf(isIdentifier), 'a map to identifiers'],
  sendDefaults: [isBoolean, 'a boolean'],
  inheritEventSchema: [isBoolean, 'a boolean'],
  streams: [
    mapOf(isStream),
    `operationId → framing (${listed(framings)}), schema (${listed(streamKinds)}) and sentinels (a list of texts)`,
  ],
  refSiblings: word('refSiblings'),
  assertFormats: [isBoolean, 'a boolean'],
  scaffold: [isString, 'a path'],
  schemas: [isSchemas, 'baseUri (an absolute URI), date (YYYY-MM-DD) and declarations (a boolean)'],
  decls: [isDecls, 'models (component → resource.name) and methods (operationId → resource.name)'],
  imports: [mapOf(isString), 'a map of files to packages'],
  overlays: [listOf(isString), 'a list of paths'],
  include: [isFilter, filterForm],
  exclude: [isFilter, filterForm],
  dropUnreachable: [isBoolean, 'a boolean'],
  keepGoing: [isBoolean, 'a boolean'],
  limits: [
    (value) =>
      mapOf(isLimit)(value) && Object.keys(value as object).every((name) => Object.hasOwn(defaultLimits, name)),
    `a map of ${Object.keys(defaultLimits).join(', ')} to numbers greater than 0`,
  ],
};

/** What was given where it is wrong, and what was meant perhaps. */
function given(name: keyof Options, value: unknown): string {
  if (Object.hasOwn(words, name))
    return typeof value === 'string' ? meaning(value, words[name as keyof typeof words]) : '';
  if ((name !== 'include' && name !== 'exclude') || !Array.isArray(value)) return '';
  const [, pattern = '', kind = '', rest = ''] =
    /^(([^:]*)(.*))$/s.exec(value.find((entry) => typeof entry === 'string' && !isPattern(entry)) ?? '') ?? [];
  return pattern === '' ? '' : meaning(pattern, rest === '' ? ['deprecated'] : filterKinds, kind, rest);
}

const filterKinds = ['tag', 'operation', 'path', 'schema'];

/** What is said of a word that an option does not take: which ones it takes, and what was meant perhaps. */
export function wrongWord(option: string, word: string, known: readonly string[]): string {
  return `the option ${option} must be ${listed(known)}${meaning(word, known)}`;
}

function meaning(value: string, known: readonly string[], name = value, rest = ''): string {
  const meant = nearest(name, known);
  return `, not ${quote(value)}${meant === undefined || meant === name ? '' : `; did you mean ${quote(meant + rest)}?`}`;
}

/**
 * Checks options of unknown origin; an empty list means that they may be used as `Options`. `at` is the place of the
 * object where it was read from a file, `spelt` how an option is called where these are from.
 */
export function checkOptions(
  options: unknown,
  at?: Address,
  spelt: (name: string) => string = quote,
): readonly Diagnostic[] {
  const fault = (message: string, ...names: readonly string[]): Diagnostic =>
    diagnostic('config-invalid', message, at ? { at: childAddress(at, ...names) } : {});
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    return [fault('the configuration must be an object or a list of objects')];
  }
  return Object.entries(options).flatMap(([name, value]) => {
    if (!Object.hasOwn(checks, name)) {
      const meant = nearest(name, Object.keys(checks));
      return [
        fault(`unknown option ${quote(name)}${meant === undefined ? '' : `; did you mean ${quote(meant)}?`}`, name),
      ];
    }
    const [check, wanted] = checks[name as keyof Options];
    if (value === undefined) return [];
    if (name === 'schemas' && check(value)) {
      return Object.entries(value).flatMap(([member, entry]) => {
        const [fits, kind] = schemasChecks[member] ?? [isBoolean, ''];
        if (entry === undefined || fits(entry)) return [];
        const shown = typeof entry === 'string' ? `, not ${quote(entry)}` : '';
        return [fault(`the option ${spelt(`schemas.${member}`)} must be ${kind}${shown}`, name, member)];
      });
    }
    if (check(value)) return [];
    return [fault(`the option ${spelt(name)} must be ${wanted}${given(name as keyof Options, value)}`, name)];
  });
}

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

/** Nothing where everything is wanted. */
function filterOf({ include = [], exclude = [], dropUnreachable = false }: Options): FilterOptions | undefined {
  if (include.length === 0 && exclude.length === 0 && !dropUnreachable) return undefined;
  return { include, exclude, dropUnreachable };
}

/** Fills in the defaults. Takes checked options. */
export function resolveOptions(options: Options): Job {
  const extension = options.importExtension ?? 'js';
  const { jsonRpc = {} } = options;
  const usual = Object.keys(jsonRpc).length > 0 ? [...defaultTargets, 'json-rpc' as const] : defaultTargets;
  const chosen = new Set(list(options.targets, usual));
  // Each of these is written in terms of the others: what it imports must be there.
  if (chosen.has('client') || chosen.has('server')) chosen.add('operations');
  if (chosen.has('server')) chosen.add('validators');
  if (chosen.has('operations') || chosen.has('validators') || chosen.has('json-rpc')) chosen.add('types');
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
    layout: options.layout ?? 'single',
    runtime: options.runtime ?? 'inline',
    refRoot: options.refRoot,
    allowRemote: options.allowRemote ?? [],
    headersFromBody,
    jsonRpc: chosen.has('json-rpc')
      ? Object.entries(jsonRpc).map(([operation, endpoint]) => ({ ...endpoint, operation }))
      : [],
    names: new Map(Object.entries(options.names ?? {})),
    sendDefaults: options.sendDefaults ?? true,
    inheritEventSchema: options.inheritEventSchema ?? true,
    streams: new Map(Object.entries(options.streams ?? {})),
    honourRefSiblings: (options.refSiblings ?? 'honour') === 'honour',
    assertFormats: options.assertFormats ?? false,
    scaffold: options.scaffold,
    schemas: { ...options.schemas, folder: 'schemas/', declarations: options.schemas?.declarations ?? true },
    declarationNames: {
      models: new Map(Object.entries(options.decls?.models ?? {})),
      methods: new Map(Object.entries(options.decls?.methods ?? {})),
    },
    imports: new Map(Object.entries(options.imports ?? {})),
    overlays: options.overlays ?? [],
    filter: filterOf(options),
    keepGoing: options.keepGoing ?? false,
    limits: { ...defaultLimits, ...options.limits },
  };
}
