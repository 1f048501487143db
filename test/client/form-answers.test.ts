/** Answers that are forms, as servers that are not ours send them, over loopback. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundle, compile, compilers, generateFrom, withOutput } from '../support/generated-client.js';
import { serve } from '../support/http-server.js';

type Call = (client: unknown, input?: object, options?: object) => Promise<Record<string, unknown>>;

interface Api {
  readonly createClient: (options?: object) => unknown;
  readonly validateResponses: (...mode: readonly unknown[]) => unknown;
  readonly getToken: Call;
  readonly getForm: Call;
  readonly getAny: Call;
}

const token = {
  type: 'object',
  required: ['access_token'],
  properties: {
    access_token: { type: 'string' },
    expires_in: { type: 'integer' },
    admin: { type: 'boolean' },
    note: { type: ['string', 'null'] },
    until: { type: 'string', format: 'date' },
    scopes: { type: 'array', items: { type: 'string' } },
    sizes: { type: 'array', items: { type: 'integer' } },
    ids: { type: 'array', items: { type: 'integer' } },
    user: { type: 'object', properties: { id: { type: 'integer' } } },
    color: { type: 'object', properties: { R: { type: 'integer' }, G: { type: 'integer' } } },
    window: {
      type: 'object',
      required: ['from'],
      properties: {
        from: { type: 'integer' },
        label: { type: 'string' },
        days: { type: 'array', items: { type: 'integer' } },
        note: { type: 'string' },
      },
    },
    filter: {
      type: 'object',
      properties: { age: { type: 'integer' }, tags: { type: 'array', items: { type: 'string' } } },
    },
  },
};
const form = {
  type: 'object',
  required: ['title', 'file'],
  properties: {
    title: { type: 'string' },
    count: { type: 'integer' },
    about: { type: 'object', properties: { n: { type: 'integer' } } },
    notes: { type: 'string' },
    rows: { type: 'array', items: { type: 'object' } },
    file: { type: 'string', format: 'binary' },
    files: { type: 'array', items: { type: 'string', format: 'binary' } },
  },
};
const document = {
  openapi: '3.1.0',
  info: { title: 'Forms', version: '1' },
  paths: {
    '/token': {
      get: {
        operationId: 'getToken',
        responses: {
          200: {
            description: 'ok',
            content: {
              'application/x-www-form-urlencoded': {
                schema: token,
                encoding: {
                  ids: { style: 'pipeDelimited', explode: false },
                  sizes: { explode: false },
                  color: { explode: false },
                  filter: { style: 'deepObject', explode: true },
                  window: { style: 'form', explode: true },
                },
              },
            },
          },
          400: {
            description: 'no',
            content: { 'application/x-www-form-urlencoded': { schema: { $ref: '#/components/schemas/Refusal' } } },
          },
        },
      },
    },
    '/form': {
      get: {
        operationId: 'getForm',
        responses: { 200: { description: 'ok', content: { 'multipart/form-data': { schema: form } } } },
      },
    },
    '/any': {
      get: {
        operationId: 'getAny',
        responses: {
          200: {
            description: 'ok',
            content: { 'multipart/form-data': {}, 'application/x-www-form-urlencoded': {} },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Refusal: {
        type: 'object',
        required: ['error'],
        properties: { error: { type: 'string' } },
        additionalProperties: { type: ['integer', 'string'] },
      },
    },
  },
};
const targets = ['types', 'operations', 'validators', 'client'] as const;

let api: Api;

beforeAll(async () => {
  const result = await generateFrom(document, { targets, dates: 'Date' });
  api = await withOutput(result, {}, async (folder) => {
    const file = join(folder, 'bundle.mjs');
    await writeFile(file, await bundle(folder, "export * from './index.ts'; export * from './client-validation.ts';"));
    return (await import(pathToFileURL(file).href)) as Api;
  });
});

const urlencoded = 'application/x-www-form-urlencoded';

async function answered(
  name: 'getToken' | 'getForm' | 'getAny',
  body: string | Buffer,
  type: string,
  status = 200,
  options = {},
): Promise<Record<string, unknown>> {
  const { origin } = await serve((_, response) => {
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  return api[name](api.createClient({ baseUrl: origin, ...options }));
}

describe('application/x-www-form-urlencoded', () => {
  test('each member is read as it is declared', async () => {
    const text =
      'access_token=a%2Bb+c&expires_in=3600&admin=true&note=&until=2024-02-29&scopes=read&scopes=wr%26ite&sizes=1,2' +
      '&ids=3%7C4&user=%7B%22id%22%3A5%7D&color=R,100,G,200&filter%5Bage%5D=6&filter[tags][1]=y&filter[tags][0]=x&more=z';
    expect(await answered('getToken', text, urlencoded)).toMatchObject({
      status: 200,
      data: {
        access_token: 'a+b c',
        expires_in: 3600,
        admin: true,
        note: '',
        until: new Date('2024-02-29'),
        scopes: ['read', 'wr&ite'],
        sizes: [1, 2],
        ids: [3, 4],
        user: { id: 5 },
        color: { R: 100, G: 200 },
        filter: { age: 6, tags: ['x', 'y'] },
        more: 'z',
      },
    });
  });

  test('an exploded object is put together from the names of its own members', async () => {
    const text = 'access_token=a&from=3&label=1&days=1&days=2&note=n&more=z';
    const { data } = await answered('getToken', text, urlencoded, 200, { validate: api.validateResponses('throw') });
    // A name that the form has itself is the form's.
    expect(data).toEqual({
      access_token: 'a',
      note: 'n',
      more: 'z',
      window: { from: 3, label: '1', days: [1, 2] },
    });
    const odd = await answered('getToken', 'access_token=a&from=x&window=w', urlencoded);
    expect(odd).toMatchObject({ data: { window: { from: 'x' } } });
    expect(await answered('getToken', 'access_token=a', urlencoded)).toMatchObject({ data: { access_token: 'a' } });
  });

  test('failures have their form, and one item is an array where it is declared', async () => {
    expect(await answered('getToken', 'error=1&retry=5', `${urlencoded};charset=UTF-8`, 400)).toMatchObject({
      ok: false,
      status: 400,
      error: { error: '1', retry: 5 },
    });
    expect(await answered('getToken', 'scopes=read', urlencoded)).toMatchObject({ data: { scopes: ['read'] } });
    expect(await answered('getToken', '', urlencoded)).toMatchObject({ data: {} });
  });

  test('what is not as declared stays as it came, and a validator tells it', async () => {
    const odd = 'access_token=%E0%A4%A&expires_in=soon&user={&__proto__=x&admin=true&admin=false';
    const { data } = await answered('getToken', odd, urlencoded);
    expect(Object.entries(data as object)).toEqual([
      ['access_token', '%E0%A4%A'],
      ['expires_in', 'soon'],
      ['user', '{'],
      ['__proto__', 'x'],
      ['admin', [true, false]],
    ]);
    const validate = api.validateResponses('throw');
    await expect(answered('getToken', odd, urlencoded, 200, { validate })).rejects.toMatchObject({
      fault: 'response',
      issues: expect.arrayContaining([expect.objectContaining({ pointer: '/expires_in', keyword: 'type' })]),
    });
  });

  test('names that are nested without end are only names', async () => {
    const { data } = await answered('getToken', `filter${'[a]'.repeat(10_000)}=1`, urlencoded);
    expect(Object.keys(data as object)).toHaveLength(1);
  });
});

describe('multipart/form-data', () => {
  const part = (head: string, data: string, type?: string): string =>
    `--b\r\nContent-Disposition: form-data; ${head}\r\n${type ? `Content-Type: ${type}\r\n` : ''}\r\n${data}\r\n`;

  test('texts, JSON and files', async () => {
    const body =
      part('name="title"', 'é') +
      part('name="count"', '7') +
      part('name="notes"; filename="notes.txt"', 'n', 'text/plain') +
      part('name="about"', '{"n":1}', 'application/json') +
      part('name="rows"', '{"a":1}', 'application/json') +
      part('name="rows"', '{"a":2}') +
      part('name="file"; filename="ä%22.png"', 'PNG', 'image/png') +
      part('name="files"', 'one') +
      part('name="extra"; filename="x.bin"', 'two') +
      '--b--\r\n';
    const { data } = await answered('getForm', body, 'multipart/form-data; boundary=b');
    const { file, files, extra, ...others } = data as Record<string, File> & { files: readonly File[] };
    expect(others).toEqual({ title: 'é', count: 7, notes: 'n', about: { n: 1 }, rows: [{ a: 1 }, { a: 2 }] });
    expect(file).toMatchObject({ name: 'ä".png', type: 'image/png' });
    expect(await file?.text()).toBe('PNG');
    expect(await Promise.all(files.map((one) => one.text()))).toEqual(['one']);
    expect(extra).toMatchObject({ name: 'x.bin' });
  });

  test('bytes stay bytes', async () => {
    const bytes = Buffer.from([0, 255, 13, 10, 45, 45, 128]);
    const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n';
    const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--b--\r\n')]);
    const { data } = await answered('getForm', body, 'multipart/form-data; boundary="b"');
    expect(Buffer.from(await (data as { file: File }).file.arrayBuffer())).toEqual(bytes);
  });

  test.each([
    ['multipart/form-data', '--b--', 'the media type of the answer names no boundary'],
    ['multipart/form-data; boundary=b', part('name="title"', 'x'), 'the form ends without its closing boundary'],
    ['multipart/form-data; boundary=b', `${part('other="title"', 'x')}--b--`, 'a part of the form has no name'],
    [
      'multipart/form-data; boundary=b',
      `${part('name="title"', 'x', 'text/plain; charset=none')}--b--`,
      'a part of the form is no text of its charset',
    ],
  ])('%s, %j is refused', async (type, body, message) => {
    await expect(answered('getForm', body, type)).rejects.toMatchObject({ fault: 'response', message });
  });

  test('without a schema', async () => {
    const body = `${part('name="a"', '1')}${part('name="f"; filename="f"', 'x')}--b--`;
    const { data } = await answered('getAny', body, 'multipart/form-data; boundary=b');
    expect(data).toMatchObject({ a: '1', f: { name: 'f' } });
    expect(await answered('getAny', 'a=1&a=2&b=', urlencoded)).toMatchObject({ data: { a: ['1', '2'], b: '' } });
  });
});

const use = `
import { createClient, getToken, getForm, getAny, type Refusal } from './index.js';
const client = createClient();
export async function typed(): Promise<void> {
  const token = await getToken(client);
  if (token.ok) {
    const seconds: number | undefined = token.data.expires_in;
    const until: Date | undefined = token.data.until;
    void [seconds, until];
  } else if (token.status === 400) {
    const refusal: Refusal = token.error;
    void refusal;
  }
  const form = await getForm(client);
  if (form.ok) {
    const file: File = form.data.file;
    const files: File[] = form.data.files ?? [];
    const count: number | undefined = form.data.count;
    void [file, files, count];
  }
  const any = await getAny(client, {}, { accept: 'application/x-www-form-urlencoded' });
  if (any.ok) {
    const a: string | string[] | undefined = any.data['a'];
    void a;
  }
}
`;

test.each(compilers)(
  'types by %s',
  async (_, compiler) => {
    const result = await generateFrom(document, { targets, dates: 'Date' });
    expect(await withOutput(result, { 'use.ts': use }, (folder) => compile(folder, compiler))).toBe('');
  },
  60_000,
);
