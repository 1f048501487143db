/**
 * Request headers that repeat a member of the body, from the configuration or from `x-oasmith-from-body` at the parameter;
 * the configuration wins. OpenAPI runtime expressions (`$request.body#/method`) are compiled to paths of property names,
 * so that no generated code parses a pointer.
 */

import { type JsonPointer, pointerSteps, quote } from '../diagnostics.js';
import type { Api, Operation, Parameter } from '../ir/api.js';
import { operationNames } from '../ir/operation-names.js';
import { isNamed } from '../ir/parameter-names.js';
import type { JsonValue, SchemaId } from '../ir/schema.js';
import type { Shape } from '../ir/shape.js';
import type { HeaderEncodingName, HeaderFromBody, PlanContext } from './target.js';

/** Property names that lead from the body to a member. */
export type BodyPath = readonly string[];

export interface HeaderMirror {
  /** The header's name as the document writes it. */
  readonly header: string;
  /** The first that yields a value counts. */
  readonly from: readonly BodyPath[];
  /** How values travel that no header can hold. */
  readonly encoding?: HeaderEncodingName;
}

/** What the runtime calls each encoding. */
export const headerEncodings = { base64: 'base64Header', percent: 'percentHeader' } as const satisfies Readonly<
  Record<HeaderEncodingName, string>
>;

const bodyExpression = '$request.body#';
const extension = 'x-oasmith-from-body';

/** The mirrors of one operation. Entries that fit nothing are reported as `mirror-unknown`. */
export function headerMirrors(context: PlanContext, operation: Operation): readonly HeaderMirror[] {
  const configured = context.options.headersFromBody.filter((entry) => names(entry, operation));
  const settled = new Set(configured.map(({ header }) => header.toLowerCase()));
  return [
    ...once(context, operation, configured).flatMap((entry) => compile(context, operation, entry)),
    ...operation.parameters
      .filter(({ name, in: place }) => place === 'header' && !settled.has(name.toLowerCase()))
      .flatMap((parameter) => extended(context, operation, parameter)),
  ];
}

/** Names of headers are the same in any case, and an operation can be named in several ways: the first counts. */
function once(
  { report }: PlanContext,
  operation: Operation,
  configured: readonly HeaderFromBody[],
): readonly HeaderFromBody[] {
  const first = new Map<string, HeaderFromBody>();
  for (const entry of configured) {
    const name = entry.header.toLowerCase();
    const before = first.get(name);
    if (before === undefined) first.set(name, entry);
    else {
      const both = [before, entry].map(({ operation: of, header }) => `${quote(header)} of ${quote(of)}`).join(' and ');
      report.report('mirror-unknown', `headersFromBody: ${both} are the same header`, operation.at);
    }
  }
  return [...first.values()];
}

/** What the document itself says of a header. */
function extended(context: PlanContext, operation: Operation, parameter: Parameter): readonly HeaderMirror[] {
  const { extensions, name, at } = parameter;
  if (!Object.hasOwn(extensions, extension)) return [];
  const value = mirrorValue(extensions[extension]);
  if (value === undefined) {
    context.report.report('mirror-unknown', `${extension} must be ${mirrorForm}`, at);
    return [];
  }
  return compile(context, operation, { operation: operation.id, header: name, ...value }, parameter);
}

const mirrorForm = 'a runtime expression, a list of them, or an object with from and encoding (base64 or percent)';

