/** The file of handlers that a user is given once: one member per operation, each answering 501 until it is written. */
import { type Code, type Identifier, literal } from '../../../encode.js';
import type { Operation } from '../../../ir/api.js';
import { outputPath } from '../../../output.js';
import type { PlanContext, PlannedFile } from '../../target.js';
import { operationDoc } from './operation-doc.js';

export interface HandlersView {
  /** The specifier of the generated server, as a string literal. */
  readonly from: Code;
  readonly skeletons: readonly SkeletonView[];
}

export interface SkeletonView {
  readonly doc: Code;
  readonly name: Identifier;
}

/** Nothing where no scaffold is wanted. */
export function handlerSkeletons(
  { names, options }: PlanContext,
  operations: readonly Operation[],
): readonly PlannedFile[] {
  const wanted = options.handlerSkeletons;
  if (wanted === undefined || operations.length === 0) return [];
  const view: HandlersView = {
    from: literal(wanted.server),
    skeletons: operations.map((operation) => ({
      doc: operationDoc(operation),
      name: names.operationOf(operation).function,
    })),
  };
  return [
    { kind: 'template', path: outputPath('handlers.ts'), template: 'handlers/handlers', view, ownership: 'scaffold' },
  ];
}
