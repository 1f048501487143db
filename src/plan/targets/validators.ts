/** The target `validators`: compiled guards, assertions and validators, and the runtime files that they use. */
import { type Code, code, type Identifier, joinCode, literal } from '../../encode.js';
import { writtenId } from '../../ir/resolve.js';
import type { SchemaId } from '../../ir/schema.js';
import { outputPath } from '../../output.js';
import { compileChecks } from '../checks/compile.js';
import { type ConstantView, mentioned, Shared } from '../checks/expressions.js';
import { formatFiles, namedAsValidators } from '../checks/formats.js';
import { bodiesOf, type Unit, type UnitKey } from '../checks/program.js';
import { rulesOf } from '../checks/rules.js';
import { outerTest, testParameters, type UnitNames } from '../checks/unit-calls.js';
import { type FunctionBody, testBody } from '../checks/view.js';
import {
  type ImportedEntry,
  type ImportedValidatorsView,
  importedEntry,
  importedValidators,
} from '../imported-validators.js';
import { type ImportedName, importNames } from '../imports.js';
import { jsonSchemaName, jsonSchemasFile, tooManyWays } from '../json-schemas.js';
import type { ImportView, PlanContext, PlannedFile, Target, ValidatorEntry, ValidatorNames } from '../target.js';

export interface ValidatorsView {
  readonly imports: readonly ImportView[];
  /** The modules of the runtime that it imports. */
  readonly runtime: readonly string[];
  readonly imported: readonly ImportedValidatorsView[];
  readonly constants: readonly ConstantView[];
  readonly validators: readonly ValidatorView[];
  /** Private parts of the first pass. */
  readonly parts: readonly FunctionView[];
  /** What the second pass walks by, apart, so that it can be passed over in reading; a bundler drops it where nobody asks for issues. */
  readonly rules: readonly RulesView[];
}

/** The public functions of one schema. */
export interface ValidatorView {
  readonly about: SchemaId;
  readonly forms?: FormsView;
  /** The constant of its JSON Schema, where that is asked for. */
  readonly json?: Code;
  /** The first pass, where it is not `is`: a function that counts the depth, or that nobody else calls. */
  readonly inner?: FunctionView;
  readonly validate: Identifier;
  readonly validation: Code;
  readonly test: Code;
  readonly refusal: Code;
  /** What that is given: the value, the rules of the second pass, the options, and where those are of several schemas the place of this one. */
  readonly refusalParts: Code;
  /** The type of the options of a call. */
  readonly options: Code;
}

/** What a schema with a type of its own has besides. */
export interface FormsView {
  readonly is: FunctionView;
  readonly assert: Identifier;
  readonly asserts: Code;
  readonly schema: Identifier;
  readonly standard: Code;
  readonly standardSchema: Code;
  /** What it is made of: the validator, and its JSON Schema where that is asked for. */
  readonly standardParts: Code;
  readonly validationError: Code;
}

/** The rules of one unit. */
export interface RulesView {
  readonly name: Code;
  readonly value: Code;
}

export interface FunctionView {
  readonly name: Code;
  readonly parameters: Code;
  readonly result: Code;
  readonly body: FunctionBody;
}

export const validatorsTarget: Target = {
  name: 'validators',
  plan(context: PlanContext): readonly PlannedFile[] {
    const { validators } = context.names;
    if (validators.length === 0) {
      context.report.report('nothing-to-generate', 'The document has no schema to make a validator of.');
      return [];
    }
    const view = validatorsView(context);
    const runtime = ['checks', 'explain', 'issues', 'output-format', 'rules', 'standard-schema', 'validation'];
    const needed = [...new Set([...runtime, ...formatFiles(view.runtime), ...view.runtime])];
    const json = view.validators.some((validator) => validator.json !== undefined);
    return [
      ...(json ? [jsonSchemasFile(context)] : []),
      {
        kind: 'template',
        path: outputPath('validators.ts'),
        template: 'validators/validators',
        view,
        ownership: 'generated',
        finished: true,
      },
      ...needed.map(
        (file): PlannedFile => ({ kind: 'runtime', path: outputPath(`runtime/${file}.ts`), source: `${file}.ts` }),
      ),
    ];
  },
};

type Context = Pick<PlanContext, 'api' | 'names' | 'options' | 'report'>;
type Foreign = ReadonlyMap<ValidatorNames, ImportedEntry>;

