/** What an OpenAPI 2.0 request carries: parameters, which describe their value themselves, a body, or the fields of a form. */
import { type Address, childAddress, quote } from '../diagnostics.js';
import type { JsonValue } from '../ir/schema.js';
import { isObject, type JsonObject, own } from '../json-object.js';
import type { Members } from './json.js';
import { mediaTypeKind } from './media-types.js';
import { keep, type UpgradeContext } from './upgrade-context.js';

/** The parameters of a path item or an operation, by what OpenAPI 3 makes of them. */
export interface RequestParts {
  /** Upgraded, in the document's order. */
  readonly parameters: readonly JsonValue[];
  readonly body: Members | undefined;
  /** The fields of a form by their names. */
  readonly fields: ReadonlyMap<string, Members>;
  /** The list that holds them. */
  readonly at: Address;
}

export function readRequestParts(context: UpgradeContext, owner: Members): RequestParts {
  const at = childAddress(owner.at, 'parameters');
  const parameters: JsonValue[] = [];
  const fields = new Map<string, Members>();
  let body: Members | undefined;
  for (const [index, value] of (owner.array('parameters') ?? []).entries()) {
    const parameter = context.follow(value, childAddress(at, index));
    if (!parameter) continue;
    const place = parameter.raw('in');
    if (place === 'body') {
      if (body || fields.size > 0) reportSecondBody(context, parameter, body ?? [...fields.values()][0]);
      body ??= parameter;
    } else if (place === 'formData') {
      const name = parameter.string('name');
      const rival = body ?? (name === undefined ? undefined : fields.get(name));
      if (rival) reportSecondBody(context, parameter, rival);
      if (name !== undefined) fields.set(name, parameter);
      else context.report.report('keyword-missing', 'a parameter needs "name" and "in"', parameter.at);
    } else {
      parameters.push(upgradeParameter(context, parameter));
    }
  }
  return { parameters, body, fields, at };
}

function reportSecondBody(context: UpgradeContext, parameter: Members, first: Members | undefined): void {
  const name = quote(parameter.string('name') ?? 'body');
  const message = `the request has a body already, ${name} cannot be carried too`;
  const related = first && [{ message: 'what it carries', at: first.at }];
  context.report.report('parameter-duplicate', message, parameter.at, related);
}

function upgradeParameter(context: UpgradeContext, parameter: Members): JsonObject {
  const kept = keep(parameter, 'name', 'in', 'description', 'required', 'allowEmptyValue', 'deprecated');
  const place = parameter.raw('in');
  const value = upgradeValue(context, parameter, place === 'query' || place === 'cookie' ? 'form' : 'simple');
  return context.made({ ...kept, ...value }, parameter.at);
}

const formStyles: ReadonlyMap<string, JsonObject> = new Map([
  ['csv', { style: 'form', explode: false }],
  ['multi', { style: 'form', explode: true }],
  ['ssv', { style: 'spaceDelimited', explode: false }],
  ['pipes', { style: 'pipeDelimited', explode: false }],
]);
const simpleStyles: ReadonlyMap<string, JsonObject> = new Map([['csv', { style: 'simple', explode: false }]]);

/** How a list is written, in the words of OpenAPI 3; `undefined` where it has none (tabs, lists of lists). */
function styleOf(value: Members, base: 'form' | 'simple'): JsonObject | undefined {
  const items = value.raw('items');
  if (isObject(items) && own(items, 'type') === 'array') return undefined;
  return (base === 'form' ? formStyles : simpleStyles).get(value.string('collectionFormat') ?? 'csv');
}

/**
 * The `schema` of a parameter or header, and its style where it is a list. A list that no style writes is text whose
 * form nobody knows, which is what `content` says.
 */
export function upgradeValue(context: UpgradeContext, value: Members, base: 'form' | 'simple'): JsonObject {
  const schema = schemaOf(context, value);
  if (value.raw('type') !== 'array') return { schema };
  const style = styleOf(value, base);
  return style ? { schema, ...style } : { content: { 'text/plain': context.made({ schema }, value.at) } };
}

const schemaKeywords = [
  ...['type', 'format', 'items', 'default', 'enum', 'pattern', 'minLength', 'maxLength', 'uniqueItems', 'multipleOf'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minItems', 'maxItems'],
] as const;

/** The schema that a parameter or header is; some documents write `schema` as OpenAPI 3 does, which is understood. */
function schemaOf(context: UpgradeContext, value: Members, ...more: readonly string[]): JsonObject {
  const written = value.has('type') ? undefined : value.raw('schema');
  if (isObject(written)) return context.made({ ...written }, childAddress(value.at, 'schema'));
  return context.made(keep(value, ...schemaKeywords, ...more), value.at);
}

/** The body of an operation: its own, or that of its path item, whose fields it adds to. */
export function upgradeBody(
  context: UpgradeContext,
  shared: RequestParts,
  parts: RequestParts,
  consumes: readonly string[] = [],
): JsonObject | undefined {
  const body = parts.body ?? (parts.fields.size === 0 ? shared.body : undefined);
  if (body) return schemaBody(context, body, consumes);
  const fields = [...new Map([...shared.fields, ...parts.fields])];
  if (fields.length === 0) return undefined;
  return formBody(context, fields, parts.fields.size > 0 ? parts.at : shared.at, consumes);
}

function schemaBody(context: UpgradeContext, body: Members, consumes: readonly string[]): JsonObject {
  // A form has fields: what the root consumes beside JSON is meant for other operations.
  const bodies = consumes.filter((text) => !isForm(text));
  const types = bodies.length > 0 ? bodies : consumes.length > 0 ? consumes : ['application/json'];
  const content = types.map((text) => [text, context.made(keepSchema(body), body.at)]);
  return context.made({ ...keep(body, 'description', 'required'), content: Object.fromEntries(content) }, body.at);
}

function keepSchema(body: Members): JsonObject {
  const schema = body.raw('schema');
  return schema === undefined ? {} : { schema };
}

function isForm(text: string): boolean {
  const kind = mediaTypeKind(text);
  return kind === 'form' || kind === 'multipart';
}

/** An object with the fields of a form; it stands nowhere, so its place is the list of parameters. */
function formBody(
  context: UpgradeContext,
  fields: readonly (readonly [string, Members])[],
  at: Address,
  consumes: readonly string[],
): JsonObject {
  const properties = fields.map(([name, field]) => [name, schemaOf(context, field, 'description')]);
  const required = fields.filter(([, field]) => field.boolean('required') === true).map(([name]) => name);
  const made = { type: 'object', properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) };
  const schema = context.made(made, at);
  const styles = fields.flatMap(([name, field]) => {
    const style = field.raw('type') === 'array' ? styleOf(field, 'form') : undefined;
    return style ? [[name, style]] : [];
  });
  const encoding = styles.length > 0 ? { encoding: Object.fromEntries(styles) } : {};
  const hasFile = fields.some(([, field]) => field.raw('type') === 'file');
  const forms = consumes.filter((text) => (hasFile ? mediaTypeKind(text) === 'multipart' : isForm(text)));
  const types = forms.length > 0 ? forms : [hasFile ? 'multipart/form-data' : 'application/x-www-form-urlencoded'];
  const content = types.map((text) => [text, context.made({ schema, ...encoding }, at)]);
  return context.made({ required: required.length > 0, content: Object.fromEntries(content) }, at);
}
