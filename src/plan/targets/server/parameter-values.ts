/** How the text of a parameter is read: what the shape of its schema says it may stand for. */
import { type Code, code, joinCode, literal } from '../../../encode.js';
import type { Api, Parameter } from '../../../ir/api.js';
import type { SchemaId } from '../../../ir/schema.js';
import type { Shape } from '../../../ir/shape.js';
import { alternatives, flatten, kindList, kindsOf, scalarOf } from '../../scalar-kinds.js';

/** Whether the server reads a parameter. Of the values inside deep objects it reads single ones, and of forms no styles. */
export function isRead(api: Api, { style, schema, in: place, content }: Parameter): boolean {
  if (place === 'querystring') return content?.kind !== 'form' || content.encoding.length === 0;
  if (style !== 'deepObject' || place !== 'query' || content !== undefined || schema === undefined) return true;
  return alternatives(api, schema).every((part) => {
    if (part.kind === 'array' || part.kind === 'tuple') return false;
    if (part.kind !== 'object') return true;
    const members = [...part.properties.map(({ shape }) => shape), ...(part.additional ? [part.additional] : [])];
    return members.flatMap((member) => flatten(api, member)).every(({ kind }) => !nested.has(kind));
  });
}

const nested: ReadonlySet<Shape['kind']> = new Set(['array', 'tuple', 'object']);

/** The `read` member of a parameter's contract; nothing where it is plain text. */
export function valueContract(api: Api, { in: place, schema, content }: Parameter): Code | undefined {
  if (content?.kind === 'json') return code`{ json: true }`;
  if (place === 'querystring' && content?.kind === 'form') return formContract(api, content.schema);
  if (schema === undefined || content !== undefined) return undefined;
  const parts = alternatives(api, schema);
  const scalars = new Set(parts.flatMap(scalarOf));
  const items = parts.flatMap((part) =>
    part.kind === 'array'
      ? [part.items]
      : part.kind === 'tuple'
        ? [...part.items, ...(part.rest ? [part.rest] : [])]
        : [],
  );
  const objects = parts.filter((part) => part.kind === 'object');
  const hasItems = parts.some((part) => part.kind === 'array' || part.kind === 'tuple');
  if (!hasItems && objects.length === 0 && [...scalars].every((kind) => kind === 'string')) return undefined;
  const lines: Code[] = [];
  if (scalars.size > 0) lines.push(code`scalar: ${kindList(scalars)}`);
  if (hasItems) lines.push(code`items: ${kindList(kindsOf(api, items))}`);
  if (objects.length > 0) {
    const members = objects
      .flatMap(({ properties }) => properties)
      .map(({ name, shape }) => code`{ name: ${literal(name)}, kinds: ${kindList(kindsOf(api, [shape]))} }`);
    lines.push(code`members: [${joinCode([...new Set(members)], ', ')}]`);
    const rest = objects.flatMap(({ additional }) => (additional ? [additional] : []));
    if (rest.length > 0) lines.push(code`rest: ${kindList(kindsOf(api, rest))}`);
  }
  return code`{ ${joinCode(lines, ', ')} }`;
}

/** The members of a form: arrays by repeated names, objects as JSON. */
function formContract(api: Api, schema: SchemaId | undefined): Code {
  const objects = (schema === undefined ? [] : alternatives(api, schema)).filter((part) => part.kind === 'object');
  const members = objects
    .flatMap(({ properties }) => properties)
    .map(({ name, shape }) => {
      const parts = flatten(api, shape);
      const items = parts.flatMap((part) => (part.kind === 'array' ? flatten(api, part.items) : []));
      const isList = parts.some((part) => part.kind === 'array' || part.kind === 'tuple');
      const values = isList ? items : parts;
      const isJson = values.length > 0 && values.every(({ kind }) => kind === 'object' || kind === 'array');
      return code`{ name: ${literal(name)}, kinds: ${kindList(new Set(values.flatMap(scalarOf)))}${isList ? code`, list: true` : code``}${isJson ? code`, json: true` : code``} }`;
    });
  const rest = objects.flatMap(({ additional }) => (additional ? [additional] : []));
  const others = rest.length > 0 ? code`, rest: ${kindList(kindsOf(api, rest))}` : code``;
  return code`{ members: [${joinCode([...new Set(members)], ', ')}]${others} }`;
}
