/** Streams in both directions: a generated client and the generated server of one document, on every adapter. */
import { expect, onTestFinished } from 'vitest';
import type { Options } from '../../src/config.js';
import { type Adapter, generatedServer } from './generated-server.js';

export interface Stream extends AsyncIterable<{ readonly event: string; readonly data: unknown }> {
  collect(): Promise<unknown[]>;
  close(): Promise<void>;
}

export interface Answer {
  readonly ok: boolean;
  readonly status: number | 'unexpected';
  readonly data: Stream;
  readonly error: unknown;
}

export type Call = (client: unknown, input?: object, options?: object) => Promise<Answer>;
export type Reply = (status: number, body?: unknown) => unknown;
export type Handler = (
  request: { readonly body: unknown },
  reply: Reply,
  context: { readonly signal: AbortSignal },
) => unknown;
export interface Queue extends AsyncIterable<unknown> {
  push(event: unknown): Promise<boolean>;
  end(): void;
  readonly closed: AbortSignal;
}

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

export const event = (n: number): object => ({ event: 'note', data: { n } });

export async function* numbers(make: (n: number) => object, count: number, then?: Error): AsyncGenerator<object> {
  for (let n = 1; n <= count; n += 1) yield make(n);
  if (!then) return;
  // A host may drop what it has not written yet where a stream breaks.
  await pause(30);
  throw then;
}

/** Reads a stream to its end or its fault. */
export async function outcome(stream: Stream): Promise<{ readonly got: unknown[]; readonly fault: unknown }> {
  const got: unknown[] = [];
  try {
    for await (const { event: name, data } of stream) got.push(name === 'item' ? data : [name, data]);
    return { got, fault: undefined };
  } catch (error) {
    return { got, fault: (error as { readonly fault?: unknown }).fault };
  }
}

type Handlers = Readonly<Record<string, Handler>>;

interface Serving {
  readonly server: { readonly url: string };
  /** What `onError` was told. */
  readonly errors: unknown[];
  call(operation: string, input?: object, options?: object): Promise<Answer>;
  opened(operation: string): Promise<Stream>;
}

export interface StreamingApi {
  readonly createEventQueue: (options?: object) => Queue;
  /** A server of these handlers, and calls to it; every other operation answers 501. */
  serving(adapter: Adapter, handlers: Handlers, options?: object): Promise<Serving>;
  remove(): void;
}

export async function streamingApi(document: object, settings: Options = {}): Promise<StreamingApi> {
  const generated = await generatedServer(document, settings);
  const client = await generated.load<Readonly<Record<string, Call>>>('client.ts');
  const { createClient } = await generated.load<{ createClient: (options: object) => unknown }>('client.ts');
  const { createEventQueue } = await generated.load<Pick<StreamingApi, 'createEventQueue'>>('server.ts');
  return {
    createEventQueue,
    remove: () => generated.remove(),
    async serving(adapter, handlers, options = {}) {
      const errors: unknown[] = [];
      const server = await generated.start(adapter, handlers, {
        unimplemented: 'respond501',
        onError: (error: unknown) => void errors.push(error),
        ...options,
      });
      onTestFinished(() => server.close());
      const connection = createClient({ baseUrl: server.url });
      const call: Serving['call'] = (operation, input, more) =>
        client[operation]?.(connection, input, more) ?? expect.fail(`no operation ${operation}`);
      const opened: Serving['opened'] = async (operation) => {
        const answer = await call(operation);
        expect(answer).toMatchObject({ ok: true, status: 200 });
        return answer.data;
      };
      return { server, errors, call, opened };
    },
  };
}
