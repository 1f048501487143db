// SPDX-License-Identifier: 0BSD
import { CallError } from './errors.js';
import type { Connection } from './operation.js';
import { SseDecoder } from './sse-decode.js';
import type { EventStream } from './sse-events.js';
import { type StreamValue, streamFrom } from './stream-values.js';

/** The reader of `text/event-stream` answers. */
export function readEvents(connection: Connection): EventStream<StreamValue> {
  const { answer, deadline, options } = connection;
  const decoder = new SseDecoder(options.maxEventLength ?? 2 ** 20);
  const again = options.reconnect?.(options.sent, deadline);
  return streamFrom(connection, decoder, {
    arrived: () => again?.arrived(),
    async next(fault) {
      if (again && (!fault || fault.fault === 'network')) {
        const response = await again.next(fault, decoder);
        decoder.restart();
        return response;
      }
      if (fault) throw fault;
      if (answer?.sentinels) throw new CallError('truncated', 'the stream ended without the event that ends it');
      return undefined;
    },
    close: () => again?.close(),
  });
}