export function validatorsView(context: Context): ValidatorsView {
  const { names, options } = context;
  const foreign: Foreign = new Map(
    names.validators.flatMap((entry) => {
      const imported = importedEntry(entry, context);
      return imported === undefined ? [] : [[entry.names, imported] as const];
    }),
  );
  const units = compiledUnits(context, [...foreign.values()]);
  const all = printUnits(context, units, foreign);
  const called = units.filter(({ key, entry }) => entry !== undefined || all.called.has(key));
  // Of a part that nobody calls in the end, what it imports is not used either.
  const { shared, types, validators, parts, rules } =
    called.length === units.length ? all : printUnits(context, called, foreign);
  const runtime = [...shared.runtime].sort(([left], [right]) => (left < right ? -1 : 1));
  const imports = [
    ...runtime.flatMap(([file, used]) => importNames(runtimeNames(used), `./runtime/${file}`, options)),
    ...importNames(types.imports(), './types', options),
    ...jsonSchemaImports(validators, options),
    ...importedFormats(shared),
  ];
  const imported = importedValidators([...foreign.values()], context);
  const modules = runtime.map(([file]) => file);
  return { imports, runtime: modules, imported, constants: shared.constants, validators, parts, rules };
}

interface PrintedUnits extends Pick<ValidatorsView, 'validators' | 'parts' | 'rules'> {
  readonly shared: Shared;
  readonly types: TypeNames;
  /** The units whose tests are called, by somebody who is called himself. */
  readonly called: ReadonlySet<UnitKey>;
}

function printUnits(context: Context, units: readonly Unit[], foreign: Foreign): PrintedUnits {
  const { names, options } = context;
  const shared = new Shared(options.issueLimit);
  const types = new TypeNames();
  const unitNames = nameUnits(units, names.validators);
  const namesOf = (key: UnitKey): UnitNames => {
    const found = unitNames.get(key);
    if (found === undefined) throw new Error(`no unit ${JSON.stringify(key)}`);
    return found;
  };
  const isForeign = ({ entry }: Unit): boolean => entry !== undefined && foreign.has(entry.names);
  const explained = explainedUnits(units.filter((unit) => !isForeign(unit)));
  const validators: ValidatorView[] = [];
  const parts: FunctionView[] = [];
  const rules: RulesView[] = [];
  const callsOf = new Map<UnitKey, ReadonlySet<UnitKey>>();
  const called = new Set<UnitKey>();
  for (const unit of units) {
    const { key, entry } = unit;
    if (isForeign(unit)) continue;
    if (entry !== undefined) called.add(key);
    if (entry !== undefined && namesOf(key).schema !== unit.schema) {
      validators.push(borrowingView(entry, namesOf(key), types, shared));
      const lender = lenderOf(unit);
      if (lender !== undefined) called.add(lender);
      continue;
    }
    shared.called = new Set();
    const body = testBody(unit, namesOf, shared);
    callsOf.set(key, shared.called);
    const parameters = testParameters(unit, parameterNamesIn(body), shared);
    const boolean: FunctionView = { name: namesOf(key).test, parameters, result: code`boolean`, body };
    if (entry === undefined) parts.push(boolean);
    else validators.push(publicView(entry, boolean, namesOf(key), types, shared, jsonSchemaName(entry, context)));
    if (!explained.has(key)) continue;
    shared.called = called.add(key);
    rules.push(rulesView(unit, namesOf, shared));
  }
  // The set grows while it is walked.
  for (const key of called) for (const one of callsOf.get(key) ?? []) called.add(one);
  for (const { key, entry } of units) {
    const theirs = entry && foreign.get(entry.names);
    if (theirs === undefined || !explained.has(key)) continue;
    const value = code`/* @__PURE__ */ ${shared.use('explain', 'foreignRules')}(${theirs.names.validate})`;
    rules.push({ name: namesOf(key).rules, value });
  }
  return { shared, types, validators, parts, rules, called };
}

function compiledUnits(
  { api, names, options, report }: Pick<PlanContext, 'api' | 'names' | 'options' | 'report'>,
  foreign: readonly ImportedEntry[],
): readonly Unit[] {
  const imported = new Set(foreign.map(({ schema }) => schema));
  const { units, tooDynamic } = compileChecks({ schemas: api.schemas, names, assertions: options, imported });
  if (tooDynamic !== undefined) {
    report.report('dynamic-too-many', tooManyWays, api.schemas.get(tooDynamic)?.at);
  }
  return units;
}

