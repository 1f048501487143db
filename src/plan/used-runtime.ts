/** What a generated file uses of the runtime: each use gives the private alias, and the import lines follow from the uses. */
import { type Code, code, type Identifier } from '../encode.js';
import { type ImportedName, type ImportPlace, importNames } from './imports.js';
import type { ImportView } from './target.js';

/** The exports of runtime modules that generated code may use, by module. */
export type RuntimeModules = Readonly<
  Record<string, { readonly types: readonly string[]; readonly values: readonly string[] }>
>;

/** `$` marks names of our own: no name out of a document has it. */
export class UsedRuntime<Name extends string> {
  readonly #modules: RuntimeModules;
  readonly #used = new Set<string>();
  readonly #exported: ReadonlySet<string>;

  constructor(modules: RuntimeModules) {
    this.#modules = modules;
    this.#exported = new Set(Object.values(modules).flatMap(({ types, values }) => [...types, ...values]));
  }

  /** The private name of an export of the runtime: `$send`. */
  use(name: Name): Code {
    this.#used.add(name);
    return code`$${name as string as Code}`;
  }

  /** The private name of something of the document's that stands beside the exports of the runtime: `$listPets`. */
  beside(name: Identifier): Code {
    return this.#exported.has(name) ? code`$${name}$` : code`$${name}`;
  }

  /** Functions of the document, to be imported under their private names. */
  besides(names: readonly Identifier[]): readonly ImportedName[] {
    return names.map((name) => ({ isType: false, text: code`${name} as ${this.beside(name)}` }));
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
