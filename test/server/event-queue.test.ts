/** The bounded queue between those who push events and the stream that sends them. */
import { describe, expect, test } from 'vitest';
import { createEventQueue, type EventQueue, type EventQueueOptions } from '../../src/runtime/event-queue.js';

async function drained<T>(queue: EventQueue<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const event of queue) all.push(event);
  return all;
}

/** Pushes five events into a queue of two, without waiting for it, and ends it. */
async function overfull(overflow: EventQueueOptions['overflow']) {
  const queue = createEventQueue<number>({ limit: 2, overflow });
  const pushed = Promise.all([1, 2, 3, 4, 5].map((n) => queue.push(n)));
  return { queue, pushed };
}

describe('a queue that is full', () => {
  test('makes those who push wait, and loses nothing', async () => {
    const { queue, pushed } = await overfull('wait');
    expect(queue.size).toBe(2);
    void pushed.then(() => queue.end());
    expect(await drained(queue)).toEqual([1, 2, 3, 4, 5]);
    expect(await pushed).toEqual([true, true, true, true, true]);
  });

  test('keeps the order of those that nobody waited for, and sends what waits behind its end', async () => {
    const queue = createEventQueue<number>({ limit: 1 });
    const iterator = queue[Symbol.asyncIterator]();
    const taken = [queue.push(0), queue.push(1)];
    expect(await iterator.next()).toEqual({ done: false, value: 0 });
    taken.push(queue.push(2), queue.push(3));
    queue.end();
    const rest = [await iterator.next(), await iterator.next(), await iterator.next(), await iterator.next()];
    expect(rest.map(({ value }) => value)).toEqual([1, 2, 3, undefined]);
    expect(await Promise.all(taken)).toEqual([true, true, true, true]);
    expect(await queue.push(4)).toBe(false);
  });

  test('tells those who wait where the reader leaves', async () => {
    const queue = createEventQueue<number>({ limit: 1 });
    const taken = [queue.push(0), queue.push(1)];
    await queue[Symbol.asyncIterator]().return?.();
    expect(await Promise.all(taken)).toEqual([true, false]);
  });

  test('drops the oldest', async () => {
    const { queue, pushed } = await overfull('drop-oldest');
    expect(await pushed).toEqual([true, true, true, true, true]);
    queue.end();
    expect(await drained(queue)).toEqual([4, 5]);
  });

  test('drops the newest, and says so', async () => {
    const { queue, pushed } = await overfull('drop-newest');
    expect(await pushed).toEqual([true, true, false, false, false]);
    queue.end();
    expect(await drained(queue)).toEqual([1, 2]);
  });

  test('fails, behind what it holds', async () => {
    const { queue, pushed } = await overfull('fail');
    expect(await pushed).toEqual([true, true, false, false, false]);
    const got: number[] = [];
    await expect(
      (async () => {
        for await (const event of queue) got.push(event);
      })(),
    ).rejects.toThrow('more than 2 events wait');
    expect(got).toEqual([1, 2]);
  });
});

describe('a queue', () => {
  test('ends for its reader and its writers where the reader leaves, also while it waits', async () => {
    const queue = createEventQueue<number>();
    const iterator = queue[Symbol.asyncIterator]();
    const waiting = iterator.next();
    await iterator.return?.();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect([queue.closed.aborted, await queue.push(1), queue.size]).toEqual([true, false, 0]);
  });

  test('lets those who wait for room go where the reader leaves', async () => {
    const { queue, pushed } = await overfull('wait');
    for await (const event of queue) {
      expect(event).toBe(1);
      break;
    }
    expect((await pushed).filter((taken) => !taken).length).toBeGreaterThanOrEqual(2);
  });

  test.each([{ overflow: 'zz' }, { overflow: 'toString' }, { limit: 0 }])('refuses %o at once', (options) => {
    expect(() => createEventQueue(options as EventQueueOptions)).toThrow(RangeError);
  });

  test('fails with the error that it is given', async () => {
    const queue = createEventQueue<number>();
    await queue.push(1);
    queue.fail(new Error('gone'));
    queue.fail(new Error('later'));
    const iterator = queue[Symbol.asyncIterator]();
    expect(await iterator.next()).toEqual({ done: false, value: 1 });
    await expect(iterator.next()).rejects.toThrow('gone');
  });

  test('is read once, and has room for at least one', () => {
    const queue = createEventQueue<number>();
    queue[Symbol.asyncIterator]();
    expect(() => queue[Symbol.asyncIterator]()).toThrow('read already');
    expect(() => createEventQueue({ limit: 0 })).toThrow(RangeError);
    expect(() => createEventQueue({ limit: 1.5 })).toThrow(RangeError);
  });
});
