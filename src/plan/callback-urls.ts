/** Where a callback is sent: its expression, compiled, and the type of what has the values in it. */
import { type Code, code, type Identifier, joinCode, literal } from '../encode.js';
import type { ApiRequest, OutgoingRequest } from '../ir/api.js';
import { isNamed } from '../ir/parameter-names.js';
import { type Expression, readTemplate } from './runtime-expressions.js';

/** A request that leads to the callback, and the type of its input. */
export interface CallbackParent {
  readonly request: ApiRequest;
  readonly input: Identifier;
}

export interface CallbackUrl {
  /** The pieces, as the runtime takes them. */
  readonly pieces: Code;
  /** The type of the request and the answer that the callback belongs to, as far as they are needed. */
  readonly original: Code;
  /** The inputs that the type names. */
  readonly inputs: readonly Identifier[];
}

/** Nothing where the expression cannot be read, or speaks of what the requests do not have. */
export function compiledCallbackUrl(
  { expression = '' }: OutgoingRequest,
  parents: readonly CallbackParent[],
): CallbackUrl | undefined {
  const read = readTemplate(expression);
  if (!read || read.length === 0 || parents.length === 0) return undefined;
  const pieces: (string | readonly string[])[] = [];
  const groups = new Set<string>();
  const others = new Map<string, Code>();
  for (const piece of read) {
    if (typeof piece === 'string') {
      pieces.push(piece);
      continue;
    }
    const path = pathOf(piece, parents);
    if (!path) return undefined;
    pieces.push(path);
    if (path[0] === 'request') groups.add(path[1] ?? '');
    else others.set(path[0] ?? '', typeOf(piece));
  }
  // A text alone is the same for every request.
  if (groups.size === 0 && others.size === 0)
    return { pieces: literal(pieces), original: code`{ readonly [key: string]: unknown }`, inputs: [] };
  const inputs = groups.size === 0 ? [] : [...new Set(parents.map(({ input }) => input))];
  const keys = joinCode([...groups].sort().map(literal), ' | ');
  const request = joinCode(
    inputs.map((input) => code`Pick<${input}, ${keys}>`),
    ' | ',
  );
  const members = [
    ...(groups.size === 0 ? [] : [code`readonly request: ${request}`]),
    ...[...others].map(([name, type]) => code`readonly ${name as Code}: ${type}`),
  ];
  return { pieces: literal(pieces), original: code`{ ${joinCode(members, '; ')} }`, inputs };
}

/** The way to the value in `{ request, response, url, method, status }`. */
function pathOf(expression: Expression, parents: readonly CallbackParent[]): readonly string[] | undefined {
  switch (expression.kind) {
    case 'url':
    case 'method':
      return [expression.kind];
    case 'statusCode':
      return ['status'];
    case 'body': {
      const { of, path } = expression;
      if (of === 'request' && !parents.some(({ request }) => (request.body?.content.length ?? 0) > 0)) return undefined;
      return [of, 'body', ...path];
    }
    default:
      return parameterPath(expression, parents);
  }
}

function parameterPath(
  { kind, of, name }: Extract<Expression, { readonly name: string }>,
  parents: readonly CallbackParent[],
): readonly string[] | undefined {
  if (of === 'response') return kind === 'header' ? ['response', 'headers', name.toLowerCase()] : undefined;
  const found = parents.map(({ request }) => request.parameters.find((one) => one.in === kind && isNamed(one, name)));
  const [first] = found;
  if (!first || found.some((one) => one?.name !== first.name)) return undefined;
  return ['request', kind === 'header' ? 'headers' : kind, first.name];
}

function typeOf(expression: Expression): Code {
  if (expression.kind === 'statusCode') return code`number`;
  if (expression.kind === 'body') return code`{ readonly body: unknown }`;
  return expression.kind === 'header' ? code`{ readonly headers: { readonly [name: string]: string } }` : code`string`;
}
