// SPDX-License-Identifier: 0BSD
import { decodeText } from './server-body.js';
import { type ContentContract, type EventContract, eventOf } from './server-contract.js';
import { placed, requestIssue } from './server-parameters.js';
import { SseDecoder } from './sse-decode.js';
import type { Issue } from './validation.js';

/** Where something stands in a request: `['body', 1, 'data']`. */
type Path = readonly (string | number)[];

/** Parses one JSON text of a body, for the contract of its item. */
export type ParseItem = (text: string, contract: Partial<EventContract>, path: Path) => unknown;

/** An event of a request's body as handlers are given it. */
interface ReceivedEvent {
  readonly event: string;
  readonly data: unknown;
  readonly id?: string;
  readonly retry?: number;
}

/** The items of a body that is a sequence; nothing where it is none. Throws BodyFault where it is no UTF-8, and what `parse` throws. */
export function readSequence(
  content: ContentContract,
  bytes: Uint8Array,
  parse: ParseItem,
): readonly unknown[] | undefined {
  const [item = {}] = content.events ?? [];
  switch (content.kind) {
    case 'jsonl':
    case 'json-seq': {
      // Lines, or what stands behind record separators (RFC 7464); blank ones are none.
      const texts = decodeText(bytes).split(content.kind === 'jsonl' ? '\n' : '\u001e');
      const filled = texts.filter((text) => text.trim() !== '');
      return filled.map((text, index) => parse(text, item, ['body', index]));
    }
    case 'event-stream':
      return readEvents(content, bytes, parse);
    default:
      return undefined;
  }
}

function readEvents(content: ContentContract, bytes: Uint8Array, parse: ParseItem): readonly ReceivedEvent[] {
  // The decoder repairs what is no UTF-8; a server refuses it.
  decodeText(bytes);
  const received: ReceivedEvent[] = [];
  for (const { name, data, id, retry } of new SseDecoder(Number.POSITIVE_INFINITY).push(bytes)) {
    if (data === content.sentinel) break;
    const contract = eventOf(content, name);
    // An event without data primes a stream to give it an id.
    if (contract?.data === 'json' && data === '') continue;
    const value = contract?.data === 'json' ? parse(data, contract, ['body', received.length, 'data']) : data;
    received.push({ event: name, data: value, ...(id !== '' && { id }), ...(retry !== undefined && { retry }) });
  }
  return received;
}

/** What the contract says against the items; nothing where the body is no sequence. */
export function checkSequence(content: ContentContract, value: unknown): readonly Issue[] | undefined {
  const [item] = content.events ?? [];
  if (!item || !Array.isArray(value)) return undefined;
  return value.flatMap((one: unknown, index): readonly Issue[] => {
    if (content.kind !== 'event-stream') return issuesOf(item, one, ['body', index]);
    const { event, data } = one as ReceivedEvent;
    const contract = eventOf(content, event);
    if (contract) return issuesOf(contract, data, ['body', index, 'data']);
    return [requestIssue(['body', index, 'event'], 'enum', 'is not an event of this stream')];
  });
}

function issuesOf({ validate }: EventContract, value: unknown, path: Path): readonly Issue[] {
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
    if (content.kind !== 'event-stream') return decode(item, one, ['body', index]);
    const received = one as ReceivedEvent;
    const contract = eventOf(content, received.event);
    return contract ? { ...received, data: decode(contract, received.data, ['body', index, 'data']) } : received;
  });
}
