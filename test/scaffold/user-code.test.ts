/** A user's file of handlers survives a run of the command line byte for byte; only what is missing is inserted. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runGenerate } from '../../src/commands.js';
import { memoryHost } from '../../src/memory-host.js';
import { runCommand } from '../support/command-line.js';
import { repository } from '../support/paths.js';

const fixture = join(repository, 'fixtures/features/scaffold/handlers');
const document = readFileSync(join(fixture, 'openapi.yaml'), 'utf8');
const user = readFileSync(join(fixture, 'user/handlers.before.ts'), 'utf8');

async function scaffolded(before: string | undefined): Promise<string> {
  const files = {
    '/project/openapi.yaml': document,
    ...(before !== undefined && { '/project/src/handlers.ts': before }),
  };
  const host = memoryHost(files, { cwd: '/project' });
  const options = { input: ['openapi.yaml'], output: 'api', scaffold: 'src', importExtension: 'js' } as const;
  const { exit, out } = await runCommand(runGenerate, host, options);
  expect([exit, out.stderr]).toEqual([0, '']);
  return host.text('/project/src/handlers.ts') ?? '';
}

/** Whether the second text is the first with lines put between its lines. */
function isInsertion(before: string, after: string): boolean {
  const lines = before.split('\n');
  let next = 0;
  for (const line of after.split('\n')) if (line === lines[next]) next++;
  return next === lines.length;
}

test('a file that is not there is written with a handler for each operation', async () => {
  const text = await scaffolded(undefined);
  expect(text).toContain('import type { Handlers } from "../api/server.js";');
  expect(text).toContain('listNotes: ');
  expect(text).toContain('context.notImplemented()');
});

test.each([
  ['as it is', user],
  ['with the line ends of Windows', user.replaceAll('\n', '\r\n')],
  ['with a byte order mark', `\ufeff${user}`],
])('every byte of a file %s stays, and the missing handlers are inserted', async (_, before) => {
  const after = await scaffolded(before);
  expect(after).not.toBe(before);
  expect(isInsertion(before, after)).toBe(true);
  const inserted = [...document.matchAll(/operationId: (\w+)/g)]
    .map(([, name]) => name)
    .filter((name) => name !== 'listNotes');
  expect(inserted.length).toBeGreaterThan(0);
  for (const name of inserted) expect(after).toContain(`${name}: `);
  expect(await scaffolded(after)).toBe(after);
});
