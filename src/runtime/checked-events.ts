// SPDX-License-Identifier: 0BSD
import { fieldIssues } from './event-fields.js';
import { eventOf } from './event-spec.js';
import { interpretEvent, readEvents } from './event-stream.js';
import { invalid } from './item-value.js';
import type { Connection } from './operation.js';
import type { EventStream } from './sse-events.js';
import type { StreamValue } from './stream-values.js';

/** The reader of events whose `id` and `retry` the contract describes, too. */
export function readCheckedEvents(connection: Connection): EventStream<StreamValue> {
  return readEvents(connection, (raw, answer, onInvalid) => {
    const { name, data, id, ownId, retry } = raw;
    const value = interpretEvent(raw, answer, onInvalid);
    const issues = onInvalid === 'off' ? [] : fieldIssues(eventOf(answer, name), { id: ownId, retry });
    // What has no data, or is wrong already, is not looked at any further.
    if (!value || value.event === '$invalid' || issues.length === 0) return value;
    const shared = { id, ...(retry !== undefined && { retry }) };
    return invalid(`an event "${name}"`, { event: '$invalid', name, data, ...shared, issues }, onInvalid);
  });
}
