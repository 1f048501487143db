/** Paging against a server: what is asked for, where it ends, and what is refused. */
import { expect, test } from 'vitest';
import type { Options } from '../../src/config.js';
import type { DocumentUri, JsonPointer } from '../../src/diagnostics.js';
import { checkOptions } from '../../src/option-checks.js';
import { generateFrom, runnable } from '../support/generated-client.js';
import { reply, serve } from '../support/http-server.js';

interface Pages {
  [Symbol.asyncIterator](): AsyncGenerator<unknown>;
  pages(): AsyncGenerator<{ readonly ok: boolean; readonly status: unknown; readonly data?: unknown }>;
  collect(): Promise<unknown[]>;
}

interface Module {
  createClient(options: object): unknown;
  paginateList(client: unknown, input?: object, options?: object): Pages;
  isApiError(error: unknown): boolean;
}

const numbers = { type: 'array', items: { type: 'integer' } };
const page = {
  type: 'object',
  properties: {
    items: numbers,
    next: {},
    more: { type: 'boolean' },
    total: { type: 'integer' },
    pages: { type: 'integer' },
  },
};

function documentOf(security: object = {}): object {
  const parameters = ['cursor', 'page', 'offset', 'size'].map((name) => ({ name, in: 'query', schema: {} }));
  const content = { 'application/json': { schema: page } };
  const responses = { 200: { description: 'ok', content }, 503: { description: 'later', content } };
  return {
    openapi: '3.1.0',
    info: { title: 't', version: '1' },
    paths: { '/list': { get: { operationId: 'list', parameters, responses, security: [{ key: [] }] } } },
    components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' }, ...security } },
  };
}

type Rule = NonNullable<Options['pagination']>[string];

async function moduleOf(rule: Rule, document: object = documentOf()): Promise<Module> {
  return runnable<Module>(await generateFrom(document, { pagination: { list: rule } }));
}

const byCursor: Rule = { kind: 'cursor', next: '#/next', parameter: 'cursor' };
const byUrl: Rule = { kind: 'url', next: '#/next' };

/** The queries of what a server saw. */
const queries = (seen: readonly { readonly url: string }[]): readonly string[] =>
  seen.map(({ url }) => url.split('?')[1] ?? '');

test('a cursor is asked for as it is, and the end is what says no more', async () => {
  const ends = [undefined, null, '', false];
  const { paginateList, createClient } = await moduleOf({ ...byCursor, more: '#/more' });
  for (const end of ends) {
    const { origin, seen } = await serve(({ url }, response) => {
      reply(
        response,
        200,
        url.includes('cursor') ? { items: [3], next: end } : { items: [1, 2], next: 'a b&c', more: true },
      );
    });
    expect(await paginateList(createClient({ baseUrl: origin }), { query: { size: 2 } }).collect()).toEqual([1, 2, 3]);
    expect(queries(seen)).toEqual(['size=2', 'cursor=a%20b%26c&size=2']);
  }
  const { origin, seen } = await serve((_, response) => reply(response, 200, { items: [1], next: 'x', more: false }));
  expect(await paginateList(createClient({ baseUrl: origin })).collect()).toEqual([1]);
  expect(seen).toHaveLength(1);
});

test('cursors that lead back end the pages', async () => {
  const { paginateList, createClient } = await moduleOf(byCursor);
  const { origin, seen } = await serve(({ url }, response) => {
    const next = new Map([
      ['/list', 'a'],
      ['/list?cursor=a', 'b'],
      ['/list?cursor=b', 'a'],
    ]).get(url);
    reply(response, 200, { items: [seen.length], next });
  });
  const client = createClient({ baseUrl: origin });
  expect(await paginateList(client).collect()).toEqual([1, 2, 3]);
  expect(await paginateList(client, { query: { cursor: 'b' } }, { limit: 9 }).collect()).toEqual([4, 5]);
});

