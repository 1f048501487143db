/**
 * Target `msw`: a handler of MSW 2 for each operation, which answers with an example of the document or a sample. Requests
 * are matched and parsed, and answers are written, by the contract of the target `server`.
 */
import { Collector } from '../../diagnostics.js';
import { type Code, code, type Identifier, joinCode, literal } from '../../encode.js';
import type { Operation } from '../../ir/api.js';
import { outputPath } from '../../output.js';
import { docComment } from '../doc-comment.js';
import { importNames } from '../imports.js';
import { MockAnswers } from '../mock-answers.js';
import { reportNoOperation } from '../nothing-left.js';
import { RuntimeImports, runtimeFiles } from '../runtime-imports.js';
import type { ImportView, PlanContext, PlannedFile, Target } from '../target.js';
import { servedOperations } from './server.js';

export interface MswView {
  readonly imports: readonly ImportView[];
  readonly operations: readonly MswOperationView[];
}

export interface MswOperationView {
  /** A comment with its line end. */
  readonly doc: Code;
  readonly name: Code;
  /** The operation's key as a string. */
  readonly text: Code;
  readonly replies: Code;
  /** The URLs of the servers. */
  readonly servers: Code;
  /** The usual answer, or `undefined`. */
  readonly usual: Code;
}

export const mswTarget: Target = {
  name: 'msw',
  plan(context: PlanContext): readonly PlannedFile[] {
    const { api, options, report } = context;
    // What is not served has been reported by the target `server`.
    const operations = servedOperations({ ...context, report: new Collector() });
    if (api.operations.length === 0) {
      reportNoOperation(options, report);
      return [];
    }
    const answers = new MockAnswers(context);
    const runtime = new RuntimeImports();
    for (const name of ['MockAnswer', 'MockOptions', 'mockHandler'] as const) runtime.use(name);
    const views = operations.map((operation) => operationView(context, operation, answers));
    const own = [
      { isType: false, text: code`contract as $contract` },
      { isType: true, text: code`Handlers as $Handlers` },
      ...views.map(({ replies }) => replies.slice(1) as Identifier).map(aliased),
    ];
    const view: MswView = {
      imports: [...runtime.imports(options), ...importNames(own, './server', options)],
      operations: views,
    };
    return [
      { kind: 'template', path: outputPath('msw.ts'), template: 'msw/msw', view, ownership: 'generated' },
      ...runtimeFiles(['msw-handler.ts', 'server-fetch.ts']),
    ];
  },
};

function aliased(name: Identifier): { readonly isType: boolean; readonly text: Code } {
  return { isType: true, text: code`${name} as $${name}` };
}

function operationView(context: PlanContext, operation: Operation, answers: MockAnswers): MswOperationView {
  const { function: name, replies } = context.names.operationOf(operation);
  const servers = (operation.servers ?? context.api.servers).map(({ resolved }) => literal(resolved));
  const usual = answers.usualOf(operation);
  const said =
    usual === undefined ? 'answers 501 unless told otherwise' : `answers ${usual.status} unless told otherwise`;
  return {
    doc: docComment({
      text: `\`${operation.method} ${operation.path.text}\`: ${said}.`,
      deprecated: operation.deprecated,
    }),
    name: code`${name}Handler`,
    text: literal(name),
    replies: code`$${replies}`,
    servers: code`[${joinCode(servers.length === 0 ? [literal('')] : servers, ', ')}]`,
    usual: usual?.text ?? code`undefined`,
  };
}
