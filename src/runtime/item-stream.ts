// SPDX-License-Identifier: 0BSD
import { type ItemDecoder, LineDecoder, RecordDecoder } from './item-decode.js';
import type { Connection } from './operation.js';
import type { EventStream } from './sse-events.js';
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
  return streamFrom(connection, decoder, {
    arrived: () => undefined,
    async next(fault) {
      if (fault) throw fault;
      return undefined;
    },
    close: () => undefined,
  });
}
