import { describe, expect, it } from 'vitest';
import { encodedStream } from '../../src/runtime/encoded-stream.js';
import { nodeAdapter } from '../../src/runtime/server-node.js';
import { encodeSse, type SseFrame } from '../../src/runtime/sse-encode.js';
import { contract } from '../support/example-server.js';
import { listen } from '../support/server-adapters.js';

const decoder = new TextDecoder();

function streamOf(source: AsyncIterable<SseFrame>, keepAliveMs = 0, signal = new AbortController().signal) {
  const errors: unknown[] = [];
  const idle = keepAliveMs > 0 ? { ms: keepAliveMs, text: ':\n\n' } : undefined;
  const stream = encodedStream(source, { encode: encodeSse, idle, signal, onError: (e) => void errors.push(e) });
  return { stream, errors, next: async () => decoder.decode((await stream.next()).value) };
}

describe('encodeSse', () => {
  it.each<[SseFrame, string]>([
    [{ data: 'a\n\nevent: admin\ndata: x' }, 'data: a\ndata: \ndata: event: admin\ndata: data: x\n\n'],
    [{ data: 'a\rdata: y\r\n' }, 'data: a\ndata: data: y\ndata: \n\n'],
    [{ data: ' lead' }, 'data:  lead\n\n'],
    [{ data: '' }, 'data: \n\n'],
    [{ event: 'message', data: 'a' }, 'data: a\n\n'],
    [{ event: 'x', id: '7', retry: 20, data: 'a' }, 'event: x\nid: 7\nretry: 20\ndata: a\n\n'],
    [{ comment: 'k\n\ndata: q' }, ': k\n: \n: data: q\n\n'],
  ])('writes %j', (frame, text) => {
    expect(encodeSse(frame)).toBe(text);
  });

  it.each<SseFrame>([
    { event: 'x\ndata: z', data: 'a' },
    { id: '1\n2', data: 'a' },
    { id: 'a\0b', data: 'a' },
    { id: 'a\x01b', data: 'a' },
    { retry: '1\r\nevent: w' as never, data: 'a' },
    { retry: -1, data: 'a' },
  ])('refuses %j', (frame) => {
    expect(() => encodeSse(frame)).toThrow(TypeError);
  });
});

describe('an encoded stream', () => {
  it('asks for one item per pull', async () => {
    let made = 0;
    async function* source(): AsyncGenerator<SseFrame> {
      for (;;) yield { data: String(++made) };
    }
    const { next } = streamOf(source());
    expect([await next(), made]).toEqual(['data: 1\n\n', 1]);
    expect([await next(), made]).toEqual(['data: 2\n\n', 2]);
  });

  it('keeps an idle stream open without losing the pending item', async () => {
    let give = (): void => undefined;
    async function* source(): AsyncGenerator<SseFrame> {
      await new Promise<void>((resolve) => {
        give = resolve;
      });
      yield { data: 'late' };
    }
    const { next, stream } = streamOf(source(), 5);
    expect(await next()).toBe(':\n\n');
    expect(await next()).toBe(':\n\n');
    give();
    expect(await next()).toBe('data: late\n\n');
    expect((await stream.next()).done).toBe(true);
  });

  it('ends the source when it is stopped, and does not wait for it', async () => {
    let ended = false;
    async function* source(): AsyncGenerator<SseFrame> {
      try {
        yield { data: '1' };
        yield { data: '2' };
      } finally {
        ended = true;
      }
    }
    const { stream, next } = streamOf(source());
    await next();
    stream.return();
    expect((await stream.next()).done).toBe(true);
    expect(ended).toBe(true);
  });

  it('ends a pull that is under way when the client goes', async () => {
    const abort = new AbortController();
    const never: AsyncIterable<SseFrame> = {
      [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }),
    };
    const { stream, errors } = streamOf(never, 0, abort.signal);
    const pulled = stream.next();
    abort.abort();
    expect((await pulled).done).toBe(true);
    expect(errors).toEqual([]);
  });

  it('ends the source where an item cannot be written, tells why and throws', async () => {
    let ended = false;
    async function* source(): AsyncGenerator<SseFrame> {
      try {
        yield { id: 'a\nb' };
      } finally {
        ended = true;
      }
    }
    const { stream, errors } = streamOf(source());
    await expect(stream.next()).rejects.toThrow('control character');
    expect(errors).toHaveLength(1);
    await expect.poll(() => ended).toBe(true);
  });
});

describe('back-pressure', () => {
  it('makes no more events than a slow client takes', async () => {
    let made = 0;
    async function* source(): AsyncGenerator<{ event: 'note'; data: string }> {
      for (; made < 10_000; made++) yield { event: 'note', data: 'x'.repeat(65_536) };
    }
    const operation = contract.operations.find(({ name }) => name === 'mcpRpc');
    if (operation === undefined) throw new Error('no operation');
    const { body: _body, ...bodiless } = {
      ...operation,
      method: 'GET' as const,
      security: [],
      parameters: [],
      mirrors: [],
    };
    const listener = nodeAdapter(
      { ...contract, operations: [bodiless] },
      { mcpRpc: (_: unknown, reply: (...answer: unknown[]) => unknown) => reply(200, 'text/event-stream', source()) },
      {},
    );
    const server = await listen(listener);
    const response = await fetch(`${server.url}/mcp`);
    await response.body?.getReader().read();
    let before = -1;
    while (before !== made) {
      before = made;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(made).toBeLessThan(500);
    await server.close();
  });
});
