import { mkdir, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FileWatch, watchFiles } from '../../src/watch/watch.js';

let folder: string;
let watching: FileWatch | undefined;
let runs: (readonly string[])[];

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'oasmith-watch-')));
  runs = [];
});

afterEach(async () => {
  await watching?.close();
  await rm(folder, { recursive: true });
});

async function start(
  names: readonly string[],
  next?: (changed: readonly string[]) => Promise<readonly string[] | undefined>,
) {
  watching = watchFiles(
    names.map((name) => join(folder, name)),
    async (changed) => {
      runs.push(changed.map((path) => path.slice(folder.length + 1)));
      return next?.(changed);
    },
    { debounceMs: 30 },
  );
  await watching.ready;
}

async function untilRun(count: number): Promise<void> {
  await vi.waitFor(() => expect(runs.length).toBeGreaterThanOrEqual(count), { timeout: 5000 });
}

test('one burst of changes is one run, and other files do not count', async () => {
  for (const name of ['a.json', 'b.json', 'other.json']) await writeFile(join(folder, name), '1');
  await start(['a.json', 'b.json']);
  await writeFile(join(folder, 'other.json'), '2');
  await writeFile(join(folder, 'a.json'), '22');
  await writeFile(join(folder, 'b.json'), '22');
  await untilRun(1);
  expect(runs).toEqual([['a.json', 'b.json']]);
});

test('a save by renaming is seen, again and again', async () => {
  await writeFile(join(folder, 'a.json'), '1');
  await start(['a.json']);
  for (const round of [1, 2]) {
    await writeFile(join(folder, 'a.json.tmp'), `round ${round}`);
    await rename(join(folder, 'a.json.tmp'), join(folder, 'a.json'));
    await untilRun(round);
  }
  expect(runs).toEqual([['a.json'], ['a.json']]);
});

test('a file, and a folder with a file, may appear later', async () => {
  await writeFile(join(folder, 'a.json'), '1');
  await start(['a.json', 'late.json', 'sub/late.json']);
  await writeFile(join(folder, 'late.json'), '1');
  await untilRun(1);
  await mkdir(join(folder, 'sub'));
  await writeFile(join(folder, 'sub/late.json'), '1');
  await untilRun(2);
  expect(runs.slice(0, 2)).toEqual([['late.json'], ['sub/late.json']]);
});

test('the callback may change what is watched, and may fail', async () => {
  await writeFile(join(folder, 'a.json'), '1');
  await writeFile(join(folder, 'b.json'), '1');
  let failing = true;
  await start(['a.json'], async () => {
    if (failing) throw new Error('the document is broken');
    return [join(folder, 'b.json')];
  });
  await writeFile(join(folder, 'a.json'), '22');
  await untilRun(1);
  failing = false;
  await writeFile(join(folder, 'a.json'), '333');
  await untilRun(2);
  await new Promise((settle) => setTimeout(settle, 100));
  await writeFile(join(folder, 'a.json'), '4444');
  await writeFile(join(folder, 'b.json'), '22');
  await untilRun(3);
  expect(runs).toEqual([['a.json'], ['a.json'], ['b.json']]);
});

test('runs never overlap, and a change during a run makes another', async () => {
  await writeFile(join(folder, 'a.json'), '1');
  let active = 0;
  let most = 0;
  await start(['a.json'], async () => {
    active += 1;
    most = Math.max(most, active);
    if (runs.length === 1) await writeFile(join(folder, 'a.json'), 'while running');
    await new Promise((settle) => setTimeout(settle, 150));
    active -= 1;
    return undefined;
  });
  await writeFile(join(folder, 'a.json'), '22');
  await untilRun(2);
  expect(most).toBe(1);
});
