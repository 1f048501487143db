/** What a user of one operation ships: minified and compressed, without validators. */
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { bundle, generateFrom, withOutput } from '../support/generated-client.js';
import { mcp, mcpOptions } from '../support/mcp.js';
import { pets } from '../support/pets.js';

async function compressed(document: object, entry: string): Promise<number> {
  const result = await generateFrom(document, document === mcp ? mcpOptions : {});
  return withOutput(result, {}, async (folder) => gzipSync(await bundle(folder, entry), { level: 9 }).length);
}

describe('one operation', () => {
  test('with JSON answers is at most 3 KB', async () => {
    const entry = `
      import { createApiClient, getPet } from './index.ts';
      const client = createApiClient({ auth: { token: 'T' } });
      const result = await getPet(client, { path: { id: '1' } });
      console.log(result.data, result.error);`;
    expect(await compressed(pets, entry)).toBeLessThanOrEqual(3000);
  });

  test('with a JSON body is at most 3 KB', async () => {
    const entry = `
      import { createApiClient, putPet } from './index.ts';
      console.log(await putPet(createApiClient({}), { path: { id: '1' }, body: { name: 'n' } }));`;
    expect(await compressed(pets, entry)).toBeLessThanOrEqual(3000);
  });

  test('with a stream, mirrored headers and two media types is at most 5 KB', async () => {
    const entry = `
      import { createClient, mcpRpc } from './index.ts';
      console.log(await mcpRpc(createClient({}), { body: { jsonrpc: '2.0', id: 1, method: 'm', params: {} } }));`;
    expect(await compressed(mcp, entry)).toBeLessThanOrEqual(5000);
  });

  test('that is imported and not used is nothing', async () => {
    expect(await compressed(pets, "import * as api from './index.ts';")).toBeLessThanOrEqual(30);
  });
});
