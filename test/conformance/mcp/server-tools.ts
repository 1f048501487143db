/** The tools that the suite asks for by name, as a user of the generated server would write them. */
import { base64Header } from '../../../src/runtime/header-encoding.js';
import { JsonRpcError } from '../../../src/runtime/json-rpc.js';
import { mirrorIssues } from '../../../src/runtime/server-mirrors.js';
import type { RpcContext } from '../../support/json-rpc.js';
import { changes } from './server-changes.js';

export interface ToolCall {
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly _meta: Readonly<Record<string, unknown>> & { readonly progressToken?: string | number };
}

export interface Tool {
  readonly description: string;
  readonly inputSchema?: object;
  run(call: ToolCall, context: RpcContext): object | Promise<object>;
}

export const capabilitiesMember = 'io.modelcontextprotocol/clientCapabilities';

export const text = (said: string): object => ({ type: 'text', text: said });
/** The first bytes of a picture and of a sound: the suite looks at the media type and at the form of the data. */
export const picture = { data: Buffer.from('89504e470d0a1a0a', 'hex').toString('base64'), mimeType: 'image/png' };
const sound = { data: Buffer.from('RIFF').toString('base64'), mimeType: 'audio/wav' };
const content = (...blocks: readonly object[]): object => ({ content: blocks });
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function progress({ _meta }: ToolCall, context: RpcContext): Promise<void> {
  for (const done of [0, 50, 100]) {
    if (_meta.progressToken !== undefined) {
      await context.notify('notifications/progress', {
        progressToken: _meta.progressToken,
        progress: done,
        total: 100,
      });
    }
    await pause(20);
  }
}

/** A parameter that its schema mirrors into a header, checked as the endpoint checks its own. */
function checkRegion({ arguments: given }: ToolCall, context: RpcContext): void {
  const mirrors = [{ header: 'Mcp-Param-Region', paths: [['region']], encoding: base64Header }];
  const [found] = mirrorIssues(mirrors, given, context);
  if (found) throw new JsonRpcError(-32020, `Mcp-Param-Region ${found.issue.message}`, { status: 400 });
}

export const tools: Readonly<Record<string, Tool>> = {
  test_simple_text: {
    description: 'Says a sentence',
    run: () => content(text('This is a simple text response for testing.')),
  },
  test_image_content: { description: 'Gives a picture', run: () => content({ type: 'image', ...picture }) },
  test_audio_content: { description: 'Gives a sound', run: () => content({ type: 'audio', ...sound }) },
  test_embedded_resource: {
    description: 'Gives a resource',
    run: () =>
      content({
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      }),
  },
  test_multiple_content_types: {
    description: 'Gives several things',
    run: () =>
      content(
        text('Multiple content types test:'),
        { type: 'image', ...picture },
        {
          type: 'resource',
          resource: {
            uri: 'test://mixed-content-resource',
            mimeType: 'application/json',
            text: JSON.stringify({ test: 'data', value: 123 }),
          },
        },
      ),
  },
  test_error_handling: {
    description: 'Fails',
    run: () => ({ ...content(text('This tool intentionally returns an error for testing')), isError: true }),
  },
  test_tool_with_progress: {
    description: 'Tells how far it is',
    run: async (call, context) => {
      await progress(call, context);
      return content(text('done'));
    },
  },
  test_missing_capability: {
    description: 'Needs a client that samples',
    run: ({ _meta }) => {
      const declared = _meta[capabilitiesMember] as Readonly<Record<string, unknown>>;
      if (declared['sampling'] !== undefined) return content(text('done'));
      const data = { requiredCapabilities: { sampling: {} } };
      throw new JsonRpcError(-32021, 'the client does not declare sampling', { status: 400, data });
    },
  },
  test_streaming_elicitation: {
    description: 'Answers by a stream',
    run: async ({ _meta }, context) => {
      const { progressToken = 'none' } = _meta;
      await context.notify('notifications/progress', { progressToken, progress: 1 });
      return content(text('done'));
    },
  },
  test_logging_tool: { description: 'Logs nothing unless it is asked to', run: () => content(text('done')) },
  test_custom_header: {
    description: 'Has a parameter in a header',
    inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
    run: (call, context) => {
      checkRegion(call, context);
      return content(text('done'));
    },
  },
  test_trigger_tool_change: {
    description: 'Changes the list of tools',
    run: () => {
      changes.dispatchEvent(new Event('tools'));
      return content(text('done'));
    },
  },
  test_trigger_prompt_change: {
    description: 'Changes the list of prompts',
    run: () => {
      changes.dispatchEvent(new Event('prompts'));
      return content(text('done'));
    },
  },
};
