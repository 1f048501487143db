/** A server of the suite's fixtures: the generated endpoint with handlers as a user would write them. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { JsonRpcError } from '../../../src/runtime/json-rpc.js';
import type { RequestContext } from '../../../src/runtime/server-options.js';
import type { Methods, RpcContext } from '../../support/json-rpc.js';
import { changes } from './server-changes.js';
import { type Asked, promptQuestions, questions, schemaTool } from './server-questions.js';
import { picture, tools as plainTools, type Tool, type ToolCall, text } from './server-tools.js';

const tools: Readonly<Record<string, Tool>> = {
  ...plainTools,
  ...questions,
  json_schema_2020_12_tool: schemaTool,
};
const serverInfo = { name: 'oasmith fixtures', version: '1' };
const cache = { ttlMs: 0, cacheScope: 'private' } as const;
const subscriptionMember = 'io.modelcontextprotocol/subscriptionId';

/** A whole result: it says what it is and who made it. */
const complete = (result: object): object => ({
  resultType: 'complete',
  ...result,
  _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
});

interface Named {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, string>>;
}

type Prompt = {
  readonly arguments: readonly string[];
  say(given: Readonly<Record<string, string>>): readonly object[];
};

const prompts: Readonly<Record<string, Prompt>> = {
  test_simple_prompt: { arguments: [], say: () => [text('This is a simple prompt for testing.')] },
  test_prompt_with_arguments: {
    arguments: ['arg1', 'arg2'],
    say: ({ arg1, arg2 }) => [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  },
  test_prompt_with_embedded_resource: {
    arguments: ['resourceUri'],
    say: ({ resourceUri }) => [
      { type: 'resource', resource: { uri: resourceUri, mimeType: 'text/plain', text: 'An embedded resource.' } },
      text('Please process the embedded resource above.'),
    ],
  },
  test_input_required_result_prompt: { arguments: [], say: () => [text('The prompt, in its context.')] },
  test_prompt_with_image: {
    arguments: [],
    say: () => [{ type: 'image', ...picture }, text('Please analyze the image above.')],
  },
};

function pick<T>(table: Readonly<Record<string, T>>, name: string): T {
  const found = Object.hasOwn(table, name) ? table[name] : undefined;
  if (found === undefined) throw new JsonRpcError(-32602, `there is no ${name}`);
  return found;
}

function resource(uri: string): object {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (uri === 'test://static-text')
    return { uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' };
  if (uri === 'test://static-binary') return { uri, mimeType: picture.mimeType, blob: picture.data };
  if (id !== undefined) {
    const data = { id, templateTest: true, data: `Data for ID: ${id}` };
    return { uri, mimeType: 'application/json', text: JSON.stringify(data) };
  }
  throw new JsonRpcError(-32602, 'there is no such resource', { data: { uri } });
}

interface Filter {
  readonly notifications: { readonly toolsListChanged?: boolean; readonly promptsListChanged?: boolean };
}

/** Tells of changes until the caller goes. */
async function listen({ notifications }: Filter, { id, signal, notify }: RpcContext): Promise<object> {
  const _meta = { [subscriptionMember]: id };
  const { toolsListChanged, promptsListChanged } = notifications;
  const wanted = { ...(toolsListChanged && { toolsListChanged }), ...(promptsListChanged && { promptsListChanged }) };
  await notify('notifications/subscriptions/acknowledged', { _meta, notifications: wanted });
  for (const kind of ['tools', 'prompts'] as const) {
    if (!wanted[`${kind}ListChanged`]) continue;
    changes.addEventListener(kind, () => void notify(`notifications/${kind}/list_changed`, { _meta }), { signal });
  }
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  return complete({});
}

const methods: Methods = {
  'server/discover': () =>
    complete({
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: { listChanged: true }, prompts: { listChanged: true }, resources: {}, completions: {} },
      ...cache,
    }),
  'tools/list': () =>
    complete({
      tools: Object.entries(tools).map(([name, { description, inputSchema }]) => ({
        name,
        description,
        inputSchema: inputSchema ?? { type: 'object', properties: {} },
      })),
      ...cache,
    }),
  'tools/call': async (call: ToolCall & Named, context: RpcContext) =>
    complete(await pick(tools, call.name).run(call, context)),
  'prompts/list': () =>
    complete({
      prompts: Object.entries(prompts).map(([name, prompt]) => ({
        name,
        description: name,
        arguments: prompt.arguments.map((argument) => ({ name: argument, description: argument, required: true })),
      })),
      ...cache,
    }),
  'prompts/get': ({ name, arguments: given = {}, ...call }: Named & Asked) =>
    (name === 'test_input_required_result_prompt' && promptQuestions(call)) ||
    complete({
      messages: pick(prompts, name)
        .say(given)
        .map((content) => ({ role: 'user', content })),
    }),
  'resources/list': () =>
    complete({
      resources: [
        { uri: 'test://static-text', name: 'static-text', description: 'A text', mimeType: 'text/plain' },
        { uri: 'test://static-binary', name: 'static-binary', description: 'A picture', mimeType: picture.mimeType },
      ],
      ...cache,
    }),
  'resources/templates/list': () =>
    complete({
      resourceTemplates: [
        {
          uriTemplate: 'test://template/{id}/data',
          name: 'template',
          description: 'Data',
          mimeType: 'application/json',
        },
      ],
      ...cache,
    }),
  'resources/read': ({ uri }: { readonly uri: string }) => complete({ contents: [resource(uri)], ...cache }),
  'completion/complete': () => complete({ completion: { values: [], total: 0, hasMore: false } }),
  'subscriptions/listen': listen,
};

const local = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/** A page of another origin must not reach a server on this machine through a name that leads here. */
function admit({ header }: RequestContext): boolean {
  const origin = header('origin');
  const host = origin !== undefined && URL.canParse(origin) ? new URL(origin).host : origin;
  return local.test(header('host') ?? '') && (host === undefined || local.test(host));
}

type Make = (...given: readonly unknown[]) => never;

/** Serves the generated endpoint; gives its URL. */
export async function startServer(folder: string): Promise<{ readonly url: string; close(): void }> {
  const { mcpRpcHandler } = (await import(join(folder, 'stateless/json-rpc-server.ts'))) as { mcpRpcHandler: Make };
  const { nodeListener } = (await import(join(folder, 'stateless/server-node.ts'))) as { nodeListener: Make };
  const options = { admit, onError: (error: unknown) => process.stderr.write(`${String(error)}\n`) };
  const listener: (request: IncomingMessage, response: ServerResponse) => void = nodeListener(
    { mcpRpc: mcpRpcHandler(methods) },
    options,
  );
  const server = createServer((request, response) => listener(request, response));
  await new Promise<void>((resolve) => server.listen(0, resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/mcp`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
