// SPDX-License-Identifier: 0BSD
import { type EventSpec, type EventsSpec, isEnd } from './event-spec.js';

/** One item of a stream as it goes on the wire; `data` is text already. */
export interface SseFrame {
  readonly event?: string | undefined;
  readonly data?: string | undefined;
  readonly id?: string | undefined;
  readonly retry?: number | undefined;
  readonly comment?: string | undefined;
}

const lineEnd = /\r\n|\r|\n/;

/**
 * Writes one event (WHATWG HTML, server-sent events). Line ends in `data` and `comment` become lines of their own; in
 * `event` and `id` they would let data pass for fields, so they are refused. Throws TypeError.
 */
export function encodeSse(frame: SseFrame): string {
  let text = '';
  if (frame.comment !== undefined) {
    for (const line of String(frame.comment).split(lineEnd)) text += `: ${line}\n`;
  }
  if (frame.event !== undefined && frame.event !== 'message') {
    if (/[\r\n]/.test(frame.event)) throw new TypeError('the name of an event holds a line end');
    text += `event: ${frame.event}\n`;
  }
  if (frame.id !== undefined) {
    // A reader has to give it back in a header, which cannot hold others either (RFC 9110 section 5.5).
    if (/[\0-\x08\n-\x1f\x7f]/.test(frame.id)) throw new TypeError('the id of an event holds a control character');
    text += `id: ${frame.id}\n`;
  }
  if (frame.retry !== undefined) {
    if (!Number.isSafeInteger(frame.retry) || frame.retry < 0) {
      throw new TypeError('the retry of an event is not a whole number of milliseconds');
    }
    text += `retry: ${frame.retry}\n`;
  }
  if (frame.data !== undefined) {
    // Always with the space: a reader removes one, so that a leading space of the data survives.
    for (const line of frame.data.split(lineEnd)) text += `data: ${line}\n`;
  }
  return `${text}\n`;
}

/** Whether a reader would take data for the end of the stream, as it comes to him: every line end is LF then. */
export function endsStream<E extends Pick<EventSpec, 'name' | 'data'>>(
  spec: EventsSpec<E>,
  data: string,
  name: string,
): boolean {
  return isEnd(spec, data.split(lineEnd).join('\n'), name);
}
