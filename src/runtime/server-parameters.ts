// SPDX-License-Identifier: 0BSD

import type { ParameterContract } from './server-contract.js';
import { malformed, misshapen, type QueryPair, type Read, readQuerystring, twice } from './server-querystring.js';
import type { PathValue } from './server-router.js';
import { type Delimiter, memberPairs, readValue, splitText, type Text } from './server-values.js';
import type { Issue } from './validation.js';

/** The parts of a request that parameters are read from. */
export interface ParameterSource {
  readonly path: readonly PathValue[];
  readonly query: readonly QueryPair[];
  /** The whole query, still percent-encoded. */
  readonly queryText: string;
  readonly cookies: ReadonlyMap<string, readonly string[]>;
  header(name: string): string | undefined;
  /** The headers, in lower case, that are what they stand for already: white space at their ends is theirs. */
  readonly decodedHeaders?: { has(name: string): boolean };
}

export interface ParameterGroups {
  readonly path: Record<string, unknown>;
  /** The parameters by their names, or the query as one value. */
  query: unknown;
  readonly headers: Record<string, unknown>;
  readonly cookies: Record<string, unknown>;
}

export const groupOf = {
  path: 'path',
  query: 'query',
  querystring: 'query',
  header: 'headers',
  cookie: 'cookies',
} as const;

/** Reads, coerces and checks every parameter; all faults are found, not only the first. */
export function readParameters(
  parameters: readonly ParameterContract[],
  source: ParameterSource,
): { readonly groups: ParameterGroups; readonly issues: readonly Issue[] } {
  const query = bare();
  const groups: ParameterGroups = { path: bare(), query, headers: bare(), cookies: bare() };
  const issues: Issue[] = [];
  for (const parameter of parameters) {
    const group = groupOf[parameter.in];
    const isWhole = parameter.in === 'querystring';
    const at = isWhole ? [group] : [group, parameter.name];
    if (isWhole) groups.query = undefined;
    const read = readParameter(parameter, source);
    if (read.kind === 'fault') {
      issues.push(requestIssue(at, read.keyword, read.message));
      continue;
    }
    if (read.kind === 'absent') {
      if (parameter.required) issues.push(requestIssue(at, 'required', 'is required'));
      continue;
    }
    const checked = parameter.validate?.(read.value);
    if (checked !== undefined && !checked.ok) issues.push(...checked.issues.map((issue) => placed(issue, at)));
    if (isWhole) groups.query = read.value;
    else (group === 'query' ? query : groups[group])[parameter.name] = read.value;
  }
  return { groups, issues };
}

// Keyed by text of the document, so `__proto__` must be a name like any other.
function bare(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}

/** The issue of a part of the request, told from the request's root: `/query/limit`. */
export function placed(issue: Issue, at: readonly (string | number)[]): Issue {
  return { ...issue, pointer: pointerOf(at) + issue.pointer, path: [...at, ...issue.path] };
}

export function requestIssue(at: readonly (string | number)[], keyword: string, message: string): Issue {
  return { pointer: pointerOf(at), path: at, schemaPointer: '', keyword, params: {}, message };
}

