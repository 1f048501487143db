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

/** It would strip a byte order mark of its own accord and so hide a second one, which is content. */
function utf8(): TextDecoder {
  return new TextDecoder('utf-8', { ignoreBOM: true });
}

/** Decodes the bytes of a stream in linear time. What is unfinished at the end is no event. */
export class SseDecoder {
  /** The last id that a blank line has committed. */
  lastEventId = '';
  /** The last reconnection time, in milliseconds. */
  retryMs: number | undefined;

  #utf8 = utf8();
  readonly #maxLength: number;
  #started = false;
  #skipLineFeed = false;
  /** The line that no line end has come for yet. */
  #line = '';
  #name = '';
  #data = '';
  #id = '';
  #retry: number | undefined;
  /** What the finished lines of the event take. */
  #size = 0;
  #events: RawEvent[] = [];

  /** `maxLength` limits what is held back of an unfinished event, in UTF-16 code units. */
  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** What is unfinished at the end is no event. */
  end(): readonly RawEvent[] {
    return [];
  }

  /** Goes on with the bytes of another connection; the id and the reconnection time stay. */
  restart(): void {
    this.#utf8 = utf8();
    this.#started = this.#skipLineFeed = false;
    this.#line = this.#name = this.#data = '';
    this.#id = this.lastEventId;
    this.#retry = undefined;
    this.#size = 0;
  }

  /** Takes the next bytes and gives the events that they complete. */
  push(chunk: Uint8Array): readonly RawEvent[] {
    let text = this.#utf8.decode(chunk, { stream: true });
    if (!this.#started && text !== '') {
      this.#started = true;
      if (text[0] === '\ufeff') text = text.slice(1);
    }
    this.#scan(text);
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** Each kind of line end is searched again only once it is passed: a search per line would be quadratic where one is missing. */
  #scan(text: string): void {
    let start = this.#skipLineFeed && text[0] === '\n' ? 1 : 0;
    if (text !== '') this.#skipLineFeed = false;
    let feed = text.indexOf('\n', start);
    let carriage = text.indexOf('\r', start);
    while (feed >= 0 || carriage >= 0) {
      const end = feed < 0 || (carriage >= 0 && carriage < feed) ? carriage : feed;
      this.#hold(text.slice(start, end));
      this.#interpret(this.#line);
      this.#line = '';
      // CR, LF and CRLF end a line. A CR at the end of a chunk ends it at once; an LF that follows is swallowed.
      this.#skipLineFeed = end === carriage && end + 1 === text.length;
      start = end === carriage && text[end + 1] === '\n' ? end + 2 : end + 1;
      if (feed >= 0 && feed < start) feed = text.indexOf('\n', start);
      if (carriage >= 0 && carriage < start) carriage = text.indexOf('\r', start);
    }
    this.#hold(text.slice(start));
  }

  #hold(text: string): void {
    this.#line += text;
    if (this.#size + this.#line.length <= this.#maxLength) return;
    throw new CallError('stream', `an event is longer than maxEventLength (${this.#maxLength})`);
  }

  #interpret(line: string): void {
    if (line === '') {
      this.#dispatch();
      return;
    }
    const colon = line.indexOf(':');
    if (colon === 0) return;
    this.#size += line.length;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') this.#data += `${value}\n`;
    else if (field === 'event') this.#name = value;
    else if (field === 'id' && !value.includes('\0')) this.#id = value;
    else if (field === 'retry' && /^[0-9]+$/.test(value)) {
      // Beyond 2^31-1 a timer fires at once.
      this.#retry = this.retryMs = Math.min(Number(value), 2 ** 31 - 1);
    }
  }

  #dispatch(): void {
    this.lastEventId = this.#id;
    // Every data line ends with a line feed; without any there is no event.
    if (this.#data !== '') {
      const data = this.#data.slice(0, -1);
      this.#events.push({ name: this.#name || 'message', data, id: this.#id, retry: this.#retry });
    }
    this.#name = this.#data = '';
    this.#size = 0;
    this.#retry = undefined;
  }
}
