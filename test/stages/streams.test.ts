/** The forms in which documents describe the items of a stream, each with the reading that is taken. */
import { describe, expect, test } from 'vitest';
import { apiOf } from '../support/api-of.js';

interface Reading {
  readonly stream: unknown;
  readonly codes: readonly string[];
}

async function reading(media: object, type = 'text/event-stream', version = '3.1.0'): Promise<Reading> {
  const { api, diagnostics } = await apiOf({
    'api.json': {
      openapi: version,
      info: { title: 't', version: '1' },
      paths: { '/e': { get: { responses: { 200: { description: 'd', content: { [type]: media } } } } } },
      components: { schemas: { Payload: { type: 'object', properties: { type: { const: 'delta' } } } } },
    },
  });
  const stream = api.operations[0]?.responses[0]?.content[0]?.stream;
  const events = stream?.events.map(({ name, data, schema }) => [
    name,
    data,
    schema?.split('application~1')[0] && last(schema),
  ]);
  return {
    stream: stream && [stream.framing, events, stream.sentinels, stream.closed],
    codes: diagnostics.map(({ code }) => code),
  };
}

function last(id: string | undefined): string | undefined {
  return id?.slice(id.lastIndexOf('/', id.lastIndexOf('/') - 1) + 1);
}

const payload = { $ref: '#/components/schemas/Payload' };
const inData = { type: 'string', contentMediaType: 'application/json', contentSchema: payload };
const envelope = (data: object, event?: object): object => ({
  type: 'object',
  required: ['data'],
  properties: { ...(event && { event }), data, id: { type: 'string' } },
});

