// SPDX-License-Identifier: 0BSD
import { CallError } from './errors.js';
import type { EventSpec } from './event-spec.js';
import { invalid, readValue, refused, type Value } from './item-value.js';
import type { Answer, Connection } from './operation.js';
import { boundaryOf, PartDecoder, type RawPart, readAs, textOfPart } from './part-decode.js';
import type { EventStream } from './sse-events.js';
import type { InvalidStreamPart } from './stream-part.js';
import { type StreamValue, streamFrom } from './stream-values.js';

/** The reader of multipart answers whose parts are a sequence (RFC 2046 section 5.1). */
export function readParts(connection: Connection): EventStream<StreamValue> {
  const { response, options } = connection;
  const boundary = boundaryOf(response.headers.get('content-type') ?? '');
  if (boundary === undefined)
    throw new CallError('response', 'the media type of the answer names no boundary', { response });
  const decoder = new PartDecoder(boundary, options.maxEventLength ?? 2 ** 20);
  let index = 0;
  const interpret = (part: RawPart, { events = [] }: Partial<Answer>, onInvalid: string): StreamValue | undefined => {
    const { data, contentType, headers } = part;
    const spec = events[Math.min(index, events.length - 1)] ?? anyPart;
    index += 1;
    const { value, issues } = partValue(part, spec, onInvalid);
    return issues
      ? invalid<InvalidStreamPart>('a part', { event: '$invalid', data, contentType, headers, issues }, onInvalid)
      : { event: 'item', data: value, contentType, headers };
  };
  return streamFrom(connection, decoder, interpret, {
    arrived: () => undefined,
    async next(fault) {
      if (fault) throw fault;
      if (!decoder.complete) throw new CallError('truncated', 'the stream ended without its closing boundary');
      return undefined;
    },
    close: () => undefined,
  });
}

const anyPart: EventSpec = { name: 'item', data: 'any' };

function partValue({ data, contentType, fault }: RawPart, spec: EventSpec, onInvalid: string): Value {
  if (fault !== undefined) return refused('syntax', fault);
  const kind = readAs(spec, contentType);
  if (kind === undefined) return refused('contentMediaType', 'the media type of the part is not declared');
  if (kind === 'binary') return { value: data };
  const text = textOfPart(data, contentType, kind);
  if (text === undefined) return refused('syntax', 'the part is not text of its charset');
  // What is declared of any part describes a value, not the text that another part may be.
  const { validate, codec, ...plain } = spec;
  return readValue({ ...(kind === spec.data || kind === 'json' ? spec : plain), data: kind }, text, onInvalid);
}
