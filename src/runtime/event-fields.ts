// SPDX-License-Identifier: 0BSD
import type { EventSpec } from './event-spec.js';
import type { Issue } from './validation.js';

interface Fields {
  readonly id?: string | undefined;
  readonly retry?: number | undefined;
}

/**
 * What the contract says against the fields that stand in an event. An id stays the last event id until another one comes
 * (HTML Standard), but a contract describes events as they are sent: what an earlier one said is no field of this one.
 */
export function fieldIssues(spec: Pick<EventSpec, 'fields'> | undefined, { id, retry }: Fields): readonly Issue[] {
  const verdict = spec?.fields?.({ ...(id !== undefined && { id }), ...(retry !== undefined && { retry }) });
  return !verdict || verdict.ok ? [] : verdict.issues;
}
