/**
 * `npm run browsers`
 *
 * The generated client in Node, in headless Chromium (bundled, and as modules), in Deno and in Bun: JSON, an event stream, an upload
 * and an abort against a server on loopback. Deno and Bun are installed into a cache folder, `OASMITH_PLATFORM_CACHE` or one of
 * the user's. Prints a line for each; exit code 1 where one gives something else.
 */
import { isDeepStrictEqual } from 'node:util';
import { chromium, installed, runByCommand, runInChromium } from './platforms.js';
import { expected } from './service.js';

let failures = 0;

function tell(name: string, result: unknown): void {
  const isRight = isDeepStrictEqual(result, expected);
  if (!isRight) failures += 1;
  process.stdout.write(`${name.padEnd(20)} ${isRight ? 'passed' : `failed: ${JSON.stringify(result)}`}\n`);
}

async function tellCommand(name: string, command: string | undefined, args: readonly string[]): Promise<void> {
  if (command === undefined) process.stdout.write(`${name.padEnd(20)} skipped: it is not there\n`);
  else tell(name, await runByCommand(command, args).catch((error: unknown) => String(error)));
}

await tellCommand(`Node ${process.versions.node}`, process.execPath, []);
const browser = chromium();
if (browser === undefined) process.stdout.write(`${'Chromium'.padEnd(20)} skipped: it is not there\n`);
else {
  const { bundled, modules } = await runInChromium(browser);
  tell('Chromium, a bundle', bundled);
  tell('Chromium, modules', modules);
}
await tellCommand('Deno', await installed('deno', '2'), ['run', '--allow-net', '--allow-read', '--no-config']);
await tellCommand('Bun', await installed('bun', '1'), ['run']);
process.exitCode = failures === 0 ? 0 : 1;
