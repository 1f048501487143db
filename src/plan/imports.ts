/** Import lines of generated files. */
import { type Code, code, type Identifier, joinCode, literal } from '../encode.js';
import type { ImportView, PlanOptions } from './target.js';

/** The specifier of a module of the output, as a string literal: `./types.js`. */
export function specifier(module: string, options: Pick<PlanOptions, 'importExtension'>): Code {
  return literal(`${module}${options.importExtension}`);
}

/** A type-only import of the names, or nothing where there are none. Sorted, so that the order of use does not matter. */
export function importTypes(
  names: Iterable<Identifier>,
  module: string,
  options: Pick<PlanOptions, 'importExtension'>,
): readonly ImportView[] {
  const sorted = [...names].sort();
  if (sorted.length === 0) return [];
  return [
    {
      names: joinCode(
        sorted.map((name) => code`type ${name}`),
        ', ',
      ),
      from: specifier(module, options),
    },
  ];
}