function pointerOf(at: readonly (string | number)[]): string {
  return at.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function readParameter(parameter: ParameterContract, source: ParameterSource): Read {
  switch (parameter.in) {
    case 'path':
      return readPath(parameter, source.path);
    case 'query':
      return readQuery(parameter, source.query);
    case 'header': {
      const text = source.header(parameter.name.toLowerCase());
      if (text === undefined) return { kind: 'absent' };
      const isExact = source.decodedHeaders?.has(parameter.name.toLowerCase()) === true;
      return finish(parameter, { raw: text, encoded: false, isExact }, ',');
    }
    case 'querystring':
      return readQuerystring(parameter, source.queryText, source.query);
    case 'cookie': {
      const encoded = parameter.style !== 'cookie';
      if (parameter.explode !== false && (parameter.read?.items ?? parameter.read?.members) !== undefined) {
        return readExploded(parameter, cookiePairs(source.cookies, encoded), encoded);
      }
      const values = source.cookies.get(parameter.name) ?? [];
      const [raw] = values;
      if (raw === undefined) return { kind: 'absent' };
      return values.length > 1 ? twice : finish(parameter, { raw, encoded }, ',');
    }
  }
}

/** The value of one text, whose items (if it may have some) are divided by `delimiter`. */
function finish(parameter: ParameterContract, text: Text, delimiter: Delimiter): Read {
  const items = splitText(text, delimiter);
  const whole = splitText(text, undefined);
  if (items === undefined || whole?.[0] === undefined) return malformed;
  const pairs = parameter.read?.members === undefined ? undefined : memberPairs(items, parameter.explode === true);
  return settle(readValue(parameter.read, { whole: whole[0], items, pairs }));
}

function settle(value: { readonly value: unknown } | undefined): Read {
  return value === undefined ? misshapen : { kind: 'value', value: value.value };
}

function readPath(parameter: ParameterContract, values: readonly PathValue[]): Read {
  const found = values.find((value) => value.name === parameter.name);
  if (found === undefined) return { kind: 'absent' };
  const text: Text = found.raw === undefined ? { raw: found.text, encoded: false } : { raw: found.raw, encoded: true };
  if (parameter.style === 'label') {
    if (!text.raw.startsWith('.')) return misshapen;
    return finish(parameter, { ...text, raw: text.raw.slice(1) }, parameter.explode === true ? '.' : ',');
  }
  if (parameter.style === 'matrix') return readMatrix(parameter, text);
  return finish(parameter, text, ',');
}

/** `;name=1,2`, or exploded `;name=1;name=2` (RFC 6570 section 3.2.7). */
function readMatrix(parameter: ParameterContract, text: Text): Read {
  if (!text.raw.startsWith(';')) return misshapen;
  const pairs = text.raw
    .slice(1)
    .split(';')
    .map((pair) => {
      const at = pair.indexOf('=');
      return at < 0 ? { name: pair, raw: '' } : { name: pair.slice(0, at), raw: pair.slice(at + 1) };
    });
  if (parameter.explode === true) return readExploded(parameter, pairs, text.encoded);
  const [first] = pairs;
  if (first === undefined || pairs.length > 1 || first.name !== parameter.name) return misshapen;
  return finish(parameter, { raw: first.raw, encoded: text.encoded }, ',');
}

function readQuery(parameter: ParameterContract, query: readonly QueryPair[]): Read {
  const style = parameter.style ?? 'form';
  if (style === 'deepObject') return readDeepObject(parameter, query);
  if (parameter.explode ?? style === 'form') return readExploded(parameter, query, true);
  const own = query.filter((pair) => pair.name === parameter.name);
  const [first] = own;
  if (first === undefined) return { kind: 'absent' };
  if (own.length > 1) return twice;
  const delimiter = style === 'spaceDelimited' ? ' ' : style === 'pipeDelimited' ? '|' : ',';
  return finish(parameter, { raw: first.raw.replaceAll('+', '%20'), encoded: true }, delimiter);
}

/** One pair per item, or one pair per member of an object. */
function readExploded(parameter: ParameterContract, pairs: readonly QueryPair[], encoded: boolean): Read {
  const own: string[] = [];
  for (const pair of pairs) {
    if (pair.name !== parameter.name) continue;
    const text = splitText({ raw: encoded ? pair.raw.replaceAll('+', '%20') : pair.raw, encoded }, undefined)?.[0];
    if (text === undefined) return malformed;
    own.push(text);
  }
  const { read } = parameter;
  if (own.length > 0) {
    if (own.length > 1 && read?.items === undefined) return twice;
    const whole = own.length === 1 ? own[0] : undefined;
    return settle(readValue(read, { whole, items: own, pairs: undefined }));
  }
  if (read?.members === undefined) return { kind: 'absent' };
  const members: [string, string][] = [];
  for (const { name } of read.members) {
    const found = pairs.filter((pair) => pair.name === name);
    const [first] = found;
    if (first === undefined) continue;
    if (found.length > 1) return twice;
    const text = splitText({ raw: encoded ? first.raw.replaceAll('+', '%20') : first.raw, encoded }, undefined)?.[0];
    if (text === undefined) return malformed;
    members.push([name, text]);
  }
  if (members.length === 0) return { kind: 'absent' };
  return settle(readValue(read, { whole: undefined, items: undefined, pairs: members }));
}

/** `name[member]=value`; deeper brackets have no defined meaning (OpenAPI, Style Values). */
function readDeepObject(parameter: ParameterContract, query: readonly QueryPair[]): Read {
  const members: [string, string][] = [];
  const seen = new Set<string>();
  const prefix = `${parameter.name}[`;
  for (const pair of query) {
    if (!pair.name.startsWith(prefix) || !pair.name.endsWith(']')) continue;
    const member = pair.name.slice(prefix.length, -1);
    if (member.includes('[') || member.includes(']')) return misshapen;
    if (seen.has(member)) return twice;
    seen.add(member);
    const text = splitText({ raw: pair.raw.replaceAll('+', '%20'), encoded: true }, undefined)?.[0];
    if (text === undefined) return malformed;
    members.push([member, text]);
  }
  if (members.length === 0) return { kind: 'absent' };
  return settle(readValue(parameter.read, { whole: undefined, items: undefined, pairs: members }));
}

/** The style `form` encodes the names of members, which need be no tokens, as it does values. A badly encoded name is another one's. */
function cookiePairs(cookies: ReadonlyMap<string, readonly string[]>, encoded: boolean): readonly QueryPair[] {
  return [...cookies].flatMap(([written, values]) => {
    const name = encoded ? decoded(written) : written;
    return values.map((raw) => ({ name, raw }));
  });
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** The pairs of a query string; `undefined` where a name is malformed or there are more than `limit`. */
export function parseQuery(text: string, limit: number): readonly QueryPair[] | undefined {
  const pairs: QueryPair[] = [];
  if (text === '') return pairs;
  for (const part of text.split('&', limit + 1)) {
    if (part === '') continue;
    if (pairs.length === limit) return undefined;
    const at = part.indexOf('=');
    const rawName = at < 0 ? part : part.slice(0, at);
    try {
      const name = decodeURIComponent(rawName.replaceAll('+', '%20'));
      pairs.push({ name, raw: at < 0 ? '' : part.slice(at + 1) });
    } catch {
      return undefined;
    }
  }
  return pairs;
}

/** The cookies of a request; a name that came twice has two values. */
export function parseCookies(header: string | undefined): ReadonlyMap<string, readonly string[]> {
  const cookies = new Map<string, string[]>();
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at < 0) continue;
    const name = part.slice(0, at).trim();
    const values = cookies.get(name) ?? [];
    values.push(part.slice(at + 1).trim());
    cookies.set(name, values);
  }
  return cookies;
}
