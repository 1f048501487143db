// SPDX-License-Identifier: 0BSD
import { fieldIssues } from './event-fields.js';
import { isEnd } from './event-spec.js';
import { LineDecoder, RecordDecoder } from './item-decode.js';
import { boundaryOf, PartDecoder, readAs, textOfPart } from './part-decode.js';
import { decodeText } from './server-body.js';
import type { ContentContract, EventContract } from './server-contract.js';
import { contractOf, eventData } from './server-events.js';
import { placed, requestIssue } from './server-parameters.js';
import { SseDecoder } from './sse-decode.js';
import type { ReceivedPart } from './stream-part.js';
import type { Issue } from './validation.js';

/** Where something stands in a request: `['body', 1, 'data']`. */
type Path = readonly (string | number)[];

/** How the items of a body become values; both throw what refuses the request. */
export interface ItemParser {
  /** Parses one JSON text of a body, for the contract of its item. */
  parse(text: string, contract: Partial<EventContract>, path: Path): unknown;
  /** Refuses what is no item. */
  refuse(message: string, path: Path): never;
}

/** An event of a request's body as handlers are given it. */
interface ReceivedEvent {
  readonly event: string;
  readonly data: unknown;
  /** The one that stands in this event. */
  readonly id?: string;
  readonly retry?: number;
}

/** The items of a body that is a sequence; nothing where it is none. Throws BodyFault where it is no UTF-8, and what the parser throws. */
export function readSequence(
  content: ContentContract,
  contentType: string,
  bytes: Uint8Array,
  parser: ItemParser,
): readonly unknown[] | undefined {
  const [item = {}] = content.events ?? [];
  switch (content.kind) {
    case 'jsonl':
    case 'json-seq': {
      // The decoder repairs what is no UTF-8; a server refuses it.
      decodeText(bytes);
      const whole = Number.POSITIVE_INFINITY;
      const decoder = content.kind === 'jsonl' ? new LineDecoder(whole) : new RecordDecoder(whole);
      const found = [...decoder.push(bytes), ...decoder.end()];
      const end = found.findIndex(({ data }) => isEnd(content, data));
      return found.slice(0, end < 0 ? undefined : end).map(({ data, fault }, index) => {
        const path = ['body', index];
        return fault === undefined ? parser.parse(data, item, path) : parser.refuse(fault, path);
      });
    }
    case 'event-stream':
      return readEvents(content, bytes, parser);
    case 'multipart':
      return readParts(content, contentType, bytes, parser);
    default:
      return undefined;
  }
}

const blankLine = new TextEncoder().encode('\n\n');

function readEvents(content: ContentContract, bytes: Uint8Array, parser: ItemParser): readonly ReceivedEvent[] {
  // The decoder repairs what is no UTF-8; a server refuses it.
  decodeText(bytes);
  const received: ReceivedEvent[] = [];
  const decoder = new SseDecoder(Number.POSITIVE_INFINITY);
  const events = decoder.push(bytes);
  // A stream may break off, and its unfinished event is none; a request is there as a whole.
  const isUnfinished = decoder.push(blankLine).length > 0;
  for (const { name, data, ownId: id, retry } of events) {
    if (isEnd(content, data, name)) return received;
    const path = ['body', received.length, 'data'];
    const value = eventData(content, name, data, (contract) => parser.parse(data, contract, path));
    received.push({ event: name, data: value, ...(id !== undefined && { id }), ...(retry !== undefined && { retry }) });
  }
  if (isUnfinished) parser.refuse('the blank line that ends the event is missing', ['body', received.length]);
  return received;
}

function readParts(
  { events = [] }: ContentContract,
  contentType: string,
  bytes: Uint8Array,
  parser: ItemParser,
): readonly ReceivedPart<unknown>[] {
  const decoder = new PartDecoder(
    boundaryOf(contentType) ?? parser.refuse('the media type names no boundary', ['body']),
    Number.POSITIVE_INFINITY,
  );
  const found = decoder.push(bytes);
  if (!decoder.complete) parser.refuse('the closing boundary is missing', ['body']);
  return found.map(({ data, contentType: type, headers, fault }, index) => {
    const path = ['body', index];
    if (fault !== undefined) parser.refuse(fault, path);
    const spec = positioned(events, index);
    const kind = readAs(spec, type) ?? parser.refuse('has a media type that is not declared', path);
    if (kind === 'binary') return { data, contentType: type, headers };
    const text = textOfPart(data, type, kind) ?? parser.refuse('is not text of its charset', path);
    const value = kind === 'json' ? parser.parse(text, spec, [...path, 'data']) : text;
    return { data: value, contentType: type, headers };
  });
}

