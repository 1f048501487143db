/** Holds what is said of the paging of an operation against the operation, and makes the rule that the output is written by. */
import { quote } from '../../diagnostics.js';
import type { Operation } from '../../ir/api.js';
import type { SchemaId } from '../../ir/schema.js';
import { acceptable, plannedAnswers } from '../answers.js';
import { itemPlaces, type Place, placesAt } from '../shape-places.js';
import type { PlanContext } from '../target.js';
import {
  type InputPlace,
  inputPlace,
  meantMember,
  PlaceFault,
  pointerOf,
  type SourcePlace,
  sourcePlace,
} from './expressions.js';
import type { PaginationKind, PaginationOptions } from './options.js';

/** How an operation is paged, checked. */
export interface PageRule {
  readonly kind: PaginationKind;
  /** The names of the members that lead to the items. */
  readonly items: readonly string[];
  /** The lists of the items as the answers describe them; none where no more is known than that they are there. */
  readonly lists: readonly Place[];
  readonly next?: SourcePlace;
  /** Where the input takes the cursor, the number of the page or the offset. */
  readonly parameter?: InputPlace;
  readonly more?: SourcePlace;
  readonly total?: SourcePlace;
  readonly pages?: SourcePlace;
  readonly size?: InputPlace & { readonly default?: number; readonly max?: number };
  /** The number of the first page or item. */
  readonly start?: number;
  /** The media type that has the items, where a caller can choose from several. */
  readonly accept?: string;
}

/** The rule; throws a `PlaceFault` where it does not fit the operation. */
export function pageRule(context: PlanContext, operation: Operation, options: PaginationOptions): PageRule {
  const answers = plannedAnswers(operation, context.names);
  const all = answers.flatMap(({ outcome, media }) =>
    outcome !== 'failure' && media?.kind === 'json' && media.schema !== undefined
      ? [{ type: media.essence, schema: media.schema }]
      : [],
  );
  if (all.length === 0) throw new PlaceFault('no success of the operation has a JSON body with a schema');
  // Where a caller can choose from several media types, one with items is asked for.
  const choices = acceptable(answers);
  const schemasOf = (wanted: string): readonly SchemaId[] =>
    all.flatMap(({ type, schema }) => (type === wanted ? [schema] : []));
  const fitting = choices.filter((type) => hasItems(context, schemasOf(type), options.items));
  const accept = fitting.find((type) => type === 'application/json') ?? fitting[0];
  const bodies = accept === undefined ? all.map(({ schema }) => schema) : schemasOf(accept);
  const { path, lists } = itemsOf(context, bodies, options.items);
  const source = (name: 'next' | 'more' | 'total' | 'pages'): SourcePlace | undefined => {
    const text = options[name];
    return text === undefined ? undefined : naming(name, () => checkedSource(context, bodies, lists, text));
  };
  const place = (name: 'parameter' | 'size'): InputPlace | undefined => {
    const text = options[name];
    return text === undefined ? undefined : naming(name, () => inputPlace(context, operation, text));
  };
  const next = source('next');
  const more = source('more');
  const total = source('total');
  const pages = source('pages');
  const parameter = place('parameter');
  const size = place('size');
  demand(options);
  const start = options.start ?? startOf(context, options.kind, parameter);
  return {
    kind: options.kind,
    items: path,
    lists,
    ...(next && { next }),
    ...(parameter && { parameter }),
    ...(more && { more }),
    ...(total && { total }),
    ...(pages && { pages }),
    ...(size && { size: { ...size, ...boundsOf(context, size.schema) } }),
    ...(start !== undefined && { start }),
    ...(accept !== undefined && { accept }),
  };
}

/** Runs a step; a fault names the member of the rule. */
function naming<T>(name: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (error instanceof PlaceFault) throw new PlaceFault(`${name}: ${error.message}`);
    throw error;
  }
}

const demanded: Readonly<Record<PaginationKind, readonly ('next' | 'parameter')[]>> = {
  cursor: ['next', 'parameter'],
  link: [],
  url: ['next'],
  page: ['parameter'],
  offset: ['parameter'],
};

function demand({ kind, ...options }: PaginationOptions): void {
  const missing = demanded[kind].find((name) => options[name] === undefined);
  if (missing !== undefined) throw new PlaceFault(`the kind ${quote(kind)} needs ${quote(missing)}`);
}

interface Items {
  readonly path: readonly string[];
  readonly lists: readonly Place[];
}

