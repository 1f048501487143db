/** The last step of the build, run as `node dist/precompile.js`: compiles the templates into `dist/render/precompiled.js`. */
import { fileURLToPath } from 'node:url';
import { nodeHost, packageAssets } from './node-host.js';
import { precompileTemplates, templateSources } from './render/templates.js';

const target = fileURLToPath(new URL('render/precompiled.js', import.meta.url));
await nodeHost(fileURLToPath(new URL('.', import.meta.url))).writeText(
  target,
  await precompileTemplates(templateSources(await packageAssets('templates'))),
);
