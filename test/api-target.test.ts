/** The target `api`: the client's functions as one object, against a server, and the names within its groups. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { generateFrom } from './support/generated-client.js';
import { generatedModules } from './support/generated-modules.js';

const done = { 204: { description: 'done' } };

function documentOf(
  operations: readonly (readonly [string, readonly string[]])[],
  tags: readonly object[] = [],
): object {
  const paths = Object.fromEntries(
    operations.map(([operationId, own], index) => [
      `/p${index}`,
      { post: { operationId, tags: own, requestBody: body, responses: done } },
    ]),
  );
  return { openapi: '3.2.0', info: { title: 't', version: '1' }, tags, paths };
}

const body = {
  content: { 'application/json': { schema: { type: 'object', properties: { name: { type: 'string' } } } } },
};

const requests: string[] = [];
const server = createServer((request, response) => {
  void textOf(request).then((text) => {
    requests.push(`${request.method} ${request.url} ${text}`);
    response.writeHead(204).end();
  });
});
afterAll(() => void server.close());

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of request) text += String(piece);
  return text;
}

type Call = (input?: object) => Promise<{ readonly ok: boolean; readonly status: unknown }>;

test.each(['single', 'tags'] as const)('sends what the functions send: layout %s', async (layout) => {
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready));
  const document = documentOf([
    ['pets/list', ['pets']],
    ['ping', []],
  ]);
  const { load } = await generatedModules({ 'api.json': document }, { input: 'api.json', targets: ['api'], layout });
  const { createClient } = (await load('index.ts')) as { createClient: (options: object) => unknown };
  const { createApi } = (await load('api.ts')) as {
    createApi: (client: unknown) => { readonly pets: { readonly list: Call }; readonly ping: Call };
  };
  const { port } = server.address() as AddressInfo;
  const api = createApi(createClient({ baseUrl: `http://127.0.0.1:${port}/v1` }));
  requests.length = 0;
  expect([await api.pets.list({ body: { name: 'Rex' } }), await api.ping()]).toMatchObject([
    { ok: true, status: 204 },
    { ok: true, status: 204 },
  ]);
  expect(requests).toEqual(['POST /v1/p0 {"name":"Rex"}', 'POST /v1/p1 ']);
  await new Promise<void>((closed) => {
    server.close(() => closed());
    server.closeAllConnections();
  });
});

/** The members of the object, each with the function behind it: `pets.list = listPets`. */
async function membersOf(document: object, names: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const { files } = await generateFrom(document, { targets: ['api'], names });
  const text = files.find(({ path }) => path === 'api.ts')?.text ?? '';
  const open: string[] = [];
  const found: string[] = [];
  for (const line of text.slice(text.indexOf('return {')).split('\n').slice(1)) {
    const [, group] = /^ +(\S+): \{$/.exec(line) ?? [];
    const [, member, called] = /^ +(\S+): \(input, options\) => \$(\w+)\(/.exec(line) ?? [];
    if (group !== undefined) open.push(group);
    else if (member !== undefined) found.push(`${[...open, member].join('.')} = ${called}`);
    else open.pop();
  }
  return found;
}

test('operations are named within their groups, and those without a tag stand at the root', async () => {
  const tags = [{ name: 'Zoo' }, { name: 'pet boxes', parent: 'Zoo' }];
  const members = await membersOf(
    documentOf(
      [
        ['listPetBoxes', ['pet boxes']],
        ['pet-box/get', ['pet boxes']],
        ['deleteZooPetBox', ['pet boxes']],
        ['petBoxes', ['pet boxes']],
        ['feed', ['pet boxes']],
        ['getHTTPServer', ['server']],
        ['ping', []],
      ],
      tags,
    ),
  );
  expect(members).toEqual([
    'server.getHTTP = getHTTPServer',
    'zoo.petBoxes.delete = deleteZooPetBox',
    'zoo.petBoxes.feed = feed',
    'zoo.petBoxes.get = petBoxGet',
    'zoo.petBoxes.list = listPetBoxes',
    'zoo.petBoxes.petBoxes = petBoxes',
    'ping = ping',
  ]);
});

test('the order of a document decides nothing', async () => {
  const operations = [
    ['listPets', ['pets']],
    ['pets.list', ['pets']],
    ['pets', []],
    ['list', ['Pets']],
  ] as const;
  const members = await membersOf(documentOf(operations));
  const { paths, ...rest } = documentOf(operations) as { paths: object };
  const turned = { ...rest, paths: Object.fromEntries(Object.entries(paths).reverse()) };
  expect(await membersOf(turned)).toEqual(members);
  expect(members).toEqual(['pets.list = listPets', 'pets.petsList = petsList', 'pets2.list = list', 'pets3 = pets']);
});

test('a pinned name stays whole', async () => {
  const members = await membersOf(documentOf([['listPets', ['pets']]]), { listPets: 'allPets' });
  expect(members).toEqual(['pets.allPets = allPets']);
});

test('nothing of a document makes a promise of a group, or reaches into what objects inherit', async () => {
  const operations = ['then', 'constructor', '__proto__', 'toString'].map((name) => [`x ${name}`, ['x']] as const);
  const members = await membersOf(documentOf([...operations, ['y', ['constructor']], ['z', ['***']]]));
  expect(members).toEqual([
    'constructor_.y = y',
    'group.z = z',
    'x.constructor_ = xConstructor',
    'x.proto = xProto',
    'x.then_ = xThen',
    'x.toString_ = xToString',
  ]);
});

test('a document without operations has no grouped object', async () => {
  const { ok, files, diagnostics } = await generateFrom(documentOf([]), { targets: ['api'] });
  expect(ok).toBe(true);
  expect(files.map(({ path }) => path)).not.toContain('api.ts');
  expect(diagnostics.map(({ code }) => code)).toContain('nothing-to-generate');
});
