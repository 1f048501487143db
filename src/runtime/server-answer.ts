// SPDX-License-Identifier: 0BSD
import type { ByteStream } from './encoded-stream.js';
import { type AnswerOptions, check, jsonText } from './server-checks.js';
import type { Answer } from './server-faults.js';
import type { ReplyValue } from './server-reply.js';
import { events, items, parts } from './server-streams.js';

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
    case 'multipart': {
      const { stream, boundary } = parts(reply.body, content, options);
      const named = [['content-type', `${type}; boundary=${boundary}`] as const, ...reply.headers];
      return { status, headers: withStreamHeaders(named), body: stream };
    }
  }
}

/** A body that the contract does not describe: text and bytes as they are, everything else as JSON. */
function looseBody(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  if (text === undefined) throw new TypeError('the body is not a JSON value');
  return encoder.encode(text);
}

function bytesBody(body: unknown, options: AnswerOptions): Uint8Array | ByteStream {
  if (body instanceof Uint8Array) return body;
  const isStream = typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
  if (!isStream) throw new TypeError('the body is neither bytes nor a sequence of bytes');
  const iterator = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>;
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

/** No cache may keep the stream, no proxy may hold it back; what a handler set itself stays. */
function withStreamHeaders(headers: Answer['headers']): Answer['headers'] {
  const given = new Set(headers.map(([name]) => name));
  const own = [
    ['cache-control', 'no-cache, no-transform'],
    ['x-accel-buffering', 'no'],
  ] as const;
  return [...headers, ...own.filter(([name]) => !given.has(name))];
}
