// SPDX-License-Identifier: 0BSD
import { isLast, type NextPage, type Page, type PageSpec, sourceValue, valueAt, withValue } from './paginate.js';

/** The next page by its number. An empty page is the last one, and so is a short one where the size of pages is known. */
export function nextNumber(spec: PageSpec, page: Page): NextPage | undefined {
  const { to = [], start = 1, pages, total } = spec;
  const current = numberOf(valueAt(page.input, to)) ?? start;
  const before = current - start;
  if (isEnd(spec, page)) return undefined;
  if (before + 1 >= limitOf(sourceValue(pages, page))) return undefined;
  if (before * page.usual + page.items.length >= limitOf(sourceValue(total, page))) return undefined;
  return { input: withValue(page.input, to, current + 1), key: current + 1 };
}

/** The next page by the number of items before it. */
export function nextOffset(spec: PageSpec, page: Page): NextPage | undefined {
  const { to = [], start = 0, total } = spec;
  const next = (numberOf(valueAt(page.input, to)) ?? start) + page.items.length;
  if (isEnd(spec, page) || next - start >= limitOf(sourceValue(total, page))) return undefined;
  return { input: withValue(page.input, to, next), key: next };
}

function isEnd(spec: PageSpec, page: Page): boolean {
  const { length } = page.items;
  return length === 0 || isLast(spec, page) || (spec.size !== undefined && length < sizeOf(spec, page));
}

/** How many items a full page has: what was asked for, as far as the contract allows it, or as many as the first one. */
function sizeOf({ size }: PageSpec, { input, usual }: Page): number {
  const asked = numberOf(valueAt(input, size?.to ?? [])) ?? size?.default;
  return asked === undefined ? usual : Math.min(asked, size?.max ?? asked);
}

function numberOf(value: unknown): number | undefined {
  const isNumber = typeof value === 'number' || (typeof value === 'string' && /^-?\d+$/.test(value));
  return isNumber ? Number(value) : undefined;
}

/** A number that a server says; what it does not say is no limit. */
function limitOf(value: unknown): number {
  return numberOf(value) ?? Number.POSITIVE_INFINITY;
}
