/**
 * Which operations are paged, and how: as the configuration says, else an extension of the document, else a link that
 * leads from an answer to its own operation.
 */

import { quote } from '../../diagnostics.js';
import type { Operation } from '../../ir/api.js';
import { operationNames } from '../../ir/operation-names.js';
import { nearest } from '../../nearest.js';
import { LinkTargets } from '../link-targets.js';
import type { PlanContext } from '../target.js';
import { PlaceFault } from './expressions.js';
import { extendedPagination } from './extensions.js';
import type { PaginationEntry } from './options.js';
import { type PageRule, pageRule } from './rule.js';
import { linkedPagination } from './self-links.js';

export interface PagedOperation {
  readonly operation: Operation;
  readonly rule: PageRule;
}

/** The operations that have pages, in the document's order. */
export function pagedOperations(context: PlanContext): readonly PagedOperation[] {
  const entries = context.options.pagination ?? [];
  const targets = new LinkTargets(context.api);
  const used = new Set<PaginationEntry>();
  const found = context.api.operations.flatMap((operation): readonly PagedOperation[] => {
    const rule = ruleOf(context, operation, { entries, targets, used });
    return rule ? [{ operation, rule }] : [];
  });
  for (const entry of entries) if (!used.has(entry)) reportUnused(context, entry);
  return found;
}

interface Sources {
  readonly entries: readonly PaginationEntry[];
  readonly targets: LinkTargets;
  /** The entries that were of use. */
  readonly used: Set<PaginationEntry>;
}

function ruleOf(context: PlanContext, operation: Operation, { entries, targets, used }: Sources): PageRule | undefined {
  const configured = entries.filter((entry) => isNamed(entry.operation, operation));
  // An entry for one operation goes before those for many.
  const exact = configured.find((entry) => !entry.operation.includes('*'));
  for (const entry of exact ? [exact] : configured) {
    const isExact = entry === exact;
    if (isExact || entry.rule === false) used.add(entry);
    if (entry.rule === false) return undefined;
    try {
      const rule = pageRule(context, operation, entry.rule);
      if (!isExact && entry.rule.kind === 'link' && !declaresLink(operation)) continue;
      used.add(entry);
      return rule;
    } catch (error) {
      const message = messageOf(error);
      // A pattern is for the operations that it fits.
      if (!isExact) continue;
      context.report.report('pagination-unusable', `pagination: ${entry.operation}: ${message}`, operation.at);
      return undefined;
    }
  }
  return described(context, operation, targets);
}

/** A document that misleads about pages is right in all else. */
function described(context: PlanContext, operation: Operation, targets: LinkTargets): PageRule | undefined {
  const extension = extendedPagination(context, operation);
  try {
    const options = extension ? extension.read() : linkedPagination(operation, targets);
    return options && pageRule(context, operation, options);
  } catch (error) {
    const message = messageOf(error);
    context.report.report(
      'pagination-unread',
      `${extension?.name ?? 'the link to the next page'}: ${message}`,
      operation.at,
    );
    return undefined;
  }
}

function messageOf(error: unknown): string {
  if (error instanceof PlaceFault) return error.message;
  throw error;
}

function declaresLink({ responses }: Operation): boolean {
  return responses.some(({ headers }) => headers.some(({ name }) => name.toLowerCase() === 'link'));
}

/** `listPets`, `GET /pets`, or either with `*` for any letters. */
function isNamed(pattern: string, operation: Operation): boolean {
  return operationNames(operation).some((name) => (pattern.includes('*') ? matches(pattern, name) : name === pattern));
}

/** The pieces between the stars, from left to right, each as early as it can be: linear. */
function matches(pattern: string, name: string): boolean {
  const pieces = pattern.split('*');
  const first = pieces[0] ?? '';
  const last = pieces.at(-1) ?? '';
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = name.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return at <= name.length - last.length;
}

function reportUnused({ api, options, report }: PlanContext, { operation }: PaginationEntry): void {
  if (operation.includes('*')) {
    // A pattern can be meant for another description of the run, or for what is left out.
    if (options.runtimeAbove || options.filtered) return;
    report.report(
      'pagination-unusable',
      `pagination: no operation that ${quote(operation)} names has pages of this kind`,
    );
    return;
  }
  const meant = nearest(operation, api.operations.flatMap(operationNames));
  report.report(
    'pagination-unusable',
    `pagination names the operation ${quote(operation)}, which does not exist${
      meant === undefined ? '' : `; did you mean ${quote(meant)}?`
    }`,
  );
}