test('nothing is asked for that is not read', async () => {
  const { paginateList, createClient } = await moduleOf(byCursor);
  const { origin, seen } = await serve((_, response) =>
    reply(response, 200, { items: [1, 2], next: `${seen.length}` }),
  );
  const client = createClient({ baseUrl: origin });
  const asked = async (read: () => Promise<unknown>): Promise<number> => {
    const before = seen.length;
    await read();
    return seen.length - before;
  };
  const pages = paginateList(client);
  expect(await asked(async () => pages)).toBe(0);
  expect(await asked(async () => paginateList(client, {}, { limit: 0 }).collect())).toBe(0);
  expect(await asked(async () => paginateList(client, {}, { limit: 2 }).collect())).toBe(1);
  expect(await asked(async () => paginateList(client, {}, { limit: 3 }).collect())).toBe(2);
  expect(await asked(async () => paginateList(client, {}, { maxPages: 3 }).collect())).toBe(3);
  expect(
    await asked(async () => {
      for await (const _ of pages) break;
    }),
  ).toBe(1);
});

test('a failure is thrown by the items, and is the last of the pages', async () => {
  const { paginateList, createClient, isApiError } = await moduleOf(byCursor);
  const { origin } = await serve(({ url }, response) =>
    url.includes('cursor')
      ? reply(response, 503, { items: [9], next: 'c' })
      : reply(response, 200, { items: [1], next: 'b' }),
  );
  const client = createClient({ baseUrl: origin });
  const read: unknown[] = [];
  const failure = await (async () => {
    for await (const item of paginateList(client)) read.push(item);
  })().catch((error: unknown) => error);
  expect([read, isApiError(failure), (failure as { status: number }).status]).toEqual([[1], true, 503]);
  const statuses: unknown[] = [];
  for await (const { status } of paginateList(client).pages()) statuses.push(status);
  expect(statuses).toEqual([200, 503]);
});

test('one signal ends all calls', async () => {
  const { paginateList, createClient } = await moduleOf(byCursor);
  const { origin, seen } = await serve((_, response) => reply(response, 200, { items: [1], next: `${seen.length}` }));
  const ending = new AbortController();
  const items = paginateList(createClient({ baseUrl: origin }), {}, { signal: ending.signal });
  const aborted = (async () => {
    for await (const _ of items) ending.abort();
  })();
  await expect(aborted).rejects.toMatchObject({ fault: 'abort' });
  expect(seen).toHaveLength(1);
});

test('pages by number end by their count, by an empty page, or by a short one', async () => {
  const answers = (all: readonly object[]) =>
    serve(({ url }, response) => {
      const number = Number(/page=(\d+)/.exec(url)?.[1] ?? 1);
      reply(response, 200, all[number - 1] ?? { items: [] });
    });
  const cases: readonly (readonly [Partial<Exclude<Rule, false>>, readonly object[], number])[] = [
    [{}, [{ items: [1] }, { items: [2] }], 3],
    [
      { pages: '#/pages' },
      [
        { items: [1], pages: 2 },
        { items: [2], pages: 2 },
      ],
      2,
    ],
    [
      { total: '#/total' },
      [
        { items: [1], total: 2 },
        { items: [2], total: 2 },
      ],
      2,
    ],
    [{ size: 'size' }, [{ items: [1, 2] }, { items: [3] }], 2],
    [
      { more: '#/more' },
      [
        { items: [1], more: true },
        { items: [2], more: false },
      ],
      2,
    ],
    // A server that gives fewer than were asked for, always: only where the rule says so it is the end.
    [{}, [{ items: [1] }, { items: [2] }, { items: [3] }], 4],
  ];
  for (const [rule, pages, requests] of cases) {
    const { origin, seen } = await answers(pages);
    const { paginateList, createClient } = await moduleOf({
      kind: 'page',
      parameter: 'page',
      items: '#/items',
      ...rule,
    });
    const all = await paginateList(createClient({ baseUrl: origin })).collect();
    expect([all, seen.length]).toEqual([pages.flatMap((one) => (one as { items: number[] }).items), requests]);
  }
});

