/** The wire of multipart bodies (RFC 2046 section 5.1): each vector whole, byte by byte, and in halves. */
import { describe, expect, test } from 'vitest';
import { Deadline } from '../src/runtime/deadline.js';
import type { EventSpec } from '../src/runtime/event-spec.js';
import type { Settings } from '../src/runtime/operation.js';
import { boundaryOf, PartDecoder, readAs, textOfPart } from '../src/runtime/part-decode.js';
import { partEncoder } from '../src/runtime/part-encode.js';
import { readParts } from '../src/runtime/part-stream.js';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

type Found = readonly [data: string, contentType: string];

function decoded(boundary: string, chunks: readonly Uint8Array[]): { parts: Found[]; complete: boolean } {
  const decoder = new PartDecoder(boundary, 1000);
  const parts = chunks.flatMap((chunk) => [...decoder.push(chunk)]);
  return {
    parts: parts.map(({ data, contentType, fault }) => [new TextDecoder().decode(data), fault ?? contentType]),
    complete: decoder.complete,
  };
}

const json = 'Content-Type: application/json\r\n';

const vectors: readonly (readonly [string, string, readonly Found[], boolean])[] = [
  [
    'two parts',
    `--b\r\n${json}\r\n{"n":1}\r\n--b\r\n\r\ntext\r\n--b--\r\n`,
    [
      ['{"n":1}', 'application/json'],
      ['text', ''],
    ],
    true,
  ],
  ['nothing at all', '', [], true],
  ['no part', '--b--', [], true],
  [
    'what stands around',
    'a preamble\r\n\r\n--b\r\n\r\nx\r\n--b--\r\nan epilogue\r\n--b\r\n\r\ny\r\n--b--',
    [['x', '']],
    true,
  ],
  [
    'white space behind the boundary',
    '--b \t\r\n\r\nx\r\n--b  \r\n\r\ny\r\n--b--',
    [
      ['x', ''],
      ['y', ''],
    ],
    true,
  ],
  [
    'empty parts',
    '--b\r\n\r\n\r\n--b\r\nA: 1\r\n\r\n--b--',
    [
      ['', ''],
      ['', ''],
    ],
    true,
  ],
  ['line ends of the data', '--b\r\n\r\n\r\n\r\nx\r\n\r\n--b--', [['\r\n\r\nx\r\n', '']], true],
  [
    'what looks like a boundary',
    '--b\r\n\r\nx--b\n\r\n--a\r--b -b\r\n-b\r\n--b--',
    [['x--b\n\r\n--a\r--b -b\r\n-b', '']],
    true,
  ],
  [
    'a folded header',
    '--b\r\ncontent-type: text/plain;\r\n charset=utf-8\r\n\r\nx\r\n--b--',
    [['x', 'text/plain; charset=utf-8']],
    true,
  ],
  [
    'a header that is none',
    '--b\r\nwhat is this\r\n\r\nx\r\n--b\r\n\r\ny\r\n--b--',
    [
      ['x', 'a header of the part is none'],
      ['y', ''],
    ],
    true,
  ],
  ['an end that is missing', '--b\r\n\r\nx\r\n--b\r\n\r\ny', [['x', '']], false],
  ['an end behind the last boundary', '--b\r\n\r\nx\r\n--b', [['x', '']], false],
  ['no boundary', 'something else', [], false],
];

describe.each(vectors)('%s', (_, text, parts, complete) => {
  const bytes = bytesOf(text);
  const half = (at: number): Uint8Array[] => [bytes.slice(0, at), bytes.slice(at)];

  test('whole, byte by byte and in two pieces', () => {
    const expected = { parts, complete };
    expect(decoded('b', [bytes])).toEqual(expected);
    expect(
      decoded(
        'b',
        Array.from(bytes, (byte) => Uint8Array.of(byte)),
      ),
    ).toEqual(expected);
    for (let at = 0; at <= bytes.length; at += 1) expect(decoded('b', half(at))).toEqual(expected);
  });
});

test('a part is given with its boundary, before anything follows', () => {
  const decoder = new PartDecoder('b', 100);
  expect(decoder.push(bytesOf('--b\r\n\r\nx\r\n--'))).toEqual([]);
  expect(decoder.push(bytesOf('b'))).toHaveLength(1);
});

test('a part has a limit, and so have its headers', () => {
  const long = 'x'.repeat(60);
  const small = `--b\r\n\r\n${long}\r\n`;
  expect(new PartDecoder('b', 100).push(bytesOf(`${small.repeat(5)}--b--`))).toHaveLength(5);
  expect(() => new PartDecoder('b', 50).push(bytesOf(small))).toThrow('exceeds');
  expect(() => new PartDecoder('b', 50).push(bytesOf(`--b\r\nA: ${long}`))).toThrow('exceeds');
});

