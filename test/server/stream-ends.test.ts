/** What ends a stream of events, and what only looks like it: client and server of one document. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { event, json } from '../support/event-schemas.js';
import { serve } from '../support/http-server.js';
import { outcome, type StreamingApi, streamingApi } from '../support/streaming-api.js';

const delta = event('delta', json({ type: 'integer' }));
const watching = (operationId: string, ...oneOf: readonly object[]): object => ({
  get: {
    operationId,
    responses: { 200: { description: 'd', content: { 'text/event-stream': { itemSchema: { oneOf } } } } },
  },
});

const document = {
  openapi: '3.2.0',
  info: { title: 't', version: '1' },
  paths: {
    '/run': watching('run', delta, event('done', { const: '[DONE]' })),
    '/listed': watching('listed', delta, event('done', { type: 'string', enum: ['[DONE]'] })),
    '/ended': watching('ended', delta, event('done', { const: '[DONE]' }), event(undefined, { const: '[DONE]' })),
    '/endless': watching('endless', delta, event(undefined, { type: 'string' })),
    '/chosen': watching('chosen', delta, event('done', { const: '[DONE]' })),
  },
};

let api: StreamingApi;
beforeAll(async () => {
  api = await streamingApi(document, { streams: { endless: { sentinels: [] }, chosen: { sentinels: ['[DONE]'] } } });
}, 60_000);
afterAll(() => api.remove());

/** What the client makes of a stream that another server sends. */
async function read(operation: string, text: string): Promise<unknown> {
  const server = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(text);
  });
  const { call } = await api.serving('node', {});
  return outcome((await call(operation, {}, { baseUrl: server.origin, server: server.origin })).data);
}

const first = 'event: delta\ndata: 1\n\n';
const done = 'event: done\ndata: [DONE]\n\n';
const last = 'event: delta\ndata: 2\n\n';
const all = [
  ['delta', 1],
  ['done', '[DONE]'],
  ['delta', 2],
];

describe('an event with a name of its own', () => {
  test.each(['run', 'listed'])('is not the end that is one by custom: %s', async (operation) => {
    expect(await read(operation, first + done + last)).toEqual({ got: all, fault: undefined });
    expect(await read(operation, `${first}data: [DONE]\n\n${last}`)).toEqual({ got: [['delta', 1]], fault: undefined });
  });

  test('is not the declared end, whatever it says', async () => {
    expect(await read('ended', `${first}${done}${last}data: [DONE]\n\n`)).toEqual({ got: all, fault: undefined });
    expect(await read('ended', `event: delta\ndata: [DONE]\n\n${last}data: [DONE]\n\n`)).toEqual({
      got: [
        ['$invalid', '[DONE]'],
        ['delta', 2],
      ],
      fault: undefined,
    });
    expect(await read('ended', first + done)).toMatchObject({ fault: 'truncated' });
  });

  test('is the end where the configuration says so', async () => {
    expect(await read('chosen', first + done + last)).toEqual({ got: [['delta', 1]], fault: undefined });
  });

  test.each(['run', 'listed', 'ended'])('is sent: %s', async (operation) => {
    const items = all.map(([name, data]) => ({ event: name, data }));
    const { opened, errors } = await api.serving('node', { [operation]: (_, reply) => reply(200, items) });
    expect(await outcome(await opened(operation))).toEqual({ got: all, fault: undefined });
    expect(errors).toEqual([]);
  });
});

test('the configuration can say that nothing ends a stream', async () => {
  const items = [
    { event: 'delta', data: 1 },
    { event: 'message', data: '[DONE]' },
    { event: 'delta', data: 2 },
  ];
  const { opened, errors } = await api.serving('node', { endless: (_, reply) => reply(200, items) });
  expect(await outcome(await opened('endless'))).toEqual({
    got: items.map(({ event: name, data }) => [name, data]),
    fault: undefined,
  });
  expect(errors).toEqual([]);
});