/** The units whose second pass is asked for: that of every validator, and those that these call. Others are only tested. */
function explainedUnits(units: readonly Unit[]): ReadonlySet<UnitKey> {
  const bodies = new Map(units.map(({ key, body }) => [key, body]));
  const explained = new Set(units.flatMap(({ key, entry }) => (entry === undefined ? [] : [key])));
  // The set grows while it is walked, and so does the list of bodies.
  for (const unit of explained) {
    const blocks = [bodies.get(unit) ?? []];
    for (const block of blocks) {
      for (const statement of block) {
        if (statement.kind === 'call') explained.add(statement.unit);
        blocks.push(...bodiesOf(statement));
      }
    }
  }
  return explained;
}

/** Long bodies use the value that they are given. */
const shortBody = 400;

/** The names of parameters; one that is not used says so, for compilers that ask for that. */
function parameterNamesIn({ statements }: FunctionBody): (name: 'value' | 'answers') => Code {
  const isUsed = (name: 'value' | 'answers'): boolean =>
    (name === 'value' && statements.length > shortBody) || mentioned(statements, [name]).length > 0;
  return (name) => (isUsed(name) ? name : `_${name}`) as Code;
}

/** `$rules("openapi.yaml#/components/schemas/Pet", isPet, () => …)` */
function rulesView(unit: Unit, namesOf: (unit: UnitKey) => UnitNames, shared: Shared): RulesView {
  const { schema, deep, once } = unit;
  const { rules, test } = namesOf(unit.key);
  const made = once ? shared.use('once', 'onceRules') : shared.use('explain', deep ? 'deepRules' : 'rules');
  const rule = rulesOf(unit, namesOf, shared);
  const parts = joinCode([literal(writtenId(schema)), test, code`() => ${rule}`], ', ');
  return { name: rules, value: code`/* @__PURE__ */ ${made}(${parts})` };
}

type CommonView = Pick<ValidatorView, 'about' | 'validate' | 'validation' | 'refusal' | 'options'>;

function commonView({ schema, names }: ValidatorEntry, type: Code, shared: Shared): CommonView {
  return {
    about: schema,
    validate: names.validate,
    validation: code`${shared.use('validation', 'Validation')}<${type}>`,
    refusal: shared.use('explain', 'refusal'),
    options: shared.use('validation', 'CheckOptions'),
  };
}

/** A validator that has no function of its own: both passes are those of another schema that says the same. */
function borrowingView(
  entry: ValidatorEntry,
  { test, rules }: UnitNames,
  types: TypeNames,
  shared: Shared,
): ValidatorView {
  const place = literal(writtenId(entry.schema));
  return {
    ...commonView(entry, types.nameOf(entry.type), shared),
    test: code`${test}(value)`,
    refusalParts: code`value, ${rules}, ${shared.defaults()}, ${place}`,
  };
}

function publicView(
  entry: ValidatorEntry,
  boolean: FunctionView,
  unit: UnitNames,
  types: TypeNames,
  shared: Shared,
  json: Code | undefined,
): ValidatorView {
  const type = types.nameOf(entry.type);
  const { forms } = entry.names;
  const { rules, deep } = unit;
  const refusalParts = code`value, ${rules}, ${shared.defaults()}`;
  const said = json === undefined || forms === undefined ? {} : { json };
  const common = { ...commonView(entry, type, shared), ...said, refusalParts };
  if (forms === undefined) {
    return { ...common, inner: boolean, test: outerTest(unit, shared) };
  }
  const body: FunctionBody = deep ? { statements: code`  return ${outerTest(unit, shared)};` } : boolean.body;
  const value = parameterNamesIn(body)('value');
  return {
    ...common,
    ...(deep && { inner: boolean }),
    test: code`${forms.is}(value)`,
    forms: {
      is: { name: code`${forms.is}`, parameters: code`${value}: unknown`, result: code`${value} is ${type}`, body },
      assert: forms.assert,
      asserts: code`asserts value is ${type}`,
      schema: forms.schema,
      ...standardForm(entry.names.validate, type, json, shared),
      validationError: shared.use('explain', 'validationError'),
    },
  };
}

/** `PetSchema`, with the JSON Schema of the name where there is one. */
function standardForm(
  validate: Identifier,
  type: Code,
  json: Code | undefined,
  shared: Shared,
): Pick<FormsView, 'standard' | 'standardSchema' | 'standardParts'> {
  if (json === undefined) {
    return {
      standard: code`${shared.use('standard-schema', 'StandardSchema')}<${type}>`,
      standardSchema: shared.use('standard-schema', 'standardSchema'),
      standardParts: code`${validate}`,
    };
  }
  return {
    standard: code`${shared.use('json-schema', 'StandardJsonSchema')}<${type}>`,
    standardSchema: shared.use('json-schema', 'standardJsonSchema'),
    standardParts: code`${validate}, $${json}`,
  };
}