test('takes linear time, however the bytes come', () => {
  const body = bytesOf(`--b\r\n\r\n${'\r\n--'.repeat(200_000)}\r\n--b--`);
  const decoder = new PartDecoder('b', body.length);
  const parts = [];
  for (let at = 0; at < body.length; at += 64) parts.push(...decoder.push(body.subarray(at, at + 64)));
  expect(parts.map(({ data }) => data.length)).toEqual([800_000]);
}, 5000);

test.each([
  ['multipart/mixed; boundary=abc', 'abc'],
  ['multipart/mixed; charset=utf-8; Boundary="a b\\"c"', 'a b"c'],
  ['multipart/mixed; x="; boundary=no"; boundary=yes; y=1', 'yes'],
  ['multipart/mixed; boundary=""', undefined],
  ['multipart/mixed; boundary="ends with a space "', undefined],
  [`multipart/mixed; boundary=${'x'.repeat(71)}`, undefined],
  ['multipart/mixed', undefined],
])('%s', (type, boundary) => {
  expect(boundaryOf(type)).toBe(boundary);
});

test.each<[EventSpec['data'], string, string | undefined]>([
  ['json', 'application/problem+json; charset=utf-8', 'json'],
  ['json', 'text/plain', 'json'],
  ['json', '', 'json'],
  ['json', 'image/png', undefined],
  ['text', 'text/csv', 'text'],
  ['text', 'application/octet-stream', undefined],
  ['binary', 'text/csv', 'binary'],
  ['any', 'Application/JSON', 'json'],
  ['any', 'text/html', 'text'],
  ['any', 'image/png', 'binary'],
  ['any', '', 'text'],
])('a part that is declared as %s and says %j is read as %s', (data, contentType, kind) => {
  expect(readAs({ name: 'item', data }, contentType)).toBe(kind);
});

test.each<[EventSpec['data'], readonly string[], string, string | undefined]>([
  ['any', ['image/png', 'image/*', 'text/plain'], 'Image/GIF', 'binary'],
  ['any', ['image/png', 'image/*', 'text/plain'], 'text/plain; charset=utf-8', 'text'],
  ['any', ['image/png', 'image/*', 'text/plain'], '', 'text'],
  ['any', ['image/png', 'image/*', 'text/plain'], 'text/html', undefined],
  ['any', ['image/png', 'application/json'], '', undefined],
  ['binary', ['image/png'], 'image/jpeg', undefined],
  ['binary', ['image/png'], '', 'binary'],
  ['json', ['application/json'], 'text/plain', undefined],
  ['json', ['application/json; charset=utf-8'], 'application/problem+json', 'json'],
  ['json', ['application/problem+json'], 'application/json', undefined],
  ['text', ['text/*'], 'text/csv', 'text'],
])('of %s declared as %j, a part that says %j is read as %s', (data, types, contentType, kind) => {
  expect(readAs({ name: 'item', data, types }, contentType)).toBe(kind);
});

test.each<[string, 'json' | 'text', number[], string | undefined]>([
  ['text/plain', 'text', [0xc3, 0xa9], 'é'],
  ['text/plain', 'text', [0xe9], undefined],
  ['text/plain; charset=ISO-8859-1', 'text', [0xe9], 'é'],
  ['text/plain; charset="utf-16le"', 'text', [0xe9, 0], 'é'],
  ['text/plain; charset=nothing-known', 'text', [0x61], undefined],
  ['application/json; charset=iso-8859-1', 'json', [0x22, 0xe9, 0x22], undefined],
])('the text of a part that says %j (%s), %j, is %j', (type, kind, data, text) => {
  expect(textOfPart(Uint8Array.from(data), type, kind)).toBe(text);
});

