/** What the generated client has beside its functions: a check of all answers, and the URLs of servers with variables. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { bundle, compile, compilers, generateFrom, withOutput } from '../support/generated-client.js';
import { reply, serve } from '../support/http-server.js';
import { pets } from '../support/pets.js';

type Call = (client: unknown, input?: object, options?: object) => Promise<{ readonly status: unknown }>;

interface Api {
  readonly createApiClient: (options?: object) => unknown;
  readonly validateResponses: (...mode: readonly unknown[]) => unknown;
  readonly serverUrl: (server: string, variables?: object) => string;
  readonly getPet: Call;
  readonly listPets: Call;
}

const servers = [
  {
    url: 'https://{region}.pets.example:{port}/{base}',
    variables: {
      region: { default: 'eu', enum: ['eu', 'us'] },
      port: { default: '8443' },
      base: { default: 'v1/x', enum: ['v1/x', 'v2'] },
    },
  },
  { url: 'http://127.0.0.1:{port}', name: 'local', variables: { port: { default: '80' } } },
];
const document = { ...pets, openapi: '3.2.0', servers };
const template = 'https://{region}.pets.example:{port}/{base}';

async function load(): Promise<Api> {
  const result = await generateFrom(document, { targets: ['types', 'operations', 'validators', 'client'] });
  return withOutput(result, {}, async (folder) => {
    const file = join(folder, 'bundle.mjs');
    const entry = "export * from './index.ts'; export * from './client-validation.ts';";
    await writeFile(file, await bundle(folder, entry));
    return (await import(pathToFileURL(file).href)) as Api;
  });
}

describe('validateResponses', () => {
  test('throws with pointers, successes and failures alike', async () => {
    const { createApiClient, validateResponses, getPet, listPets } = await load();
    const { origin } = await serve(({ url }, response) =>
      url === '/pets/1' ? reply(response, 200, { id: 1 }) : reply(response, 422, { code: 'x' }),
    );
    const client = createApiClient({ baseUrl: origin, validate: validateResponses('throw') });
    await expect(getPet(client, { path: { id: '1' } })).rejects.toMatchObject({
      fault: 'response',
      issues: expect.arrayContaining([expect.objectContaining({ pointer: '/id', keyword: 'type' })]),
    });
    await expect(listPets(client, {})).rejects.toMatchObject({ issues: [{ pointer: '/code' }] });
  });

  test('reports, and lets the answer pass', async () => {
    const { createApiClient, validateResponses, getPet } = await load();
    const { origin } = await serve((_, response) => reply(response, 200, { id: '1' }));
    const told: unknown[] = [];
    const validate = validateResponses('report', (fault: unknown) => told.push(fault));
    const result = await getPet(createApiClient({ baseUrl: origin, validate }), { path: { id: '1' } });
    expect(result).toMatchObject({ status: 200, data: { id: '1' } });
    expect(told).toMatchObject([
      { operation: 'getPet', status: 200, contentType: 'application/json', issues: [{ keyword: 'required' }] },
    ]);
  });
});

describe('serverUrl', () => {
  test('fills in what is given, and what the document says for the rest', async () => {
    const { createApiClient, serverUrl, getPet } = await load();
    expect(serverUrl(template)).toBe('https://eu.pets.example:8443/v1/x');
    expect(serverUrl(template, { region: 'us', base: 'v2', port: undefined })).toBe('https://us.pets.example:8443/v2');
    const { origin, seen } = await serve((_, response) => reply(response, 200, { id: '1' }));
    const baseUrl = serverUrl('local', { port: new URL(origin).port });
    await getPet(createApiClient({ baseUrl }), { path: { id: '1' } });
    expect(seen).toHaveLength(1);
  });

  test('refuses what is not listed, and what would lead elsewhere', async () => {
    const { serverUrl } = await load();
    const refused = [{ region: 'evil' }, { base: '../x' }, { port: '1@evil.example' }, { port: '1/x?' }, { port: 80 }];
    for (const variables of refused) {
      expect(() => serverUrl(template, variables)).toThrow(expect.objectContaining({ fault: 'request' }));
    }
  });
});

test.each(compilers)('types, by %s', async (_, compiler) => {
  const use = `
import { createApiClient, getPet, serverUrl } from './index.js';
import { validateResponses } from './client-validation.js';
const client = createApiClient({
  baseUrl: serverUrl('local', { port: '1' }),
  validate: validateResponses('report', ({ issues }) => void issues[0]?.pointer),
});
void getPet(client, { path: { id: '1' } }, { server: serverUrl('${template}', { region: 'us' }) });
createApiClient({ validate: validateResponses('throw') });
// @ts-expect-error to whom?
validateResponses('report');
// @ts-expect-error not one of the values
serverUrl('${template}', { region: 'evil' });
// @ts-expect-error no such server
serverUrl('production');
`;
  const result = await generateFrom(document, { targets: ['types', 'operations', 'validators', 'client'] });
  expect(await withOutput(result, { 'use.ts': use }, (folder) => compile(folder, compiler))).toBe('');
});
