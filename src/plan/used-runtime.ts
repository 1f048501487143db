/** What a generated file uses of the runtime: each use gives the private alias, and the import lines follow from the uses. */
import { type Code, code } from '../encode.js';
import { type ImportPlace, importNames } from './imports.js';
import type { ImportView } from './target.js';

/** The exports of runtime modules that generated code may use, by module. */
export type RuntimeModules = Readonly<
  Record<string, { readonly types: readonly string[]; readonly values: readonly string[] }>
>;

/** `$` marks names of our own: no name out of a document has it. */
export class UsedRuntime<Name extends string> {
  readonly #modules: RuntimeModules;
  readonly #used = new Set<string>();

  constructor(modules: RuntimeModules) {
    this.#modules = modules;
  }

  /** The private name of an export of the runtime: `$send`. */
  use(name: Name): Code {
    this.#used.add(name);
    return code`$${name as string as Code}`;
  }

  /** One import for each module that was used. */
  imports(options: ImportPlace): readonly ImportView[] {
    return Object.entries(this.#modules).flatMap(([module, { types, values }]) => {
      const names = [
        ...types.map((name) => ({ name, isType: true })),
        ...values.map((name) => ({ name, isType: false })),
      ].filter(({ name }) => this.#used.has(name));
      const texts = names.map(({ name, isType }) => ({ isType, text: code`${name as Code} as $${name as Code}` }));
      return importNames(texts, `./runtime/${module}`, options);
    });
  }
}
