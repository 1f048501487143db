/**
 * Whether options are what they may be. The configuration is trusted, but misspelt options are faults, never silence; each
 * names what the option takes, and what was meant perhaps.
 */
import { choices, frameworkNames, importExtensions, type Options, queryKinds, targetNames } from './config.js';
import { type Address, childAddress, type Diagnostic, diagnostic, quote } from './diagnostics.js';
import { defaultLimits } from './load/limits.js';
import { nearest } from './nearest.js';
import type { StreamOptions } from './normalise/streams.js';
import {
  type Check,
  form,
  listed,
  listOf,
  mapOf,
  meaning,
  objectOf,
  oneOf,
  oneOrMore,
  orObject,
} from './option-forms.js';
import type { JsonRpcOptions } from './plan/json-rpc-options.js';
import type { PaginationOptions } from './plan/pagination/options.js';
import type { HeaderEncodingName } from './plan/target.js';

const isString = form('a text that is not empty', (value) => typeof value === 'string' && value !== '');
const isBoolean = form('a boolean', (value) => typeof value === 'boolean');

const isOrigin = form(
  'an origin',
  (value) => isString(value) && URL.canParse(String(value)) && /^https?:/i.test(String(value)),
);
const isSentinel = form('a text of one line', (value) => typeof value === 'string' && /^[^\r\n]*$/.test(value));

const isIdentifier = form(
  'an identifier',
  (value) => typeof value === 'string' && /^[\p{ID_Start}_][\p{ID_Continue}]*$/u.test(value),
);
const isLimit = form(
  'a whole number above 0',
  (value) => typeof value === 'number' && Number.isInteger(value) && value > 0,
);

const isBaseUri: Check = (value) => {
  if (typeof value !== 'string' || value.includes('#')) return false;
  const filled = value.replace(/\{(?:kebab-)?name\}/g, 'x');
  // A brace that is left is the rest of a misspelt `{name}`: no URI has one (RFC 3986).
  return URL.canParse(filled) && !/[{}]/.test(filled);
};
/** A day that the calendar has: `Date` would take 2020-02-30 for the first of March. */
const isDate: Check = (value) => {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const moment = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(value);
};
const isAnyObject = mapOf(() => true);

/** The members of the option `schemas`, which flags of `derive` are too. */
const schemasChecks: Readonly<Record<string, readonly [Check, string]>> = {
  baseUri: [isBaseUri, 'an absolute URI without a fragment, whose only braces are {name} and {kebab-name}'],
  date: [isDate, 'a day of the calendar (YYYY-MM-DD)'],
  declarations: [isBoolean, 'a boolean'],
};
const isSchemas: Check = (value) =>
  isAnyObject(value) && Object.keys(value as object).every((name) => Object.hasOwn(schemasChecks, name));

const isDeclaredName = form(
  'a name with its resource (resource.name)',
  (value) => typeof value === 'string' && /^[\p{L}\p{N}_$-]+(?:\.[\p{L}\p{N}_$-]+)+$/u.test(value),
);
const isDecls = objectOf({ models: mapOf(isDeclaredName), methods: mapOf(isDeclaredName) });

const headerEncodings: readonly HeaderEncodingName[] = ['base64', 'percent'];
const isExpressions = form(
  'a runtime expression or a list of them',
  (value) => isString(value) || (Array.isArray(value) && value.length > 0 && value.every((one) => isString(one))),
);
const isMirror = orObject(isExpressions, objectOf({ from: isExpressions, encoding: oneOf(headerEncodings) }, 'from'));

const isPointer = form(
  'a reference into the schema (#/…)',
  (value) => typeof value === 'string' && value.startsWith('#'),
);
const isWhole = form('a whole number', (value) => Number.isInteger(value));