test('pages by offset go on behind the items that came', async () => {
  const { paginateList, createClient } = await moduleOf({
    kind: 'offset',
    parameter: 'offset',
    size: 'size',
    total: '#/total',
  });
  const all = [0, 1, 2, 3, 4, 5, 6];
  const { origin, seen } = await serve(({ url }, response) => {
    const { searchParams } = new URL(url, 'http://a');
    const from = Number(searchParams.get('offset') ?? 0);
    const items = all.slice(from, from + Number(searchParams.get('size')));
    reply(response, 200, { items, ...(searchParams.has('offset') ? {} : { total: 'many' }) });
  });
  const client = createClient({ baseUrl: origin });
  expect(await paginateList(client, { query: { size: 3 } }).collect()).toEqual(all);
  expect(queries(seen)).toEqual(['size=3', 'offset=3&size=3', 'offset=6&size=3']);
  expect(await paginateList(client, { query: { offset: '5', size: 9 } }).collect()).toEqual([5, 6]);
});

test('a page of something else has no items', async () => {
  const { paginateList, createClient } = await moduleOf(byCursor);
  for (const body of [null, 5, [], { items: {} }, { items: null }, { __proto__: null }]) {
    const { origin } = await serve((_, response) =>
      reply(response, 200, JSON.stringify(body), { 'content-type': 'application/json' }),
    );
    expect(await paginateList(createClient({ baseUrl: origin })).collect()).toEqual([]);
  }
});

test('members are own ones, whatever they are called', async () => {
  const schema = {
    type: 'object',
    properties: JSON.parse('{"__proto__":{"type":"array","items":{"type":"integer"}},"constructor":{"type":"string"}}'),
  };
  const document = {
    openapi: '3.1.0',
    info: { title: 't', version: '1' },
    paths: {
      '/list': {
        post: {
          operationId: 'list',
          requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
          responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } },
        },
      },
    },
  };
  const rule: Rule = {
    kind: 'cursor',
    items: '#/__proto__',
    next: '#/constructor',
    parameter: '$request.body#/__proto__/x',
  };
  const { paginateList, createClient } = await moduleOf(rule, document);
  const { origin, seen } = await serve(({ body }, response) =>
    reply(response, 200, body.includes('next') ? '{}' : '{"__proto__":[1],"constructor":"next"}', {
      'content-type': 'application/json',
    }),
  );
  expect(await paginateList(createClient({ baseUrl: origin }), { body: { a: 1 } }).collect()).toEqual([1]);
  expect(seen.map(({ body }) => body)).toEqual(['{"a":1}', '{"a":1,"__proto__":{"x":"next"}}']);
  expect(({} as { x?: unknown }).x).toBeUndefined();
});

test('credentials go to the origin of the first page only', async () => {
  const { paginateList, createClient } = await moduleOf(byUrl);
  const other = await serve((_, response) => reply(response, 200, { items: [666] }));
  const elsewhere = [
    other.origin,
    `${other.origin}/list`,
    '//127.0.0.1:1/list',
    'file:///etc/passwd',
    'javascript:0',
    'http://',
    'http://user@127.0.0.1:1/',
  ];
  for (const next of elsewhere) {
    const { origin } = await serve((_, response) => reply(response, 200, { items: [1], next }));
    const read = paginateList(createClient({ baseUrl: origin, auth: { key: 'secret' } })).collect();
    await expect(read, next).rejects.toMatchObject({ fault: 'response' });
  }
  expect(other.seen).toEqual([]);
  const { origin, seen } = await serve(({ url }, response, { headers }) => {
    const next = url === '/v1/list' ? `http://me:pass@${headers.host}/next%20page?a=b+c#f` : undefined;
    reply(response, 200, { items: [1], next });
  });
  await paginateList(createClient({ baseUrl: `${origin}/v1`, auth: { key: 'secret' } })).collect();
  expect(seen.map(({ url, headers }) => [url, headers.authorization])).toEqual([
    ['/v1/list', 'Bearer secret'],
    ['/next%20page?a=b+c', 'Bearer secret'],
  ]);
});

