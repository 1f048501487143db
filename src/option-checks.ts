/**
 * Whether options are what they may be. The configuration is trusted, but misspelt options are faults, never silence; each
 * names what the option takes, and what was meant perhaps.
 */
import { choices, frameworkNames, importExtensions, type Options, queryKinds, targetNames } from './config.js';
import { type Address, childAddress, type Diagnostic, diagnostic, quote } from './diagnostics.js';
import { defaultLimits } from './load/limits.js';
import { nearest } from './nearest.js';
import type { StreamOptions } from './normalise/streams.js';
import type { JsonRpcOptions } from './plan/json-rpc-options.js';
import type { PaginationOptions } from './plan/pagination/options.js';
import type { HeaderEncodingName } from './plan/target.js';

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

const isOrigin: Check = (value) => isString(value) && URL.canParse(String(value)) && /^https?:/i.test(String(value));
const isSentinel: Check = (value) => typeof value === 'string' && /^[^\r\n]+$/.test(value);

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

const paginationKinds = [
  'cursor',
  'link',
  'url',
  'page',
  'offset',
] as const satisfies readonly PaginationOptions['kind'][];
const isText: Check = (value) => typeof value === 'string';
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
const isPagination: Check = (value) => value === false || objectOf(paginationChecks, 'kind')(value);

/** The one member of a rule that is wrong, by its path, and what is said of it. */
function paginationFault(value: unknown): { readonly path: readonly string[]; readonly message: string } | undefined {
  if (!mapOf(() => true)(value)) return undefined;
  for (const [operation, rule] of Object.entries(value as object)) {
    if (isPagination(rule) || !mapOf(() => true)(rule)) continue;
    for (const [name, entry] of Object.entries(rule as object)) {
      const path = [operation, name];
      const known = Object.keys(paginationChecks);
      if (!Object.hasOwn(paginationChecks, name)) {
        return {
          path,
          message: `the option "pagination" has no member ${quote(name)}${meaning(name, known).replace(/^, not [^;]*/, '')}`,
        };
      }
      if (name === 'kind' && isString(entry)) {
        if (!paginationChecks.kind(entry))
          return { path, message: wrongWord('"pagination.kind"', String(entry), paginationKinds) };
      } else if (!paginationChecks[name as keyof PaginationOptions](entry)) {
        return {
          path,
          message: `the option "pagination": ${quote(name)} must be ${name === 'start' ? 'a whole number' : 'a text'}`,
        };
      }
    }
    return { path: [operation], message: `the option "pagination": a rule has a "kind": ${listed(paginationKinds)}` };
  }
  return undefined;
}

const isImport: Check = (value) =>
  isString(value) ||
  objectOf({ package: isString, validators: (entry) => isString(entry) || isBoolean(entry) }, 'package')(value);

const isFormat = objectOf({ from: isString, name: isIdentifier }, 'from', 'name');

const isPattern: Check = (value) =>
  typeof value === 'string' && /^(?:deprecated|(?:tag|operation|path|schema):.+)$/s.test(value);
const isFilter = listOf(isPattern);
const filterForm = 'a list of tag:NAME, operation:ID, path:PATH, schema:NAME (with * in them) and deprecated';

const streamKinds = ['event', 'data', 'text'];
const framings = ['sse', 'jsonl', 'json-seq', 'multipart'] as const satisfies readonly StreamOptions['framing'][];
const streamChecks: Readonly<Record<string, Check>> = {
  framing: oneOf(framings),
  schema: oneOf(streamKinds),
  sentinels: listOf(isSentinel),
};
const isStream: Check = (value) =>
  mapOf(() => true)(value) &&
  Object.entries(value as object).every(
    ([name, entry]) => Object.hasOwn(streamChecks, name) && streamChecks[name]?.(entry),
  );

/** The name of a package, perhaps with a path in it. */
const isPackage: Check = (value) =>
  typeof value === 'string' && /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*(?:\/[\w.-]+)*$/.test(value);

const isPackageName: Check = (value) =>
  isPackage(value) &&
  String(value).split('/').length === (String(value).startsWith('@') ? 2 : 1) &&
  String(value).length <= 214;
const isVersion: Check = (value) =>
  typeof value === 'string' && /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}(?:-[\w.-]+)?(?:\+[\w.-]+)?$/.test(value);

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
  package: [
    (value) =>
      isPackageName(value) || objectOf({ name: isPackageName, version: isVersion, license: isString }, 'name')(value),
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
    const inside = name === 'pagination' ? paginationFault(value) : undefined;
    if (inside) return [fault(inside.message, name, ...inside.path)];
    return [fault(`the option ${spelt(name)} must be ${wanted}${given(name as keyof Options, value)}`, name)];
  });
}
