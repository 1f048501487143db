/**
 * `jiti test/conformance/mcp/client.ts <folder> <url>`: what a program does with the generated client. The suite appends the
 * URL and says the scenario in the environment.
 */
import { join } from 'node:path';
import { base64Header } from '../../../src/runtime/header-encoding.js';
import type { RpcClient } from '../../support/json-rpc.js';
import { versionMember } from './generate.js';

type Make = (...given: readonly unknown[]) => never;

interface Tool {
  readonly name: string;
  readonly inputSchema?: { readonly properties?: Readonly<Record<string, { readonly 'x-mcp-header'?: string }>> };
}

const [, , folder = '', url = ''] = process.argv;
const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as {
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }[];
};
const clientInfo = { name: 'oasmith fixtures', version: '1' };

async function load(kind: 'stateless' | 'session', file: string): Promise<Readonly<Record<string, Make>>> {
  return (await import(join(folder, kind, file))) as Readonly<Record<string, Make>>;
}

/** The endpoint's path is that of the contract, the suite's may be another; so requests are sent where the suite says. */
const toSuite = (request: Request, next: (request: Request) => Promise<Response>): Promise<Response> =>
  next(new Request(url, request));

async function connect(kind: 'stateless' | 'session', settings: object, options: object): Promise<RpcClient> {
  const { createClient } = await load(kind, 'client.ts');
  const { mcpRpcClient } = await load(kind, 'json-rpc-client.ts');
  const client = createClient?.({ baseUrl: new URL(url).origin, middleware: [toSuite], ...settings });
  return mcpRpcClient?.(client, options) as unknown as RpcClient;
}

/** What the schema of a tool says that headers repeat; null and absent members are not there. */
function mirrored({ inputSchema }: Tool, given: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const members = Object.entries(inputSchema?.properties ?? {}).flatMap(([name, { 'x-mcp-header': header }]) => {
    const value = given[name];
    if (header === undefined || value === undefined || value === null) return [];
    return [[`Mcp-Param-${header}`, base64Header.encode(String(value))]];
  });
  return Object.fromEntries(members);
}

async function stateless(): Promise<void> {
  const meta = {
    [versionMember]: '2026-07-28',
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const rpc = await connect('stateless', {}, { meta });
  // One scenario refuses the first request for its version, and wants to be asked again by one that it names.
  await rpc.call('server/discover').catch(() => rpc.call('server/discover'));
  const { tools } = (await rpc.call('tools/list')) as { readonly tools: readonly Tool[] };
  const calls = context.toolCalls ?? tools.map(({ name }) => ({ name, arguments: {} }));
  for (const call of calls) {
    const tool = tools.find(({ name }) => name === call.name);
    await rpc.call('tools/call', call, { headers: tool ? mirrored(tool, call.arguments) : {} });
  }
  if (process.env['MCP_CONFORMANCE_SCENARIO'] !== 'http-standard-headers') return;
  const { resources } = (await rpc.call('resources/list')) as { readonly resources: readonly { uri: string }[] };
  for (const { uri } of resources) await rpc.call('resources/read', { uri });
  const { prompts } = (await rpc.call('prompts/list')) as { readonly prompts: readonly { name: string }[] };
  for (const { name } of prompts) await rpc.call('prompts/get', { name });
  await rpc.notify('notifications/cancelled', { requestId: 1 });
}

async function session(): Promise<void> {
  const { reconnect } = await load('session', 'runtime/reconnect.ts');
  let sessionId: string | undefined;
  const keepSession = async (request: Request, next: (request: Request) => Promise<Response>): Promise<Response> => {
    if (sessionId !== undefined) request.headers.set('mcp-session-id', sessionId);
    const response = await next(request);
    sessionId = response.headers.get('mcp-session-id') ?? sessionId;
    return response;
  };
  // A stream that ends goes on by GET, from its last event.
  const resume = (lastEventId: string, { headers, signal }: Request): Request => {
    const given = new Headers(headers);
    given.delete('content-type');
    given.set('accept', 'text/event-stream');
    given.set('last-event-id', lastEventId);
    return new Request(url, { headers: given, signal });
  };
  const again = reconnect?.({ resume, delay: 1 });
  const input = { headers: { 'MCP-Protocol-Version': '2025-11-25' } };
  const rpc = await connect('session', { middleware: [toSuite, keepSession], reconnect: again }, { input });
  await rpc.call('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  await rpc.notify('notifications/initialized');
  const { tools } = (await rpc.call('tools/list', {})) as { readonly tools: readonly Tool[] };
  for (const { name } of tools) await rpc.call('tools/call', { name, arguments: {} });
}

await (process.env['MCP_CONFORMANCE_PROTOCOL_VERSION'] === '2025-11-25' ? session() : stateless());