test('URLs that lead back end the pages, and middleware sees them', async () => {
  const { paginateList, createClient } = await moduleOf(byUrl);
  const { origin, seen } = await serve(({ url }, response) =>
    reply(response, 200, { items: [1], next: url.includes('b') ? '/list' : '?b' }),
  );
  const urls: string[] = [];
  const middleware = [
    (request: Request, next: (request: Request) => Promise<Response>) => {
      urls.push(request.url.slice(origin.length));
      return next(request);
    },
  ];
  expect(await paginateList(createClient({ baseUrl: origin, middleware })).collect()).toEqual([1, 1]);
  expect([seen.map(({ url }) => url), urls]).toEqual([
    ['/list', '/list?b'],
    ['/list', '/list?b'],
  ]);
});

test('the header Link is read as RFC 8288 has it', async () => {
  const { paginateList, createClient } = await moduleOf({ kind: 'link', items: '#/items' });
  const next = [
    '</n>; rel="next"',
    '</n>;rel=next',
    '</p>; rel="prev", </n>; rel="next"',
    '<https://other.example/a,b;rel=next>; rel="last",</n>; title="a, b; \\"<x>\\""; rel="Start NEXT"',
    '</n>; rel; REL="next"; rel="prev"',
    '</x>; rel="next"; anchor="/other", </n>; rel = next',
    '</n>; rel="next" , ',
  ];
  for (const link of next) {
    const { origin, seen } = await serve(({ url }, response) =>
      reply(response, 200, { items: [1] }, url === '/list' ? { link } : {}),
    );
    await paginateList(createClient({ baseUrl: origin })).collect();
    // A parameter without a value has none: the first `rel` counts.
    expect([link, seen.map(({ url }) => url)]).toEqual([link, link.includes('rel; REL') ? ['/list'] : ['/list', '/n']]);
  }
  for (const link of [
    '</n>; rel="prev"',
    '/n; rel=next',
    '</n',
    '</n>',
    '; rel=next',
    '</n>; rel="next',
    '</n>; title="rel=next"',
  ]) {
    const { origin, seen } = await serve((_, response) => reply(response, 200, { items: [1] }, { link }));
    await paginateList(createClient({ baseUrl: origin })).collect();
    expect([link, seen.length]).toEqual([link, 1]);
  }
});

test('what is not used is in no bundle', async () => {
  const { files } = await generateFrom(documentOf());
  expect(files.filter(({ path }) => /pag/.test(path))).toEqual([]);
  const paged = await generateFrom(documentOf(), { pagination: { list: byCursor } });
  expect(paged.files.flatMap(({ path }) => (/pag/.test(path) ? [path] : [])).sort()).toEqual([
    'pagination.ts',
    'runtime/page-cursor.ts',
    'runtime/paginate.ts',
  ]);
});

test('a rule that is misspelt says where, and what was meant', () => {
  const faults = (pagination: unknown): unknown =>
    checkOptions({ pagination }, { document: 'oasmith.config.json' as DocumentUri, pointer: '' as JsonPointer }).map(
      ({ message, at }) => [at?.pointer, message],
    );
  expect(faults({ a: { kind: 'cusor' } })).toEqual([
    [
      '/pagination/a/kind',
      'the option "pagination": "a" → "kind" must be cursor, link, url, page or offset, not "cusor"; did you mean "cursor"?',
    ],
  ]);
  expect(faults({ a: { kind: 'link', itms: '' } })).toEqual([
    ['/pagination/a/itms', 'the option "pagination": "a" → "itms" is no member; did you mean "items"?'],
  ]);
  expect(faults({ a: { kind: 'page', start: 1.5 } })).toEqual([
    ['/pagination/a/start', 'the option "pagination": "a" → "start" must be a whole number'],
  ]);
  expect(faults({ a: {} })).toEqual([['/pagination/a', 'the option "pagination": "a" needs the member "kind"']]);
  expect(faults({ a: false, b: { kind: 'link' } })).toEqual([]);
});
