// SPDX-License-Identifier: 0BSD
import { type ByteStream, encodedStream } from './encoded-stream.js';
import { isEnd } from './event-spec.js';
import { partEncoder } from './part-encode.js';
import { type AnswerOptions, ContractBroken, check, jsonText } from './server-checks.js';
import type { ContentContract } from './server-contract.js';
import { contractToSend } from './server-events.js';
import { encodeSse, endsStream, type SseFrame } from './sse-encode.js';
import type { Validator } from './validation.js';

/** One JSON text for each item: in a line (`jsonl`), or behind a record separator (RFC 7464). */
export function items(body: unknown, content: ContentContract, options: AnswerOptions): ByteStream {
  const { kind, events: [item] = [], sentinels: [sentinel] = [] } = content;
  const line = (text: string): string => `${kind === 'json-seq' ? '\u001e' : ''}${text}\n`;
  const count = counting(content, options);
  return encodedStream(iterable(body), {
    signal: options.signal,
    onError: options.onError,
    encode(value) {
      const text = jsonText(value, item ?? {}, options, 'an item');
      if (isEnd(content, text)) throw endTooEarly('an item');
      count.item();
      return line(text);
    },
    ended: count.ended,
    farewell: sentinel === undefined ? undefined : line(sentinel),
  });
}

/** Parts between boundaries (RFC 2046 section 5.1): the stream, and the boundary. */
export function parts(
  body: unknown,
  content: ContentContract,
  options: AnswerOptions,
): { readonly stream: ByteStream; readonly boundary: string } {
  const { boundary, start, part, end } = partEncoder(
    content.events ?? [],
    (value, spec) => jsonText(value, spec, options, 'a part'),
    (text, { validate }) => {
      if (options.validate !== false && validate !== undefined) check(validate, text, options, 'a part');
    },
  );
  const { signal, onError } = options;
  const { item, ended } = counting(content, options);
  const encode = (value: unknown): ReturnType<typeof part> => {
    item();
    return part(value);
  };
  const stream = encodedStream(iterable(body), { signal, onError, encode, ended, greeting: start, farewell: end });
  return { stream, boundary };
}

function iterable(body: unknown): Iterable<unknown> | AsyncIterable<unknown> {
  if (typeof body === 'object' && body !== null) {
    if (Symbol.asyncIterator in body) return body as AsyncIterable<unknown>;
    if (Symbol.iterator in body) return body as Iterable<unknown>;
  }
  throw new TypeError('the body is neither iterable nor an async iterable');
}

/** Holds a handler to the number of its items: what has too few must not end as if that were all. */
function counting(
  { minItems = 0, maxItems = Number.POSITIVE_INFINITY }: ContentContract,
  { validate, onError }: AnswerOptions,
): { readonly item: () => void; readonly ended: () => void } {
  let count = 0;
  const refuse = (keyword: string, message: string): void => {
    const fault = broken('the stream', keyword, message);
    if (validate === 'throw') throw fault;
    if (validate === 'report') onError(fault);
  };
  return {
    item() {
      count += 1;
      if (count === maxItems + 1) refuse('maxItems', `has more than ${maxItems} items`);
    },
    ended() {
      if (count < minItems) refuse('minItems', `has fewer than ${minItems} items`);
    },
  };
}

/** Data that readers take for the end of the stream must not come from a handler: they would miss what follows, and not know it. */
function endTooEarly(what: string): ContractBroken {
  return broken(what, 'sentinel', 'has the data that ends the stream');
}

function broken(what: string, keyword: string, message: string): ContractBroken {
  return new ContractBroken(what, [{ pointer: '', path: [], schemaPointer: '', keyword, params: {}, message }]);
}

interface SseItem {
  readonly event?: unknown;
  readonly data?: unknown;
  readonly id?: string;
  readonly retry?: number;
  readonly comment?: string;
}

export function events(body: unknown, content: ContentContract, options: AnswerOptions): ByteStream {
  const encode = (item: SseItem): string => encodeSse(frameOf(item, content, options));
  const { errorEvent, keepAliveMs, signal, onError } = options;
  const count = counting(content, options);
  const [sentinel] = content.sentinels ?? [];
  const farewell = sentinel === undefined ? undefined : encodeSse({ data: sentinel });
  return encodedStream(iterable(body) as AsyncIterable<SseItem>, {
    signal,
    onError,
    encode(item) {
      const text = encode(item);
      if (item.data !== undefined) count.item();
      return text;
    },
    ended: count.ended,
    idle: keepAliveMs > 0 ? { ms: keepAliveMs, text: ':\n\n' } : undefined,
    farewell,
    lastWords(error) {
      try {
        const event = errorEvent?.(error);
        // The event says what went wrong; behind it the stream is at its declared end, and was not cut short.
        return event && encode(event) + (farewell ?? '');
      } catch (fault) {
        onError(fault);
        return undefined;
      }
    },
  });
}

function frameOf(item: SseItem, content: ContentContract, options: AnswerOptions): SseFrame {
  if (typeof item !== 'object' || item === null) throw new TypeError('an event is not an object');
  const { event, data, id, retry, comment } = item;
  if (event !== undefined && typeof event !== 'string') throw new TypeError('the name of an event is not a string');
  if (data === undefined) return { event, id, retry, comment };
  const name = event ?? 'message';
  const { contract, wrong } = contractToSend(content, name, data);
  const what = `the event "${name}"`;
  if (wrong) throw broken(what, 'contentMediaType', 'is text that would be read as JSON');
  if (contract === undefined && options.validate !== false) check(undeclared, data, options, what);
  if (contract?.fields && options.validate !== false) {
    check(contract.fields, { ...(id !== undefined && { id }), ...(retry !== undefined && { retry }) }, options, what);
  }
  const asText = contract === undefined ? typeof data === 'string' : contract.data === 'text';
  if (!asText) {
    const text = jsonText(data, contract ?? {}, options, what);
    if (endsStream(content, text, name)) throw endTooEarly(what);
    return { event, id, retry, comment, data: text };
  }
  if (typeof data !== 'string') throw new TypeError('the data of a text event is not a string');
  if (options.validate !== false && contract?.validate !== undefined) {
    check(contract.validate, data, options, what);
  }
  if (endsStream(content, data, name)) throw endTooEarly(what);
  return { event, id, retry, comment, data };
}

const undeclared: Validator<unknown> = () => ({
  ok: false,
  issues: [{ pointer: '', path: [], schemaPointer: '', keyword: 'event', params: {}, message: 'is not declared' }],
});
