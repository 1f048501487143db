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

/** Takes the bytes of a sequence of JSON texts apart, in linear time. */
export abstract class ItemDecoder {
  readonly lastEventId = '';
  readonly retryMs: number | undefined = undefined;
  // JSON texts on the wire have no byte order mark (RFC 8259 section 8.1): one that is there is seen, and is no JSON.
  readonly #utf8 = utf8Pieces();
  readonly #maxLength: number;
  #parts: string[] = [];
  #length = 0;

  constructor(maxLength: number) {
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

  /** Where the character stands, from `start` on, that ends the item; -1 where it is not there yet. Sees each character once. */
  protected abstract endOf(text: string, start: number): number;
  /** An item without what is around it; `undefined` where there is none. */
  protected abstract whole(text: string): string | undefined;
  /** The same for what stands at the end of the stream. */
  protected abstract last(text: string): string | undefined;

  #split(text: string): readonly RawEvent[] {
    const events: RawEvent[] = [];
    let start = 0;
    for (let end = this.endOf(text, 0); end >= 0; end = this.endOf(text, start)) {
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
  protected endOf(text: string, start: number): number {
    return text.indexOf('\n', start);
  }

  protected whole(text: string): string | undefined {
    const line = text.endsWith('\r') ? text.slice(0, -1) : text;
    return /^[ \t]*$/.test(line) ? undefined : line;
  }

  protected last(text: string): string | undefined {
    return this.whole(text);
  }
}

/**
 * A record separator before each JSON text and a line feed behind it (RFC 7464). The text may have line feeds inside: it
 * ends with the first one outside of its brackets, so that nobody waits for the next record, or with the next separator.
 */
export class RecordDecoder extends ItemDecoder {
  /** How many brackets are open. */
  #depth = 0;
  #inString = false;
  #escaped = false;

  protected endOf(text: string, start: number): number {
    for (let at = start; at < text.length; at += 1) {
      const character = text[at];
      if (character === '\u001e' || (character === '\n' && this.#depth <= 0 && !this.#inString)) {
        this.#depth = 0;
        this.#inString = this.#escaped = false;
        return at;
      }
      if (this.#escaped) this.#escaped = false;
      else if (character === '"') this.#inString = !this.#inString;
      else if (this.#inString) this.#escaped = character === '\\';
      else if (character === '{' || character === '[') this.#depth += 1;
      else if (character === '}' || character === ']') this.#depth -= 1;
    }
    return -1;
  }

  protected whole(text: string): string | undefined {
    const record = text.trim();
    return record === '' ? undefined : record;
  }

  /** What was cut off is dropped, as is a number or a word without its line feed, which may have been (section 2.4). */
  protected last(text: string): string | undefined {
    return this.#depth === 0 && !this.#inString && /[\]}"]\s*$/.test(text) ? this.whole(text) : undefined;
  }
}
