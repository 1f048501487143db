/**
 * The encodings of `cases.json`: short ways to write long or strange documents. What a case is expanded to is plain text
 * and plain JSON values; `__proto__` stays an own member.
 */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

type Members = { readonly [key: string]: Json };

const encodings = new Set(['$repeat', '$nest', '$concat', '$json', '$code', '$array', '$keys']);

function isMembers(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function get(value: Members, name: string): Json | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function members(value: Json | undefined): Members {
  return isMembers(value) ? value : {};
}

function count(value: Json | undefined): number {
  if (typeof value !== 'number') throw new Error('a count is missing');
  return value;
}

/** A text expression: a string, a repetition, a nesting, or several of them one behind the other. */
export function expandText(expression: Json | undefined): string {
  if (typeof expression === 'string') return expression;
  if (!isMembers(expression)) throw new Error(`not a text expression: ${JSON.stringify(expression)}`);
  const repeat = get(expression, '$repeat');
  if (repeat !== undefined) return expandText(members(repeat)['text']).repeat(count(members(repeat)['times']));
  const nest = get(expression, '$nest');
  if (nest !== undefined) {
    const { open, core, close, times } = members(nest);
    return expandText(open).repeat(count(times)) + expandText(core) + expandText(close).repeat(count(times));
  }
  const parts = get(expression, '$concat');
  if (Array.isArray(parts)) return parts.map(expandText).join('');
  return JSON.stringify(expression);
}

/** Evaluates an expression of the cases' author; `index` is its position in a `$array`. */
function evaluate(code: Json | undefined, index: number): Json {
  if (typeof code !== 'string') throw new Error('$code is not a text');
  return new Function('i', `return (${code});`)(index) as Json;
}

/** A value expression; everything that is not an encoding is kept as it is. */
export function expandValue(expression: Json, index = 0): Json {
  if (Array.isArray(expression)) return expression.map((entry) => expandValue(entry, index));
  if (!isMembers(expression)) return expression;
  const [only, ...others] = Object.keys(expression);
  if (only !== undefined && others.length === 0 && encodings.has(only)) return decode(only, expression, index);
  const result: { [key: string]: Json } = {};
  for (const [name, value] of Object.entries(expression)) define(result, name, expandValue(value, index));
  return result;
}

function define(target: { [key: string]: Json }, name: string, value: Json): void {
  Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
}

function decode(encoding: string, expression: Members, index: number): Json {
  const inner = get(expression, encoding);
  switch (encoding) {
    case '$json':
      return JSON.parse(expandText(inner)) as Json;
    case '$code':
      return evaluate(inner, index);
    case '$array': {
      const { of = null, times } = members(inner);
      return Array.from({ length: count(times) }, (_, position) => expandValue(of, position));
    }
    case '$keys':
      return manyKeys(members(inner));
    default:
      return expandText(expression);
  }
}

function manyKeys({ of, length, suffix, times }: Members): Json {
  const result: { [key: string]: Json } = {};
  const base = expandText(of);
  for (let index = 0; index < count(times); index++) {
    const stem = typeof length === 'number' && length > 0 ? base.repeat(length) : `${base}${index}`;
    define(result, `${stem}${typeof suffix === 'string' ? suffix : ''}`, 1);
  }
  return result;
}

export interface DocumentText {
  readonly text: string;
  readonly extension: 'json' | 'yaml';
}

/** The entry document of an input that is one document; `undefined` where it is files, a server or steps. */
export function entryDocument(input: Members): DocumentText | undefined {
  const text = get(input, '$text');
  if (typeof text === 'string') return { text, extension: get(input, 'ext') === 'yaml' ? 'yaml' : 'json' };
  const recipe = get(input, '$recipe');
  if (typeof recipe === 'string') return cook(recipe, input);
  if (get(input, 'openapi') !== undefined) return json(expandValue(input as Json));
  const description = get(input, 'spec');
  return description === undefined ? undefined : json(expandValue(description));
}

export function json(value: Json): DocumentText {
  return { text: JSON.stringify(value), extension: 'json' };
}

const reference = (number: number): Json => ({ $ref: `#/components/schemas/S${number}` });

function around(schemas: { [key: string]: Json }, start = 'S0'): { [key: string]: Json } {
  const schema = { $ref: `#/components/schemas/${start}` };
  const operation = {
    operationId: 'getT',
    responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } },
  };
  return {
    openapi: '3.0.3',
    info: { title: 'Recipe', version: '1.0.0' },
    paths: { '/t': { get: operation } },
    components: { schemas },
  };
}

/** Documents that are too large to be written down. */
function cook(recipe: string, input: Members): DocumentText {
  switch (recipe) {
    case 'refFanout':
      return json(fanOut(count(input['levels']), count(input['width']), expandText(input['wrap'])));
    case 'refChain': {
      const links = count(input['links']);
      const chain = Array.from({ length: links }, (_, link): [string, Json] => [`S${link}`, reference(link + 1)]);
      return json(around(Object.fromEntries([...chain, [`S${links}`, { type: 'string' }]])));
    }
    case 'nest': {
      const hole = '"hole"';
      const [before = '', after = ''] = JSON.stringify(around({ T: 'hole' }, 'T')).split(hole);
      return { text: before + expandText({ $nest: input as Json }) + after, extension: 'json' };
    }
    case 'volume':
      return json(volume(count(input['schemas']), count(input['operations']), count(input['enumValues'])));
    case 'yamlMergeChain': {
      const lines = ['openapi: 3.0.3', 'info: {title: t, version: "1"}', 'paths: {}', 'x-m:', '  m0: &m0 {k0: 0}'];
      for (let link = 0; link < count(input['links']); link++)
        lines.push(`  m${link + 1}: &m${link + 1} {<<: *m${link}, k${link + 1}: 0}`);
      return { text: `${lines.join('\n')}\n`, extension: 'yaml' };
    }
    default:
      throw new Error(`unknown recipe ${recipe}`);
  }
}

/** `levels` schemas, each of which refers to the next one `width` times. */
function fanOut(levels: number, width: number, wrap: string): Json {
  const schemas: { [key: string]: Json } = {};
  for (let level = 0; level < levels; level++) {
    const next = Array.from({ length: width }, (_, number): [string, Json] => [`p${number}`, reference(level + 1)]);
    schemas[`S${level}`] =
      wrap === 'properties'
        ? { type: 'object', properties: Object.fromEntries(next) }
        : { [wrap]: next.map(([, schema]) => schema) };
  }
  schemas[`S${levels}`] = { type: 'object', properties: { leaf: { type: 'string' } } };
  return around(schemas);
}

function volume(schemaCount: number, operations: number, enumValues: number): Json {
  const schemas: { [key: string]: Json } = {};
  for (let number = 0; number < schemaCount; number++) {
    const next = reference((number * 7 + 1) % schemaCount);
    schemas[`S${number}`] = { type: 'object', properties: { next, n: { type: 'integer' } } };
  }
  schemas['Big'] = { type: 'string', enum: Array.from({ length: enumValues }, (_, index) => `v${index}`) };
  const document = around(schemas);
  const paths = document['paths'] as { [key: string]: Json };
  for (let number = 0; number < operations; number++) {
    const content = { 'application/json': { schema: reference(number % schemaCount) } };
    paths[`/o${number}`] = {
      get: { operationId: `op${number}`, responses: { 200: { description: 'ok', content } } },
    };
  }
  return document;
}