/** What a mirrored header is made of, as a configuration or a document writes it; nothing where it is written otherwise. */
function mirrorValue(
  value: unknown,
): { readonly expressions: readonly string[]; readonly encoding?: HeaderEncodingName } | undefined {
  if (typeof value === 'string') return { expressions: [value] };
  if (Array.isArray(value)) {
    return value.length > 0 && value.every((one) => typeof one === 'string')
      ? { expressions: value as readonly string[] }
      : undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { from, encoding, ...rest } = value as Readonly<Record<string, JsonValue>>;
  const made = typeof from === 'object' && !Array.isArray(from) ? undefined : mirrorValue(from);
  if (made === undefined || Object.keys(rest).length > 0) return undefined;
  if (encoding === undefined) return made;
  return encoding === 'base64' || encoding === 'percent' ? { ...made, encoding } : undefined;
}

/** Reports the entries that name no operation at all. */
export function reportUnknownMirrors({ api, options, report }: PlanContext): void {
  for (const entry of options.headersFromBody) {
    if (!api.operations.some((operation) => names(entry, operation))) {
      report.report(
        'mirror-unknown',
        `headersFromBody names the operation ${quote(entry.operation)}, which does not exist`,
      );
    }
  }
}

function names(entry: HeaderFromBody, operation: Operation): boolean {
  return operationNames(operation).includes(entry.operation);
}

function compile(
  { api, report }: PlanContext,
  operation: Operation,
  entry: HeaderFromBody,
  own?: Parameter,
): HeaderMirror[] {
  const fail = (message: string): HeaderMirror[] => {
    report.report('mirror-unknown', `${own ? extension : 'headersFromBody'}: ${message}`, (own ?? operation).at);
    return [];
  };
  const parameter = own ?? operation.parameters.find((one) => one.in === 'header' && isNamed(one, entry.header));
  if (!parameter) return fail(`the operation has no header parameter ${quote(entry.header)}`);
  const from: BodyPath[] = [];
  for (const expression of entry.expressions) {
    const pointer = expression.startsWith(bodyExpression) ? expression.slice(bodyExpression.length) : '';
    if (!pointer.startsWith('/')) return fail(`${quote(expression)} is not of the form "$request.body#/member"`);
    const steps = pointerSteps(pointer as JsonPointer);
    const bodies = operation.body?.content.filter(({ kind }) => kind === 'json') ?? [];
    if (!bodies.some(({ schema }) => schema === undefined || mayHave(api, schema, steps))) {
      return fail(`the body has no member ${quote(pointer)} that a header can hold`);
    }
    from.push(steps);
  }
  if (from.length === 0) return fail(`the header ${quote(entry.header)} has no expression`);
  return [{ header: parameter.name, from, ...(entry.encoding !== undefined && { encoding: entry.encoding }) }];
}

/**
 * Whether a value of the schema can have the member, and that can be text, a number, or a boolean: where the document
 * describes the members, it must be one of them.
 */
function mayHave(api: Api, schema: SchemaId, steps: BodyPath): boolean {
  const seen = new Set<string>();
  const visit = (shape: Shape | undefined, depth: number): boolean => {
    const step = steps[depth];
    if (!shape) return true;
    switch (shape.kind) {
      case 'unknown':
        return true;
      case 'ref': {
        const key = `${depth} ${shape.target}`;
        if (seen.has(key)) return false;
        seen.add(key);
        return visit(api.shapes.get(shape.target), depth);
      }
      case 'union':
      case 'intersection':
        return shape.members.some((member) => visit(member, depth));
      case 'string':
      case 'number':
      case 'boolean':
        return step === undefined;
      case 'literal':
        return step === undefined && typeof shape.value !== 'object';
      case 'array':
        if (step === undefined) return false;
        return /^\d+$/.test(step) && visit(shape.items, depth + 1);
      case 'tuple':
        if (step === undefined) return false;
        return /^\d+$/.test(step) && visit(shape.items[Number(step)] ?? shape.rest, depth + 1);
      case 'object': {
        if (step === undefined) return false;
        const property = shape.properties.find(({ name }) => name === step);
        if (property) return visit(property.shape, depth + 1);
        if (shape.additional) return visit(shape.additional, depth + 1);
        return !shape.closed && shape.properties.length === 0;
      }
      default:
        return false;
    }
  };
  return visit(api.shapes.get(schema), 0);
}
