/** What the target `tanstack-query` makes of each operation: decided by its method, its bodies and the option `queries`. */

import { quote } from '../diagnostics.js';
import type { MediaType, Operation } from '../ir/api.js';
import { operationNames } from '../ir/operation-names.js';
import { acceptable, plannedAnswers } from './answers.js';
import { operationInput } from './operation-input.js';
import { pagedOperations } from './pagination/pagination.js';
import type { PageRule } from './pagination/rule.js';
import type { PlanContext, QueryKind } from './target.js';

export interface QueryOperation {
  readonly operation: Operation;
  readonly kind: Exclude<QueryKind, 'none'>;
  /** The media types of successes to choose from; none where there is nothing to choose. */
  readonly accepted: readonly string[];
  /** Asked for where the caller says nothing: the other successes are streams. */
  readonly accept?: string;
  /** Which group of the input says which page, where the caller says by what. */
  readonly pages: 'query' | 'body';
  /** How it is paged, where that is known. */
  readonly rule?: PageRule;
}

export interface QueryOperations {
  readonly made: readonly QueryOperation[];
  /** The operations of which nothing is made, because all that they answer is a stream. */
  readonly streams: readonly Operation[];
}

/** Methods that are safe and whose answers have content or headers (RFC 9110 section 9.2.1; QUERY by its draft). */
const readingMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'QUERY']);

export function queryOperations(context: PlanContext): QueryOperations {
  const made: QueryOperation[] = [];
  const streams: Operation[] = [];
  const rules = new Map(
    pagedOperations(context).flatMap(({ operation, rule }) => (needsBodyAlone(rule) ? [[operation, rule]] : [])),
  );
  for (const operation of context.api.operations) {
    const wanted = wantedKind(context, operation);
    if (wanted === 'none') continue;
    const media = acceptedMedia(context, operation);
    if (media === 'stream') {
      streams.push(operation);
      if (wanted !== undefined) unmatched(context, operation, `makes a ${wanted} of %, which answers a stream`);
      continue;
    }
    const rule = rules.get(operation);
    const pages = pageGroup(context, operation);
    const paged = {
      isPaged: rule !== undefined || hasPageParameter(context, operation),
      canBePaged: rule !== undefined || pages !== undefined,
    };
    const kind = possibleKind(context, operation, wanted, paged);
    made.push({ operation, kind, ...media, pages: pages ?? 'query', ...(rule && { rule }) });
  }
  reportUnknown(context);
  return { made, streams };
}

function wantedKind({ options }: PlanContext, operation: Operation): QueryKind | undefined {
  const kinds = options.queries?.operations;
  const name = operationNames(operation).find((one) => kinds?.has(one));
  return name === undefined ? undefined : kinds?.get(name);
}

/** What successes can be of, streams apart. */
function acceptedMedia(
  context: PlanContext,
  operation: Operation,
): Pick<QueryOperation, 'accepted' | 'accept'> | 'stream' {
  const answers = plannedAnswers(operation, context.names);
  const types = acceptable(answers);
  const successes = answers.filter(({ outcome }) => outcome !== 'failure');
  const streaming = new Set(successes.flatMap(({ media }) => (media?.stream ? [media.essence] : [])));
  if (streaming.size === 0) return { accepted: types };
  const accepted = types.filter((type) => !streaming.has(type));
  const [accept] = accepted;
  return accept === undefined ? 'stream' : { accepted, accept };
}

/** A cache has neither the headers nor the URL of an answer. */
function needsBodyAlone({ kind, next, more, total, pages }: PageRule): boolean {
  const isHere = kind === 'cursor' || kind === 'page' || kind === 'offset';
  return isHere && [next, more, total, pages].every((place) => place?.kind !== 'header');
}

function possibleKind(
  context: PlanContext,
  operation: Operation,
  wanted: Exclude<QueryKind, 'none'> | undefined,
  { isPaged, canBePaged }: { readonly isPaged: boolean; readonly canBePaged: boolean },
): QueryOperation['kind'] {
  const reading = readingMethods.has(operation.method);
  const kind = wanted ?? (!reading ? 'mutation' : isPaged ? 'infinite' : 'query');
  if (kind === 'mutation') return kind;
  const body = operationInput(context, operation).body?.content.find((media) => !isPlain(media));
  if (body) {
    if (wanted !== undefined) {
      unmatched(context, operation, `makes a ${wanted} of %, whose body (${quote(body.essence)}) no key can hold`);
    }
    return 'mutation';
  }
  if (kind !== 'infinite' || (canBePaged && operation.method !== 'HEAD')) return kind;
  unmatched(context, operation, 'reads % page by page, which has no pages, or no parameter that could say which');
  return 'query';
}

/** Bodies that JSON can say. */
function isPlain({ kind, stream }: MediaType): boolean {
  return stream === undefined && ['json', 'text', 'xml', 'form'].includes(kind);
}

/** Parameters of these names say which page is wanted, whatever stands between their words: `page[cursor]`, `startingAfter`. */
const pageNames =
  /^(?:(?:next|start|end|page)?cursor|page(?:no|num|number|index|token|after|before|offset)?|(?:next)?page(?:token|key)|nexttoken|(?:starting|start)?after|(?:ending|end)?before|continuation(?:token)?|offset|skip|startindex|marker)$/;

function hasPageParameter({ api }: PlanContext, { method, parameters }: Operation): boolean {
  if (method === 'HEAD') return false;
  return parameters.some(({ in: place, name, schema }) => {
    if (place !== 'query' || !pageNames.test(name.toLowerCase().replace(/[^a-z]/g, ''))) return false;
    // Of a deep object a member says it, not the parameter.
    return schema === undefined || api.shapes.get(schema)?.kind !== 'object';
  });
}

function pageGroup(context: PlanContext, operation: Operation): 'query' | 'body' | undefined {
  const { parameters, body } = operationInput(context, operation);
  if (parameters.some(({ parameter }) => parameter.in === 'query')) return 'query';
  return body?.content.some(({ kind }) => kind === 'json') ? 'body' : undefined;
}

function unmatched({ report }: PlanContext, operation: Operation, said: string): void {
  const name = quote(operation.operationId ?? `${operation.method} ${operation.path.text}`);
  report.report('query-option-unmatched', `the option "queries" ${said.replace('%', () => name)}`, operation.at);
}

/** Names in the option that no operation has. */
function reportUnknown({ api, options, report }: PlanContext): void {
  const known = new Set(api.operations.flatMap((one) => [one.operationId, `${one.method} ${one.path.text}`]));
  for (const name of options.queries?.operations.keys() ?? []) {
    if (!known.has(name))
      report.report('query-option-unmatched', `the option "queries" names no operation ${quote(name)}`);
  }
}
