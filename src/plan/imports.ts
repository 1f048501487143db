/** Import lines of generated files. */
import { type Code, code, type Identifier, joinCode, literal } from '../encode.js';
import { onLines } from './indentation.js';
import type { ImportView, PlanOptions } from './target.js';

/** Whose `exports` have `runtime/*.js`. */
const runtimePackage = 'oasmith';

/** What import specifiers are made by; `below` says that the file stands in a folder of the output. */
export interface ImportPlace extends Pick<PlanOptions, 'importExtension' | 'runtime' | 'runtimeAbove'> {
  readonly below?: boolean;
}

/** The specifier of a module of the output, as a string literal: `./types.js`; or of the package that the runtime comes from. */
export function specifier(module: string, { importExtension, runtime, runtimeAbove, below }: ImportPlace): Code {
  const isRuntime = module.startsWith('./runtime/');
  // What a package exports is spelt as its `exports` say, whatever relative imports end in.
  if (isRuntime && runtime === 'package') return literal(`${runtimePackage}${module.slice(1)}.js`);
  const place = runtimeAbove && isRuntime ? `.${module}` : module;
  return literal(`${below ? place.replace(/^(?:\.\/)?/, '../') : place}${importExtension}`);
}

/** A name that an import brings in: a type alone, or a value. */
export interface ImportedName {
  readonly isType: boolean;
  /** `name` or `name as alias`. */
  readonly text: Code;
}

/** So long a line, names and punctuation, stays one line. */
const longestLine = 100;

/**
 * The import of the names, or nothing where there are none. An import of types alone says so as a whole: otherwise
 * `verbatimModuleSyntax` would keep an empty import of the module at run time.
 */
export function importNames(
  names: readonly ImportedName[],
  module: string,
  options: ImportPlace,
): readonly ImportView[] {
  if (names.length === 0) return [];
  const typeOnly = names.every((name) => name.isType);
  const texts = names.map((name) => (name.isType && !typeOnly ? code`type ${name.text}` : name.text));
  const line = joinCode(texts, ', ');
  const from = specifier(module, options);
  const inOneLine = line.length + from.length <= longestLine;
  return [{ typeOnly, names: inOneLine ? code`{ ${line} }` : onLines(texts, 0, '{}'), from }];
}

/** A type-only import, sorted, so that the order of use does not matter. */
export function importTypes(names: Iterable<Identifier>, module: string, options: ImportPlace): readonly ImportView[] {
  return importNames(
    [...names].sort().map((name) => ({ isType: true, text: code`${name}` })),
    module,
    options,
  );
}

/** An import of values, sorted. */
export function importValues(
  names: Iterable<Code | Identifier>,
  module: string,
  options: ImportPlace,
): readonly ImportView[] {
  return importNames(
    [...names].sort().map((name) => ({ isType: false, text: code`${name}` })),
    module,
    options,
  );
}

export interface IndexView {
  readonly modules: readonly Code[];
  /** Names of our own with their modules. */
  readonly exports: readonly ImportView[];
}
