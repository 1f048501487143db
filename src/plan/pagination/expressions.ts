/** The places that the paging of an operation speaks of, as paths of property names, so that no generated code parses a pointer. */
import { childPointer, type JsonPointer, pointerSteps, quote } from '../../diagnostics.js';
import type { Api, Operation } from '../../ir/api.js';
import { isNamed } from '../../ir/parameter-names.js';
import type { SchemaId } from '../../ir/schema.js';
import { nearest } from '../../nearest.js';
import { inputGroups } from '../operation-input.js';
import { namesAt, type Place, placesAt } from '../shape-places.js';
import type { PlanContext } from '../target.js';

/** A value of an answer: a header, or a member of the body or of the last item. */
export type SourcePlace =
  | { readonly kind: 'header'; readonly name: string }
  | { readonly kind: 'body' | 'lastItem'; readonly path: readonly string[] };

/** Where an input has a value: `query`, `cursor`. The schema is that of the value, where it is known. */
export interface InputPlace {
  readonly path: readonly string[];
  readonly schema?: SchemaId;
}

/** What is wrong with a place, for people. */
export class PlaceFault extends Error {}

function refuse(message: string): never {
  throw new PlaceFault(message);
}

/** `#/data`, `$response.body#/data`, `$lastItem#/id`, `$response.header.X-Next`. */
export function sourcePlace(text: string): SourcePlace {
  const header = /^\$response\.header\.([!#$%&'*+\-.^_`|~\w]+)$/.exec(text)?.[1];
  if (header !== undefined) return { kind: 'header', name: header.toLowerCase() };
  const [, base = '', pointer = ''] = /^(\$response\.body|\$lastItem)?(?:#(.*))?$/s.exec(text) ?? refuse(formOf(text));
  return { kind: base === '$lastItem' ? 'lastItem' : 'body', path: stepsOf(pointer, text) };
}

function formOf(text: string): string {
  return `${quote(text)} is no place in an answer: #/member, $response.header.Name or $lastItem#/member`;
}

/** Steps of a JSON pointer (RFC 6901). */
function stepsOf(pointer: string, text: string): readonly string[] {
  if (!/^(?:\/(?:[^~]|~[01])*)?$/s.test(pointer)) refuse(`${quote(text)} has no JSON pointer behind #`);
  return pointerSteps(pointer as JsonPointer);
}

/** Where the input of an operation takes a value. */
export function inputPlace(context: PlanContext, operation: Operation, text: string): InputPlace {
  const { parameters, body } = operation;
  const pointer = /^\$request\.body#(.*)$/s.exec(text)?.[1];
  if (pointer !== undefined) {
    const path = stepsOf(pointer, text);
    const schemas = (body?.content ?? []).flatMap(({ kind, schema }) =>
      schema !== undefined && (kind === 'json' || kind === 'form') ? [schema] : [],
    );
    const schema = schemas.find((one) => placesAt(context.api, one, path).length > 0);
    if (path.length === 0 || schema === undefined) {
      refuse(`the body has no member ${quote(`#${pointer}`)}${meantMember(context, schemas, path)}`);
    }
    const own = memberSchema(context.api, schema, path);
    return { path: ['body', ...path], ...(own !== undefined && { schema: own }) };
  }
  const [, where, name = text] = /^\$request\.(query|header|path)\.(.+)$/s.exec(text) ?? [];
  if (where === undefined && text.startsWith('$')) {
    refuse(
      `${quote(text)} is no place in a request: the name of a parameter, $request.query.name or $request.body#/member`,
    );
  }
  const known = parameters.filter((parameter) => parameter.in !== 'querystring' && parameter.in !== 'cookie');
  const found = known.filter(
    (parameter) => isNamed(parameter, name) && (where === undefined || parameter.in === where),
  );
  const parameter = found.find((one) => one.in === 'query') ?? found[0];
  if (!parameter) {
    const meant = nearest(
      name,
      known.map((one) => one.name),
    );
    refuse(
      `the operation has no ${where ?? ''}${where ? ' ' : ''}parameter ${quote(name)}${
        meant === undefined ? '' : `; did you mean ${quote(meant)}?`
      }`,
    );
  }
  const [pathGroup, queryGroup, headers] = inputGroups;
  const group = parameter.in === 'query' ? queryGroup : parameter.in === 'path' ? pathGroup : headers;
  return { path: [group, parameter.name], ...(parameter.schema !== undefined && { schema: parameter.schema }) };
}

/** The schema that an object gives its member, where it says it itself. */
function memberSchema(api: Api, body: SchemaId, path: readonly string[]): SchemaId | undefined {
  const last = path.at(-1);
  return placesAt(api, body, path.slice(0, -1))
    .flatMap(({ owner }) => {
      const schema = api.schemas.get(owner);
      return schema?.kind === 'schema' ? (schema.object?.properties ?? []) : [];
    })
    .find(({ name }) => name === last)?.schema;
}

/** `; did you mean "#/data"?`, by the first step that leads nowhere. */
export function meantMember(
  { api }: PlanContext,
  starts: readonly (SchemaId | readonly Place[])[],
  path: readonly string[],
): string {
  for (let length = 0; length < path.length; length += 1) {
    const good = path.slice(0, length);
    const known = [...new Set(starts.flatMap((start) => namesAt(api, start, good)))];
    const step = path[length] ?? '';
    if (known.includes(step)) continue;
    const meant = nearest(step, known);
    if (meant === undefined) return '';
    return `; did you mean ${quote(pointerOf([...good, meant, ...path.slice(length + 1)]))}?`;
  }
  return '';
}

/** `#/data/items` */
export function pointerOf(path: readonly string[]): string {
  return `#${childPointer('' as JsonPointer, ...path)}`;
}
