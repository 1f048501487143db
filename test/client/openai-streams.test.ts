/** The streams of OpenAI's own description, which types the data of its events and says nothing of their names. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type GenerateResult, generate } from '../../src/generate.js';
import { memoryHost } from '../../src/memory-host.js';
import { compile, compilers, runnable, withOutput } from '../support/generated-client.js';
import { serve } from '../support/http-server.js';
import { shared, sharedTitle } from '../support/paths.js';

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { operationId?: string; responses?: Responses }>>>>;
}

type Responses = Readonly<Record<string, { content?: Readonly<Record<string, { schema: { $ref?: string } }>> }>>;

interface Stream extends AsyncIterable<Readonly<Record<string, unknown>>> {}

interface Api {
  readonly createClient: (options: object) => unknown;
  readonly createTranscription: (client: unknown, input: object) => Promise<{ readonly data: Stream }>;
}

/** The operations that stream, with the component that their events are of. */
function streamingOperations({ paths }: Description): ReadonlyMap<string, string> {
  const found = Object.values(paths).flatMap((item) =>
    Object.values(item).flatMap(({ operationId, responses = {} }): [string, string][] => {
      const schema = responses['200']?.content?.['text/event-stream']?.schema;
      return operationId === undefined || !schema ? [] : [[operationId, schema.$ref?.split('/').at(-1) ?? '']];
    }),
  );
  return new Map(found);
}

/** Every kind of event that a transcription sends, as the service writes them, and what it ends with. */
const kinds = [
  { type: 'transcript.text.segment', id: 'seg_1', start: 0, end: 1.5, text: 'Good day', speaker: 'A' },
  { type: 'transcript.text.delta', delta: 'Good', logprobs: [{ token: 'Good', logprob: -0.1, bytes: [71] }] },
  { type: 'transcript.text.delta', delta: ' day', segment_id: 'seg_1' },
  { type: 'transcript.text.done', text: 'Good day' },
];
const recorded = `${kinds.map((data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`).join('')}data: [DONE]\n\n`;

const use = `
import { createClient, createTranscription } from './index.js';
import type { CreateTranscriptionResponseStreamEvent } from './index.js';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<A, B>(_: Same<A, B>): void {}

export async function narrowing(): Promise<string> {
  const result = await createTranscription(createClient({}), { body: new FormData() });
  let text = '';
  if (!result.ok || result.contentType !== 'text/event-stream') return text;
  for await (const event of result.data) {
    if (event.event === '$invalid') {
      text += event.issues[0]?.message ?? event.data;
      continue;
    }
    same<typeof event.event, 'message'>(true);
    same<typeof event.data, CreateTranscriptionResponseStreamEvent>(true);
    const name: string = event.name;
    const { data } = event;
    switch (data.type) {
      case 'transcript.text.segment':
        text += data.speaker + data.start.toFixed(1) + name;
        break;
      case 'transcript.text.delta':
        text += data.delta + String(data.logprobs?.[0]?.logprob);
        break;
      case 'transcript.text.done':
        text = data.text;
        // @ts-expect-error of another kind
        text += data.delta;
        break;
      default:
        same<typeof data, never>(true);
    }
  }
  return text;
}
`;

describe.skipIf(shared === undefined)(sharedTitle("the streams of OpenAI's description"), () => {
  let operations: ReadonlyMap<string, string>;
  let result: GenerateResult;

  beforeAll(async () => {
    const packed = readFileSync(join(shared ?? '', 'corpus/documents/openai.yaml.gz'));
    const text = gunzipSync(packed).toString('utf8');
    operations = streamingOperations(parse(text, { maxAliasCount: -1 }) as Description);
    const include = [...operations.keys()].map((id) => `operation:${id}`);
    const options = { input: 'api.yaml', targets: ['client', 'validators'], include, dropUnreachable: true } as const;
    result = await generate(options, memoryHost({ '/project/api.yaml': text }, { cwd: '/project' }));
  });

  test('are typed by their unions of events, all seven', () => {
    expect(operations.size).toBe(7);
    const text = result.files.find(({ path }) => path === 'operations.ts')?.text ?? '';
    for (const schema of operations.values())
      expect(text).toMatch(
        new RegExp(`200(?:Stream)?Event =\\s*\\$PayloadSseEvent<${schema}> \\| \\$InvalidSseEvent;`),
      );
  });

  test('decode, every kind of event of one operation', async () => {
    const api = await runnable<Api>(result);
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' }).end(recorded);
    });
    const { data } = await api.createTranscription(api.createClient({ baseUrl: server.origin }), {
      body: new FormData(),
    });
    const got: unknown[] = [];
    for await (const event of data) got.push(event);
    expect(got).toEqual(kinds.map((one) => ({ event: 'message', name: one.type, data: one, id: '' })));
  });

  test.each(compilers)('narrow, by %s', async (_, compiler) => {
    expect(await withOutput(result, { 'use.ts': use }, (folder) => compile(folder, compiler))).toBe('');
  });
});
