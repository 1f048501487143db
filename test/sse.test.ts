import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isCallError } from '../src/runtime/errors.js';
import { SseDecoder } from '../src/runtime/sse-decode.js';
import { sharedPath } from './support/suite.js';

interface Seen {
  readonly event: string;
  readonly data: string;
  readonly id: string;
}

interface Vector {
  readonly name: string;
  readonly chunksBase64: readonly string[];
  /** The events; one vector says them in prose, because they are many. */
  readonly expect: readonly Seen[] | { readonly generated: string };
  readonly retry?: number | null;
}

const vectorFile = sharedPath('vectors/sse-vectors.json');
const vectors: readonly Vector[] = vectorFile === undefined ? [] : JSON.parse(readFileSync(vectorFile, 'utf8'));

function decode(chunks: readonly Uint8Array[]): { events: Seen[]; retry: number | undefined; lastEventId: string } {
  const decoder = new SseDecoder(2 ** 20);
  const events = chunks
    .flatMap((chunk) => decoder.push(chunk))
    .map(({ name, data, id }) => ({ event: name, data, id }));
  return { events, retry: decoder.retryMs, lastEventId: decoder.lastEventId };
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function byteByByte(bytes: Uint8Array): Uint8Array[] {
  return Array.from(bytes, (byte) => Uint8Array.of(byte));
}

function expectedOf({ name, expect: expected }: Vector): readonly Seen[] {
  if (Array.isArray(expected)) return expected;
  if (name !== 'many-events-one-chunk') throw new Error(`the vector ${name} has no events`);
  return Array.from({ length: 500 }, (_, index) => ({ event: 'message', data: `n${index}`, id: '' }));
}

describe.skipIf(vectors.length === 0)('wire vectors', () => {
  test.each(vectors.map((vector) => [vector.name, vector] as const))('%s', (_, vector) => {
    const chunks = vector.chunksBase64.map((chunk) => new Uint8Array(Buffer.from(chunk, 'base64')));
    const whole = new Uint8Array(Buffer.concat(chunks));
    for (const given of [chunks, [whole], byteByByte(whole)]) {
      const { events, retry } = decode(given);
      expect(events).toEqual(expectedOf(vector));
      if (vector.retry !== undefined) expect(retry).toBe(vector.retry ?? undefined);
    }
  });
});

describe('SSE decoder', () => {
  test('an id counts from the blank line on, also without data, and not at an unfinished end', () => {
    expect(decode([utf8('id: 1\n\nid: 2\ndata: y')])).toMatchObject({ events: [], lastEventId: '1' });
    expect(decode([utf8('id: 7\n\ndata: y\n\n')]).events).toEqual([{ event: 'message', data: 'y', id: '7' }]);
  });

  test('a reconnection time beyond what a timer takes is clamped', () => {
    expect(decode([utf8('retry: 99999999999\n')]).retry).toBe(2 ** 31 - 1);
  });

  test('a CR at the end of a chunk ends the line at once and swallows one LF only', () => {
    const decoder = new SseDecoder(100);
    expect(decoder.push(utf8('data: a\r\r'))).toHaveLength(1);
    expect(decoder.push(utf8('\ndata: b\n'))).toHaveLength(0);
    expect(decoder.push(utf8('\n')).map((event) => event.data)).toEqual(['b']);
  });

  test.each([
    ['one line', ['data: ', 'x'.repeat(60), 'x'.repeat(60)]],
    ['many lines', [`data: ${'x'.repeat(40)}\n`, `data: ${'x'.repeat(40)}\n`, `data: ${'x'.repeat(40)}\n`]],
  ])('an event longer than the limit is refused: %s', (_, pieces) => {
    const decoder = new SseDecoder(100);
    let caught: unknown;
    try {
      for (const piece of pieces) decoder.push(utf8(piece));
    } catch (error) {
      caught = error;
    }
    expect(isCallError(caught) && caught.fault).toBe('stream');
  });

  test('comments and finished events do not count towards the limit', () => {
    const decoder = new SseDecoder(100);
    const text = `:${'c'.repeat(80)}\ndata: ${'x'.repeat(80)}\n\n`.repeat(50);
    expect(decoder.push(utf8(text))).toHaveLength(50);
  });

  test('a megabyte in small chunks, or in short lines, takes linear time', () => {
    const started = performance.now();
    const decoder = new SseDecoder(2 ** 22);
    const chunk = utf8('x'.repeat(64));
    decoder.push(utf8('data: '));
    for (let index = 0; index < 16_384; index += 1) decoder.push(chunk);
    expect(decoder.push(utf8('\n\n'))[0]?.data).toHaveLength(2 ** 20);
    expect(decoder.push(utf8('data: a\n\n'.repeat(120_000)))).toHaveLength(120_000);
    // Quadratic code needs minutes for this.
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
