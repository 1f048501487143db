/** Whatever stands in documents, file names, flags and configurations: it is text on a terminal, never a command to it. */
import { describe, expect, test } from 'vitest';
import { type Invocation, runCheck, runGenerate, runIr, runValidate } from '../src/commands.js';
import type { Options } from '../src/config.js';
import { memoryHost } from '../src/memory-host.js';
import { oasmith, runCommand } from './support/command-line.js';
import { repository } from './support/paths.js';

/** Clears the screen in two ways, sets a title, turns the direction, hides, starts a line with a command to a CI service. */
const evil = 'a\u001b[2J\u009b2J\u001b]0;t\u0007\u202e\u200b\u007f\r\n::error::owned';
/** A line break and what only a terminal acts on; anything but letters, spaces and our own line breaks. */
const raw = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|^::/mu;

const document = JSON.stringify({
  openapi: '3.1.0',
  info: { title: evil, version: '1' },
  tags: [{ name: evil }],
  paths: {
    [`/${evil}/{id}`]: { get: { operationId: evil, tags: [evil], responses: { [evil]: { description: evil } } } },
    '/ok': {
      get: {
        operationId: `ok${evil}`,
        security: [{ [evil]: [] }],
        parameters: [{ name: evil, in: 'header', description: evil }],
        responses: { 200: { description: evil, content: { [evil]: {} } } },
      },
    },
    '/ref': { $ref: `./${evil}.yaml` },
  },
  components: {
    schemas: {
      [evil]: { pattern: `[${evil}`, [evil]: 1 },
      Next: { $ref: `#/components/schemas/${encodeURIComponent(evil)}x` },
    },
  },
});

const overlay = JSON.stringify({
  overlay: '1.1.0',
  info: { title: evil, version: '1' },
  extends: `./${evil}`,
  actions: [
    { target: `$.${evil}`, update: {} },
    { target: `$['${evil}']`, [evil]: 1 },
  ],
});

type Command = (given: Invocation) => Promise<number>;
const commands: readonly [string, Command][] = [
  ['generate', runGenerate],
  ['check', runCheck],
  ['validate', runValidate],
  ['ir', runIr],
];

async function said(command: Command, options: Options, report: 'text' | 'json'): Promise<string> {
  const files = { 'api.json': document, 'o.json': overlay, [`${evil}.json`]: document };
  const { out } = await runCommand(
    command,
    memoryHost(files),
    { output: 'out', ...options },
    { terminal: true, report },
  );
  return out.stdout + out.stderr + out.lines.join('');
}

describe.each(commands)('%s', (_, command) => {
  test.each<[string, Options]>([
    ['a document', { input: 'api.json' }],
    ['going on', { input: 'api.json', keepGoing: true }],
    ['a name of a file', { input: `${evil}.json`, keepGoing: true }],
    ['a file that is not there', { input: `${evil}.yaml` }],
    ['overlays', { input: 'api.json', overlays: ['o.json', `${evil}.yaml`], keepGoing: true }],
    [
      'filters',
      {
        input: 'api.json',
        include: [`tag:${evil}`, `operation:x${evil}`],
        exclude: [`schema:${evil}`],
        keepGoing: true,
      },
    ],
    [
      'names and packages',
      { input: 'api.json', names: { [evil]: 'Good' }, imports: { [evil]: evil }, keepGoing: true },
    ],
    ['an output folder', { input: 'api.json', output: `out${evil}`, keepGoing: true }],
    ['an option that does not exist', { input: 'api.json', [evil]: 1 } as Options],
  ])('%s', async (_name, options) => {
    for (const report of ['text', 'json'] as const) {
      const text = await said(command, options, report);
      expect(text, report).not.toMatch(raw);
    }
  });
});

test('the words of the command line, and an explanation', async () => {
  const word = evil.replaceAll('\u0000', '');
  for (const parameters of [
    ['explain', word],
    ['explain', word, '--report', 'json'],
    [`--${word}`],
    ['generate', `${word}.yaml`, '-o', '/nowhere/at/all'],
    ['--targets', word],
    ['--report', word],
  ]) {
    const { exit, stdout, stderr } = await oasmith(repository, parameters);
    expect(exit).toBeGreaterThan(0);
    expect(stdout + stderr, parameters.join(' ')).not.toMatch(raw);
  }
});

test('a report for machines says the same as the text that it escapes', async () => {
  const host = memoryHost({ 'api.json': document });
  const { out } = await runCommand(runIr, host, { input: 'api.json', keepGoing: true }, { terminal: true });
  expect(out.stdout).not.toMatch(raw);
  const { info } = JSON.parse(out.stdout) as { info: { title: string } };
  expect(info.title).toBe(evil);
});
