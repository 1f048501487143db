// SPDX-License-Identifier: 0BSD
import { own, refuse } from './parameters.js';
import type { BodySpec } from './write-body.js';

/** Sends one JSON text in each line. */
export function writeLines({ type }: BodySpec, headers: Headers, input: unknown): BodyInit {
  return written('', type, headers, input);
}

/** Sends JSON texts behind record separators (RFC 7464). */
export function writeRecords({ type }: BodySpec, headers: Headers, input: unknown): BodyInit {
  return written('\u001e', type, headers, input);
}

/** What is at hand is sent as one text; what comes by and by as a stream, an item each time that the connection takes more. */
function written(before: string, type: string, headers: Headers, input: unknown): BodyInit {
  const items = own(input, 'body') as Iterable<unknown> | AsyncIterable<unknown>;
  const text = (item: unknown): string =>
    `${before}${JSON.stringify(item) ?? refuse('holds an item that is no JSON value')}\n`;
  headers.set('content-type', type);
  if (typeof items !== 'object' || items === null) return refuse('is not a sequence of items');
  if (Symbol.iterator in items) return Array.from(items, text).join('');
  if (!(Symbol.asyncIterator in items)) return refuse('is not a sequence of items');
  const iterator = items[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(text(value)));
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
