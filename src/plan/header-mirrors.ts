/**
 * Request headers that repeat a member of the body, from the configuration. OpenAPI runtime expressions
 * (`$request.body#/method`) are compiled to paths of property names, so that no generated code parses a pointer.
 */
import { type JsonPointer, pointerSteps, quote } from '../diagnostics.js';
import type { Api, Operation } from '../ir/api.js';
import type { SchemaId } from '../ir/schema.js';
import type { Shape } from '../ir/shape.js';
import type { HeaderFromBody, PlanContext } from './target.js';

/** Property names that lead from the body to a member. */
export type BodyPath = readonly string[];

export interface HeaderMirror {
  /** The header's name as the document writes it. */
  readonly header: string;
  /** The first that yields a value counts. */
  readonly from: readonly BodyPath[];
}

const bodyExpression = '$request.body#';

/** The mirrors of one operation. Entries that fit nothing are reported as `mirror-unknown`. */
export function headerMirrors(context: PlanContext, operation: Operation): readonly HeaderMirror[] {
  return context.options.headersFromBody
    .filter((entry) => names(entry, operation))
    .flatMap((entry) => compile(context, operation, entry));
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

function names(entry: HeaderFromBody, { operationId, method, path }: Operation): boolean {
  return entry.operation === operationId || entry.operation === `${method} ${path.text}`;
}

function compile({ api, report }: PlanContext, operation: Operation, entry: HeaderFromBody): HeaderMirror[] {
  const fail = (message: string): HeaderMirror[] => {
    report.report('mirror-unknown', `headersFromBody: ${message}`, operation.at);
    return [];
  };
  const parameter = operation.parameters.find(
    ({ name, in: place }) => place === 'header' && name.toLowerCase() === entry.header.toLowerCase(),
  );
  if (!parameter) return fail(`the operation has no header parameter ${quote(entry.header)}`);
  const from: BodyPath[] = [];
  for (const expression of entry.expressions) {
    const pointer = expression.startsWith(bodyExpression) ? expression.slice(bodyExpression.length) : '';
    if (!pointer.startsWith('/')) return fail(`${quote(expression)} is not of the form "$request.body#/member"`);
    const steps = pointerSteps(pointer as JsonPointer);
    const bodies = operation.body?.content.filter(({ kind }) => kind === 'json') ?? [];
    if (!bodies.some(({ schema }) => schema === undefined || mayHave(api, schema, steps))) {
      return fail(`the body has no member ${quote(pointer)}`);
    }
    from.push(steps);
  }
  return from.length === 0
    ? fail(`the header ${quote(entry.header)} has no expression`)
    : [{ header: parameter.name, from }];
}

/** Whether a value of the schema can have the member: where the document describes the members, it must be one of them. */
function mayHave(api: Api, schema: SchemaId, steps: BodyPath): boolean {
  const seen = new Set<string>();
  const visit = (shape: Shape | undefined, depth: number): boolean => {
    const step = steps[depth];
    if (!shape || step === undefined) return true;
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
      case 'array':
        return /^\d+$/.test(step) && visit(shape.items, depth + 1);
      case 'tuple':
        return /^\d+$/.test(step) && visit(shape.items[Number(step)] ?? shape.rest, depth + 1);
      case 'object': {
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
