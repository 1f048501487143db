/** What the fields of an event are read as, in the many ways in which tools write them. */
import { expect, test } from 'vitest';
import { apiOf } from '../support/api-of.js';

interface Read {
  readonly events: readonly (readonly [name: string, data: string])[];
  readonly sentinels: readonly string[];
  readonly closed: boolean;
}

const payload = { $ref: '#/components/schemas/Payload' };
const schemas = {
  Payload: { type: 'object', properties: { n: { type: 'integer' } } },
  Name: { type: 'string', enum: ['a', 'b'] },
  Text: { type: 'string', maxLength: 9 },
  created: { type: 'object', properties: { event: { type: 'string' }, data: payload } },
  deleted: { type: 'object', properties: { data: { type: 'string' } } },
};

async function read(itemSchema: object | boolean): Promise<Read | undefined> {
  const content = { 'text/event-stream': { itemSchema } };
  const { api } = await apiOf({
    'api.json': {
      openapi: '3.2.0',
      info: { title: 't', version: '1' },
      paths: { '/e': { get: { responses: { 200: { description: 'd', content } } } } },
      components: { schemas },
    },
  });
  const stream = api.operations[0]?.responses[0]?.content[0]?.stream;
  return stream && { ...stream, events: stream.events.map(({ name, data }) => [name, data] as const) };
}

const event = (properties: object): object => ({ type: 'object', properties });
const optional = (schema: object): object => ({ anyOf: [schema, { type: 'null' }] });
const inText = { type: 'string', contentMediaType: 'application/json', contentSchema: payload };

test.each<[string, object, readonly (readonly [string, string])[]]>([
  ['a text or null', event({ data: optional({ type: 'string' }) }), [['message', 'text']]],
  ['a text or null, by type', event({ data: { type: ['string', 'null'] } }), [['message', 'text']]],
  ['JSON in a text, or null', event({ data: optional(inText) }), [['message', 'json']]],
  ['a payload or null', event({ data: optional(payload) }), [['message', 'json']]],
  ['several payloads', event({ data: { oneOf: [payload, { type: 'array' }] } }), [['message', 'json']]],
  [
    'several texts',
    event({ data: { oneOf: [{ const: 'x' }, { $ref: '#/components/schemas/Text' }] } }),
    [['message', 'text']],
  ],
  [
    'a payload or a text',
    event({ event: { const: 'a' }, data: { oneOf: [payload, { type: 'string' }] } }),
    [
      ['a', 'json'],
      ['a', 'text'],
    ],
  ],
  [
    'a payload or a text, by type',
    event({ data: { type: ['object', 'string'] } }),
    [
      ['message', 'json'],
      ['message', 'text'],
    ],
  ],
  [
    'a text by allOf',
    event({ data: { allOf: [{ $ref: '#/components/schemas/Text' }], description: 'd' } }),
    [['message', 'text']],
  ],
  [
    'something of which nothing is said',
    event({ data: { description: 'whatever' } }),
    [
      ['message', 'json'],
      ['message', 'text'],
    ],
  ],
  [
    'names as constants of a union',
    event({ event: { anyOf: [{ const: 'a' }, { const: 'b' }] }, data: payload }),
    [
      ['a', 'json'],
      ['b', 'json'],
    ],
  ],
  ['a name that is optional', event({ event: optional({ const: 'a' }), data: payload }), [['a', 'json']]],
  [
    'names by allOf',
    event({ event: { allOf: [{ $ref: '#/components/schemas/Name' }] }, data: payload }),
    [
      ['a', 'json'],
      ['b', 'json'],
    ],
  ],
  [
    'a discriminator without a mapping: the names of the components',
    {
      oneOf: [{ $ref: '#/components/schemas/created' }, { $ref: '#/components/schemas/deleted' }],
      discriminator: { propertyName: 'event' },
    },
    [
      ['created', 'json'],
      ['deleted', 'text'],
    ],
  ],
])('%s', async (_, itemSchema, events) => {
  expect(await read(itemSchema)).toMatchObject({ events, sentinels: [], closed: true });
});

test.each<[string, object]>([
  ['a constant of an alternative of the data', event({ data: { oneOf: [payload, { const: '[DONE]' }] } })],
  [
    'an enumeration of one text',
    { oneOf: [event({ data: payload }), event({ data: { type: 'string', enum: ['[DONE]'] } })] },
  ],
])('the end as %s', async (_, itemSchema) => {
  expect(await read(itemSchema)).toMatchObject({ events: [['message', 'json']], sentinels: ['[DONE]'], closed: true });
});

test('a name that is empty is none, and one of two lines is no name', async () => {
  const empty = event({ event: { const: '' }, data: payload });
  expect(await read({ oneOf: [empty, event({ event: { const: 'a\nb' }, data: payload })] })).toMatchObject({
    events: [['message', 'json']],
  });
});

test.each<[string, object | boolean]>([
  ['true', true],
  ['an empty schema', {}],
  ['a description', { description: 'd', nullable: true }],
])('a stream of which %s says nothing is text', async (_, itemSchema) => {
  expect(await read(itemSchema)).toMatchObject({ events: [['message', 'text']], closed: true });
});

test('a name that may be any leaves the names open', async () => {
  const itemSchema = event({ event: { anyOf: [{ const: 'a' }, { type: 'string' }] }, data: payload });
  expect(await read(itemSchema)).toMatchObject({ events: [['message', 'json']], closed: false });
});

test('a null among events is none', async () => {
  const itemSchema = { oneOf: [event({ event: { const: 'a' }, data: inText }), { type: 'null' }] };
  expect(await read(itemSchema)).toMatchObject({ events: [['a', 'json']], closed: true });
});

test('what is encoded is no JSON yet', async () => {
  const data = { ...inText, contentEncoding: 'base64' };
  expect(await read(event({ data }))).toMatchObject({ events: [['message', 'text']] });
});
