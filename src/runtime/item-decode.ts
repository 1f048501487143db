// SPDX-License-Identifier: 0BSD
import { CallError } from './errors.js';
import type { RawEvent } from './sse-decode.js';
import { utf8Pieces } from './utf8-pieces.js';

function tooLong(limit: number): CallError {
  return new CallError('stream', `an item is longer than maxEventLength (${limit})`);
}

function item(data: string): RawEvent {
  return { name: 'item', data, id: '', retry: undefined };
}

/** Takes the bytes of a sequence apart at one character, in linear time. */
export abstract class ItemDecoder {
  readonly lastEventId = '';
  readonly retryMs: number | undefined = undefined;
  // JSON texts on the wire have no byte order mark (RFC 8259 section 8.1): one that is there is seen, and is no JSON.
  readonly #utf8 = utf8Pieces();
  readonly #mark: string;
  readonly #maxLength: number;
  #parts: string[] = [];
  #length = 0;

  constructor(mark: string, maxLength: number) {
    this.#mark = mark;
    this.#maxLength = maxLength;
  }

  /** Takes the next bytes and gives the items that they complete. */
  push(chunk: Uint8Array): readonly RawEvent[] {
    return this.#split(this.#utf8(chunk));
  }

  /** Gives what the end of the stream completes. */
  end(): readonly RawEvent[] {
    const events = [...this.#split(this.#utf8())];
    const rest = this.last(this.#take());
    return rest === undefined ? events : [...events, item(rest)];
  }

  /** An item without what is around it; `undefined` where there is none. */
  protected abstract whole(text: string): string | undefined;
  /** The same for what stands behind the last mark. */
  protected abstract last(text: string): string | undefined;

  #split(text: string): readonly RawEvent[] {
    const events: RawEvent[] = [];
    let start = 0;
    for (let end = text.indexOf(this.#mark); end >= 0; end = text.indexOf(this.#mark, start)) {
      this.#hold(text.slice(start, end));
      const found = this.whole(this.#take());
      if (found !== undefined) events.push(item(found));
      start = end + 1;
    }
    this.#hold(text.slice(start));
    return events;
  }

  #hold(text: string): void {
    this.#length += text.length;
    if (this.#length > this.#maxLength) throw tooLong(this.#maxLength);
    if (text !== '') this.#parts.push(text);
  }

  #take(): string {
    const text = this.#parts.join('');
    this.#parts = [];
    this.#length = 0;
    return text;
  }
}

/** One JSON text in each line (`application/jsonl`, `application/x-ndjson`). Blank lines are none, and the last line may lack its end. */
export class LineDecoder extends ItemDecoder {
  constructor(maxLength: number) {
    super('\n', maxLength);
  }

  protected whole(text: string): string | undefined {
    const line = text.endsWith('\r') ? text.slice(0, -1) : text;
    return /^[ \t]*$/.test(line) ? undefined : line;
  }

  protected last(text: string): string | undefined {
    return this.whole(text);
  }
}

/** A record separator before each JSON text and a line feed behind it (RFC 7464). */
export class RecordDecoder extends ItemDecoder {
  constructor(maxLength: number) {
    super('\x1e', maxLength);
  }

  protected whole(text: string): string | undefined {
    const record = text.trim();
    return record === '' ? undefined : record;
  }

  /** A number or a word without its line feed may have been cut off, so it is dropped (section 2.4); brackets and quotes tell their end. */
  protected last(text: string): string | undefined {
    const isWhole = /\s$/.test(text) || /[\]}"]$/.test(text);
    return isWhole ? this.whole(text) : undefined;
  }
}