const typesOfRuntime = new Set([
  'StandardJsonSchema',
  'Answers',
  'Members',
  'Tags',
  'Validation',
  'CheckOptions',
  'StandardSchema',
]);

function runtimeNames(used: ReadonlySet<string>): readonly ImportedName[] {
  const sorted = [...used].sort((left, right) => (left < right ? -1 : 1));
  return sorted.map((name) => ({ isType: typesOfRuntime.has(name), text: `${name} as $${name}` as Code }));
}

function jsonSchemaImports(
  validators: readonly ValidatorView[],
  options: PlanContext['options'],
): readonly ImportView[] {
  const used = validators.flatMap(({ json }) => (json === undefined ? [] : [json]));
  const names = used.map((name) => ({ isType: false, text: code`${name} as $${name}` }));
  return importNames(names, './json-schemas', options);
}

/** Checks of formats that the user provides, from the modules that the configuration names. */
function importedFormats({ imported }: Shared): readonly ImportView[] {
  return [...imported]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([from, names]) => {
      const texts = [...names]
        .sort(([left], [right]) => (left < right ? -1 : 1))
        .map(([name, own]) => code`${name as Identifier} as ${own}`);
      return { typeOnly: false, names: code`{ ${joinCode(texts, ', ')} }`, from: literal(from) };
    });
}

/** The globals that the generated functions use as values: a type of the same name is imported under another. */
const usedGlobals = new Set(['Array', 'Number', 'Object', 'RegExp', 'Set']);

class TypeNames {
  readonly #used = new Set<Identifier>();

  nameOf(type: Identifier | undefined): Code {
    if (type === undefined) return code`unknown`;
    this.#used.add(type);
    return usedGlobals.has(type) ? code`$${type}` : code`${type}`;
  }

  imports(): readonly ImportedName[] {
    return [...this.#used]
      .sort()
      .map((type) => ({ isType: true, text: usedGlobals.has(type) ? code`${type} as $${type}` : code`${type}` }));
  }
}

/** Names for the functions that are not public: they start with `$`, which no other name does, and are made unique here. */
function nameUnits(units: readonly Unit[], entries: readonly ValidatorEntry[]): ReadonlyMap<UnitKey, UnitNames> {
  const taken = new Set<string>([
    ...namedAsValidators.map((name) => `$${name}`),
    ...entries.flatMap(({ names: { validate, forms } }) =>
      forms === undefined ? [validate] : [validate, forms.is, forms.assert, forms.schema],
    ),
  ]);
  const fresh = (wanted: string): Code => {
    let name = wanted;
    for (let count = 2; taken.has(name); count += 1) name = `${wanted}_${count}`;
    taken.add(name);
    return name as Code;
  };
  const names = new Map<UnitKey, UnitNames>();
  const borrowing = units.flatMap((unit) => {
    const lender = lenderOf(unit);
    return lender === undefined ? [] : [[unit.key, lender] as const];
  });
  const borrowers = new Set(borrowing.map(([borrower]) => borrower));
  for (const { key, schema, entry, owner, deep, once, answers, shared } of units) {
    if (borrowers.has(key)) continue;
    const about = { schema, deep, once, answers, shared };
    const subject = owner.names.validate.replace(/^validate(?=.)/, '');
    if (entry === undefined) {
      names.set(key, { test: fresh(`$is${subject}Part`), rules: fresh(`$rulesOf${subject}Part`), ...about });
    } else {
      const is = entry.names.forms?.is;
      const test = is === undefined || deep ? fresh(`$is${subject}`) : code`${is}`;
      names.set(key, { test, rules: fresh(`$rulesOf${subject}`), ...about });
    }
  }
  for (const [borrower, lender] of borrowing) {
    const lent = names.get(lender);
    if (lent !== undefined) names.set(borrower, lent);
  }
  return names;
}

/** The unit whose functions a plain validator can use as its own, because all that it does is call that one. */
function lenderOf({ entry, body, deep }: Unit): UnitKey | undefined {
  const [only] = body;
  if (entry === undefined || entry.names.forms !== undefined || deep || body.length > 1) return undefined;
  return only?.kind === 'call' && only.place !== undefined ? only.unit : undefined;
}
