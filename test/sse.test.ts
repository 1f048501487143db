import { describe, expect, test } from 'vitest';
import { isCallError } from '../src/runtime/errors.js';
import { SseDecoder } from '../src/runtime/sse-decode.js';
import { encodeSse } from '../src/runtime/sse-encode.js';
import { decode, judgeVector, ownVectors, readVectors, utf8, waysOf } from './conformance/sse-vectors.js';
import { sharedPath } from './support/suite.js';

const file = sharedPath('vectors/sse-vectors.json');

test
  .skipIf(file === undefined)
  .each((file === undefined ? [] : readVectors(file)).map((one) => [one.name, one] as const))(
  'wire vector %s',
  (_, vector) => {
    expect(judgeVector(vector)).toEqual([]);
  },
);

test.each(ownVectors.map((one) => [one.name, one] as const))('own wire vector %s', (_, vector) => {
  expect(judgeVector(vector)).toEqual([]);
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

/** Numbers below `bound`, the same in each run (Numerical Recipes' linear congruential generator). */
function numbers(): (bound: number) => number {
  let state = 1;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

describe('what the encoder writes', () => {
  const pieces = [
    'a',
    ' ',
    ':',
    '\n',
    '\r',
    '\r\n',
    '\0',
    'é',
    '日',
    '😀',
    '\ufeff',
    '\u2028',
    'data: x',
    'id',
    '[DONE]',
    '\t',
  ];

  test('is read as the same event, whatever it holds and however it is cut', () => {
    const below = numbers();
    const text = (pattern: RegExp): string =>
      Array.from({ length: below(6) }, () => pieces[below(pieces.length)] ?? '')
        .join('')
        .replace(pattern, '');
    for (let round = 0; round < 2000; round += 1) {
      const frame = {
        event: below(2) === 0 ? undefined : text(/[\r\n]/g),
        data: text(/^$/g),
        id: below(2) === 0 ? undefined : text(/[\r\n\0]/g),
        retry: below(4) === 0 ? below(100_000) : undefined,
        comment: below(4) === 0 ? text(/^$/g) : undefined,
      };
      const written = utf8(encodeSse(frame));
      for (const [, chunks] of waysOf([written])) {
        const expected = {
          event: frame.event || 'message',
          data: frame.data.replace(/\r\n|\r/g, '\n'),
          id: frame.id ?? '',
        };
        expect(decode(chunks)).toEqual({ events: [expected], retry: frame.retry ?? null, lastEventId: frame.id ?? '' });
      }
      const cut = below(written.length);
      expect(decode([written.slice(0, cut), written.slice(cut)])).toEqual(decode([written]));
    }
  });

  test('is no event where there is no data', () => {
    expect(decode([utf8(encodeSse({ event: 'x', id: '4', comment: 'data: y' }))])).toMatchObject({
      events: [],
      lastEventId: '4',
    });
  });
});
