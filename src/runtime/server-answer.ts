// SPDX-License-Identifier: 0BSD
import { type ByteStream, encodedStream } from './encoded-stream.js';
import { type ContentContract, type Contract, eventOf } from './server-contract.js';
import type { Answer } from './server-faults.js';
import type { StreamErrorEvent } from './server-options.js';
import { project } from './server-projection.js';
import type { ReplyValue } from './server-reply.js';
import { encodeSse, type SseFrame } from './sse-encode.js';
import type { Issue, Validator } from './validation.js';

export interface AnswerOptions {
  readonly contract: Contract;
  readonly validate: 'throw' | 'report' | false;
  readonly keepAliveMs: number;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
  /** The event that says what went wrong after the headers were sent. */
  readonly errorEvent?: ((error: unknown) => StreamErrorEvent | undefined) | undefined;
}

/** A handler's answer that breaks the contract; goes to `onError`. */
export class ContractBroken extends Error {
  readonly issues: readonly Issue[];

  constructor(what: string, issues: readonly Issue[]) {
    const [first] = issues;
    super(
      `${what} does not match the contract${first === undefined ? '' : `: ${first.pointer || '/'} ${first.message}`}`,
    );
    this.name = 'ContractBroken';
    this.issues = issues;
  }
}

const encoder = new TextEncoder();

/** Turns what `reply` made into what is written. Throws where it cannot be sent as the contract says. */
export function answerOf(reply: ReplyValue, options: AnswerOptions): Answer {
  const { status, type } = reply;
  const headers = type === undefined ? reply.headers : [['content-type', type] as const, ...reply.headers];
  if (reply.body === undefined || type === undefined) return { status, headers, body: undefined };
  if (status === 204 || status === 205 || status === 304) return { status, headers: reply.headers, body: undefined };
  const { content } = reply;
  switch (content?.kind) {
    case undefined:
      return { status, headers, body: looseBody(reply.body) };
    case 'json':
      return { status, headers, body: encoder.encode(jsonText(reply.body, content, options, `status ${status}`)) };
    case 'text':
      if (typeof reply.body !== 'string') throw new TypeError('the body of a text answer is not a string');
      if (options.validate !== false && content.validate !== undefined) {
        check(content.validate, reply.body, options, `status ${status}`);
      }
      return { status, headers, body: encoder.encode(reply.body) };
    case 'bytes':
      return { status, headers, body: bytesBody(reply.body, options) };
    case 'event-stream':
      return {
        status,
        headers: withStreamHeaders(headers),
        body: events(reply.body, content, options),
      };
    case 'jsonl':
    case 'json-seq':
      return { status, headers: withStreamHeaders(headers), body: items(reply.body, content, options) };
  }
}

/** A body that the contract does not describe: text and bytes as they are, everything else as JSON. */
function looseBody(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  if (text === undefined) throw new TypeError('the body is not a JSON value');
  return encoder.encode(text);
}

/** The JSON of a value without what must not leave; checked as it will be read, not as it is held. */
function jsonText(
  value: unknown,
  content: Pick<ContentContract, 'validate' | 'projection' | 'codec'>,
  options: AnswerOptions,
  what: string,
): string {
  const { projection, codec } = content;
  const wire = codec ? codec.encode(value) : value;
  const sent = projection === undefined ? wire : project(wire, projection, options.contract.projections);
  const text = JSON.stringify(sent) as string | undefined;
  if (text === undefined) throw new TypeError(`${what}: the body is not a JSON value`);
  if (options.validate !== false && content.validate !== undefined) {
    check(content.validate, JSON.parse(text) as unknown, options, what);
  }
  return text;
}

function check(validate: Validator<unknown>, value: unknown, options: AnswerOptions, what: string): void {
  const result = validate(value);
  if (result.ok) return;
  const broken = new ContractBroken(what, result.issues);
  if (options.validate === 'throw') throw broken;
  options.onError(broken);
}

function bytesBody(body: unknown, options: AnswerOptions): Uint8Array | ByteStream {
  if (body instanceof Uint8Array) return body;
  if (!isAsyncIterable(body)) throw new TypeError('the body is neither bytes nor a sequence of bytes');
  const iterator = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>;
  return {
    next: async () => {
      try {
        return await iterator.next();
      } catch (error) {
        if (!options.signal.aborted) options.onError(error);
        throw error;
      }
    },
    return: () => {
      Promise.resolve(iterator.return?.()).catch((error: unknown) => options.onError(error));
    },
  };
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** No cache may keep the stream, no proxy may hold it back; what a handler set itself stays. */
function withStreamHeaders(headers: Answer['headers']): Answer['headers'] {
  const given = new Set(headers.map(([name]) => name));
  const own = [
    ['cache-control', 'no-cache, no-transform'],
    ['x-accel-buffering', 'no'],
  ] as const;
  return [...headers, ...own.filter(([name]) => !given.has(name))];
}

/** One JSON text for each item: in a line (`jsonl`), or behind a record separator (RFC 7464). */
function items(body: unknown, { kind, events: [item] = [] }: ContentContract, options: AnswerOptions): ByteStream {
  if (!isAsyncIterable(body) && !isIterable(body)) throw new TypeError('the items are not iterable');
  const before = kind === 'json-seq' ? '\u001e' : '';
  return encodedStream(body, {
    signal: options.signal,
    onError: options.onError,
    encode: (value) => `${before}${jsonText(value, item ?? {}, options, 'an item')}\n`,
  });
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}

interface SseItem {
  readonly event?: unknown;
  readonly data?: unknown;
  readonly id?: string;
  readonly retry?: number;
  readonly comment?: string;
}

function events(body: unknown, content: ContentContract, options: AnswerOptions): ByteStream {
  if (!isAsyncIterable(body)) throw new TypeError('the events are not an async iterable');
  const encode = (item: SseItem): string => encodeSse(frameOf(item, content, options));
  const { errorEvent, keepAliveMs, signal, onError } = options;
  return encodedStream(body as AsyncIterable<SseItem>, {
    signal,
    onError,
    encode,
    idle: keepAliveMs > 0 ? { ms: keepAliveMs, text: ':\n\n' } : undefined,
    farewell: content.sentinel === undefined ? undefined : encodeSse({ data: content.sentinel }),
    lastWords(error) {
      try {
        const event = errorEvent?.(error);
        return event && encode(event);
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
  const contract = eventOf(content, event ?? 'message');
  if (contract === undefined && options.validate !== false)
    check(undeclared, data, options, `the event "${event ?? 'message'}"`);
  const asText = contract === undefined ? typeof data === 'string' : contract.data === 'text';
  if (!asText) {
    const text = jsonText(data, contract ?? {}, options, `the event "${event ?? 'message'}"`);
    return { event, id, retry, comment, data: text };
  }
  if (typeof data !== 'string') throw new TypeError('the data of a text event is not a string');
  if (options.validate !== false && contract?.validate !== undefined) {
    check(contract.validate, data, options, `the event "${event ?? 'message'}"`);
  }
  return { event, id, retry, comment, data };
}

const undeclared: Validator<unknown> = () => ({
  ok: false,
  issues: [{ pointer: '', path: [], schemaPointer: '', keyword: 'event', params: {}, message: 'is not declared' }],
});
