/**
 * The last steps of the build, run as `node dist/precompile.js`: templates and runtime become one module, and the command
 * line and the library become a few files. A run on a small document is mostly reading modules; each file less is time saved.
 */
import { fileURLToPath } from 'node:url';
import { bundle, bundleOne, shortened } from './bundle.js';
import { nodeHost, packageAssets, runtimeTexts } from './node-host.js';
import { writeDescriptionChecks } from './precompile-descriptions.js';
import { writeIrChecks } from './precompile-ir.js';
import { emitListReads } from './precompile-lists.js';
import { precompileTemplates, templateSources } from './render/templates.js';
import { thirdPartyLicences } from './third-party-licences.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = fileURLToPath(new URL('.', import.meta.url));
const host = nodeHost(root);
emitListReads(`${root}tsconfig.json`);
const templates = await precompileTemplates(templateSources(await packageAssets('templates')));
const runtime = JSON.stringify(Object.fromEntries(runtimeTexts(await packageAssets('src/runtime'))));
await host.writeText(
  `${folder}precompiled.js`,
  await shortened(`export const specifications = {\n${templates}};\nexport const runtime = ${runtime};\n`),
);
// The command `ir` alone reads these: the validators of what it prints.
await bundleOne(await writeIrChecks(`${folder}ir-checks`), `${folder}cli-ir-checks.js`);
// And the command `validate` these: the validators of whole descriptions.
await bundleOne(await writeDescriptionChecks(`${folder}description-checks`), `${folder}cli-description-checks.js`);
const bundled = await bundle(root, folder, ['cli.js', 'generate.js']);
await host.writeText(`${folder}THIRD-PARTY-LICENSES.txt`, await thirdPartyLicences(bundled, host));
