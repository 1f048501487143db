/**
 * What documents say of paging in members of their own, by meaning:
 *
 * - `x-oasmith-pagination` and `x-pagination`: as the configuration says it;
 * - `x-speakeasy-pagination`: `type`, `inputs`, `outputs` by JSONPath;
 * - `x-fern-pagination`: `$request.…` and `$response.…`, or `true` for what the root of the document says;
 * - `x-ms-pageable`: the name of the member with the next URL;
 * - `x-redoclyPagination` and `x-redocly-pagination`: `style`, and JSON pointers.
 */
import { quote } from '../../diagnostics.js';
import type { Operation } from '../../ir/api.js';
import type { JsonValue } from '../../ir/schema.js';
import { isObject, type JsonObject, member, own } from '../../json-object.js';
import { namesAt } from '../shape-places.js';
import type { PlanContext } from '../target.js';
import { PlaceFault, pointerOf } from './expressions.js';
import { type PaginationOptions, paginationKinds, paginationPlaces } from './options.js';

/** `undefined` where it says that there is one page only. */
type Reader = (value: JsonValue, operation: Operation, context: PlanContext) => PaginationOptions | undefined;

const readers: Readonly<Record<string, Reader>> = {
  'x-oasmith-pagination': ownForm,
  'x-pagination': ownForm,
  'x-speakeasy-pagination': speakeasy,
  'x-fern-pagination': fern,
  'x-redoclyPagination': redocly,
  'x-redocly-pagination': redocly,
  'x-ms-pageable': pageable,
};

/** What an operation says in an extension; throws a `PlaceFault` where nobody can read it. */
export function extendedPagination(
  context: PlanContext,
  operation: Operation,
): { readonly name: string; readonly read: () => PaginationOptions | undefined } | undefined {
  const { extensions } = operation;
  for (const [name, reader] of Object.entries(readers)) {
    const value = own(extensions, name);
    if (value !== undefined) return { name, read: () => reader(value, operation, context) };
  }
  return undefined;
}

function refuse(message: string): never {
  throw new PlaceFault(message);
}

function textOf(object: JsonObject, name: string): string | undefined {
  const value = own(object, name);
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : refuse(`${quote(name)} is no text`);
}

/** Leaves out what is not there. */
function said(
  options: { readonly [K in keyof PaginationOptions]: PaginationOptions[K] | undefined },
): PaginationOptions {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as unknown as PaginationOptions;
}

function ownForm(value: JsonValue): PaginationOptions | undefined {
  if (value === false) return undefined;
  if (!isObject(value)) return refuse('it is no object');
  const kind =
    paginationKinds.find((one) => one === value['kind']) ?? refuse(`"kind" is none of ${paginationKinds.join(', ')}`);
  const known: readonly string[] = ['kind', 'start', ...paginationPlaces];
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown !== undefined) refuse(`it has the unknown member ${quote(unknown)}`);
  const start = own(value, 'start');
  if (start !== undefined && !Number.isInteger(start)) refuse('"start" is no whole number');
  const places = Object.fromEntries(paginationPlaces.map((name) => [name, textOf(value, name)]));
  return said({ kind, ...places, start: typeof start === 'number' ? start : undefined });
}

function speakeasy(value: JsonValue): PaginationOptions | undefined {
  if (!isObject(value)) return refuse('it is no object');
  const inputs = own(value, 'inputs');
  const outputs = own(value, 'outputs') ?? {};
  if (!isObject(outputs)) return refuse('"outputs" is no object');
  const input = (type: string): string | undefined => {
    const found = (Array.isArray(inputs) ? inputs : []).find((one: JsonValue) => member(one, 'type') === type);
    if (!isObject(found)) return undefined;
    const name = textOf(found, 'name') ?? refuse('an input has no name');
    return own(found, 'in') === 'requestBody' ? `$request.body${pointerOf(name.split('.'))}` : name;
  };
  const output = (name: string): string | undefined => {
    const path = textOf(outputs, name);
    return path === undefined ? undefined : sourceOfPath(path, textOf(outputs, 'results'));
  };
  const items = output('results');
  const type = own(value, 'type');
  if (type === 'url') return said({ kind: 'url', items, next: output('nextUrl') });
  if (type === 'cursor') return said({ kind: 'cursor', items, next: output('nextCursor'), parameter: input('cursor') });
  if (type !== 'offsetLimit') return refuse('"type" is none of offsetLimit, cursor, url');
  const page = input('page');
  const common = { items, size: input('limit'), pages: output('numPages') };
  return page === undefined
    ? said({ kind: 'offset', parameter: input('offset'), ...common, pages: undefined })
    : said({ kind: 'page', parameter: page, ...common });
}

