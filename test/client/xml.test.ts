/** Bodies of XML: text, or with `--xml typed` values that a codec of the user's reads and writes. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Options } from '../../src/config.js';
import { bundle, compile, compilers, generateFrom, withOutput } from '../support/generated-client.js';
import { reply, serve } from '../support/http-server.js';

type Call = (client: unknown, input?: object, options?: object) => Promise<Record<string, unknown>>;

interface Api {
  readonly createClient: (options?: object) => unknown;
  readonly validateResponses: (...mode: readonly unknown[]) => unknown;
  readonly getOrder: Call;
  readonly putOrder: Call;
  readonly postFeed: Call;
}

const order = {
  type: 'object',
  required: ['id'],
  xml: { name: 'order', prefix: 'o', namespace: 'https://example.com/orders' },
  properties: { id: { type: 'integer' }, placed: { type: 'string', format: 'date' } },
};
const problem = { type: 'object', required: ['title'], properties: { title: { type: 'string' } }, xml: { name: 'p' } };
const ref = { $ref: '#/components/schemas/Order' };
const document = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  paths: {
    '/order': {
      get: {
        operationId: 'getOrder',
        responses: {
          200: {
            description: 'ok',
            content: { 'application/xml': { schema: ref }, 'application/json': { schema: ref } },
          },
          '4XX': { description: 'no', content: { 'application/problem+xml': { schema: problem } } },
        },
      },
      put: {
        operationId: 'putOrder',
        requestBody: { required: true, content: { 'text/xml': { schema: ref } } },
        responses: { 204: { description: 'ok' } },
      },
    },
    '/feed': {
      post: {
        operationId: 'postFeed',
        requestBody: { content: { 'application/atom+xml': {} } },
        responses: { 200: { description: 'ok', content: { 'application/atom+xml': {} } } },
      },
    },
  },
  components: { schemas: { Order: order } },
};
const targets = ['types', 'operations', 'validators', 'client'] as const;

async function load(options: Options = {}): Promise<Api> {
  const result = await generateFrom(document, { targets, xml: 'typed', ...options });
  return withOutput(result, {}, async (folder) => {
    const file = join(folder, 'bundle.mjs');
    const entry = "export * from './index.ts'; export * from './client-validation.ts';";
    await writeFile(file, await bundle(folder, entry));
    return (await import(pathToFileURL(file).href)) as Api;
  });
}

/** A codec for elements without children; tells what it was told. */
function flatCodec(told: unknown[] = []): object {
  return {
    decode: (text: string, about: object) => {
      told.push(about);
      const inner = /^<[^>]+>(.*)<\/[^>]+>$/.exec(text)?.[1];
      if (inner === undefined) throw new Error(`not XML: ${text}`);
      const members = [...inner.matchAll(/<(\w+)>([^<]*)<\/\1>/g)];
      return Object.fromEntries(
        members.map(([, name = '', value = '']) => [name, name === 'id' && value !== '' ? Number(value) : value]),
      );
    },
    encode: (value: object, about: { readonly root?: string }) => {
      told.push(about);
      const members = Object.entries(value).map(([name, member]) => `<${name}>${String(member)}</${name}>`);
      return `<${about.root}>${members.join('')}</${about.root}>`;
    },
  };
}

const aboutOrder = { schema: 'Order', root: 'o:order', namespace: 'https://example.com/orders' };

