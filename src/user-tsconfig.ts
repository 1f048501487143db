/** What the user's own compiler options say of import specifiers. The only home of get-tsconfig, which knows `extends`, comments and implied values. */
import { getTsconfig } from 'get-tsconfig';
import type { Options } from './config.js';

/**
 * The ending that relative imports need where the output goes: `ts` where the compiler asks for it, none where a bundler
 * resolves them, else `js`, which Node and every bundler that knows TypeScript understand.
 */
export function importExtensionFor(folder: string): NonNullable<Options['importExtension']> {
  const options = readOptions(folder);
  if (options?.allowImportingTsExtensions || options?.rewriteRelativeImportExtensions) return 'ts';
  const module = options?.module?.toLowerCase();
  const resolution = options?.moduleResolution?.toLowerCase() ?? impliedResolution(module);
  return resolution === 'bundler' || resolution === 'node' || resolution === 'node10' ? 'none' : 'js';
}

/** TypeScript's own rule for a missing `moduleResolution`; `module: esnext` alone means nothing that works, so it is taken for a bundler's. */
function impliedResolution(module: string | undefined): string | undefined {
  if (module === 'preserve' || module === 'esnext' || module === 'es2022' || module === 'es2020') return 'bundler';
  return module === 'commonjs' ? 'node10' : undefined;
}

function readOptions(folder: string): NonNullable<ReturnType<typeof getTsconfig>>['config']['compilerOptions'] {
  try {
    return getTsconfig(folder)?.config.compilerOptions;
  } catch {
    // A tsconfig that cannot be read is not ours to judge: the compiler will say so.
    return undefined;
  }
}
