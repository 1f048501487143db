/**
 * Makes the command line and the library a few files, with the packages inside that nearly every run needs. Node spends
 * more on finding, reading and checking a hundred small files than a run on a small document takes. Run by the build only.
 */
import { builtinModules } from 'node:module';
import { resolve } from 'node:path';
import { build, type Plugin, transform } from 'esbuild';

const target = 'node20.19';

/** Large, or looking for files by their own place, and for few runs: these stay what `node_modules` holds. */
const separate = ['chokidar', 'jiti', 'json-schema-to-typescript', 'ts-morph'];

/** `path`, as `importer` says it, stays outside, and is loaded as `outside` when it is first used. */
interface LeftOutside {
  readonly importer: RegExp;
  readonly path: string;
  readonly outside: string;
}

/** We call nothing but `parse`, with a parser of our own. What is not found here any more is bundled: right, and slower. */
const leftOutside: readonly LeftOutside[] = [
  {
    importer: /[\\/]swagger-parser[\\/]lib[\\/]\w+\.js$/,
    path: './validators/schema',
    outside: '@apidevtools/swagger-parser/lib/validators/schema.js',
  },
  { importer: /[\\/]json-schema-ref-parser[\\/]/, path: 'js-yaml', outside: 'js-yaml' },
];

/** What yargs needs for its help only. Each exports one function, which is evaluated when it is first called. */
const forHelp = new Set(['cliui', 'string-width']);

/** Bundles the entries, which lie in `folder`, in place. Gives the files that they were made of, by paths from `root`. */
export async function bundle(root: string, folder: string, entries: readonly string[]): Promise<readonly string[]> {
  const { metafile } = await build({
    entryPoints: entries.map((entry) => resolve(folder, entry)),
    absWorkingDir: resolve(root),
    outdir: resolve(folder),
    allowOverwrite: true,
    bundle: true,
    splitting: true,
    // The chunks lie beside the modules that they are made of, because some find their files by their own place.
    chunkNames: 'cli-[name]-[hash]',
    format: 'esm',
    platform: 'node',
    target,
    // Names stay, for the stack of a bug report.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    // A literal is checked when its file is read, whether it is used or not; these cost more than all others.
    supported: { 'regexp-unicode-property-escapes': false },
    external: [...separate, './precompiled.js'],
    plugins: [lazily],
    metafile: true,
    logLevel: 'warning',
  });
  const made = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs));
  return made.flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : []));
}

/** Makes one file of a module and all that it imports. */
export async function bundleOne(entry: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    minify: true,
    format: 'esm',
    target,
    logLevel: 'warning',
  });
}

/** The same program in fewer letters. */
export async function shortened(program: string): Promise<string> {
  const { code } = await transform(program, { minifyWhitespace: true, minifySyntax: true, target });
  return code;
}

const builtins = new Set(builtinModules);

const lazily: Plugin = {
  name: 'lazily',
  setup({ onLoad, onResolve }) {
    // The compiler of templates; a built package needs their runtime alone.
    onResolve({ filter: /^handlebars$/ }, ({ path }) => ({ path, external: true }));

    // An ES module has no `require`.
    onResolve({ filter: /^(?:node:)?[a-z_/]+$/ }, ({ path, kind }) =>
      kind === 'require-call' && builtins.has(path.replace(/^node:/, '')) ? { path, namespace: 'builtin' } : undefined,
    );
    onLoad({ filter: /^/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
    }));

    onResolve({ filter: /^/ }, ({ path, importer }) => {
      const left = leftOutside.find((one) => one.path === path && one.importer.test(importer));
      return left && { path: left.outside, namespace: 'outside' };
    });
    onLoad({ filter: /^/, namespace: 'outside' }, ({ path }) => ({ contents: standIn(path) }));
    onResolve({ filter: /^load$/, namespace: 'outside' }, ({ path }) => ({ path, namespace: 'load' }));
    onLoad({ filter: /^/, namespace: 'load' }, () => ({ contents: load }));

    onResolve({ filter: /^/ }, ({ path, importer, resolveDir }) =>
      forHelp.has(path) && /[\\/]node_modules[\\/]yargs[\\/]/.test(importer)
        ? { path, namespace: 'for-help', pluginData: resolveDir }
        : undefined,
    );
    onLoad({ filter: /^/, namespace: 'for-help' }, ({ path, pluginData }) => ({
      contents: `export default (...given) => require(${JSON.stringify(path)}).default(...given);`,
      resolveDir: String(pluginData),
    }));

    // yargs would look for its texts by its own place. Without them it says what its code says, which is English.
    onResolve({ filter: /^y18n$/ }, ({ path, namespace, resolveDir }) =>
      namespace === 'texts' ? undefined : { path, namespace: 'texts', pluginData: resolveDir },
    );
    onLoad({ filter: /^/, namespace: 'texts' }, ({ pluginData }) => ({
      contents: `import y18n from 'y18n';
import { fileURLToPath } from 'node:url';
export default (options) => y18n({ ...options, directory: fileURLToPath(new URL('locales', import.meta.url)) });`,
      resolveDir: String(pluginData),
    }));
  },
};

/** A stand-in that loads the module when a member of it is read or when it is called. */
function standIn(specifier: string): string {
  return `const { load } = require('load');
module.exports = new Proxy(() => {}, {
  get: (_, name) => name === '__esModule' ? undefined : load(${JSON.stringify(specifier)})[name],
  apply: (_, self, given) => Reflect.apply(load(${JSON.stringify(specifier)}), self, given),
});`;
}

const load = `import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
export const load = (specifier) => require(specifier);`;
