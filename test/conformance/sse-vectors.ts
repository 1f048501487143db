/** Streams of server-sent events with the events that come of them, and our decoder's answer to them. */
import { readFileSync } from 'node:fs';
import { SseDecoder } from '../../src/runtime/sse-decode.js';

export interface SeenEvent {
  readonly event: string;
  readonly data: string;
  readonly id: string;
}

export interface Vector {
  readonly name: string;
  readonly chunks: readonly Uint8Array[];
  readonly events: readonly SeenEvent[];
  /** The reconnection time at the end; `null` where there is none, `undefined` where the vector says nothing of it. */
  readonly retry?: number | null | undefined;
  readonly lastEventId?: string;
}

interface WrittenVector {
  readonly name: string;
  readonly chunksBase64: readonly string[];
  /** The events; one vector says them in prose, because they are many. */
  readonly expect: readonly SeenEvent[] | { readonly generated: string };
  readonly retry?: number | null;
}

export function readVectors(file: string): readonly Vector[] {
  const written = JSON.parse(readFileSync(file, 'utf8')) as readonly WrittenVector[];
  return written.map((vector) => ({
    name: vector.name,
    chunks: vector.chunksBase64.map((chunk) => new Uint8Array(Buffer.from(chunk, 'base64'))),
    events: eventsOf(vector),
    retry: vector.retry,
  }));
}

function eventsOf({ name, expect }: WrittenVector): readonly SeenEvent[] {
  if ('length' in expect) return expect;
  const [, count, last] = /^(\d+) events: data n0\.\.n(\d+), event message, id empty$/.exec(expect.generated) ?? [];
  if (Number(count) !== Number(last) + 1) throw new Error(`the vector ${name} does not say its events`);
  return Array.from({ length: Number(count) }, (_, index) => message(`n${index}`));
}

export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export function message(data: string, id = ''): SeenEvent {
  return { event: 'message', data, id };
}

export interface Decoded {
  readonly events: readonly SeenEvent[];
  readonly retry: number | null;
  readonly lastEventId: string;
}

export function decode(chunks: readonly Uint8Array[]): Decoded {
  const decoder = new SseDecoder(2 ** 20);
  const events = chunks.flatMap((chunk) =>
    decoder.push(chunk).map(({ name, data, id }) => ({ event: name, data, id })),
  );
  return { events, retry: decoder.retryMs ?? null, lastEventId: decoder.lastEventId };
}

/** The same bytes in other pieces: as given, as one chunk, byte by byte. */
export function waysOf(chunks: readonly Uint8Array[]): readonly (readonly [string, readonly Uint8Array[]])[] {
  const whole = new Uint8Array(Buffer.concat(chunks));
  return [
    ['as given', chunks],
    ['as one chunk', [whole]],
    ['byte by byte', Array.from(whole, (byte) => Uint8Array.of(byte))],
  ];
}

/** What goes wrong with a vector, one line for each of the three ways; empty where nothing does. */
export function judgeVector({ chunks, events, retry, lastEventId }: Vector): readonly string[] {
  const wanted = JSON.stringify([events, retry, lastEventId]);
  return waysOf(chunks).flatMap(([way, pieces]) => {
    const found = decode(pieces);
    const seen = JSON.stringify([
      found.events,
      retry === undefined ? undefined : found.retry,
      lastEventId === undefined ? undefined : found.lastEventId,
    ]);
    return seen === wanted ? [] : [`${way}: ${seen} in place of ${wanted}`];
  });
}

const bom = '\ufeff';

/** Further vectors, by the HTML Standard ("Interpreting an event stream"), for what the shared ones leave out. */
export const ownVectors: readonly Vector[] = (
  [
    ['one space is removed, a second one stays', ['data:  two\n\n'], [message(' two')]],
    ['a name with a space around it is another name', [' data: a\ndata : b\nData: c\ndata: d\n\n'], [message('d')]],
    ['an unfinished event has no id either', ['id: 1\ndata: x\n\nid: 2\ndata: y'], [message('x', '1')], undefined, '1'],
    ['an id alone counts at its blank line', ['id: 1\n\nid: 2\n'], [], undefined, '1'],
    ['an id without a colon is empty', ['id: 7\ndata: x\n\nid\ndata: y\n\n'], [message('x', '7'), message('y')]],
    [
      'an id survives events without one',
      ['id: 7\ndata: x\n\n', 'data: y\n\n'],
      [message('x', '7'), message('y', '7')],
    ],
    ['a negative reconnection time', ['retry: -1\n\n'], [], null],
    ['one in scientific notation', ['retry: 1e3\n\n'], [], null],
    ['one with a space behind it', ['retry: 10 \n\n'], [], null],
    ['one in digits that are not ASCII', ['retry: ٣\n\n'], [], null],
    ['one with a fraction', ['retry: 1.5\n\n'], [], null],
    ['a field that only begins like one', ['datax: a\nidx: 1\nretry5\neventdata: b\ndata: c\n\n'], [message('c')]],
    [
      'a byte order mark in the middle is content',
      ['data:1a\n\n', `${bom}data:2a\n\ndata:3a\n\n`],
      [message('1a'), message('3a')],
    ],
    ['nothing but a byte order mark', [bom], []],
    ['CR, CRLF and LF in turn', ['data: a\rdata: b\r\ndata: c\n\r\ndata: d\r\r'], [message('a\nb\nc'), message('d')]],
    ['a CR of one chunk and an LF behind the next character', ['data: a\r', 'd', 'ata: b\n\n'], [message('a\nb')]],
    [
      'one event of 200,000 characters in chunks of 64',
      ['data: ', ...Array.from({ length: 3125 }, () => 'x'.repeat(64)), '\n', '\n'],
      [message('x'.repeat(200_000))],
    ],
    [
      'characters of two to four bytes between events',
      ['data: é', '\n\ndata: 日本\n', '\ndata: 😀', '\n\n'],
      [message('é'), message('日本'), message('😀')],
    ],
  ] as readonly (readonly [string, readonly string[], readonly SeenEvent[], (number | null)?, string?])[]
).map(([name, chunks, events, retry, lastEventId]) => ({
  name,
  chunks: chunks.map(utf8),
  events,
  retry,
  ...(lastEventId !== undefined && { lastEventId }),
}));
