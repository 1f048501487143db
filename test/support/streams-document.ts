/** The document of the tests of streams. */
const item = {
  type: 'object',
  required: ['n'],
  properties: { n: { type: 'integer' }, made: { type: 'integer', readOnly: true } },
};
export const ok = (content: object): object => ({ 200: { description: 'd', content } });
const named = (event: string, data: object): object => ({
  type: 'object',
  properties: { event: { const: event }, data: { type: 'string', contentSchema: data } },
});
const note = named('note', item);
const fault = named('fault', { type: 'object', required: ['why'], properties: { why: { type: 'string' } } });
const end = { type: 'object', properties: { data: { const: '[END]' } } };
const text = { type: 'object', properties: { event: { const: 'text' }, data: { type: 'string' } } };
const plain = { type: 'object', properties: { data: { type: 'string' } } };
const received = ok({ 'application/json': { schema: {} } });

export const streamsDocument = {
  openapi: '3.2.0',
  info: { title: 't', version: '1' },
  paths: {
    '/watch': {
      get: { operationId: 'watch', responses: ok({ 'text/event-stream': { itemSchema: { oneOf: [note, fault] } } }) },
    },
    '/finish': {
      get: { operationId: 'finish', responses: ok({ 'text/event-stream': { itemSchema: { oneOf: [note, end] } } }) },
    },
    '/mixed': {
      get: {
        operationId: 'mixed',
        responses: ok({ 'text/event-stream': { itemSchema: { oneOf: [note, text, plain, end] } } }),
      },
    },
    '/lines': { get: { operationId: 'lines', responses: ok({ 'application/jsonl': { itemSchema: item } }) } },
    '/records': { get: { operationId: 'records', responses: ok({ 'application/json-seq': { itemSchema: item } }) } },
    '/upload': {
      post: {
        operationId: 'upload',
        requestBody: {
          required: true,
          content: { 'application/x-ndjson': { itemSchema: item }, 'application/json-seq': { itemSchema: item } },
        },
        responses: received,
      },
    },
    '/several': {
      post: {
        operationId: 'several',
        requestBody: {
          required: true,
          content: { 'application/jsonl': { schema: { type: 'array', minItems: 1, uniqueItems: true, items: item } } },
        },
        responses: received,
      },
    },
    '/three': {
      post: {
        operationId: 'three',
        requestBody: {
          required: true,
          content: { 'text/event-stream': { schema: { $ref: '#/components/schemas/Three' } } },
        },
        responses: received,
      },
    },
    '/tell': {
      post: {
        operationId: 'tell',
        requestBody: {
          required: true,
          content: { 'text/event-stream': { itemSchema: { oneOf: [note, text, end] } } },
        },
        responses: received,
      },
    },
  },
  components: { schemas: { Three: { type: 'array', minItems: 1, maxItems: 3, items: item } } },
};