describe('the encoder', () => {
  const part = (data: EventSpec['data'], ...types: readonly string[]): EventSpec => ({
    name: 'item',
    data,
    ...(types.length > 0 && { types }),
  });

  function written(specs: readonly EventSpec[], items: readonly unknown[]): { parts: Found[]; complete: boolean } {
    const encoder = partEncoder(specs, (value) => JSON.stringify(value));
    const pieces = [bytesOf(encoder.start), ...items.map((item) => encoder.part(item)), bytesOf(encoder.end)];
    return decoded(encoder.boundary, pieces);
  }

  test('writes what the decoder reads, by position', () => {
    const specs = [part('json'), part('binary', 'image/png'), part('any')];
    const items = [
      { data: { n: 1 } },
      { data: bytesOf('\r\n--part-\r\n') },
      { data: 'text' },
      { data: [1] },
      { data: 'JSON', contentType: 'application/json' },
      { data: bytesOf('x') },
    ];
    expect(written(specs, items)).toEqual({
      parts: [
        ['{"n":1}', 'application/json'],
        ['\r\n--part-\r\n', 'image/png'],
        ['text', 'text/plain; charset=utf-8'],
        ['[1]', 'application/json'],
        ['"JSON"', 'application/json'],
        ['x', 'application/octet-stream'],
      ],
      complete: true,
    });
    expect(written(specs, [])).toEqual({ parts: [], complete: true });
  });

  test('takes whatever holds bytes for them', () => {
    const { buffer } = Uint8Array.from([120, 97, 98, 99]);
    const items = [{ data: buffer }, { data: new DataView(buffer, 1, 2) }, { data: new Uint16Array(buffer, 2) }];
    const expected = ['xabc', 'ab', 'bc'].map((text) => [text, 'application/octet-stream']);
    expect(written([part('any')], items).parts).toEqual(expected);
    expect(written([part('binary')], items).parts).toEqual(expected);
  });

  test('says the declared type where it is the only one that the data can be', () => {
    const types = ['image/png', 'image/*', 'text/markdown', 'text/plain', 'application/json'];
    expect(written([part('any', ...types)], [{ data: bytesOf('x') }, { data: 'y' }, { data: 1 }]).parts).toEqual([
      ['x', 'image/png'],
      ['y', 'text/markdown'],
      ['1', 'application/json'],
    ]);
    const several = partEncoder([part('binary', 'image/png', 'image/jpeg')], (value) => JSON.stringify(value));
    expect(() => several.part({ data: bytesOf('x') })).toThrow('media type of a part is not declared');
    expect(several.part({ data: bytesOf('x'), contentType: 'image/jpeg' }).length).toBeGreaterThan(0);
  });

  test.each<[string, EventSpec, unknown]>([
    ['a media type that is not declared', part('any', 'image/*'), { data: bytesOf('x'), contentType: 'text/plain' }],
    ['text where bytes are declared alone', part('any', 'image/png'), { data: 'x' }],
    ['another charset', part('text'), { data: 'é', contentType: 'text/plain; charset=iso-8859-1' }],
    ['bytes that are not the text they say', part('any'), { data: Uint8Array.of(0xe9), contentType: 'text/plain' }],
    ['a value under the type of text', part('any'), { data: { n: 1 }, contentType: 'text/plain' }],
    ...[new Blob(['x']), new Map([[1, 2]]), new Set([1]), new URLSearchParams('a=b'), /x/].map(
      (data) => [`${data.constructor.name}, which JSON makes nothing of`, part('any'), { data }] as const,
    ),
  ] as [string, EventSpec, unknown][])('refuses %s', (_, spec, item) => {
    const encoder = partEncoder([spec], (value) => JSON.stringify(value));
    expect(() => encoder.part(item)).toThrow(TypeError);
  });

  test('names the header that cannot be sent, and not its value', () => {
    const encoder = partEncoder([part('text')], (value) => JSON.stringify(value));
    const item = { data: '', headers: { 'X-Place': 'secret\r\nc: d' } };
    expect(() => encoder.part(item)).toThrow(/^the header "X-Place" of a part cannot be sent$/);
  });

  test.each<[string, EventSpec['data'], unknown]>([
    ['no object', 'any', 5],
    ['bytes in place of JSON', 'json', { data: bytesOf('{}') }],
    ['a value in place of bytes', 'binary', { data: {} }],
    ['a value in place of text', 'text', { data: {} }],
    ['a header that is none', 'text', { data: '', headers: { 'a b': 'c' } }],
    ['a header with a line end', 'text', { data: '', headers: { a: 'b\r\nc: d' } }],
  ])('refuses %s', (_, data, item) => {
    const encoder = partEncoder([part(data)], (value) => JSON.stringify(value));
    expect(() => encoder.part(item)).toThrow(TypeError);
  });

  test('refuses data that holds its boundary, also at the start', () => {
    const encoder = partEncoder([part('any')], (value) => JSON.stringify(value));
    const line = `--${encoder.boundary}`;
    expect(() => encoder.part({ data: `x\r\n${line}` })).toThrow('boundary');
    expect(() => encoder.part({ data: bytesOf(line) })).toThrow('boundary');
    expect(encoder.part({ data: `x${line}` }).length).toBeGreaterThan(0);
  });
});

test('a client is told of parts of undeclared types and of text that is none', async () => {
  const text = [
    '--b\r\nContent-Type: image/gif\r\n\r\nx\r\n',
    '--b\r\nContent-Type: text/plain\r\n\r\nx\u00e9\r\n',
    '--b\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\r\nx\u00e9\r\n',
    '--b\r\nContent-Type: text/plain; charset=no\r\n\r\nx\r\n--b--',
  ].join('');
  const body = Uint8Array.from(text, (character) => character.charCodeAt(0));
  const response = new Response(body, { headers: { 'content-type': 'multipart/mixed; boundary=b' } });
  const events: EventSpec[] = [{ name: 'item', data: 'any', types: ['image/png', 'text/plain'] }];
  const stream = readParts({
    response,
    contentType: 'multipart/mixed',
    answer: { status: 200, events },
    options: {} as Settings,
    deadline: new Deadline(undefined, undefined),
    sent: [new Request('http://localhost'), { body: null }, () => Promise.reject(new Error('nothing is sent'))],
  });
  const got: unknown[] = [];
  for await (const part of stream) got.push('issues' in part ? part.issues[0]?.keyword : part);
  expect(got).toMatchObject(['contentMediaType', 'syntax', { event: 'item', data: 'x\u00e9' }, 'syntax']);
});
