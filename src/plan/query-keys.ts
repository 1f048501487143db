/** What the keys of queries hold: the tags of an operation, its name, and its input without credentials. */
import { type Code, code, type Identifier, joinCode, literal } from '../encode.js';
import type { Operation, Parameter } from '../ir/api.js';
import type { Schema } from '../ir/schema.js';
import type { Shape } from '../ir/shape.js';
import { tagChain } from './operation-groups.js';
import { operationInput } from './operation-input.js';
import type { PlanContext } from './target.js';

/** The tag in the keys of operations that have none. */
const untagged = 'default';

/** The prefix, the first tag behind those that it is part of, and the name of the function. */
export function keyPath(context: PlanContext, operation: Operation): readonly string[] {
  return [...tagKey(context, operation.tags[0] ?? untagged), context.names.operationOf(operation).function];
}

/** What the keys of all operations with a tag begin with. */
export function tagKey({ api, options }: PlanContext, tag: string): readonly string[] {
  const prefix = options.queries?.keyPrefix;
  const known = new Map(api.tags.map((one) => [one.name, one]));
  return [...(prefix === undefined ? [] : [prefix]), ...tagChain(tag, known)];
}

/** The tags that keys begin with, those of which others are a part among them, in the order of their names. */
export function keyTags({ api }: PlanContext, operations: readonly Operation[]): readonly string[] {
  const known = new Map(api.tags.map((one) => [one.name, one]));
  return [...new Set(operations.flatMap(({ tags }) => tagChain(tags[0] ?? untagged, known)))].sort();
}

/** What is left out of a key, by the group of the input. Cookies always are; a server reads them, scripts rarely do. */
export interface LeftOut {
  readonly members: ReadonlyMap<'query' | 'headers' | 'body', readonly string[]>;
  readonly cookies: boolean;
}

export function leftOut(context: PlanContext, operation: Operation): LeftOut {
  const { parameters, body } = operationInput(context, operation);
  const members = new Map<'query' | 'headers' | 'body', string[]>();
  const add = (group: 'query' | 'headers' | 'body', name: string): void => {
    const names = members.get(group) ?? [];
    members.set(group, names);
    if (!names.includes(name)) names.push(name);
  };
  for (const { parameter, group } of parameters) {
    if ((group === 'query' || group === 'headers') && isSecret(context, parameter)) add(group, parameter.name);
  }
  for (const { schema } of body?.content ?? []) {
    const shape = schema === undefined ? undefined : context.api.shapes.get(schema);
    for (const name of secretMembers(context, shape)) add('body', name);
  }
  return { members, cookies: parameters.some(({ group }) => group === 'cookies') };
}

/** The argument of the runtime's function, with a comma before it; nothing where nothing is left out. */
export function leftOutText({ members }: LeftOut): Code {
  return members.size === 0 ? code`` : code`, ${literal(Object.fromEntries(members) as Record<string, string[]>)}`;
}

/** The type of the input in a key: a group of which something is left out says nothing of what is there. */
export function keyInput(input: Identifier, { members, cookies }: LeftOut): Code {
  const groups = [...members.keys(), ...(cookies ? ['cookies'] : [])];
  return groups.length === 0 ? code`${input}` : code`Omit<${input}, ${joinCode(groups.map(literal), ' | ')}>`;
}

/** Names of credentials, whatever stands between their words. `page_token` is none: in a query, a token alone may be anything. */
const secretName =
  /^(?:proxy)?authorization$|cookie|api_?key|passw(?:or)?d|passphrase|secret|credential|signature|private_?key|(?:access|api|auth|oauth|id|refresh|session|csrf|xsrf|bearer|personal)_?token/;
const secretHeader = /(?:^|_)(?:token|auth)(?:_|$)/;

function isSecret({ api }: PlanContext, { name, in: place, schema }: Parameter): boolean {
  const spelt = name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '_');
  if (secretName.test(spelt.replace(/^proxy_/, '')) || (place === 'header' && secretHeader.test(spelt))) return true;
  const isKey = api.securitySchemes.some(
    (scheme) =>
      scheme.kind === 'apiKey' && scheme.in === place && scheme.parameter.toLowerCase() === name.toLowerCase(),
  );
  return isKey || (schema !== undefined && isPassword(api.schemas.get(schema)));
}

function isPassword(schema: Schema | undefined): boolean {
  return schema?.kind === 'schema' && schema.format === 'password';
}

/** The members of a body that are passwords by their format. */
function secretMembers({ api }: PlanContext, given: Shape | undefined): readonly string[] {
  const seen = new Set<Shape>();
  const pending = [given];
  const names: string[] = [];
  while (pending.length > 0) {
    const shape = pending.pop();
    if (!shape || seen.has(shape)) continue;
    seen.add(shape);
    if (shape.kind === 'ref') pending.push(api.shapes.get(shape.target));
    if (shape.kind === 'union' || shape.kind === 'intersection') pending.push(...shape.members);
    if (shape.kind !== 'object') continue;
    for (const { name, shape: member } of shape.properties) {
      const target = member.kind === 'ref' ? api.shapes.get(member.target) : member;
      if (target?.kind === 'string' && target.format === 'password') names.push(name);
    }
  }
  return names.sort();
}
