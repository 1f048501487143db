// SPDX-License-Identifier: 0BSD
import { CallError } from './errors.js';

/** One event as the wire gives it (HTML Standard, "Server-sent events", interpreting an event stream). */
export interface RawEvent {
  /** `message` where the stream names none. */
  readonly name: string;
  readonly data: string;
  /** The last event id at this event, `""` where there is none. */
  readonly id: string;
  /** The reconnection time that stood in this event, in milliseconds. */
  readonly retry: number | undefined;
}

export interface SseDecoder {
  /** The last id that a blank line has committed. */
  readonly lastEventId: string;
  /** The last reconnection time, in milliseconds. */
  readonly retryMs: number | undefined;
  /** Takes the next bytes and gives the events that they complete. What is unfinished at the end is no event. */
  push(chunk: Uint8Array): readonly RawEvent[];
}

/** Decodes in linear time. `maxLength` limits what is held back of an unfinished event, in UTF-16 code units. */
export function createSseDecoder(maxLength: number): SseDecoder {
  // The decoder would strip a byte order mark of its own accord and so hide a second one, which is content.
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
  let started = false;
  let skipLineFeed = false;
  let line = '';
  let name = '';
  let data = '';
  let size = 0;
  let id = '';
  let lastEventId = '';
  let retry: number | undefined;
  let retryMs: number | undefined;
  let events: RawEvent[] = [];

  const dispatch = (): void => {
    lastEventId = id;
    // Every data line ends with a line feed; without any there is no event.
    if (data !== '') events.push({ name: name || 'message', data: data.slice(0, -1), id, retry });
    name = data = '';
    size = 0;
    retry = undefined;
  };

  const interpret = (text: string): void => {
    if (text === '') {
      dispatch();
      return;
    }
    const colon = text.indexOf(':');
    const field = colon < 0 ? text : text.slice(0, colon);
    const value = colon < 0 ? '' : text.slice(text[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') data += `${value}\n`;
    else if (field === 'event') name = value;
    else if (field === 'id' && !value.includes('\0')) id = value;
    // Beyond 2^31-1 a timer fires at once.
    else if (field === 'retry' && /^[0-9]+$/.test(value)) retry = retryMs = Math.min(Number(value), 2 ** 31 - 1);
    if (field !== '') size += text.length;
  };

  const check = (held: number): void => {
    if (held > maxLength) throw new CallError('stream', `an event is longer than maxEventLength (${maxLength})`);
  };

  const scan = (text: string): void => {
    let start = skipLineFeed && text[0] === '\n' ? 1 : 0;
    if (text !== '') skipLineFeed = false;
    // Each end is searched again only once it is passed: a search per line would be quadratic where one is missing.
    let feed = text.indexOf('\n', start);
    let carriage = text.indexOf('\r', start);
    while (feed >= 0 || carriage >= 0) {
      const end = feed < 0 || (carriage >= 0 && carriage < feed) ? carriage : feed;
      const complete = line + text.slice(start, end);
      line = '';
      check(size + complete.length);
      interpret(complete);
      // CR, LF and CRLF end a line. A CR at the end of a chunk ends it at once; an LF that follows is swallowed.
      skipLineFeed = end === carriage && end + 1 === text.length;
      start = end === carriage && text[end + 1] === '\n' ? end + 2 : end + 1;
      if (feed >= 0 && feed < start) feed = text.indexOf('\n', start);
      if (carriage >= 0 && carriage < start) carriage = text.indexOf('\r', start);
    }
    line += text.slice(start);
    check(size + line.length);
  };

  return {
    get lastEventId() {
      return lastEventId;
    },
    get retryMs() {
      return retryMs;
    },
    push(chunk) {
      let text = utf8.decode(chunk, { stream: true });
      if (!started && text !== '') {
        started = true;
        if (text[0] === '\ufeff') text = text.slice(1);
      }
      scan(text);
      const complete = events;
      events = [];
      return complete;
    },
  };
}
