/** The types of generated clients, as a user meets them: compiled under the strictest options by both compilers. */
import { describe, expect, test } from 'vitest';
import { compile, compilers, generateFrom, withOutput } from '../support/generated-client.js';
import { hoverTexts } from '../support/hover.js';
import { mcp, mcpOptions } from '../support/mcp.js';
import { pets } from '../support/pets.js';

const petsUse = `
import { createApiClient, addPet, createClient, events, getFile, getList, getPet, listPets, putPet, send, unwrap } from './index.js';
import type { AddPetInput, Client as Component, ListPetsResult, Pet, PetWrite } from './index.js';
import type { Client } from './runtime/client.js';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<A, B>(_: Same<A, B>): void {}

const client: Client = createApiClient({ baseUrl: 'https://x', auth: { token: async () => 'T', login: { username: 'u', password: 'p' } } });
// @ts-expect-error an unknown scheme
createApiClient({ auth: { tokn: 'T' } });
// @ts-expect-error a login is no text
createApiClient({ auth: { login: 'T' } });
export const component: Component = { name: 'the document keeps its names' };

export async function narrowing(): Promise<void> {
  const result: ListPetsResult = await listPets(client);
  if (result.ok) {
    same<typeof result.status, 200>(true);
    same<typeof result.data, Pet[]>(true);
    same<(typeof result.headers)['X-Total'], number>(true);
    const etag: string | undefined = result.headers.etag;
    void etag;
    // @ts-expect-error not declared
    void result.headers.other;
  } else if (result.status === 404) {
    same<typeof result.contentType, 'application/problem+json'>(true);
    const title: string | undefined = result.error.title;
    void title;
  } else if (result.status === 422) {
    const code: number = result.error.code;
    void code;
  } else if (result.status === 500) {
    const trace: string = result.error.trace;
    const wait: number | undefined = result.retryAfterMs;
    void [trace, wait];
  } else if (result.status === 'unexpected') {
    same<typeof result.error, unknown>(true);
    void result.response.status;
  }
  // @ts-expect-error only a success has data that is there
  void result.data.length;
}

export async function destructured(): Promise<void> {
  const { ok, status, data, error } = await getPet(client, { path: { id: '1' } });
  if (ok) same<typeof data, Pet>(true);
  else if (status === 404) same<typeof error, unknown>(true);
  const either = await getList(client, { path: { ids: ['1'], name: 'n' } });
  if (either.ok) void either.data;
  else if (either.status !== 'unexpected') void either.error.title;
  const pet: Pet = unwrap(await getPet(client, { path: { id: '1' } }));
  void pet;
  const file: Blob = unwrap(await getFile(client));
  void file;
  const done: undefined = unwrap(await createClient(client));
  void done;
  const anything = await send(client);
  if (anything.ok) same<typeof anything.contentType, string>(true);
}

export async function inputs(limit: number | undefined): Promise<void> {
  await listPets(client, { query: { limit, tags: ['a'], kind: undefined }, headers: { 'X-Trace': 't' }, cookies: { flavour: 'f' } });
  await listPets(client, {}, { signal: new AbortController().signal, timeout: 5, cache: 'no-store', headers: { a: 'b' } });
  // @ts-expect-error the path is required
  await getPet(client);
  // @ts-expect-error by its name on the wire
  await getPet(client, { path: { ID: '1' } });
  // @ts-expect-error not one of the values
  await listPets(client, { query: { kind: 'cow' } });
  // @ts-expect-error a parameter that OpenAPI ignores
  await listPets(client, { headers: { Authorization: 'x' } });
  // @ts-expect-error there is one media type only
  await listPets(client, {}, { accept: 'application/json' });
  const write: PetWrite = { name: 'n', kind: undefined };
  await putPet(client, { path: { id: '1' }, body: write });
  // @ts-expect-error read only
  await putPet(client, { path: { id: '1' }, body: { id: '1', name: 'n' } });
  const several: AddPetInput[] = [{ body: write }, { body: 'text', contentType: 'text/plain' }, { body: new Blob(), contentType: 'image/png' }];
  for (const input of several) await addPet(client, input);
  // @ts-expect-error text is not the default media type
  await addPet(client, { body: 'text' });
}

export async function stream(): Promise<void> {
  const result = await events(client);
  if (!result.ok) return;
  await using pets = result.data;
  for await (const event of pets) {
    switch (event.event) {
      case 'message':
        same<typeof event.data, Pet>(true);
        same<typeof event.name, string>(true);
        break;
      case '$invalid':
        void event.issues[0]?.pointer;
        break;
      default: {
        const never: never = event;
        void never;
      }
    }
  }
}
`;

