/** Streams whose framing the configuration says, over loopback: client and server both follow it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Adapter } from '../support/generated-server.js';
import { type Handler, outcome, type StreamingApi, streamingApi } from '../support/streaming-api.js';
import { ok } from '../support/streams-document.js';

const item = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };
const json = { 'application/json': { schema: item } };
const document = {
  openapi: '3.1.0',
  info: { title: 't', version: '1' },
  paths: {
    '/lines': {
      get: {
        operationId: 'lines',
        responses: { ...ok(json), 400: { description: 'd', content: json } },
      },
    },
    '/events': { get: { operationId: 'events', responses: ok({ 'application/x-events': { schema: item } }) } },
    '/records': {
      get: { operationId: 'records', responses: ok({ ...json, 'text/event-stream': { schema: item } }) },
    },
    '/send': {
      post: {
        operationId: 'send',
        requestBody: { required: true, content: { 'text/plain': { schema: item } } },
        responses: { 204: { description: 'd' } },
      },
    },
  },
};

const streams = {
  lines: { framing: 'jsonl', sentinels: ['.'] },
  events: { framing: 'sse', schema: 'data' },
  records: { framing: 'json-seq' },
  send: { framing: 'jsonl' },
} as const;

let api: StreamingApi;

beforeAll(async () => {
  api = await streamingApi(document, { streams });
});
afterAll(() => api.remove());

describe.each<Adapter>(['node', 'fetch'])('on %s', (adapter) => {
  const serving = (handlers: Readonly<Record<string, Handler>>) => api.serving(adapter, handlers);
  const two = [{ n: 1 }, { n: 2 }];

  test('lines, though it says JSON, with an end of their own; errors stay what they are', async () => {
    let status = 200;
    const { opened, call, server } = await serving({
      lines: (_, reply) => reply(status, status === 200 ? two : two[0]),
    });
    expect(await outcome(await opened('lines'))).toEqual({ got: two, fault: undefined });
    const response = await fetch(`${server.url}/lines`);
    expect([response.headers.get('content-type'), await response.text()]).toEqual([
      'application/json',
      '{"n":1}\n{"n":2}\n.\n',
    ]);
    status = 400;
    expect(await call('lines')).toMatchObject({ ok: false, status: 400, error: { n: 1 } });
  });

  test('events of a media type of their own', async () => {
    const { opened, server } = await serving({
      events: (_, reply) =>
        reply(
          200,
          two.map((data) => ({ data })),
        ),
    });
    expect(await outcome(await opened('events'))).toEqual({
      got: two.map((data) => ['message', data]),
      fault: undefined,
    });
    expect((await fetch(`${server.url}/events`)).headers.get('content-type')).toBe('application/x-events');
  });

  test('the stream among several media types is meant', async () => {
    const respond =
      (type: unknown, body: unknown): Handler =>
      (_, reply) =>
        (reply as (...answer: unknown[]) => unknown)(200, type, body);
    const records = await serving({ records: respond('text/event-stream', two) });
    expect(await outcome(await records.opened('records'))).toEqual({ got: two, fault: undefined });
    const { call } = await serving({ records: respond('application/json', two[0]) });
    expect(await call('records')).toMatchObject({ ok: true, data: { n: 1 } });
  });

  test('the request is meant where no answer has a body', async () => {
    const bodies: unknown[] = [];
    const { call } = await serving({
      send({ body }, reply) {
        bodies.push(body);
        return reply(204);
      },
    });
    expect(await call('send', { body: two })).toMatchObject({ status: 204 });
    expect(await call('send', { body: [] })).toMatchObject({ status: 204 });
    expect(await call('send', { body: [{ n: 'x' }] })).toMatchObject({ ok: false, response: { status: 400 } });
    expect(bodies).toEqual([two, []]);
  });
});
