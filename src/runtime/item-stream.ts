// SPDX-License-Identifier: 0BSD
import { CallError } from './errors.js';
import { type ItemDecoder, LineDecoder, type RawItem, RecordDecoder } from './item-decode.js';
import { invalid, readValue, refused } from './item-value.js';
import type { Answer, Connection } from './operation.js';
import type { EventStream, InvalidStreamItem } from './sse-events.js';
import { type StreamValue, streamFrom } from './stream-values.js';

const defaultLength = 2 ** 20;

/** The reader of answers with one JSON text in each line. */
export function readLines(connection: Connection): EventStream<StreamValue> {
  return itemsFrom(connection, new LineDecoder(connection.options.maxEventLength ?? defaultLength));
}

/** The reader of JSON text sequences (RFC 7464). */
export function readRecords(connection: Connection): EventStream<StreamValue> {
  return itemsFrom(connection, new RecordDecoder(connection.options.maxEventLength ?? defaultLength));
}

/** Nothing in these framings says where to go on, so a broken connection is the end. */
function itemsFrom(connection: Connection, decoder: ItemDecoder): EventStream<StreamValue> {
  return streamFrom(connection, decoder, interpretItem, {
    arrived: () => undefined,
    async next(fault) {
      if (fault) throw fault;
      if (connection.answer?.sentinels?.length)
        throw new CallError('truncated', 'the stream ended without the item that ends it');
      return undefined;
    },
    close: () => undefined,
  });
}

const anyItem = { name: 'item', data: 'json' } as const;

function interpretItem({ data, fault }: RawItem, answer: Partial<Answer>, onInvalid: string): StreamValue | undefined {
  const [spec = anyItem] = answer.events ?? [];
  const read = fault === undefined ? readValue(spec, data, onInvalid) : refused('syntax', fault);
  const { issues } = read;
  return issues
    ? invalid<InvalidStreamItem>('an item', { event: '$invalid', data, issues }, onInvalid)
    : { event: 'item', data: read.value };
}
