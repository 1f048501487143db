/** Types that a package of the user's provides: the schemas that references lead to in the documents that `imports` names. */
import { pointerSteps } from '../diagnostics.js';
import { type Code, code, type Identifier, joinCode, literal } from '../encode.js';
import { pascalCase } from './identifiers.js';
import type { ImportSource, PlanContext, TypeEntry } from './target.js';

/** The types of one package, as `types.ts` passes them on; all other files take them from there. */
export interface ImportedTypesView {
  /** `Address, Money as Price` */
  readonly names: Code;
  /** `Address, Price` */
  readonly exported: Code;
  readonly from: Code;
}

/** The package that a type comes from; nothing for those that are declared. What is inline in such a document, and what stands inside a named schema, is declared. */
export function packageOf(
  { schema }: Pick<TypeEntry, 'schema'>,
  { api, options }: Pick<PlanContext, 'api' | 'options'>,
): ImportSource | undefined {
  const at = api.referenced.has(schema) ? api.schemas.get(schema)?.at : undefined;
  return at && isNamed(pointerSteps(at.pointer)) ? options.packages?.get(at.document) : undefined;
}

const homes: ReadonlySet<string> = new Set(['schemas', 'definitions', '$defs']);
/** Maps whose keys are names of the document's own, where such a word is one of those. */
const named: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'dependentSchemas', ...homes]);

/** Whether a schema has a name by where it stands: as the document, as a member of it, or in a section for schemas. */
function isNamed(steps: readonly string[]): boolean {
  if (steps.length < 2) return true;
  const [around = '', home = ''] = [steps.at(-3), steps.at(-2)];
  return homes.has(home) && !named.has(around);
}

export function importedTypes(context: PlanContext): readonly ImportedTypesView[] {
  const packages = new Map<string, TypeEntry[]>();
  for (const entry of context.names.types) {
    const source = packageOf(entry, context)?.package;
    if (source === undefined) continue;
    const others = packages.get(source);
    if (others === undefined) packages.set(source, [entry]);
    else others.push(entry);
  }
  return [...packages]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([source, entries]) => ({
      names: joinCode(
        entries.map((entry) => importedName(entry, context)),
        ', ',
      ),
      exported: joinCode(
        entries.map(({ name }) => code`${name}`),
        ', ',
      ),
      from: literal(source),
    }));
}

function importedName(entry: TypeEntry, context: PlanContext): Code {
  const theirs = nameInPackage(entry, context);
  return theirs === entry.name ? code`${entry.name}` : code`${theirs} as ${entry.name}`;
}

/** The name that oasmith gives the schema in an output of its own. */
export function nameInPackage(
  { schema, direction, name }: TypeEntry,
  { api, names }: Pick<PlanContext, 'api' | 'names'>,
): Identifier {
  const at = api.schemas.get(schema)?.at;
  const step = at && pointerSteps(at.pointer).at(-1);
  const file = at?.document.split('/').at(-1)?.split('.')[0];
  const side = direction === 'write' && names.typeOf(schema, 'read') !== name ? 'Write' : '';
  const theirs = pascalCase(step ?? file ?? '');
  return theirs === '' ? name : (`${theirs}${side}` as Identifier);
}