const mcpUse = `
import { createClient, type EventStream, mcpRpc } from './index.js';
import type { McpRpcBody, McpRpc200StreamEvent } from './index.js';

const client = createClient({ auth: { ProjectToken: () => undefined } });
const body: McpRpcBody = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { any: 1 } };

export async function both(): Promise<void> {
  const result = await mcpRpc(client, { body, headers: { 'Mcp-Name': undefined } });
  if (result.status === 200) {
    if (result.contentType === 'text/event-stream') {
      for await (const event of result.data) if (event.event === 'message') void event.data.result?.['x'];
      for await (const data of result.data.data()) void data.jsonrpc;
    } else {
      const version: '2.0' = result.data.jsonrpc;
      void version;
    }
  } else if (result.status === 202) {
    const nothing: undefined = result.data;
    void nothing;
  } else if (result.status === 429) {
    const wait: number | undefined = result.retryAfterMs;
    void wait;
  }
}

export async function accepted(): Promise<void> {
  const json = await mcpRpc(client, { body }, { accept: 'application/json' });
  if (json.status === 200) void json.data.jsonrpc;
  const events = await mcpRpc(client, { body }, { accept: 'text/event-stream' });
  if (events.status === 200) {
    const stream: EventStream<McpRpc200StreamEvent> = events.data;
    await stream.close();
  }
  // @ts-expect-error not declared
  await mcpRpc(client, { body }, { accept: 'text/html' });
  // @ts-expect-error the body is required
  await mcpRpc(client, {});
}
`;

describe.each(compilers)('%s', (_, compiler) => {
  test.each([
    ['pets', pets, {}, petsUse],
    ['MCP', mcp, { ...mcpOptions, targets: ['client', 'validators'] as const }, mcpUse],
  ])('accepts the client of %s and what a user writes with it', async (_name, document, options, use) => {
    const result = await generateFrom(document, options);
    expect(await withOutput(result, { 'use.ts': use }, (folder) => compile(folder, compiler))).toBe('');
  });
});

test('holds without exactOptionalPropertyTypes, too', async () => {
  const use = `
    import { createApiClient, listPets, putPet } from './index.js';
    const client = createApiClient({ auth: { token: undefined } });
    export async function calls(limit: number | undefined): Promise<void> {
      await listPets(client, { query: { limit, kind: undefined } }, { timeout: undefined });
      await putPet(client, { path: { id: '1' }, body: { name: 'n', kind: undefined } });
      // @ts-expect-error not one of the values
      await listPets(client, { query: { kind: 'cow' } });
      // @ts-expect-error the path is required
      await putPet(client, { body: { name: 'n' } });
    }
  `;
  const result = await generateFrom(pets);
  const options = { exactOptionalPropertyTypes: false };
  for (const [, compiler] of compilers)
    expect(await withOutput(result, { 'use.ts': use }, (folder) => compile(folder, compiler, options))).toBe('');
}, 120_000);

test('an editor shows short names', async () => {
  const use = `
    import { createApiClient, listPets, unwrap } from './index.js';
    const client = createApiClient({});
    export const given = await listPets(client, { query: { limit: 1 } });
    export const pets = unwrap(given);
    export const failed = given.ok ? undefined : given.error;
  `;
  const texts = await withOutput(await generateFrom(pets), { 'use.ts': use }, (folder) =>
    hoverTexts(folder, 'use.ts', ['given', 'pets']),
  );
  expect(texts).toEqual(['const given: ListPetsResult', 'const pets: ListPets200Body']);
}, 120_000);
