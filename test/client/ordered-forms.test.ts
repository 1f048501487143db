/** Multipart bodies whose parts are told by position (OpenAPI 3.2, `prefixEncoding` and `itemEncoding`), forms among them. */

import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { bundle, compile, compilers, generateFrom, withOutput } from '../support/generated-client.js';
import { reply, serve } from '../support/http-server.js';
import { repository } from '../support/paths.js';

type Answer = (status: number, body?: unknown) => unknown;
type Call = (client: unknown, input?: object, options?: object) => Promise<Record<string, unknown>>;

interface Api {
  readonly createClient: (options?: object) => unknown;
  readonly nodeListener: (handlers: object, options?: object) => RequestListener;
  readonly upload: Call;
  readonly getAlbum: Call;
  readonly addNotes: Call;
}

const text = readFileSync(join(repository, 'fixtures/features/bodies/ordered-form/openapi.yaml'), 'utf8');
const document = parse(text) as object;
const targets = ['types', 'operations', 'validators', 'client', 'server'] as const;

let api: Api;

beforeAll(async () => {
  const result = await generateFrom(document, { targets, framework: 'node' });
  api = await withOutput(result, {}, async (folder) => {
    const file = join(folder, 'bundle.mjs');
    await writeFile(file, await bundle(folder, "export * from './index.ts'; export * from './server-node.ts';"));
    return (await import(pathToFileURL(file).href)) as Api;
  });
});

const png = new Uint8Array([137, 80, 78, 71]);
const parts = [
  { data: { title: 'é' } },
  { name: 'note"s', data: '# Title' },
  { name: 'file', filename: 'ä.png', contentType: 'image/png', data: png },
];

describe('requests', () => {
  test('parts have the names and headers of their positions, in order', async () => {
    const { origin, seen } = await serve((_, response) => reply(response, 204));
    await api.upload(api.createClient({ baseUrl: origin }), { body: parts });
    const [{ headers, body } = { headers: {}, body: '' }] = seen;
    const boundary = /^multipart\/form-data; boundary=(\S+)$/.exec(headers['content-type'] ?? '')?.[1] ?? '';
    expect(body.split(`--${boundary}`).map((piece) => piece.trim().split('\r\n\r\n')[0])).toEqual([
      '',
      'content-disposition: form-data; name="about"\r\ncontent-type: application/json',
      'content-disposition: form-data; name="note%22s"\r\ncontent-type: text/markdown\r\nx-order: second',
      'content-disposition: form-data; name="file"; filename="ä.png"\r\ncontent-type: image/png',
      '--',
    ]);
  });

  test('the platform reads them as a form', async () => {
    let form: FormData | undefined;
    const client = api.createClient({
      baseUrl: 'https://a.example',
      fetch: async (request: Request) => {
        form = await request.formData();
        return new Response(null, { status: 204 });
      },
    });
    await api.upload(client, {
      body: (async function* () {
        yield* parts;
      })(),
    });
    expect([...(form?.keys() ?? [])]).toEqual(['about', 'note"s', 'file']);
    expect(form?.get('about')).toBe('{"title":"é"}');
    expect(form?.get('file')).toMatchObject({ name: 'ä.png', type: 'image/png', size: 4 });
  });

  test('a part of a form without a name is refused, and what the caller says wins', async () => {
    const { origin, seen } = await serve((_, response) => reply(response, 204));
    const client = api.createClient({ baseUrl: origin });
    const [first] = parts;
    await expect(api.upload(client, { body: [first, { data: 'text' }] })).rejects.toMatchObject({
      fault: 'request',
      message: 'body: a part of a form has no name',
    });
    expect(seen).toEqual([]);
    const own = { data: { title: 't' }, headers: { 'Content-Disposition': 'form-data; name="own"' } };
    await api.upload(client, { body: [own] });
    expect(seen[0]?.body).toContain('content-disposition: form-data; name="own"');
  });

  test('constant headers go with parts of every multipart type', async () => {
    const { origin, seen } = await serve((_, response) => reply(response, 204));
    const client = api.createClient({ baseUrl: origin });
    await api.addNotes(client, { path: { id: '1' }, body: [{ data: { title: 'a' } }, { data: { title: 'b' } }] });
    expect(seen[0]?.body.match(/x-kind: note/g)).toHaveLength(2);
    expect(seen[0]?.body).not.toContain('content-disposition');
  });
});

test('our server reads and writes such forms', async () => {
  const seen: unknown[] = [];
  const handlers = {
    upload: async ({ body }: { body: readonly { data: unknown; headers: Headers }[] }, answer: Answer) => {
      for (const { data, headers } of body) seen.push([headers.get('content-disposition'), data]);
      return answer(204);
    },
    getAlbum: async (_: unknown, answer: Answer) => answer(200, [{ name: 'a', contentType: 'image/png', data: png }]),
    addNotes: async (_: unknown, answer: Answer) => answer(204),
  };
  const server = createServer(api.nodeListener(handlers));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const client = api.createClient({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  await api.upload(client, { body: parts.slice(0, 2) });
  expect(seen).toEqual([
    ['form-data; name="about"', { title: 'é' }],
    ['form-data; name="note%22s"', '# Title'],
  ]);
  const { data } = await api.getAlbum(client, { path: { id: '1' } });
  const got: unknown[] = [];
  for await (const part of data as AsyncIterable<{ data: Uint8Array; headers: Headers }>)
    got.push([part.headers.get('content-disposition'), [...part.data]]);
  expect(got).toEqual([['form-data; name="a"', [...png]]]);
});

const use = `
import { createClient, upload, addNotes } from './index.js';
const client = createClient();
export async function typed(): Promise<void> {
  await upload(client, { body: [{ data: { title: 't' } }, { name: 'note', data: '# Title' }, { name: 'file', filename: 'a.png', data: new Uint8Array(1) }] });
  // @ts-expect-error what is no JSON of the first position needs a name
  await upload(client, { body: [{ data: 'text' }] });
  await addNotes(client, { path: { id: '1' }, body: [{ data: { title: 't' } }] });
  // @ts-expect-error not what is declared
  await addNotes(client, { path: { id: '1' }, body: [{ data: { titel: 't' } }] });
}
`;

test.each(compilers)(
  'types by %s',
  async (_, compiler) => {
    const result = await generateFrom(document, { targets: ['types', 'operations', 'client'] });
    expect(await withOutput(result, { 'use.ts': use }, (folder) => compile(folder, compiler))).toBe('');
  },
  60_000,
);
