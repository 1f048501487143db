/** What the configuration or a document says of the paging of an operation, before it is held against the operation. */

export const paginationKinds = ['cursor', 'link', 'url', 'page', 'offset'] as const;

/**
 * How the next page is found: by a cursor of the answer, by the header `Link`, by a URL in the answer, by the number of the
 * page, or by the number of items before it.
 */
export type PaginationKind = (typeof paginationKinds)[number];

/**
 * Places in an answer are `#/member/inside` (short for `$response.body#/member/inside`) or `$response.header.Name`; places
 * in a request are the name of a parameter, `$request.query.name`, `$request.header.name`, `$request.path.name` or
 * `$request.body#/member`.
 */
export interface PaginationOptions {
  readonly kind: PaginationKind;
  /** The list of items; found by itself where the body is a list or has exactly one. */
  readonly items?: string;
  /** The cursor or the URL; of a cursor also `$lastItem#/id`, a member of the last item. */
  readonly next?: string;
  /** What takes the cursor, the number of the page or the offset. */
  readonly parameter?: string;
  /** A boolean that is false where there are no more pages. */
  readonly more?: string;
  /** How many items there are in all. */
  readonly total?: string;
  /** How many pages there are in all. */
  readonly pages?: string;
  /** What takes the number of items of a page; a page that has fewer is the last one. */
  readonly size?: string;
  /** The number of the first page or item, where it is not 1 or 0. */
  readonly start?: number;
}

/** One entry of the option `pagination`: operations by operationId, `METHOD /path`, or a pattern with `*` in it. */
export interface PaginationEntry {
  readonly operation: string;
  /** `false`: the operations are not paged, whatever the document says. */
  readonly rule: PaginationOptions | false;
}

/** The members that are places in an answer or a request. */
export const paginationPlaces = ['items', 'next', 'parameter', 'more', 'total', 'pages', 'size'] as const;
