/** `--dates Date` end to end: the generated client against the generated server on a socket, and the runtime's codecs by themselves. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, describe, expect, test } from 'vitest';
import { type Codec, codec } from '../src/runtime/codec.js';
import { listFixtures, runFixture } from './support/fixtures.js';
import { repository } from './support/paths.js';

const root = mkdtempSync(join(repository, 'node_modules/.oasmith-dates-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

type Call = (client: object, input?: object, options?: object) => Promise<Readonly<Record<string, unknown>>>;

interface Generated {
  readonly createClient: (options: object) => object;
  readonly putPet: Call;
  readonly nodeListener: (handlers: object, options?: object) => RequestListener;
}

async function generated(): Promise<Generated> {
  const fixture = listFixtures('features').find(({ name }) => name === 'features/dates/codecs');
  if (!fixture) throw new Error('the fixture is missing');
  const { ok, printed, result } = await runFixture(fixture);
  if (!ok) throw new Error(printed);
  for (const { path, text } of result?.files ?? []) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const contents = "export * from './index.ts';\nexport { nodeListener } from './server-node.ts';\n";
  const outfile = join(root, 'bundle.mjs');
  await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'es2022',
  });
  return (await import(pathToFileURL(outfile).href)) as Generated;
}

const day = new Date('2024-02-29');
const noon = new Date('2024-02-29T12:00:00.500Z');

describe('the client against the server on a socket', () => {
  test('hold dates on both sides, and send texts', async () => {
    const { createClient, putPet, nodeListener } = await generated();
    const seen: unknown[] = [];
    const handlers = {
      putPet: async (
        { path, query, headers, cookies, body }: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
        reply: (...parts: unknown[]) => unknown,
      ) => {
        seen.push(path?.['born'], query?.['since'], query?.['days'], headers?.['X-Seen'], cookies?.['visit'], body);
        return reply(200, { ...body, id: '1' }, { headers: { 'X-Changed': noon, 'X-Day': day } });
      },
      watch: async () => undefined,
      tick: async () => undefined,
    };
    const faults: unknown[] = [];
    const server = createServer(nodeListener(handlers, { onError: (error: unknown) => faults.push(error) }));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    try {
      const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const body = { born: day, seen: null, history: [{ type: 'renamed', at: day }], weights: { a: { at: noon } } };
      const input = {
        path: { born: day },
        query: { since: noon, days: [day] },
        headers: { 'X-Seen': noon },
        cookies: { visit: day },
        body,
      };
      const result = await putPet(createClient({ baseUrl }), input);
      expect(faults).toEqual([]);
      expect(seen).toEqual([day, noon, [day], noon, day, body]);
      expect(result).toMatchObject({ ok: true, status: 200, headers: { 'X-Changed': noon, 'X-Day': day } });
      expect(result['data']).toEqual({ ...body, id: '1' });

      const send = (born: string, text: string): Promise<Response> =>
        fetch(`${baseUrl}/pets/${born}`, {
          method: 'PUT',
          body: text,
          headers: { 'content-type': 'application/json' },
        });
      const refused = await send('2024-02-29', '{"born":"soon"}');
      expect(refused.status).toBe(400);
      expect(await refused.text()).toContain('/body/born');
      expect((await send('2024-02-31x', '{"born":"2024-02-29"}')).status).toBe(400);
    } finally {
      server.close();
    }
  });
});

describe('codecs', () => {
  const both = (part: Codec['part']): Codec => codec(part);

  test('visit a value once, however many branches describe it', () => {
    const node: Codec = both({
      choose: [
        { is: 'object', part: { members: { at: 'date-time', next: () => node } } },
        { is: 'object', part: { members: { on: 'date', next: () => node } } },
      ],
    });
    let value: object = { at: '2024-02-29T12:00:00Z' };
    for (let count = 0; count < 900; count++) value = { on: '2024-02-29', next: value };
    expect(node.encode(node.decode(value))).toEqual(
      JSON.parse(JSON.stringify(value).replace('12:00:00Z', '12:00:00.000Z')),
    );
  });

  test('refuse what is no date, and say where', () => {
    const list = both({ members: { list: { items: 'date-time' } } });
    for (const text of [
      '2024-02-29',
      '2024-02-29T12:00:00',
      'soon',
      '',
      '2024-02-32T12:00:00Z',
      '2023-02-29T12:00:00Z',
      '2024-02-29T24:00:00Z',
    ]) {
      expect(() => list.decode({ list: ['2024-02-29T12:00:00+01:00', text] }), text).toThrow(
        expect.objectContaining({ path: ['list', 1], message: 'is not a date-time' }),
      );
    }
    expect(() => list.encode({ list: [new Date(8.64e15)] })).toThrow('is not a date-time');
    expect(() => list.encode({ list: [new Date(Number.NaN)] })).toThrow('is not a date-time');
    expect(list.decode({ list: ['2016-12-31T23:59:60Z', '2024-02-29t12:00:00.25z'] })).toEqual({
      list: [new Date('2016-12-31T23:59:59Z'), new Date('2024-02-29T12:00:00.250Z')],
    });
  });

  test('leave everything else as it is', () => {
    const some = both({ members: { at: 'date-time', other: null }, rest: 'date' });
    const form = new FormData();
    for (const value of [null, undefined, 1, 'text', form]) expect(some.encode(value)).toBe(value);
    expect(some.decode({ at: null, other: '2024-02-29', third: '2024-02-29' })).toEqual({
      at: null,
      other: '2024-02-29',
      third: day,
    });
    const sly = JSON.parse('{"__proto__":"2024-02-29","constructor":"2024-02-29"}') as object;
    expect(Object.entries(some.decode(sly) as object)).toEqual([
      ['__proto__', day],
      ['constructor', day],
    ]);
    let deep: object = {};
    for (let count = 0; count < 5000; count++) deep = { deep };
    const endless: Codec = both({ rest: () => endless });
    expect(() => endless.decode(deep)).toThrow('nested too deeply');
  });
});