/** `$.data.next`, `$['data']`; of the last item `$.data[-1:].id`, `$.data[(@.length-1)].id`, where `$.data` has the items. */
function sourceOfPath(path: string, results: string | undefined): string {
  const steps: string[] = [];
  const step =
    /\.([^.[\]'"()]+)|\['((?:[^'\\])*)'\]|\["((?:[^"\\])*)"\]|\[(\d+)\]|(\[(?:-1:?|\(@\.length\s*-\s*1\))\])/y;
  let at = path.startsWith('$') ? 1 : refuse(`${quote(path)} is no JSONPath`);
  let ofLast = false;
  while (at < path.length) {
    step.lastIndex = at;
    const found = step.exec(path);
    if (!found) return refuse(`${quote(path)} is more than members of a value`);
    at = step.lastIndex;
    if (found[5] === undefined) steps.push(found[1] ?? found[2] ?? found[3] ?? found[4] ?? '');
    else if (!ofLast && path.slice(0, found.index) === results) {
      ofLast = true;
      steps.length = 0;
    } else return refuse(`${quote(path)} asks for the last item of something else than the results`);
  }
  return `${ofLast ? '$lastItem' : ''}${pointerOf(steps)}`;
}

function fern(given: JsonValue, operation: Operation, { api }: PlanContext): PaginationOptions | undefined {
  const value = given === true ? own(api.extensions, 'x-fern-pagination') : given;
  if (given === false) return undefined;
  if (!isObject(value)) return refuse(given === true ? 'the document has none at its root' : 'it is no object');
  const request = (name: string): string | undefined => {
    const path = /^\$request\.(.+)$/s.exec(textOf(value, name) ?? '')?.[1];
    if (path === undefined) return undefined;
    // A parameter where there is one of that name, else a member of the body.
    const isParameter = operation.parameters.some((parameter) => parameter.name === path);
    return isParameter || !operation.body ? path : `$request.body${pointerOf(path.split('.'))}`;
  };
  const response = (...names: readonly string[]): string | undefined => {
    const text = names.map((name) => textOf(value, name)).find((one) => one !== undefined);
    if (text === undefined) return undefined;
    const path = /^\$response(?:\.(.+))?$/s.exec(text);
    return path ? pointerOf(path[1]?.split('.') ?? []) : refuse(`${quote(text)} is not of the form $response.member`);
  };
  const items = response('results');
  const more = response('has-next-page', 'has_next_page');
  const url = response('next_uri', 'next_path');
  if (url !== undefined) return said({ kind: 'url', items, next: url, more });
  if (own(value, 'cursor') !== undefined)
    return said({ kind: 'cursor', items, parameter: request('cursor'), next: response('next_cursor'), more });
  const step = request('step');
  const parameter = request('offset');
  if (step === undefined) return said({ kind: 'page', items, parameter, more });
  return said({ kind: 'offset', items, parameter, more });
}

function redocly(value: JsonValue): PaginationOptions | undefined {
  if (!isObject(value)) return refuse('it is no object');
  const pointer = (name: string): string | undefined => {
    const text = textOf(value, name);
    return text === undefined ? undefined : `#${text}`;
  };
  const kind = (['cursor', 'offset', 'page', 'link'] as const).find((one) => one === own(value, 'style'));
  if (kind === undefined) return refuse('"style" is none of cursor, offset, page, link');
  const parameter = textOf(value, kind === 'cursor' ? 'cursorParam' : 'offsetParam');
  return said({
    kind,
    items: pointer('items'),
    next: pointer('nextCursor'),
    more: pointer('hasMore'),
    parameter: kind === 'link' ? undefined : parameter,
  });
}

/** A list whose URL of the next page nobody names, or whose answer has no such member, is one page. */
function pageable(value: JsonValue, operation: Operation, { api }: PlanContext): PaginationOptions | undefined {
  if (!isObject(value)) return refuse('it is no object');
  const bodies = operation.responses.flatMap(({ content }) => content.flatMap(({ schema }) => schema ?? []));
  const name = own(value, 'nextLinkName') === null ? undefined : (textOf(value, 'nextLinkName') ?? 'nextLink');
  if (name === undefined || !bodies.some((schema) => namesAt(api, schema, []).includes(name))) return undefined;
  return { kind: 'url', next: pointerOf([name]), items: pointerOf([textOf(value, 'itemName') ?? 'value']) };
}