function itemsOf(context: PlanContext, bodies: readonly SchemaId[], text: string | undefined): Items {
  if (text === undefined) return onlyList(context, bodies);
  return naming('items', () => {
    const place = sourcePlace(text);
    if (place.kind !== 'body') throw new PlaceFault(`${quote(text)} is not in the body`);
    const { path } = place;
    const found = bodies.flatMap((schema) => placesAt(context.api, schema, path));
    const lists = found.filter(isList);
    if (lists.length === 0 && !found.some(({ shape }) => shape.kind === 'unknown')) {
      const meant = found.length === 0 ? meantMember(context, bodies, path) || meantList(context, bodies) : '';
      throw new PlaceFault(`there is no list at ${quote(pointerOf(path))}${meant}`);
    }
    return { path, lists };
  });
}

function isList({ shape }: Place): boolean {
  return shape.kind === 'array' || shape.kind === 'tuple';
}

/** The body itself, or the one list in it. */
function onlyList(context: PlanContext, bodies: readonly SchemaId[]): Items {
  const lists = listsIn(context, bodies);
  const [path] = lists;
  if (path !== undefined && lists.length === 1) {
    return { path, lists: bodies.flatMap((schema) => placesAt(context.api, schema, path)).filter(isList) };
  }
  const all = lists.map((one) => quote(pointerOf(one))).join(', ');
  throw new PlaceFault(`say by "items" where the items are: ${all === '' ? 'there is no list in the body' : all}`);
}

function listsIn({ api }: PlanContext, bodies: readonly SchemaId[]): readonly (readonly string[])[] {
  const roots = bodies.flatMap((schema) => placesAt(api, schema, []));
  if (roots.some(isList)) return [[]];
  const names = new Set(
    roots.flatMap(({ shape }) => (shape.kind === 'object' ? shape.properties.map(({ name }) => name) : [])),
  );
  return [...names]
    .map((name) => [name])
    .filter((path) => bodies.some((schema) => placesAt(api, schema, path).some(isList)));
}

function meantList(context: PlanContext, bodies: readonly SchemaId[]): string {
  const [path, ...others] = listsIn(context, bodies);
  return path === undefined || others.length > 0 ? '' : `; did you mean ${quote(pointerOf(path))}?`;
}

function checkedSource(
  context: PlanContext,
  bodies: readonly SchemaId[],
  lists: readonly Place[],
  text: string,
): SourcePlace {
  const place = sourcePlace(text);
  if (place.kind === 'header') return place;
  const { path, kind } = place;
  const starts = kind === 'body' ? bodies : [itemPlaces(lists)];
  // Of lists whose items are not described, nothing is known.
  if (kind === 'lastItem' && lists.length === 0) return place;
  if (starts.some((start) => placesAt(context.api, start, path).length > 0)) return place;
  const whose = kind === 'body' ? 'the answer has' : 'the items have';
  const meant = meantMember(context, starts, path);
  throw new PlaceFault(
    `${whose} no member ${quote(pointerOf(path))}${kind === 'body' ? meant : meant.replace('"#', '"$lastItem#')}`,
  );
}

/** Where pages or items are counted from: as the schema of the parameter says. */
function startOf(context: PlanContext, kind: PaginationKind, parameter: InputPlace | undefined): number | undefined {
  if (kind !== 'page' && kind !== 'offset') return undefined;
  const bounds = boundsOf(context, parameter?.schema);
  const first = kind === 'page' ? 1 : 0;
  return bounds.default ?? (bounds.min === 0 || bounds.min === 1 ? bounds.min : first);
}

interface Bounds {
  readonly default?: number;
  readonly min?: number;
  readonly max?: number;
}

function boundsOf({ api }: PlanContext, id: SchemaId | undefined): Bounds {
  const bounds: { default?: number; min?: number; max?: number } = {};
  const seen = new Set<SchemaId>();
  for (let current = id; current !== undefined && !seen.has(current); ) {
    seen.add(current);
    const schema = api.schemas.get(current);
    const value = schema?.docs.default?.value;
    if (typeof value === 'number') bounds.default ??= value;
    if (schema?.kind !== 'schema') break;
    const { minimum, maximum } = schema.number ?? {};
    if (minimum !== undefined) bounds.min ??= minimum;
    if (maximum !== undefined) bounds.max ??= maximum;
    current = schema.ref;
  }
  return bounds;
}

function hasItems(context: PlanContext, bodies: readonly SchemaId[], text: string | undefined): boolean {
  try {
    return bodies.length > 0 && itemsOf(context, bodies, text).path !== undefined;
  } catch (error) {
    if (error instanceof PlaceFault) return false;
    throw error;
  }
}
