// SPDX-License-Identifier: 0BSD
import { CallError } from './errors.js';
import { utf8Pieces } from './utf8-pieces.js';

function tooLong(limit: number): CallError {
  return new CallError('stream', `an item exceeds maxEventLength (${limit})`);
}

/** The text of an item, without the white space around it. */
export interface RawItem {
  readonly data: string;
  /** Why it is none, whatever its text says. */
  readonly fault?: string;
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
  push(chunk: Uint8Array): readonly RawItem[] {
    return this.#split(this.#utf8(chunk));
  }

  /** Gives what the end of the stream completes. */
  end(): readonly RawItem[] {
    const items = this.#split(this.#utf8());
    const rest = this.itemOf(this.#take(), '');
    return rest ? [...items, rest] : items;
  }

  /** Where the character stands, from `start` on, that ends the item; -1 where it is not there yet. Sees each character once. */
  protected abstract endOf(text: string, start: number): number;
  /** The item that stands before an end, if there is one. `ending` is the character that ends it; `''` where the stream does. */
  protected abstract itemOf(text: string, ending: string): RawItem | undefined;

  #split(text: string): readonly RawItem[] {
    const items: RawItem[] = [];
    let start = 0;
    for (let end = this.endOf(text, 0); end >= 0; end = this.endOf(text, start)) {
      this.#hold(text.slice(start, end));
      const found = this.itemOf(this.#take(), text.charAt(end));
      if (found) items.push(found);
      start = end + 1;
    }
    this.#hold(text.slice(start));
    return items;
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

  protected itemOf(text: string): RawItem | undefined {
    const data = withoutSpace(text);
    return data === '' ? undefined : { data };
  }
}

const separator = '\u001e';

/**
 * A record separator before each JSON text and a line feed behind it (RFC 7464). The text may have line feeds inside: it
 * ends with the first one outside of its brackets, so that nobody waits for the next record, or with the next separator.
 * What is malformed is told, and reading goes on behind it (section 2.3).
 */
export class RecordDecoder extends ItemDecoder {
  /** How many brackets are open. */
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** Whether a separator stands before what comes next. */
  #marked = false;

  protected endOf(text: string, start: number): number {
    for (let at = start; at < text.length; at += 1) {
      const character = text[at];
      if (character === separator || (character === '\n' && this.#depth <= 0 && !this.#inString)) {
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

  protected itemOf(text: string, ending: string): RawItem | undefined {
    const data = withoutSpace(text);
    const marked = this.#marked;
    if (ending === separator) this.#marked = true;
    // A blank line is no record: the separator still stands before the one that comes.
    else if (data !== '') this.#marked = false;
    if (data === '') return undefined;
    if (!marked) return { data, fault: 'no record separator stands before the item' };
    // What has brackets or quotes shows itself whether it is whole (section 2.4).
    const isCut = ending !== '\n' && !/[\]}" \t\r\n]$/.test(text);
    return isCut ? { data, fault: 'the item may be cut off: no white space stands behind it' } : { data };
  }
}

/** Without the white space of JSON around it (RFC 8259 section 2); other space is no JSON. */
function withoutSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text, start)) start += 1;
  while (end > start && isSpace(text, end - 1)) end -= 1;
  return text.slice(start, end);
}

function isSpace(text: string, at: number): boolean {
  return ' \t\r\n'.includes(text.charAt(at));
}