const isRefusal = objectOf({
  code: isWhole,
  status: form('a status from 200 to 599', (value) => isWhole(value) && Number(value) >= 200 && Number(value) <= 599),
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

const paginationKinds = [
  'cursor',
  'link',
  'url',
  'page',
  'offset',
] as const satisfies readonly PaginationOptions['kind'][];
const isText = form('a text', (value) => typeof value === 'string');
const paginationChecks = {
  kind: oneOf(paginationKinds),
  items: isText,
  next: isText,
  parameter: isText,
  more: isText,
  total: isText,
  pages: isText,
  size: isText,
  start: isWhole,
} satisfies Record<keyof PaginationOptions, Check>;
const isPagination = orObject(
  form('false', (value) => value === false),
  objectOf(paginationChecks, 'kind'),
);

const isImport = orObject(
  form('the name of a package', isString),
  objectOf(
    {
      package: isString,
      validators: form('true, or the name of a module', (entry) => isString(entry) || isBoolean(entry)),
    },
    'package',
  ),
);

const isFormat = objectOf({ from: isString, name: isIdentifier }, 'from', 'name');

const isPattern = form(
  'a pattern',
  (value) => typeof value === 'string' && /^(?:deprecated|(?:tag|operation|path|schema):.+)$/s.test(value),
);
const isFilter = listOf(isPattern);
const filterForm = 'a list of tag:NAME, operation:ID, path:PATH, schema:NAME (with * in them) and deprecated';

const streamKinds = ['event', 'data', 'text'];
const framings = ['sse', 'jsonl', 'json-seq', 'multipart'] as const satisfies readonly StreamOptions['framing'][];
const isStream = objectOf({
  framing: oneOf(framings),
  schema: oneOf(streamKinds),
  sentinels: listOf(isSentinel, 'a list of texts of one line'),
} satisfies Record<keyof StreamOptions, Check>);

/** The name of a package, perhaps with a path in it. */
const isPackage: Check = (value: unknown) =>
  typeof value === 'string' && /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*(?:\/[\w.-]+)*$/.test(value);

const isPackageName = form(
  'the name of a package',
  (value) =>
    isPackage(value) &&
    String(value).split('/').length === (String(value).startsWith('@') ? 2 : 1) &&
    String(value).length <= 214,
);
const isVersion = form(
  'a version (1.2.3)',
  (value) =>
    typeof value === 'string' && /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}(?:-[\w.-]+)?(?:\+[\w.-]+)?$/.test(value),
);

const refSiblings = ['honour', 'ignore'] as const;

/** Options that take one of a few words. */
const words = { ...choices, importExtension: importExtensions, refSiblings } as const;

const word = (name: keyof typeof words): readonly [Check, string] => [oneOf(words[name]), listed(words[name])];

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
  xml: word('xml'),
  layout: word('layout'),
  runtime: word('runtime'),
  package: [
    orObject(isPackageName, objectOf({ name: isPackageName, version: isVersion, license: isString }, 'name')),
    'the name of a package, or name with version (1.2.3) and license',
  ],
  refRoot: [isString, 'a path'],
  allowRemote: [listOf(isOrigin), 'a list of origins (https://… or http://…)'],
  headersFromBody: [
    mapOf(mapOf(isMirror)),
    'operation → header → runtime expression(s), or from with them and encoding (base64 or percent)',
  ],
  jsonRpc: [mapOf(isJsonRpc), 'operation → schema, requests and what else the README lists'],
  pagination: [
    mapOf(isPagination),
    `operation → false, or kind (${listed(paginationKinds)}) with what the README lists`,
  ],
  names: [mapOf(isIdentifier), 'a map to identifiers'],
  sendDefaults: [isBoolean, 'a boolean'],
  inheritEventSchema: [isBoolean, 'a boolean'],
  streams: [
    mapOf(isStream),
    `operation → framing (${listed(framings)}), schema (${listed(streamKinds)}) and sentinels (a list of texts of one line)`,
  ],
  refSiblings: word('refSiblings'),
  assertFormats: [isBoolean, 'a boolean'],
  assertContent: [isBoolean, 'a boolean'],
  standardJsonSchema: [isBoolean, 'a boolean'],
  formats: [mapOf(isFormat), 'a map of formats to from (a module) and name (of the function that it exports)'],
  issueLimit: [isLimit, 'a whole number greater than 0'],
  scaffold: [isString, 'a path'],
  schemas: [isSchemas, 'baseUri (an absolute URI), date (YYYY-MM-DD) and declarations (a boolean)'],
  queryPackage: [isPackage, 'the name of a package, such as @tanstack/vue-query'],
  queryKeyPrefix: [isString, 'a text'],
  queries: [mapOf(oneOf(queryKinds)), `operation → ${listed(queryKinds)}`],
  decls: [isDecls, 'models (component → resource.name) and methods (operationId → resource.name)'],
  imports: [
    mapOf(isImport),
    'a map of files to packages, each a name or package with validators (true, or their module)',
  ],
  overlays: [listOf(isString), 'a list of paths'],
  include: [isFilter, filterForm],
  exclude: [isFilter, filterForm],
  dropUnreachable: [isBoolean, 'a boolean'],
  keepGoing: [isBoolean, 'a boolean'],
  limits: [
    objectOf(Object.fromEntries(Object.keys(defaultLimits).map((name) => [name, isLimit]))),
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
    const inside = check.inside?.(value) ?? [];
    if (inside.length > 0) {
      return inside.map(({ path, said }) => {
        const part = path.length === 0 ? '' : `: ${path.map(quote).join(' → ')}`;
        return fault(`the option ${spelt(name)}${part} ${said}`, name, ...path);
      });
    }
    return [fault(`the option ${spelt(name)} must be ${wanted}${given(name as keyof Options, value)}`, name)];
  });
}
