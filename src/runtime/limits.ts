// SPDX-License-Identifier: 0BSD
import type { Middleware } from './client.js';
import { CallError } from './errors.js';

export interface AnswerLimits {
  /** How deep arrays and objects of a JSON body may be nested; default 100. */
  readonly jsonDepth?: number | undefined;
  /** Characters that the names and values of all headers may have together; default 65,536. */
  readonly headerLength?: number | undefined;
}

/**
 * Middleware that refuses answers whose JSON is nested too deep, while it arrives, and those with too many headers: a
 * `CallError` of kind `response`. The size of a body is limited by `maxResponseBytes`, that of an event by `maxEventLength`.
 */
export function limitAnswers({ jsonDepth = 100, headerLength = 65_536 }: AnswerLimits = {}): Middleware {
  return async (request, next) => {
    const response = await next(request);
    let length = 0;
    response.headers.forEach((value, name) => {
      length += name.length + value.length;
    });
    if (length > headerLength) {
      await response.body?.cancel();
      throw new CallError('response', `the headers exceed headerLength (${headerLength})`, { response });
    }
    const type = response.headers.get('content-type') ?? '';
    if (!response.body || !/^[^;]*json\s*(?:;|$)/i.test(type)) return response;
    const counted = new Response(response.body.pipeThrough(depthLimit(jsonDepth)), response);
    Object.defineProperty(counted, 'url', { value: response.url });
    return counted;
  };
}

/** Counts brackets outside of strings. All of JSON's own characters are ASCII, and no other byte of UTF-8 is. */
function depthLimit(limit: number): TransformStream<Uint8Array, Uint8Array> {
  let depth = 0;
  let quoted = false;
  let escaped = false;
  return new TransformStream({
    transform(chunk, controller) {
      for (const byte of chunk) {
        if (escaped) escaped = false;
        else if (quoted && byte === 0x5c) escaped = true;
        else if (byte === 0x22) quoted = !quoted;
        else if (!quoted && (byte === 0x5b || byte === 0x7b)) depth += 1;
        else if (!quoted && (byte === 0x5d || byte === 0x7d)) depth -= 1;
        if (depth > limit) throw new CallError('response', `the body is nested deeper than jsonDepth (${limit})`);
      }
      controller.enqueue(chunk);
    },
  });
}
