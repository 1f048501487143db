/** What a caller gives to an operation: decided once for the types and for the client's literals. */
import { quote } from '../diagnostics.js';
import type { Api, MediaType, Operation, Parameter } from '../ir/api.js';
import type { SchemaId } from '../ir/schema.js';
import type { Shape } from '../ir/shape.js';
import { type BodyPath, headerMirrors } from './header-mirrors.js';
import { type SentDefault, sentDefault } from './sent-defaults.js';
import type { HeaderEncodingName, PlanContext } from './target.js';

export const inputGroups = ['path', 'query', 'headers', 'cookies'] as const;

export type InputGroup = (typeof inputGroups)[number];

export interface InputParameter {
  readonly parameter: Parameter;
  readonly group: InputGroup;
  /** Whether the caller must give it. */
  readonly required: boolean;
  /** Whether its value can be an array or an object. */
  readonly list: boolean;
  /** What is sent where the caller gives nothing. */
  readonly default?: SentDefault;
  /** The members of the body that are sent where the caller gives nothing. */
  readonly from?: readonly BodyPath[];
  readonly encoding?: HeaderEncodingName;
}

export interface OperationInput {
  readonly parameters: readonly InputParameter[];
  /** The media types of the body, and whether it must be there; absent where the operation takes none. */
  readonly body?: { readonly content: readonly MediaType[]; readonly required: boolean };
  /** Whether the caller must give anything at all. */
  readonly required: boolean;
}

const groupOf: Readonly<Record<Parameter['in'], InputGroup>> = {
  path: 'path',
  query: 'query',
  querystring: 'query',
  header: 'headers',
  cookie: 'cookies',
};

/** Headers of the connection and of the message's frame: the platform sets them, a parameter must not. */
const transportHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export function operationInput(context: PlanContext, operation: Operation): OperationInput {
  const mirrors = new Map(headerMirrors(context, operation).map((mirror) => [mirror.header, mirror]));
  const parameters = operation.parameters
    .filter((parameter) => isSent(context, parameter))
    .map((parameter): InputParameter => {
      const { from, encoding } = (parameter.in === 'header' ? mirrors.get(parameter.name) : undefined) ?? {};
      const value = from ? undefined : sentDefault(context, parameter);
      return {
        parameter,
        group: groupOf[parameter.in],
        required: parameter.required && from === undefined && value === undefined,
        list:
          parameter.content === undefined &&
          (parameter.schema === undefined || mayBeList(context.api, parameter.schema)),
        ...(value !== undefined && { default: value }),
        ...(from && { from }),
        ...(encoding && { encoding }),
      };
    });
  const { body } = operation;
  const hasBody = body !== undefined && body.content.length > 0;
  return {
    parameters,
    ...(hasBody && { body: { content: body.content, required: body.required } }),
    required: parameters.some((parameter) => parameter.required) || (hasBody && body.required),
  };
}

function isSent({ report }: PlanContext, { name, in: place, at }: Parameter): boolean {
  if (place !== 'header' || !transportHeaders.has(name.toLowerCase())) return true;
  report.report('parameter-ignored', `the header ${quote(name)} belongs to the connection and is not an argument`, at);
  return false;
}

/** The schema of what a caller gives: of `content` that is no JSON only its text. */
export function valueSchema({ schema, content }: Parameter): SchemaId | undefined {
  return content === undefined ? schema : content.kind === 'json' ? content.schema : undefined;
}

/** Whether a schema admits an array or an object. Each schema is looked at once. */
function mayBeList(api: Api, schema: SchemaId): boolean {
  const seen = new Set<SchemaId>();
  const pending: (Shape | undefined)[] = [api.shapes.get(schema)];
  while (pending.length > 0) {
    const shape = pending.pop();
    if (!shape || ['array', 'tuple', 'object', 'unknown'].includes(shape.kind)) return true;
    if (shape.kind === 'union' || shape.kind === 'intersection') pending.push(...shape.members);
    if (shape.kind !== 'ref' || seen.has(shape.target)) continue;
    seen.add(shape.target);
    pending.push(api.shapes.get(shape.target));
  }
  return false;
}