const anyPart: EventContract = { name: 'item', data: 'any' };

/** What the contract says of a part. */
function positioned(events: readonly EventContract[], index: number): EventContract {
  return events[Math.min(index, events.length - 1)] ?? anyPart;
}

/** Whether the schema of a part describes what it holds: where the contract leaves open what that is, only JSON. */
function isDescribed({ data: declared }: EventContract, { data, contentType }: ReceivedPart<unknown>): boolean {
  return !(data instanceof Uint8Array) && (declared !== 'any' || /[/+]json\s*(?:;|$)/i.test(contentType));
}

/** What the contract says against the items; nothing where the body is no sequence. */
export function checkSequence(content: ContentContract, value: unknown): readonly Issue[] | undefined {
  const [item] = content.events ?? [];
  if (!item || !Array.isArray(value)) return undefined;
  const ofAll = content.validate
    ? issuesOf({ validate: content.validate }, value, ['body'])
    : wholeIssues(content, value);
  if (ofAll.length > 0) return ofAll;
  return value.flatMap((one: unknown, index): readonly Issue[] => {
    if (content.kind === 'multipart') {
      const part = one as ReceivedPart<unknown>;
      const spec = positioned(content.events ?? [], index);
      return isDescribed(spec, part) ? issuesOf(spec, part.data, ['body', index, 'data']) : [];
    }
    if (content.kind !== 'event-stream') return issuesOf(item, one, ['body', index]);
    const { event, data } = one as ReceivedEvent;
    const contract = contractOf(content, event, data);
    const ofFields = fieldIssues(contract, one as ReceivedEvent).map((issue) => placed(issue, ['body', index]));
    if (contract) return [...ofFields, ...issuesOf(contract, data, ['body', index, 'data'])];
    return [requestIssue(['body', index, 'event'], 'enum', 'is not an event of this stream')];
  });
}

function wholeIssues(content: ContentContract, items: readonly unknown[]): Issue[] {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, unique } = content;
  const { length } = items;
  if (length < minItems) return [requestIssue(['body'], 'minItems', `has fewer than ${minItems} items`)];
  if (length > maxItems) return [requestIssue(['body'], 'maxItems', `has more than ${maxItems} items`)];
  if (!unique || unique(items.map((one) => itemOf(content, one)))) return [];
  return [requestIssue(['body'], 'uniqueItems', 'has two items that are equal')];
}

/** What the schema of the whole calls an item: the data of a part, or of an event that is described by its data alone. */
function itemOf({ kind, anyName }: ContentContract, one: unknown): unknown {
  const { data } = one as ReceivedEvent;
  if (kind !== 'multipart') return anyName ? data : one;
  // Bytes are compared as such, and equal no text.
  return data instanceof Uint8Array ? { bytes: Array.from(data, (byte) => String.fromCharCode(byte)).join('') } : data;
}

function issuesOf({ validate }: Pick<EventContract, 'validate'>, value: unknown, path: Path): readonly Issue[] {
  const verdict = validate?.(value);
  return !verdict || verdict.ok ? [] : verdict.issues.map((issue) => placed(issue, path));
}

/** The items as programs hold them; nothing where the body is no sequence. */
export function decodeSequence(
  content: ContentContract,
  value: unknown,
  decode: (contract: EventContract, value: unknown, path: Path) => unknown,
): readonly unknown[] | undefined {
  const [item] = content.events ?? [];
  if (!item || !Array.isArray(value)) return undefined;
  return value.map((one: unknown, index) => {
    if (content.kind === 'multipart') {
      const part = one as ReceivedPart<unknown>;
      const spec = positioned(content.events ?? [], index);
      return isDescribed(spec, part) ? { ...part, data: decode(spec, part.data, ['body', index, 'data']) } : part;
    }
    if (content.kind !== 'event-stream') return decode(item, one, ['body', index]);
    const received = one as ReceivedEvent;
    const contract = contractOf(content, received.event, received.data);
    return contract ? { ...received, data: decode(contract, received.data, ['body', index, 'data']) } : received;
  });
}
