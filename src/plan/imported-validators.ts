/** Validators that a package of the user's provides beside the types: those of the named schemas in the documents that `imports` maps to it. */
import { type Code, code, type Identifier, literal } from '../encode.js';
import { nameInPackage, packageOf } from './imported-types.js';
import { onLines } from './indentation.js';
import type { PlanContext, ValidatorEntry, ValidatorNames } from './target.js';

/** The validators of one module, as `validators.ts` uses them and passes them on. */
export interface ImportedValidatorsView {
  /** `{ assertAddress, isAddress as isPlace }` */
  readonly names: Code;
  /** `{ assertAddress, isPlace }` */
  readonly exported: Code;
  readonly from: Code;
}

/** An entry whose functions are somebody else's; what has no type has no public name there. */
export interface ImportedEntry extends ValidatorEntry {
  readonly type: Identifier;
  readonly names: Required<ValidatorNames>;
  readonly from: string;
}

type Context = Pick<PlanContext, 'api' | 'names' | 'options'>;

/** Nothing for validators that are compiled here. */
export function importedEntry(entry: ValidatorEntry, context: Context): ImportedEntry | undefined {
  const { type, names } = entry;
  if (type === undefined || names.forms === undefined) return undefined;
  const from = packageOf(entry, context)?.validators;
  return from === undefined ? undefined : { ...entry, type, names: { ...names, forms: names.forms }, from };
}

export function importedValidators(
  entries: readonly ImportedEntry[],
  context: Context,
): readonly ImportedValidatorsView[] {
  const modules = new Map<string, (readonly [theirs: string, ours: Identifier])[]>();
  for (const entry of entries) {
    const list = modules.get(entry.from) ?? [];
    list.push(...pairsOf(entry, context));
    modules.set(entry.from, list);
  }
  return [...modules]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([from, pairs]) => {
      const sorted = [...pairs].sort(([left], [right]) => (left < right ? -1 : 1));
      return {
        names: onLines(
          sorted.map(([theirs, ours]) => (theirs === ours ? code`${ours}` : code`${theirs as Identifier} as ${ours}`)),
          0,
          '{}',
        ),
        exported: onLines(
          sorted.map(([, ours]) => code`${ours}`),
          0,
          '{}',
        ),
        from: literal(from),
      };
    });
}

/** The names that oasmith gives the functions in an output of its own, and ours. */
function pairsOf(entry: ImportedEntry, context: Context): readonly (readonly [string, Identifier])[] {
  const { schema, direction, type } = entry;
  const { validate, forms } = entry.names;
  const { names } = context;
  const held = names.typeOf(schema, direction);
  const wire = held !== undefined && held !== type ? 'Wire' : '';
  const theirs = `${nameInPackage({ schema, direction, name: held ?? type }, context)}${wire}`;
  return [
    [`validate${theirs}`, validate],
    [`is${theirs}`, forms.is],
    [`assert${theirs}`, forms.assert],
    [`${theirs}Schema`, forms.schema],
  ];
}
