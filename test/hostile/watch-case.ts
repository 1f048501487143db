/** A case in steps: the document changes while the command watches; a broken step must leave the output as it was. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { HostileCase } from './cases.js';
import { killGroup } from './child.js';
import { type DocumentText, expandText, json } from './expand.js';
import { difference, put, snapshot } from './outcome.js';
import { commandLine, members } from './run-case.js';

const patienceMs = 20_000;

function stepDocument(step: unknown): DocumentText {
  const { spec, text } = members(step as never);
  return text === undefined ? json(spec ?? null) : { text: expandText(text), extension: 'json' };
}

/** Waits until something is so; false where it takes too long. */
async function until(so: () => boolean): Promise<boolean> {
  for (const end = performance.now() + patienceMs; performance.now() < end; ) {
    if (so()) return true;
    await wait(50);
  }
  return false;
}

/** Every step is either generated or refused with a diagnostic and no change; a step that is not JSON is refused. */
export async function runWatchCase({ input }: HostileCase, folder: string): Promise<readonly string[]> {
  const steps = Array.isArray(input['steps']) ? input['steps'].map(stepDocument) : [];
  const [first, ...others] = steps;
  if (first === undefined) return ['the case has no steps'];
  const document = 'input/document.json';
  const output = join(folder, 'out');
  put(folder, document, first.text);
  const child = spawn(process.execPath, [commandLine, 'watch', document, '-o', 'out'], { cwd: folder, detached: true });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
  const problems: string[] = [];
  try {
    if (!(await until(() => existsSync(join(output, 'oasmith.json')) && said.includes('watching'))))
      return [`nothing was generated: ${said.slice(0, 200)}`];
    for (const [index, { text }] of others.entries()) {
      const before = snapshot(output);
      const heard = said.length;
      put(folder, document, text);
      const reacted = await until(
        () => said.slice(heard).includes('error[') || difference(before, snapshot(output)).length > 0,
      );
      await wait(500);
      if (!reacted) problems.push(`step ${index + 2} was not noticed`);
      const changed = difference(before, snapshot(output));
      if (said.slice(heard).includes('error[') && changed.length > 0)
        problems.push(`step ${index + 2} was refused, but changed ${changed.join(', ')}`);
      if (!isJson(text) && changed.length > 0) problems.push(`step ${index + 2} is broken, but changed the output`);
      if (said.slice(heard).split('error[').length > 2) problems.push(`step ${index + 2} was reported more than once`);
    }
    if (child.exitCode !== null) problems.push(`watching ended with exit code ${child.exitCode}`);
  } finally {
    killGroup(child.pid);
  }
  return problems;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
