/** What a user of one operation ships: minified and compressed, without validators. */
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { generateFrom } from '../../support/corpus.js';
import { bundle, withOutput } from '../../support/generated-client.js';
import { repository } from '../../support/paths.js';

interface Operation {
  readonly title: string;
  readonly document: string;
  readonly entry: string;
  readonly most: number;
}

/** Prints a line for each bundle; gives whether all of them are small enough. */
export async function benchSizes(museum: string, print: (line: string) => void): Promise<boolean> {
  const operations: readonly Operation[] = [
    {
      title: 'Museum, a JSON operation',
      document: museum,
      entry: `
        import { createClient, getMuseumHours } from './index.ts';
        const client = createClient({ auth: { MuseumPlaceholderAuth: { username: 'u', password: 'p' } } });
        console.log(await getMuseumHours(client, { query: { limit: 10 } }));`,
      most: 3 * 1024,
    },
    {
      title: 'Chattoo, a streaming operation',
      document: join(repository, 'fixtures/documents/chattoo-mcp/openapi.json'),
      entry: `
        import { createClient, mcpRpc } from './index.ts';
        const client = createClient({ auth: { ProjectToken: () => 'token' } });
        console.log(await mcpRpc(client, { body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} } }));`,
      most: 5 * 1024,
    },
  ];
  let isSmall = true;
  for (const { title, document, entry, most } of operations) {
    const result = await generateFrom(document, { targets: ['client'] });
    const code = await withOutput(result, {}, (folder) => bundle(folder, entry));
    const size = gzipSync(code, { level: 9 }).length;
    isSmall &&= size <= most;
    print(`${title.padEnd(32)} ${size} bytes (${code.length} before compression), of ${most}`);
  }
  return isSmall;
}
