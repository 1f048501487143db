/** Links against a server: values as they come, what is asked for and what is refused, and documents that mislead. */
import { expect, test } from 'vitest';
import { generateFrom, runnable } from '../support/generated-client.js';
import { generatedModules } from '../support/generated-modules.js';
import { reply, serve } from '../support/http-server.js';

type Call = (client: unknown, from: object, input?: object) => Promise<{ readonly ok: boolean }>;
type Module = Readonly<Record<string, Call>> & { createClient(options: object): unknown };

function documentOf(links: object, schema: object = { type: 'object' }): object {
  const content = { 'application/json': { schema } };
  const get = {
    operationId: 'get',
    parameters: [{ name: 'id', in: 'query', required: true, schema: {} }],
    responses: { 204: { description: 'ok' } },
  };
  return {
    openapi: '3.1.0',
    info: { title: 't', version: '1' },
    paths: {
      '/make': {
        post: {
          operationId: 'make',
          requestBody: { content },
          responses: { 200: { description: 'ok', content, links } },
        },
      },
      '/get': { get },
    },
  };
}

const make = (client: unknown, module: Module, body: unknown): Promise<unknown> =>
  (module['make'] as unknown as (client: unknown, input: object) => Promise<unknown>)(client, { body });

test('values travel as they are, and those of odd names are own members', async () => {
  const cases: readonly (readonly [string | number, unknown, string | undefined])[] = [
    ['$response.body#/id', { id: 7 }, '/get?id=7'],
    ['$response.body#/id', { id: 'a b&c' }, '/get?id=a%20b%26c'],
    ['$response.body#/id', { id: false }, '/get?id=false'],
    ['$response.body#/id', { id: null }, undefined],
    ['$response.body#/a~1b/1/~0', { 'a/b': [0, { '~': 'x' }] }, '/get?id=x'],
    ['$response.body#/__proto__', {}, undefined],
    ['$response.body#/constructor', {}, undefined],
    ['$response.body#/toString/name', {}, undefined],
    ['no. {$response.body#/id}!', { id: 3 }, '/get?id=no.%203!'],
    ['{$response.body#/id}{$response.body#/n}', { id: 3 }, undefined],
    ['$response.header.X-Id', {}, '/get?id=h'],
    ['plain', {}, '/get?id=plain'],
    [5, {}, '/get?id=5'],
  ];
  for (const [id, body, url] of cases) {
    const module = await runnable<Module>(
      await generateFrom(documentOf({ next: { operationId: 'get', parameters: { id } } })),
    );
    const { origin, seen } = await serve((request, response) =>
      request.url === '/make'
        ? reply(response, 200, body, { 'x-id': 'h', 'content-type': 'application/json' })
        : reply(response, 204),
    );
    const client = module.createClient({ baseUrl: origin });
    const followed = module['followMakeNext']?.(client, { result: (await make(client, module, {})) as object });
    if (url === undefined) await expect(followed, String(id)).rejects.toMatchObject({ fault: 'request' });
    else await followed;
    expect([id, seen[1]?.url]).toEqual([id, url]);
  }
});

test('links are members of the grouped object, beside the operation', async () => {
  const document = documentOf({ next: { operationId: 'get', parameters: { id: '$response.body#/id' } } });
  const { load, files } = await generatedModules({ 'api.json': document }, { input: 'api.json', targets: ['api'] });
  const { createClient } = (await load('index.ts')) as Module;
  const { createApi } = (await load('api.ts')) as {
    createApi: (client: unknown) => Readonly<Record<string, (...given: readonly object[]) => Promise<object>>>;
  };
  const { origin, seen } = await serve(({ url }, response) =>
    url === '/make' ? reply(response, 200, { id: 5 }) : reply(response, 204),
  );
  const grouped = createApi(createClient({ baseUrl: origin }));
  const result = (await grouped['make']?.({ body: {} })) ?? {};
  expect(await grouped['followMakeNext']?.({ result })).toMatchObject({ ok: true, status: 204 });
  expect(seen.map(({ url }) => url)).toEqual(['/make', '/get?id=5']);
  expect(files.get('api.ts')).toContain('followMakeNext(from: { readonly result: Make200 }');
});

test('names that collide, and links of many answers', async () => {
  const links = {
    next: { operationId: 'get', parameters: { id: '1' } },
    NEXT: { operationId: 'get', parameters: { id: '2' } },
    '*/ evil`': { operationId: 'get' },
  };
  const { files, ok } = await generateFrom(documentOf(links));
  const names = [...(files.find(({ path }) => path === 'links.ts')?.text ?? '').matchAll(/function (\w+)/g)].map(
    ([, name]) => name,
  );
  expect([ok, new Set(names).size]).toEqual([true, 3]);
});

test('what is wrong is said, and nothing is written for it', async () => {
  const wrong = {
    one: { operationId: 'gte' },
    two: { operationId: 'get', parameters: { ids: '1' } },
    three: { operationId: 'get', parameters: { id: '$response.body#/nam' } },
    four: { operationId: 'get', parameters: { id: '{$request.query.x}' } },
    five: { operationId: 'get', parameters: { id: '$request.body.id' } },
    six: { operationId: 'get', requestBody: 1 },
  };
  const schema = { type: 'object', properties: { name: { type: 'string' } } };
  const { files, diagnostics, ok } = await generateFrom(documentOf(wrong, schema));
  expect([ok, files.some(({ path }) => path === 'links.ts')]).toEqual([true, false]);
  expect(
    diagnostics
      .filter(({ code }) => code === 'link-unresolved')
      .map(({ message, at }) => [at?.pointer.split('/').at(-1), message]),
  ).toEqual([
    ['one', 'the link "one": there is no operation "gte"; did you mean "get"?'],
    ['two', 'the link "two": the operation that it leads to has no parameter "ids"; did you mean "id"?'],
    ['three', 'the link "three": the answer has nothing at "$response.body#/nam"'],
    ['four', 'the link "four": the operation has no query parameter "x"'],
    ['five', 'the link "five": "$request.body.id" is no runtime expression'],
    ['six', 'the link "six": the operation that it leads to takes no body'],
  ]);
});
