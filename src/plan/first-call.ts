/** The call that a README shows: the easiest one of the API, with the credentials that it needs. */
import { type Code, code, type Identifier, joinCode, key, literal } from '../encode.js';
import type { Operation } from '../ir/api.js';
import type { SchemaId } from '../ir/schema.js';
import { credentialOf } from './credentials.js';
import { type InputGroup, inputGroups, type OperationInput, operationInput, valueSchema } from './operation-input.js';
import { serverOf } from './operation-literal.js';
import type { PlanContext } from './target.js';

export interface FirstCall {
  readonly function: Identifier;
  /** What `createClient` is given, or empty. */
  readonly client: Code;
  /** `, { path: { id: "…" } }`, or empty. */
  readonly input: Code;
}

/** Nothing where every operation needs a body, or a value that nobody can make up. */
export function firstCall(context: PlanContext): FirstCall | undefined {
  const { operations } = context.api;
  const callable = operations.flatMap((operation) => {
    const input = inputText(context, operationInput(context, operation));
    return input === undefined || operation.deprecated ? [] : [{ operation, input, cost: costOf(operation, input) }];
  });
  const [best] = callable.sort((left, right) => left.cost - right.cost);
  if (best === undefined) return undefined;
  const { operation, input } = best;
  return {
    function: context.names.operationOf(operation).function,
    client: clientText(context, operation),
    input: input === '' ? input : code`, ${input}`,
  };
}

/** Reading is easier to try than writing, and a call without arguments easier than one with some. */
function costOf({ method, responses }: Operation, input: Code): number {
  const streams = responses.some(({ content }) => content.some(({ stream }) => stream !== undefined));
  return (method === 'GET' ? 0 : 1000) + (streams ? 500 : 0) + input.length;
}

function inputText(context: PlanContext, { parameters, body }: OperationInput): Code | undefined {
  if (body?.required) return undefined;
  const groups = new Map<InputGroup, Code[]>();
  for (const { parameter, group, required } of parameters) {
    if (!required) continue;
    const value = parameter.in === 'querystring' ? undefined : sampleOf(context, valueSchema(parameter));
    if (value === undefined) return undefined;
    groups.set(group, [...(groups.get(group) ?? []), code`${key(parameter.name)}: ${value}`]);
  }
  const members = inputGroups.flatMap((group) => {
    const inside = groups.get(group);
    return inside === undefined ? [] : [code`${key(group)}: { ${joinCode(inside, ', ')} }`];
  });
  return members.length === 0 ? code`` : code`{ ${joinCode(members, ', ')} }`;
}

/** A value of a plain type; its reader puts his own in its place. */
function sampleOf({ api, options }: PlanContext, schema: SchemaId | undefined): Code | undefined {
  let shape = schema === undefined ? undefined : api.shapes.get(schema);
  for (let steps = 0; shape?.kind === 'ref' && steps < 20; steps++) shape = api.shapes.get(shape.target);
  if (shape?.kind === 'union') [shape] = shape.members;
  switch (shape?.kind) {
    case 'string':
      return options.dates === 'Date' && shape.format?.startsWith('date') ? undefined : literal('…');
    case 'number':
      return literal(1);
    case 'boolean':
      return literal(true);
    case 'literal':
      return literal(shape.value);
    default:
      return undefined;
  }
}

/** A server where the document names none that is whole, and the first way to log in. */
function clientText({ api }: PlanContext, { security, servers }: Operation): Code {
  const server = serverOf(servers) ?? serverOf(api.servers);
  const isWhole = server !== undefined && /^https?:\/\//i.test(server);
  const auth = (security[0] ?? []).flatMap(({ scheme: name }) => {
    const scheme = api.securitySchemes.find((one) => one.name === name);
    const credential = scheme && credentialOf(scheme);
    if (credential === undefined || credential === 'transport') return [];
    const value = credential.type === 'Token' ? literal('…') : code`{ username: "…", password: "…" }`;
    return [code`${key(name)}: ${value}`];
  });
  const members = [
    ...(isWhole ? [] : [code`baseUrl: "https://…"`]),
    ...(auth.length === 0 ? [] : [code`auth: { ${joinCode(auth, ', ')} }`]),
  ];
  return members.length === 0 ? code`` : code`{ ${joinCode(members, ', ')} }`;
}
