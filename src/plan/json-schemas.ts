/** The schemas that validators stand for as JSON Schema 2020-12, for Standard JSON Schema: one constant for each, and for each that it uses. */
import { type Code, code, joinCode, literal } from '../encode.js';
import type { SchemaId } from '../ir/schema.js';
import { outputPath } from '../output.js';
import { type Meant, SchemaDeriver, type SchemaTable } from './derive-schema.js';
import { importNames } from './imports.js';
import type { ImportView, PlanContext, PlannedFile, ValidatorEntry } from './target.js';

export interface JsonSchemasView {
  readonly imports: readonly ImportView[];
  readonly type: Code;
  readonly sources: readonly JsonSchemaView[];
}

export interface JsonSchemaView {
  readonly about: SchemaId;
  readonly name: Code;
  readonly value: Code;
}

type Context = Pick<PlanContext, 'api' | 'names' | 'options' | 'report'>;

/**
 * The name of the constant for an entry; nothing where none is asked for, and for what a request carries where that is another
 * view: JSON Schema has one word for both directions.
 */
export function jsonSchemaName({ schema, direction }: ValidatorEntry, { names, options }: Context): Code | undefined {
  const type = names.typeOf(schema, 'read');
  if (options.standardJsonSchema !== true || type === undefined) return undefined;
  return names.typeOf(schema, direction) === type ? (`${type}JsonSchema` as Code) : undefined;
}

export const tooManyWays = 'dynamic references have too many meanings, depending on the way that leads to them';

export function schemaTable({ api, names }: Pick<PlanContext, 'api' | 'names'>): SchemaTable {
  return {
    schemas: api.schemas,
    nameOf: (schema) => names.typeOf(schema, 'read'),
    names: new Set(names.types.map(({ name }) => name)),
  };
}

export function jsonSchemasFile(context: Context): PlannedFile {
  const { api, names, options, report } = context;
  const table = schemaTable(context);
  const deriver = new SchemaDeriver(table);
  const wanted = new Map<string, Meant>();
  for (const entry of names.validators) {
    const type = table.nameOf(entry.schema);
    if (type !== undefined && jsonSchemaName(entry, context) !== undefined)
      wanted.set(type, deriver.alone(entry.schema));
  }
  const sources: JsonSchemaView[] = [];
  // The map grows while it is walked.
  for (const [type, meant] of wanted) {
    const { value, references } = deriver.definition(meant);
    if (deriver.tooDynamic !== undefined) {
      report.report('dynamic-too-many', tooManyWays, api.schemas.get(deriver.tooDynamic)?.at);
      break;
    }
    for (const [name, target] of references) wanted.set(name, target);
    const uses = [...references.keys()].map((name) => `${name}JsonSchema` as Code);
    const parts = [code`name: ${literal(type)}`, code`schema: ${literal(value)}`];
    if (uses.length > 0) parts.push(code`uses: () => [${joinCode(uses, ', ')}]`);
    sources.push({ about: meant.schema, name: `${type}JsonSchema` as Code, value: code`{ ${joinCode(parts, ', ')} }` });
  }
  const type = code`$JsonSchemaSource`;
  const imported = [{ isType: true, text: code`JsonSchemaSource as ${type}` }];
  const view: JsonSchemasView = { imports: importNames(imported, './runtime/json-schema', options), type, sources };
  return {
    kind: 'template',
    path: outputPath('json-schemas.ts'),
    template: 'validators/json-schemas',
    view,
    ownership: 'generated',
  };
}
