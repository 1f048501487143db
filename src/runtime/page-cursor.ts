// SPDX-License-Identifier: 0BSD
import { isLast, type NextPage, type Page, type PageSpec, sourceValue, withValue } from './paginate.js';

/** The next page by a cursor of the answer: null, false, an empty text or none at all end the pages. */
export function nextCursor(spec: PageSpec, page: Page): NextPage | undefined {
  const { from, to = [] } = spec;
  const cursor = sourceValue(from, page) ?? '';
  if (cursor === '' || cursor === false || isLast(spec, page)) return undefined;
  return { input: withValue(page.input, to, cursor), key: cursor };
}
