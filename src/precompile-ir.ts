/** A step of the build: the validators that oasmith generates from the published schema of its own IR. */
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generate } from './generate.js';
import { nodeHost } from './node-host.js';

const schema = fileURLToPath(new URL('../src/ir/ir.schema.json', import.meta.url));

/** Writes them as TypeScript below the folder, and gives the path of the module that is to be bundled: it exports `validateIr`. */
export async function writeIrChecks(folder: string): Promise<string> {
  const host = nodeHost(dirname(schema));
  const { files, diagnostics } = await generate({ input: schema, targets: ['validators'] }, host);
  const validators = files.find(({ path }) => path === 'validators.ts');
  const name = /^export function (validateTheIntermediate\w+)\(/m.exec(validators?.text ?? '')?.[1];
  if (name === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  for (const { path, text } of files) await host.writeText(`${folder}/${path}`, text);
  const entry = `${folder}/ir-checks.ts`;
  await host.writeText(entry, `export { ${name} as validateIr } from './validators.js';\n`);
  return entry;
}
