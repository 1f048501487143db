/** The watcher as a process on a real folder: what is written again, and that faults leave the last good output. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { commandLine } from './support/command-line.js';
import { walkFiles } from './support/walk-files.js';

let folder: string;
let child: ChildProcess | undefined;
let stderr: string;

const document = (ref: string): string => `openapi: 3.1.0
info: {title: Watched, version: '1'}
paths:
  /pets:
    get:
      operationId: listPets
      responses:
        '200': {description: ok, content: {application/json: {schema: {$ref: '${ref}'}}}}
`;
const petFile = (member: string): string => `Pet:\n  type: object\n  properties:\n    ${member}: {type: string}\n`;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oasmith-watching-'));
  await put('api.yaml', document('./pets.yaml#/Pet'));
  await put('pets.yaml', petFile('name'));
});

afterEach(async () => {
  const running = child;
  child = undefined;
  if (running !== undefined && running.exitCode === null) {
    const ended = new Promise((settle) => running.once('close', settle));
    running.kill('SIGTERM');
    await ended;
  }
  await rm(folder, { recursive: true });
});

function put(path: string, text: string): Promise<void> {
  return writeFile(join(folder, path), text);
}

async function start(...parameters: readonly string[]): Promise<void> {
  stderr = '';
  const running = spawn(process.execPath, [commandLine, ...parameters], { cwd: folder });
  running.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  child = running;
  await until(() => expect(stderr).toContain('for changes; stop with Ctrl+C'));
}

/** A busy machine takes its time. */
function until(check: () => unknown): Promise<unknown> {
  return vi.waitFor(check, { timeout: 30_000, interval: 50 });
}

function types(output = 'out'): Promise<string> {
  return readFile(join(folder, output, 'types.ts'), 'utf8');
}

async function times(): Promise<Record<string, number>> {
  // A file that is being written has another name until it is whole.
  const paths = walkFiles(join(folder, 'out')).filter((path) => !path.endsWith('.tmp'));
  return Object.fromEntries(
    await Promise.all(paths.map(async (path) => [path, (await stat(join(folder, 'out', path))).mtimeMs] as const)),
  );
}

describe.each([['watch'], ['generate', '--watch']])('%s %s', (...command) => {
  test('a referenced file that changes writes only the files whose bytes change; faults leave them', async () => {
    await start(...command.filter((word) => word !== undefined), 'api.yaml', '-o', 'out');
    expect(await types()).toContain('name?: string');
    const before = await times();
    expect(Object.keys(before).length).toBeGreaterThan(10);

    await put('pets.yaml', petFile('nickname'));
    await until(async () => expect(await types()).toContain('nickname?: string'));
    await until(async () => expect((await times())['oasmith.json']).not.toBe(before['oasmith.json']));
    const after = await times();
    const changed = Object.keys(after).filter((path) => after[path] !== before[path]);
    // The validators and the server check the member by its name; the rest does not know it.
    expect(changed).toEqual(expect.arrayContaining(['oasmith.json', 'types.ts']));
    expect(changed.filter((path) => path.startsWith('runtime/'))).toEqual([]);
    expect(changed).not.toContain('client.ts');

    await put('pets.yaml', 'Pet: {type: object, properties: {');
    await until(() =>
      expect(stderr).toMatch(/error\[syntax-error\][\s\S]*--> pets\.yaml:\d+:\d+[\s\S]*nothing was written/),
    );
    expect(await times()).toEqual(after);

    await put('pets.yaml', petFile('surname'));
    await until(async () => expect(await types()).toContain('surname?: string'));
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

test('a referenced file that comes later is picked up', async () => {
  await put('api.yaml', document('./later.yaml#/Pet'));
  await start('watch', 'api.yaml', '-o', 'out', '--targets', 'types');
  expect(stderr).toContain('later.yaml');
  expect(walkFiles(folder)).toEqual(['api.yaml', 'pets.yaml']);
  await put('later.yaml', petFile('late'));
  await until(async () => expect(await types()).toContain('late?: string'));
  // From now on it is a part of the graph.
  await put('later.yaml', petFile('later'));
  await until(async () => expect(await types()).toContain('later?: string'));
});

test('the configuration is read again, and a faulty one waits to be mended', async () => {
  const configuration = (output: string): string => JSON.stringify({ input: 'api.yaml', output, targets: ['types'] });
  await put('oasmith.config.json', configuration('out'));
  await start('watch');
  expect(await types()).toContain('name?: string');
  await put('oasmith.config.json', '{"inptu": "api.yaml"}');
  await until(() => expect(stderr).toContain('unknown option "inptu"; did you mean "input"?'));
  await put('oasmith.config.json', configuration('other'));
  await until(async () => expect(await types('other')).toContain('name?: string'));
  await put('pets.yaml', petFile('nickname'));
  await until(async () => expect(await types('other')).toContain('nickname?: string'));
  expect(await types()).toContain('name?: string');
});

test('a signal ends it with exit code 0', async () => {
  await start('watch', 'api.yaml', '-o', 'out', '--targets', 'types');
  const ended = new Promise((settle) => child?.once('close', settle));
  child?.kill('SIGINT');
  expect(await ended).toBe(0);
});
