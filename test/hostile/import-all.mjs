// Imports every module below a folder and says what happened. Started with --disallow-code-generation-from-strings and
// --disable-proto=throw: output that evaluates text or touches __proto__ cannot be imported.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = process.argv[2];
const before = Reflect.ownKeys(Object.prototype).length;
const failed = [];
for (const path of readdirSync(root, { recursive: true })) {
  if (!path.endsWith('.js') || path.includes('node_modules')) continue;
  try {
    await import(pathToFileURL(join(root, path)).href);
  } catch (error) {
    failed.push(`${path}: ${String(error).slice(0, 200)}`);
  }
}
const polluted = Reflect.ownKeys(Object.prototype).length !== before;
process.stdout.write(JSON.stringify({ failed, polluted, pwned: Object.hasOwn(globalThis, '__PWNED') }));