describe('with a codec', () => {
  test('answers are values, successes and failures, and the codec is told what the document says', async () => {
    const { createClient, getOrder } = await load();
    const told: unknown[] = [];
    let [status, type, text] = [200, 'application/xml; charset=utf-8', '<o><id>7</id></o>'];
    const { origin } = await serve((_, response) => reply(response, status, text, { 'content-type': type }));
    const client = createClient({ baseUrl: origin, xml: flatCodec(told) });
    expect(await getOrder(client)).toMatchObject({ ok: true, contentType: 'application/xml', data: { id: 7 } });
    [status, type, text] = [404, 'application/problem+xml', '<p><title>none</title></p>'];
    expect(await getOrder(client)).toMatchObject({ ok: false, status: 404, error: { title: 'none' } });
    [status, type, text] = [200, 'application/json', '{"id":8}'];
    expect(await getOrder(client)).toMatchObject({ contentType: 'application/json', data: { id: 8 } });
    expect(told).toEqual([
      { contentType: 'application/xml', ...aboutOrder },
      { contentType: 'application/problem+xml', schema: 'GetOrder4XXBody', root: 'p' },
    ]);
  });

  test('requests are written, and what has no schema stays text', async () => {
    const { createClient, putOrder, postFeed } = await load();
    const told: unknown[] = [];
    const { origin, seen } = await serve(({ url, body }, response) =>
      url === '/feed' ? reply(response, 200, body, { 'content-type': 'application/atom+xml' }) : reply(response, 204),
    );
    const client = createClient({ baseUrl: origin, xml: flatCodec(told) });
    await putOrder(client, { body: { id: 7 } });
    expect(await postFeed(client, { body: '<feed/>' })).toMatchObject({ data: '<feed/>' });
    expect(seen.map(({ headers, body }) => [headers['content-type'], body])).toEqual([
      ['text/xml', '<o:order><id>7</id></o:order>'],
      ['application/atom+xml', '<feed/>'],
    ]);
    expect(told).toEqual([{ contentType: 'text/xml', ...aboutOrder }]);
  });

  test('validation sees the value, and dates are those of programs', async () => {
    const { createClient, getOrder, putOrder, validateResponses } = await load({ dates: 'Date' });
    let text = '<o><id>7</id><placed>2024-02-29</placed></o>';
    const { origin, seen } = await serve((_, response) =>
      reply(response, 200, text, { 'content-type': 'application/xml' }),
    );
    const client = createClient({ baseUrl: origin, xml: flatCodec(), validate: validateResponses('throw') });
    const placed = new Date('2024-02-29');
    expect(await getOrder(client)).toMatchObject({ data: { id: 7, placed } });
    await putOrder(client, { body: { id: 7, placed } });
    expect(seen[1]?.body).toBe('<o:order><id>7</id><placed>2024-02-29</placed></o:order>');
    text = '<o><placed>2024-02-29</placed></o>';
    await expect(getOrder(client)).rejects.toMatchObject({ fault: 'response', issues: [{ keyword: 'required' }] });
  });

  test('a codec may take its time to read', async () => {
    const { createClient, getOrder } = await load();
    const { origin } = await serve((_, response) =>
      reply(response, 200, '<o/>', { 'content-type': 'application/xml' }),
    );
    const client = createClient({ baseUrl: origin, xml: { decode: async () => ({ id: 1 }), encode: () => '' } });
    expect(await getOrder(client)).toMatchObject({ data: { id: 1 } });
  });

  test('what it throws ends the call, and quotes nothing', async () => {
    const { createClient, getOrder, putOrder } = await load();
    const { origin, seen } = await serve((_, response) =>
      reply(response, 200, 'a secret', { 'content-type': 'application/xml' }),
    );
    const client = createClient({ baseUrl: origin, xml: { ...flatCodec(), encode: () => 5 } });
    const fault = await getOrder(client).catch((error: unknown) => error);
    expect(fault).toMatchObject({ fault: 'response', message: 'the body is no XML that the codec reads' });
    await expect(putOrder(client, { body: { id: 1 } })).rejects.toMatchObject({ fault: 'request' });
    await expect(putOrder(createClient({ baseUrl: origin }), { body: { id: 1 } })).rejects.toMatchObject({
      message: 'body: needs a codec for XML',
    });
    await expect(getOrder(createClient({ baseUrl: origin }))).rejects.toMatchObject({
      message: 'the body needs a codec for XML',
    });
    expect(seen.filter(({ method }) => method === 'PUT')).toEqual([]);
  });
});

const use = `
import { createClient, getOrder, putOrder, postFeed, type Order, type XmlCodec } from './index.js';
const xml: XmlCodec = { decode: (text) => JSON.parse(text), encode: (value, { root = 'root' }) => root + JSON.stringify(value) };
const client = createClient({ xml });
// @ts-expect-error the codec is missing
createClient();
// @ts-expect-error the codec is missing
createClient({ baseUrl: 'https://x.example' });
export async function typed(): Promise<Order | undefined> {
  await putOrder(client, { body: { id: 1 } });
  // @ts-expect-error a value, not text
  await putOrder(client, { body: '<order/>' });
  await postFeed(client, { body: '<feed/>' });
  const result = await getOrder(client, {}, { accept: 'application/xml' });
  if (!result.ok && result.status !== 'unexpected') { const title: string = result.error.title; void title; }
  return result.ok ? result.data : undefined;
}
`;

test.each(compilers)(
  'types by %s',
  async (_, compiler) => {
    const result = await generateFrom(document, { targets, xml: 'typed' });
    expect(await withOutput(result, { 'use.ts': use }, (folder) => compile(folder, compiler))).toBe('');
  },
  60_000,
);

test('without the option XML is text, and nothing of a codec is there', async () => {
  const result = await generateFrom(document, { targets });
  expect(result.files.map(({ path }) => path)).not.toContain('runtime/xml.ts');
  expect(result.files.find(({ path }) => path === 'client.ts')?.text).not.toContain('xmlReader');
  expect(result.files.find(({ path }) => path === 'operations.ts')?.text).toContain('body: string;');
});
