// SPDX-License-Identifier: 0BSD
import type { EventSpec } from './event-spec.js';
import type { Issue } from './validation.js';

interface Fields {
  /** The last event id at the event, `""` where there is none. */
  readonly id?: string | undefined;
  readonly retry?: number | undefined;
}

/**
 * What the contract says against `id` and `retry` of an event that arrived. An id stays until the next one (HTML Standard),
 * so one that was there before is the id of this event, too, but need not be of the form that its contract describes.
 */
export function fieldIssues(
  spec: Pick<EventSpec, 'fields'> | undefined,
  { id, retry }: Fields,
  before = '',
): readonly Issue[] {
  const verdict = spec?.fields?.({ ...(id && { id }), ...(retry !== undefined && { retry }) });
  if (!verdict || verdict.ok) return [];
  return id && id === before ? verdict.issues.filter(({ path }) => path[0] !== 'id') : verdict.issues;
}
