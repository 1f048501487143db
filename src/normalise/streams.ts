/** What a `text/event-stream` body carries, read from the forms that documents use. */
import { type Collector, childAddress } from '../diagnostics.js';
import type { MediaType, StreamSpec } from '../ir/api.js';
import type { JsonValue, SchemaId } from '../ir/schema.js';
import { isObject, own } from '../json-object.js';
import type { Members } from './json.js';

interface StreamReading {
  readonly report: Collector;
  schema(at: Members['at'], value: JsonValue): SchemaId;
}

/** An untyped stream: every event's data is text. */
const untyped: StreamSpec = { framing: 'sse', events: [{ name: 'message', data: 'text' }] };

/**
 * `type: string` says nothing of the events; with `contentSchema` it is the schema of each event's JSON data. Any other
 * schema is read as that of one event's data.
 */
export function streamOf(reading: StreamReading, media: Members, schema: SchemaId | undefined): StreamSpec {
  if (media.has('itemSchema')) {
    reading.report.report(
      'not-yet-keyword',
      '"itemSchema" does not type the events in this version',
      childAddress(media.at, 'itemSchema'),
    );
    return untyped;
  }
  const value = media.raw('schema');
  if (schema === undefined || !isObject(value)) return untyped;
  const content = own(value, 'contentSchema');
  if (content !== undefined && own(value, 'type') === 'string') {
    const id = reading.schema(childAddress(media.at, 'schema', 'contentSchema'), content);
    return { framing: 'sse', events: [{ name: 'message', data: 'json', schema: id }] };
  }
  return own(value, 'type') === 'string'
    ? untyped
    : { framing: 'sse', events: [{ name: 'message', data: 'json', schema }] };
}

/** Types the events of an untyped stream by the JSON media type beside it. */
export function inheritEventSchema(content: readonly MediaType[], report: Collector): readonly MediaType[] {
  const json = content.find((media) => media.kind === 'json' && media.schema !== undefined);
  if (!json?.schema) return content;
  const { schema } = json;
  return content.map((media) => {
    if (!media.stream || media.stream.events.some((event) => event.data === 'json')) return media;
    report.report(
      'stream-inherited',
      `the events of this stream are typed by "${json.essence}" of the same response`,
      media.at,
    );
    return { ...media, stream: { framing: 'sse', events: [{ name: 'message', data: 'json', schema }] } };
  });
}
