// SPDX-License-Identifier: 0BSD
import { CallError } from './errors.js';
import { utf8Pieces } from './utf8-pieces.js';

/** One event as the wire gives it (HTML Standard, "Server-sent events", interpreting an event stream). */
export interface RawEvent {
  /** `message` where the stream names none. */
  readonly name: string;
  readonly data: string;
  /** The last event id at this event, `""` where there is none. */
  readonly id: string;
  /** The id that stood in this event, which may be `""`. */
  readonly ownId: string | undefined;
  /** The reconnection time that stood in this event, in milliseconds. */
  readonly retry: number | undefined;
}

/** Decodes the bytes of a stream in linear time. What is unfinished at the end is no event. */
export class SseDecoder {
  /** The last id that a blank line has committed. */
  lastEventId = '';
  /** The last reconnection time, in milliseconds. */
  retryMs: number | undefined;

  #utf8 = utf8Pieces();
  readonly #maxLength: number;
  /** What is no content where the next text begins with it: at the start a byte order mark, and one only. */
  #skipped = '\ufeff';
  /** The line that no line end has come for yet. */
  #line = '';
  #name = '';
  #data: string | undefined;
  #id = '';
  #ownId: string | undefined;
  #retry: number | undefined;
  #events: RawEvent[] = [];

  /** `maxLength` limits what is held back of an unfinished event, in UTF-16 code units. */
  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** Goes on with the bytes of another connection; the id and the reconnection time stay. */
  restart(): void {
    this.#utf8 = utf8Pieces();
    this.#skipped = '\ufeff';
    this.#line = this.#name = '';
    this.#id = this.lastEventId;
    this.#data = this.#ownId = this.#retry = undefined;
  }

  /** Takes the next bytes and gives the events that they complete. */
  push(chunk: Uint8Array): readonly RawEvent[] {
    this.#events = [];
    const text = this.#utf8(chunk);
    if (text !== '') this.#scan(text);
    return this.#events;
  }

  /** Each kind of line end is searched again only once it is passed: a search per line would be quadratic where one is missing. */
  #scan(text: string): void {
    let start = text[0] === this.#skipped ? 1 : 0;
    // CR, LF and CRLF end a line. A CR at the end of a chunk ends it at once; an LF that follows is swallowed.
    this.#skipped = text.endsWith('\r') ? '\n' : '';
    let feed = text.indexOf('\n', start);
    let carriage = text.indexOf('\r', start);
    while (feed >= 0 || carriage >= 0) {
      const end = feed < 0 || (carriage >= 0 && carriage < feed) ? carriage : feed;
      // A line that lies in one chunk, as nearly all do, is read where it stands.
      if (this.#line === '') this.#interpret(text, start, end);
      else {
        const line = this.#line + text.slice(start, end);
        this.#line = '';
        this.#interpret(line, 0, line.length);
      }
      start = end + 1;
      if (text.charCodeAt(start) === 10) {
        // The second half of CRLF, or the blank line that ends most events.
        if (end === feed) this.#dispatch();
        start += 1;
      }
      if (feed >= 0 && feed < start) feed = text.indexOf('\n', start);
      if (carriage >= 0 && carriage < start) carriage = text.indexOf('\r', start);
    }
    this.#line += start > 0 ? text.slice(start) : text;
    this.#limit();
  }

  #limit(): void {
    if ((this.#data ?? '').length + this.#line.length > this.#maxLength)
      throw new CallError('stream', `an event exceeds maxEventLength (${this.#maxLength})`);
  }

  /** Takes the line that stands in `text` from `start` to `end`. */
  #interpret(text: string, start: number, end: number): void {
    if (start === end) {
      this.#dispatch();
      return;
    }
    // Each field has a first letter of its own; comparing whole names for every line would take half of the time.
    const first = text.charCodeAt(start);
    if (first === 100) {
      const value = fieldValue('data', text, start, end);
      if (value === undefined) return;
      this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
      this.#limit();
    } else if (first === 101) this.#name = fieldValue('event', text, start, end) ?? this.#name;
    else if (first === 105) {
      const value = fieldValue('id', text, start, end) ?? '\0';
      if (!value.includes('\0')) this.#id = this.#ownId = value;
    } else if (first === 114) {
      const value = fieldValue('retry', text, start, end) ?? '';
      // Beyond 2^31-1 a timer fires at once.
      if (/^\d+$/.test(value)) this.#retry = this.retryMs = Math.min(Number(value), 2 ** 31 - 1);
    }
  }

  #dispatch(): void {
    this.lastEventId = this.#id;
    if (this.#data !== undefined) {
      const name = this.#name || 'message';
      this.#events.push({ name, data: this.#data, id: this.#id, ownId: this.#ownId, retry: this.#retry });
    }
    this.#name = '';
    this.#data = this.#ownId = this.#retry = undefined;
  }
}

/** The value of a line, less one space at its start, where the line is of this field; a field alone has an empty one. */
function fieldValue(field: string, text: string, start: number, end: number): string | undefined {
  if (!text.startsWith(field, start)) return undefined;
  const at = start + field.length;
  if (at === end) return '';
  return text.charCodeAt(at) === 58 ? text.slice(text.charCodeAt(at + 1) === 32 ? at + 2 : at + 1, end) : undefined;
}
