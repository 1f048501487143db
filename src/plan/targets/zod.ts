/** Target `zod`: every schema that has a validator as one of Zod 4, in a file of its own, because the names are those of `validators.ts`. */

import { type Code, code, type Identifier, joinCode } from '../../encode.js';
import type { SchemaId } from '../../ir/schema.js';
import { outputPath } from '../../output.js';
import { formatFiles } from '../checks/formats.js';
import { importNames } from '../imports.js';
import type { ImportView, PlanContext, PlannedFile, Target, ValidatorEntry } from '../target.js';
import { TypePrinter } from '../type-text.js';
import { declarationOrder } from '../zod/declaration-order.js';
import { ZodText } from '../zod/zod-text.js';
import { validatorsTarget } from './validators.js';

export interface ZodView {
  readonly imports: readonly ImportView[];
  readonly schemas: readonly ZodSchemaView[];
}

export interface ZodSchemaView {
  readonly about: SchemaId;
  readonly name: Code;
  readonly type: Code;
  readonly body: Code;
}

export const zodTarget: Target = {
  name: 'zod',
  plan(context: PlanContext): readonly PlannedFile[] {
    const { names, options, report } = context;
    if (names.validators.length === 0) {
      report.report('nothing-to-generate', 'The document has no schema to make a Zod schema of.');
      return [];
    }
    const { view, runtime, asksValidators } = zodView(context);
    const validators = asksValidators && !options.targets.includes('validators');
    return [
      { kind: 'template', path: outputPath('zod.ts'), template: 'zod/zod', view, ownership: 'generated' },
      ...runtime.map(
        (file): PlannedFile => ({ kind: 'runtime', path: outputPath(`runtime/${file}.ts`), source: `${file}.ts` }),
      ),
      ...(validators ? validatorsTarget.plan(context) : []),
    ];
  },
};

/** What the generated file uses as values: a type of the same name is imported under another. */
const usedNames = new Set(['z', 'RegExp', 'Number', 'undefined']);

interface Zod {
  readonly view: ZodView;
  readonly runtime: readonly string[];
  readonly asksValidators: boolean;
}

function zodView({ api, names, options }: PlanContext): Zod {
  const used = new Map<string, Set<string>>();
  const use = (file: string, name: string): Code => {
    used.set(file, (used.get(file) ?? new Set()).add(name));
    return `$${name}` as Code;
  };
  const printer = new TypePrinter(api, names, options, 'wire');
  const types = new Set<Identifier>();
  const typeOf = (entry: ValidatorEntry): Code => {
    if (entry.type === undefined) return printer.typeOf(entry.schema, entry.direction);
    types.add(entry.type);
    return usedNames.has(entry.type) ? code`$${entry.type}` : code`${entry.type}`;
  };
  const text = new ZodText(api, names, options, use, nameOf);
  const schemas = declarationOrder(api, names).map((entry): ZodSchemaView => {
    const said = text.declared(entry);
    const body = said ?? asked(entry, use);
    return { about: entry.schema, name: nameOf(entry), type: typeOf(entry), body };
  });
  for (const name of printer.used) types.add(name);
  const own = used.get('validators') ?? new Set();
  used.delete('validators');
  return {
    view: {
      imports: [
        ...[...used].sort().flatMap(([file, list]) => importNames(values(list), `./runtime/${file}`, options)),
        ...importNames(
          [...types].sort().map((type) => ({
            isType: true,
            text: usedNames.has(type) ? code`${type} as $${type}` : code`${type}`,
          })),
          './types',
          options,
        ),
        ...importNames(values(own), './validators', options),
      ],
      schemas,
    },
    runtime: [
      ...(used.has('zod-checks') ? ['zod-checks', 'checks', 'validation'] : []),
      ...formatFiles([...used.keys()]),
      ...(used.has('slow-pattern') ? ['slow-pattern'] : []),
    ],
    asksValidators: own.size > 0,
  };
}

function values(names: ReadonlySet<string>): readonly { readonly isType: false; readonly text: Code }[] {
  return [...names].sort().map((name) => ({ isType: false, text: code`${name as Code} as $${name as Code}` }));
}

/** `PetSchema`, as different from the others as the names of the validators are from each other. */
function nameOf({ names }: ValidatorEntry): Code {
  return `${names.validate.slice('validate'.length)}Schema` as Code;
}

/** The validator itself, where Zod has no word for what the schema says. */
function asked({ names }: ValidatorEntry, use: (file: string, name: string) => Code): Code {
  const validate = use('validators', names.validate);
  return joinCode([code`z.unknown().superRefine(`, use('zod-checks', 'validated'), code`(${validate}))`], '');
}
