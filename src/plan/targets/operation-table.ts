/** Target `operation-table`: what the document says of each operation, as data. No bundle of the client has it unless it asks. */
import { type Code, code, type Identifier, joinCode, key, literal } from '../../encode.js';
import type { Operation } from '../../ir/api.js';
import { outputPath } from '../../output.js';
import { reportNoOperation } from '../nothing-left.js';
import { documentNames, ownName } from '../own-names.js';
import type { PlanContext, PlannedFile, Target } from '../target.js';

export interface OperationTableView {
  readonly name: Identifier;
  readonly operations: readonly { readonly function: Code; readonly facts: Code }[];
}

export const operationTableTarget: Target = {
  name: 'operation-table',
  plan(context: PlanContext): readonly PlannedFile[] {
    const { api, names, options, report } = context;
    if (api.operations.length === 0) {
      reportNoOperation(options, report);
      return [];
    }
    const view: OperationTableView = {
      name: ownName(documentNames(context), 'operationTable', 'apiOperationTable'),
      operations: api.operations
        .map((operation) => ({ function: key(names.operationOf(operation).function), facts: factsOf(operation) }))
        .sort((left, right) => (left.function < right.function ? -1 : 1)),
    };
    const path = outputPath('operation-table.ts');
    return [
      {
        kind: 'template',
        path,
        template: 'operation-table/operation-table',
        view,
        ownership: 'generated',
        finished: true,
      },
    ];
  },
};

function factsOf({ operationId, method, path, tags, deprecated }: Operation): Code {
  const members = [
    ['operationId', operationId],
    ['method', method],
    ['path', path.text],
    ['tags', tags],
    ['deprecated', deprecated],
  ] as const;
  const said = members.flatMap(([name, value]) => (value === undefined ? [] : [code`${key(name)}: ${literal(value)}`]));
  return code`{ ${joinCode(said, ', ')} }`;
}
