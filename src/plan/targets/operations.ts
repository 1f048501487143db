/** Target `operations`: what each operation takes and what it can answer, as types only. */

import { type Code, code, comment, type Identifier } from '../../encode.js';
import type { Api, Operation, OutgoingRequest } from '../../ir/api.js';
import { outputPath } from '../../output.js';
import { AnswerTypes, type AnswerView, type EventsView, unionOf } from '../answer-types.js';
import { plannedAnswers } from '../answers.js';
import { docComment, saidOf } from '../doc-comment.js';
import { hasOperationTypes } from '../has-operation-types.js';
import { type ImportPlace, type IndexView, importTypes, specifier } from '../imports.js';
import { definedAs } from '../indentation.js';
import { InputTypes } from '../input-types.js';
import { reportNoOperation } from '../nothing-left.js';
import { operationInput } from '../operation-input.js';
import { otherPrinter } from '../outgoing-operations.js';
import { RuntimeImports, runtimeFiles, typeFiles } from '../runtime-imports.js';
import { tagFiles } from '../tag-files.js';
import type { ImportView, Names, PlanContext, PlannedFile, Target } from '../target.js';
import { TypePrinter } from '../type-text.js';

export interface OperationsView {
  readonly imports: readonly ImportView[];
  readonly operations: readonly OperationView[];
  readonly payloads: readonly PayloadView[];
}

/** What a webhook or a callback carries. */
export interface PayloadView {
  /** A comment with its line end. */
  readonly doc: Code;
  readonly name: Identifier;
  /** With the `=`. */
  readonly type: Code;
}

export interface OperationView {
  /** `GET /pets/{id}`, made safe for a comment. */
  readonly title: Code;
  readonly input: Identifier;
  readonly isInterface: boolean;
  /** The members of the input's interface, or the aliased type. */
  readonly inputBody: Code;
  readonly events: readonly EventsView[];
  readonly answers: readonly AnswerView[];
  readonly result: Identifier;
  /** The union of the answers, with the `=`. */
  readonly resultType: Code;
}

export const operationsTarget: Target = {
  name: 'operations',
  plan(context: PlanContext): readonly PlannedFile[] {
    const { api, options } = context;
    if (!hasOperationTypes(api)) {
      reportNoOperation(context.options, context.report);
      return [];
    }
    if (options.layout === 'single') {
      return [file('operations', operationsView(context, api, options)), ...runtimeFiles(typeFiles)];
    }
    const files = tagFiles(api);
    const place = { ...options, below: true };
    const modules = files.map(({ name }) => specifier(`./operations/${name}`, options));
    const index: IndexView = { modules, exports: [] };
    return [
      { ...file('operations', index), template: 'client/index' },
      ...files.map((part) => file(`operations/${part.name}`, operationsView(context, part, place))),
      ...runtimeFiles(typeFiles),
    ];
  },
};

function file(name: string, view: object): PlannedFile & { readonly kind: 'template' } {
  const path = outputPath(`${name}.ts`);
  return { kind: 'template', path, template: 'operations/operations', view, ownership: 'generated', finished: true };
}

/** `received`: the operations are what the service sends, so the types are those of the other side. */
export function operationsView(
  context: PlanContext,
  { operations, outgoing }: Pick<Api, 'operations' | 'outgoing'>,
  place: ImportPlace,
  received?: { readonly names: Names },
): OperationsView {
  const { api, names, options } = context;
  const printer = new TypePrinter(api, received?.names ?? names, options);
  const shown = received ? otherPrinter(printer) : printer;
  const runtime = new RuntimeImports();
  const inputs = new InputTypes(api, shown, runtime);
  const answers = new AnswerTypes(context, shown, runtime);
  return {
    operations: operations.map((operation) => viewOf(context, operation, inputs, answers, runtime)),
    payloads: outgoing.flatMap((request) => payloadOf(context, request, printer)),
    imports: [...importTypes(printer.used, './types', place), ...runtime.imports(place)],
  };
}

function payloadOf({ names }: PlanContext, request: OutgoingRequest, printer: TypePrinter): readonly PayloadView[] {
  const name = names.payloadOf(request);
  if (name === undefined) return [];
  const { origin, name: key, method, expression, deprecated, body } = request;
  const types = (body?.content ?? []).map(({ kind, schema }) => {
    if (kind === 'text' || kind === 'xml') return code`string`;
    return kind !== 'json' || schema === undefined ? code`unknown` : printer.typeOf(schema, 'read');
  });
  const place = `What the ${origin} \`${key}\` carries: \`${method}\`${expression === undefined ? '' : ` to \`${expression}\``}.`;
  return [
    {
      doc: docComment({ text: [...saidOf(request), place].join('\n\n'), deprecated }),
      name,
      type: definedAs(types.length === 0 ? code`unknown` : unionOf([...new Set(types)])),
    },
  ];
}

function viewOf(
  context: PlanContext,
  operation: Operation,
  inputs: InputTypes,
  types: AnswerTypes,
  runtime: RuntimeImports,
): OperationView {
  const { input, result } = context.names.operationOf(operation);
  const answers = plannedAnswers(operation, context.names);
  const { isInterface, body } = inputs.print(operationInput(context, operation));
  return {
    title: comment(`${operation.method} ${operation.path.text}`),
    input,
    isInterface,
    inputBody: body,
    events: answers.flatMap((answer) => types.events(answer)),
    answers: answers.map((answer) => types.answer(answer)),
    result,
    resultType: definedAs(unionOf([...answers.map(({ name }) => name), runtime.use('Unexpected')])),
  };
}
