/** The endpoint of the fixture `chattoo-mcp` for two revisions of the protocol, generated into a folder. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Options } from '../../../src/config.js';
import { generate } from '../../../src/generate.js';
import { nodeHost } from '../../../src/node-host.js';
import { repository } from '../../support/paths.js';

export const versionMember = 'io.modelcontextprotocol/protocolVersion';

const here = 'test/conformance/mcp';

const messages = {
  requests: '#/$defs/ClientRequest',
  notifications: '#/$defs/ClientNotification',
  serverNotifications: '#/$defs/ServerNotification',
} as const;

const name = { from: ['$request.body#/params/name', '$request.body#/params/uri'], encoding: 'base64' } as const;
const version = `$request.body#/params/_meta/${versionMember.replace('/', '~1')}`;

const stateless: Options = {
  headersFromBody: {
    mcpRpc: { 'MCP-Protocol-Version': version, 'Mcp-Method': '$request.body#/method', 'Mcp-Name': name },
  },
  jsonRpc: {
    mcpRpc: {
      ...messages,
      schema: `${here}/stateless.schema.json`,
      meta: { member: '_meta', schema: '#/$defs/RequestMeta' },
      version: { from: version, supported: ['2026-07-28'] },
      faults: { headers: { code: -32020 }, version: { code: -32022 } },
      errors: { HeaderMismatch: -32020, MissingRequiredClientCapability: -32021, UnsupportedProtocolVersion: -32022 },
      unknownId: 'omit',
    },
  },
};

const session: Options = {
  headersFromBody: { mcpRpc: { 'Mcp-Method': '$request.body#/method', 'Mcp-Name': name } },
  jsonRpc: {
    mcpRpc: {
      ...messages,
      schema: `${here}/session.schema.json`,
      version: { from: '$request.header.MCP-Protocol-Version', supported: ['2025-11-25'] },
      faults: { method: { status: 200 }, params: { status: 200 } },
      cancel: { method: 'notifications/cancelled', id: 'requestId' },
    },
  },
};

/** Writes `stateless/` and `session/`. */
export async function generateEndpoints(folder: string): Promise<void> {
  for (const [kind, options] of Object.entries({ stateless, session })) {
    const result = await generate(
      {
        ...options,
        input: 'fixtures/documents/chattoo-mcp/openapi.json',
        overlays: [`${here}/open.overlay.yaml`],
        framework: 'node',
      },
      nodeHost(repository),
    );
    const faults = result.diagnostics.filter(({ severity }) => severity === 'error');
    if (!result.ok) throw new Error(faults.map(({ code, message }) => `${code}: ${message}`).join('\n'));
    rmSync(join(folder, kind), { recursive: true, force: true });
    for (const { path, text } of result.files) {
      mkdirSync(dirname(join(folder, kind, path)), { recursive: true });
      writeFileSync(join(folder, kind, path), text);
    }
  }
}
