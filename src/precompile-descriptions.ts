/** A step of the build: the validators that oasmith generates from the meta-schemas of OpenAPI, each of whole descriptions. */
import { createRequire } from 'node:module';
import { generate } from './generate.js';
import { memoryHost } from './memory-host.js';
import { nodeHost } from './node-host.js';

/** The versions that a meta-schema is of, as `check-description.ts` asks for them. */
const versions = ['2.0', '3.0', '3.1', '3.2'] as const;

/** Where the newest texts of spec.openapis.org are, as they were published. */
const shipped = '@seriousme/openapi-schema-validator/schemas';

/** In bytes; the longest of them has forty thousand. */
const longest = 1_000_000;

/** Writes them as TypeScript below the folder, and gives the path of the module that is to be bundled: it exports `descriptionChecks`. */
export async function writeDescriptionChecks(folder: string): Promise<string> {
  const host = nodeHost(folder);
  const require = createRequire(import.meta.url);
  const imports: string[] = [];
  const members: string[] = [];
  for (const [index, version] of versions.entries()) {
    const text = new TextDecoder().decode(
      await host.readBytes(require.resolve(`${shipped}/v${version}/schema.json`), longest),
    );
    const entry = `openapi-${version}.json`;
    const { files, diagnostics } = await generate(
      { input: entry, targets: ['validators'] },
      memoryHost({ [entry]: text }),
    );
    const validators = files.find(({ path }) => path === 'validators.ts')?.text ?? '';
    // The document as a whole is the schema that stands at its root.
    const name = new RegExp(`valid by openapi-${version}\\.json#?\\. \\*/\\nexport function is(\\w+)`).exec(
      validators,
    )?.[1];
    if (name === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
    for (const { path, text: written } of files) await host.writeText(`${folder}/v${version}/${path}`, written);
    imports.push(`import { validate${name} as validate${index} } from './v${version}/validators.js';`);
    members.push(`'${version}': validate${index}`);
  }
  const entry = `${folder}/description-checks.ts`;
  await host.writeText(entry, `${imports.join('\n')}\nexport const descriptionChecks = { ${members.join(', ')} };\n`);
  return entry;
}