describe('a schema of an event stream', () => {
  test.each<[string, object, unknown, readonly string[]]>([
    [
      'A: the event, its data as text that holds JSON',
      {
        itemSchema: {
          oneOf: [envelope(inData, { const: 'a' }), envelope({ const: '[done]', contentMediaType: 'text/plain' })],
        },
      },
      ['sse', [['a', 'json', 'data/contentSchema']], ['[done]'], true],
      [],
    ],
    [
      'a constant text of an event with a name, which ends nothing',
      { itemSchema: { oneOf: [envelope(inData, { const: 'a' }), envelope({ const: 'alive' }, { const: 'ping' })] } },
      [
        'sse',
        [
          ['a', 'json', 'data/contentSchema'],
          ['ping', 'text', 'properties/data'],
        ],
        [],
        true,
      ],
      [],
    ],
    [
      'one name for JSON and for text, which the data tells apart; text with a name is never the end',
      {
        itemSchema: {
          oneOf: [
            envelope(inData, { const: 'a' }),
            envelope({ type: 'string', maxLength: 9 }, { const: 'a' }),
            envelope({ const: 'x\r\ny' }),
          ],
        },
      },
      [
        'sse',
        [
          ['a', 'json', 'data/contentSchema'],
          ['a', 'text', 'properties/data'],
        ],
        ['x\ny'],
        true,
      ],
      [],
    ],
    [
      'a text that is one of several, or of a form, with and without a type',
      {
        itemSchema: {
          oneOf: [
            envelope({ enum: ['up', 'down'] }, { const: 'a' }),
            envelope({ pattern: '^u' }, { const: 'b' }),
            envelope({ type: 'string', maxLength: 4 }, { const: 'c' }),
            envelope({ type: 'string', description: 'd' }, { const: 'd' }),
          ],
        },
      },
      [
        'sse',
        [
          ['a', 'text', 'properties/data'],
          ['b', 'text', 'properties/data'],
          ['c', 'text', 'properties/data'],
          ['d', 'text', undefined],
        ],
        [],
        true,
      ],
      [],
    ],
    [
      'a base envelope and what it is extended by, whatever the order',
      {
        itemSchema: {
          allOf: [envelope({ type: 'string' }, { type: 'string' }), envelope(inData, { const: 'a' })],
        },
      },
      ['sse', [['a', 'json', 'data/contentSchema']], [], true],
      [],
    ],
    [
      'an event whose name readers use for others',
      {
        itemSchema: { oneOf: [envelope(inData, { const: '$invalid' }), envelope(inData, { enum: ['$unknown', 'a'] })] },
      },
      ['sse', [['a', 'json', 'data/contentSchema']], [], true],
      ['event-name-reserved', 'event-name-reserved'],
    ],
    [
      'B: the event, its data as it is once parsed',
      { itemSchema: envelope(payload, { enum: ['a', 'b'] }) },
      [
        'sse',
        [
          ['a', 'json', 'properties/data'],
          ['b', 'json', 'properties/data'],
        ],
        [],
        true,
      ],
      [],
    ],
    [
      'an event of any name',
      { itemSchema: envelope(payload, { type: 'string' }) },
      ['sse', [['message', 'json', 'properties/data']], [], false],
      [],
    ],
    [
      'C: itemSchema of the data',
      { itemSchema: payload },
      ['sse', [['message', 'json', expect.stringContaining('itemSchema')]], [], false],
      ['stream-read'],
    ],
    [
      'D: schema of the data',
      { schema: payload },
      ['sse', [['message', 'json', expect.stringContaining('schema')]], [], false],
      ['stream-read'],
    ],
    [
      'E: schema of the event',
      { schema: envelope(payload, { const: 'a' }) },
      ['sse', [['a', 'json', 'properties/data']], [], true],
      ['stream-read'],
    ],
    ['F: text', { schema: { type: 'string' } }, ['sse', [['message', 'text', undefined]], [], true], []],
    [
      'G: the content of a text, as the data',
      { schema: { type: 'string', contentMediaType: 'text/event-stream', contentSchema: payload } },
      ['sse', [['message', 'json', 'schema/contentSchema']], [], false],
      ['stream-read'],
    ],
    [
      'G: the content of a text, as one event',
      { schema: { type: 'string', contentMediaType: 'text/event-stream', contentSchema: envelope(payload) } },
      ['sse', [['message', 'json', 'properties/data']], [], true],
      ['stream-read'],
    ],
    [
      'G: the content of a text, as all events',
      { schema: { type: 'string', contentSchema: { type: 'array', items: envelope(payload, { const: 'a' }) } } },
      ['sse', [['a', 'json', 'properties/data']], [], true],
      ['stream-read'],
    ],
    [
      'the array of all events, as 3.2 has it',
      { schema: { type: 'array', items: envelope(inData, { const: 'a' }) } },
      ['sse', [['a', 'json', 'data/contentSchema']], [], true],
      ['stream-read'],
    ],
    [
      'a sentinel beside the schema',
      { schema: payload, 'x-speakeasy-sse-sentinel': '[END]' },
      ['sse', [['message', 'json', expect.any(String)]], ['[END]'], false],
      ['stream-read'],
    ],
    ['nothing', {}, ['sse', [['message', 'text', undefined]], [], true], []],
  ])('%s', async (_, media, stream, codes) => {
    expect(await reading(media)).toEqual({ stream, codes });
  });
});

describe('a schema of a sequence', () => {
  test.each<[string, object, unknown, readonly string[]]>([
    ['application/jsonl', { itemSchema: payload }, 'jsonl', []],
    ['application/x-ndjson; charset=utf-8', { schema: { type: 'array', items: payload } }, 'jsonl', ['stream-read']],
    ['application/json-seq', { schema: payload }, 'json-seq', ['stream-read']],
    ['application/geo+json-seq', { itemSchema: payload }, 'json-seq', []],
    ['application/ndjson', { schema: { type: 'string' } }, 'jsonl', []],
  ])('%s', async (type, media, framing, codes) => {
    const found = await reading(media, type, '3.0.3');
    const known =
      framing !== undefined && !('schema' in media && (media.schema as { type?: string }).type === 'string');
    expect(found).toEqual({
      stream: [framing, [['item', 'json', known ? expect.any(String) : undefined]], [], true],
      codes,
    });
  });
});
