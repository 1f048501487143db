/**
 * The last steps of the build, run as `node dist/precompile.js`: templates and runtime become one module, and the command
 * line and the library become a few files. A run on a small document is mostly reading modules; each file less is time saved.
 */
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { nodeHost, packageAssets, runtimeTexts } from './node-host.js';
import { writeIrChecks } from './precompile-ir.js';
import { precompileTemplates, templateSources } from './render/templates.js';

const folder = fileURLToPath(new URL('.', import.meta.url));
const templates = await precompileTemplates(templateSources(await packageAssets('templates')));
const runtime = JSON.stringify(Object.fromEntries(runtimeTexts(await packageAssets('src/runtime'))));
await nodeHost(folder).writeText(
  `${folder}precompiled.js`,
  `// Made by the build.\nexport const specifications = {\n${templates}};\nexport const runtime = ${runtime};\n`,
);
// The command `ir` alone reads these: the validators of what it prints.
await build({
  entryPoints: [await writeIrChecks(`${folder}ir-checks`)],
  outfile: `${folder}cli-ir-checks.js`,
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'node20.19',
  logLevel: 'warning',
});
// The chunks lie beside the modules that they are made of, because some find their files by their own place.
await build({
  entryPoints: [`${folder}cli.js`, `${folder}generate.js`],
  outdir: folder,
  allowOverwrite: true,
  bundle: true,
  splitting: true,
  chunkNames: 'cli-[name]-[hash]',
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  packages: 'external',
  logLevel: 'warning',
});
