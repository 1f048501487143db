/** Multipart answers of servers that are not ours, over loopback. */
import { beforeAll, expect, test } from 'vitest';
import { generateFrom, runnable } from '../support/generated-client.js';
import { serve } from '../support/http-server.js';

interface Part {
  readonly event: string;
  readonly data: unknown;
  readonly issues?: readonly { readonly keyword: string; readonly pointer: string }[];
}

interface Api {
  readonly createClient: (options: object) => unknown;
  readonly read: (client: unknown, input?: object, options?: object) => Promise<{ readonly data: AsyncIterable<Part> }>;
}

const document = {
  openapi: '3.2.0',
  info: { title: 't', version: '1' },
  paths: {
    '/parts': {
      get: {
        operationId: 'read',
        responses: {
          200: {
            description: 'd',
            content: {
              'multipart/mixed': {
                itemSchema: { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } },
              },
            },
          },
        },
      },
    },
  },
};

let api: Api;

beforeAll(async () => {
  api = await runnable<Api>(await generateFrom(document, { targets: ['client', 'validators'] }));
});

async function parts(body: string, options: object = {}, type = 'multipart/mixed; boundary="b"'): Promise<Part[]> {
  const server = await serve((_, response) => {
    response.writeHead(200, { 'content-type': type }).end(body);
  });
  const { data } = await api.read(api.createClient({ baseUrl: server.origin }), undefined, options);
  const got: Part[] = [];
  for await (const part of data) got.push(part);
  return got;
}

const part = (data: string, type = 'application/json'): string => `--b\r\nContent-Type: ${type}\r\n\r\n${data}\r\n`;
const faulty = `${part('{"n":1}')}${part('{"n":"x"}')}${part('{')}${part('{"n":2}', 'image/png')}${part('{"n":3}')}--b--`;

test('parts that are not what is declared are told, and reading goes on', async () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  expect(await parts(faulty)).toMatchObject([
    { event: 'item', data: { n: 1 } },
    { event: '$invalid', data: bytes('{"n":"x"}'), issues: [{ keyword: 'type', pointer: '/n' }] },
    { event: '$invalid', data: bytes('{'), issues: [{ keyword: 'contentMediaType' }] },
    { event: '$invalid', data: bytes('{"n":2}'), issues: [{ keyword: 'contentMediaType' }] },
    { event: 'item', data: { n: 3 } },
  ]);
});

test('they are left out or thrown on request', async () => {
  expect(await parts(faulty, { onInvalid: 'skip' })).toMatchObject([{ data: { n: 1 } }, { data: { n: 3 } }]);
  await expect(parts(faulty, { onInvalid: 'throw' })).rejects.toMatchObject({
    fault: 'stream',
    issues: [{ pointer: '/n' }],
  });
});

test('a body without its closing boundary is cut short', async () => {
  await expect(parts(part('{"n":1}'))).rejects.toMatchObject({ fault: 'truncated' });
  expect(await parts('')).toEqual([]);
});

test('an answer that names no boundary cannot be read', async () => {
  await expect(parts(faulty, {}, 'multipart/mixed')).rejects.toMatchObject({ fault: 'response' });
});

test('a part has a limit', async () => {
  const long = part(`{"n":1,"text":"${'x'.repeat(100)}"}`);
  await expect(parts(`${long}--b--`, { maxEventLength: 50 })).rejects.toMatchObject({ fault: 'stream' });
});
