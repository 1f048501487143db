/** Target `webhooks`: what the service sends of itself. Handlers for who receives it, and functions for who sends it. */
import { quote } from '../../diagnostics.js';
import { type Code, code, type Identifier } from '../../encode.js';
import { outputPath } from '../../output.js';
import { plannedAnswers } from '../answers.js';
import { type CallbackParent, type CallbackUrl, compiledCallbackUrl } from '../callback-urls.js';
import { CodecText } from '../codec-text.js';
import { docComment, saidOf } from '../doc-comment.js';
import { eventFiles } from '../event-data.js';
import { importNames, importTypes, importValues } from '../imports.js';
import { operationInput } from '../operation-input.js';
import { type MemberView, OperationLiteral } from '../operation-literal.js';
import { type OutgoingOperation, type OutgoingPlan, outgoingPlan } from '../outgoing-operations.js';
import { clientFiles, RuntimeImports, runtimeFiles } from '../runtime-imports.js';
import type { Framework, ImportView, PlanContext, PlannedFile, Target } from '../target.js';
import { operationsView } from './operations.js';
import { RuntimeNames } from './server/runtime-names.js';
import { adapterFiles, comparing, coreFiles, reportUnread, runtimeFile, serverView } from './server.js';

export interface ReceiverView {
  readonly imports: readonly ImportView[];
  /** `webhookListener` */
  readonly handler: Identifier;
  readonly hasGenerics: boolean;
  /** The type of what the function gives, and of its implementation. */
  readonly type: Code;
  readonly plainType: Code;
  readonly adapter: Code;
}

export interface SendersView {
  readonly imports: readonly ImportView[];
  /** What of the runtime senders are made with. */
  readonly exports: readonly ImportView[];
  readonly senders: readonly SenderView[];
}

export interface SenderView {
  readonly doc: Code;
  readonly name: Identifier;
  readonly members: readonly MemberView[];
  /** The argument that says where to: its name with its type, and the URL in it. */
  readonly target: Code;
  readonly url: Code;
  readonly input: Code;
  readonly result: Identifier;
}

export const webhooksTarget: Target = {
  name: 'webhooks',
  plan(context: PlanContext): readonly PlannedFile[] {
    if (context.api.outgoing.length === 0) {
      context.report.report('no-webhooks', 'the description has no webhooks and no callbacks');
      return [];
    }
    const outgoing = outgoingPlan(context);
    reportUnread(outgoing.context, outgoing.operations);
    const frameworks = [...new Set(context.options.frameworks)];
    const received = { names: context.names };
    const place = context.options;
    const view = serverView(outgoing.context, outgoing.operations, [], received);
    const dated = context.names.dated.size > 0 ? ['codec.ts'] : [];
    const told = eventFiles(outgoing.operations);
    return [
      file('webhooks', 'server/server', view),
      ...frameworks.map((framework) => receiver(framework, context)),
      file(
        'webhook-operations',
        'operations/operations',
        operationsView(outgoing.context, outgoing.context.api, place, received),
      ),
      file('webhook-senders', 'webhooks/senders', sendersView(context, outgoing)),
      ...[
        ...coreFiles,
        ...comparing(outgoing.operations),
        'server-webhooks.ts',
        ...frameworks.flatMap((framework) => adapterFiles[framework]),
      ].map(runtimeFile),
      ...runtimeFiles([...clientFiles, 'sender.ts', ...dated, ...dated.map(() => 'client-codec.ts'), ...told]),
    ];
  },
};

function file(name: string, template: string, view: object): PlannedFile {
  return { kind: 'template', path: outputPath(`${name}.ts`), template, view, ownership: 'generated', finished: true };
}

const receivers = {
  fastify: { handler: 'webhookPlugin', adapter: 'fastifyAdapter', type: 'FastifyPlugin' },
  node: { handler: 'webhookListener', adapter: 'nodeAdapter', type: 'NodeListener' },
  fetch: { handler: 'webhookHandler', adapter: 'fetchAdapter', type: 'FetchHandler' },
} as const satisfies Record<Framework, object>;

function receiver(framework: Framework, { options }: PlanContext): PlannedFile {
  const runtime = new RuntimeNames();
  const { handler, adapter, type } = receivers[framework];
  for (const name of ['ServerOptions', 'Some', 'ReceiverOptions', 'receiver'] as const) runtime.use(name);
  const name = runtime.use(type);
  const isFetch = framework === 'fetch';
  const own = [
    { isType: false, text: code`contract as $contract` },
    { isType: true, text: code`Handlers` },
  ];
  const view: ReceiverView = {
    handler: handler as string as Identifier,
    hasGenerics: isFetch,
    type: isFetch ? code`${name}<$O>` : name,
    plainType: isFetch ? code`${name}<WebhookOptions>` : name,
    adapter: runtime.use(adapter),
    imports: [...runtime.imports(options), ...importNames(own, './webhooks', options)],
  };
  return file(`webhooks-${framework}`, 'webhooks/receiver', view);
}

function sendersView(context: PlanContext, outgoing: OutgoingPlan): SendersView {
  const { options } = context;
  const { operations, context: other } = outgoing;
  const runtime = new RuntimeImports();
  const codecs = new CodecText(context.api, context.names, () => runtime.use('codec'));
  const literals = new OperationLiteral(other, runtime, () => undefined, codecs);
  for (const name of ['CallOptions', 'Sender', 'sendTo'] as const) runtime.use(name);
  const inputs = new Set<Identifier>();
  const senders = operations.map((operation): SenderView => {
    const names = other.names.operationOf(operation);
    const input = operationInput(other, operation);
    const url = callbackOf(context, outgoing, operation);
    if (url) {
      runtime.use('callbackUrl');
      for (const name of url.inputs) inputs.add(name);
    }
    return {
      doc: senderDoc(operation, url !== undefined),
      name: outgoing.senderOf(operation),
      members: literals
        .members({ ...operation, path: atRoot }, input, plannedAnswers(operation, other.names), nowhere)
        .filter(({ name }) => name !== 'server'),
      target: url ? code`original: ${url.original}` : code`url: string`,
      url: url ? code`$callbackUrl(${url.pieces}, original)` : code`url`,
      input: input.required ? code`input: ${names.input}` : code`input?: ${names.input}`,
      result: names.result,
    };
  });
  const own = new Set(operations.map((operation) => other.names.operationOf(operation).input));
  const exported = [
    { isType: false, text: code`createSender` },
    ...(['Origins', 'Sender', 'SenderOptions'] as const).map((name) => ({
      isType: true,
      text: name as string as Code,
    })),
  ];
  return {
    senders,
    exports: importNames(exported, './runtime/sender', options),
    imports: [
      ...importTypes(
        operations.flatMap((operation) => {
          const { input, result } = other.names.operationOf(operation);
          return [input, result];
        }),
        './webhook-operations',
        options,
      ),
      ...importTypes(
        [...inputs].filter((name) => !own.has(name)),
        './operations',
        options,
      ),
      ...runtime.imports(options),
      ...importValues(codecs.used, './codecs', options),
    ],
  };
}

/** Where the request goes, its URL says. */
const atRoot = { text: '/', parts: [{ kind: 'literal' as const, text: '/' }] };
const nowhere = { server: undefined, servers: undefined };

/** Where a callback is sent; a webhook, and a callback whose expression cannot be read, is sent where the caller says. */
function callbackOf(
  context: PlanContext,
  { operations, context: other }: OutgoingPlan,
  operation: OutgoingOperation,
): CallbackUrl | undefined {
  const { request } = operation;
  if (request.origin === 'webhook') return undefined;
  const parents: CallbackParent[] = [
    ...context.api.operations.map((one) => ({ request: one, input: context.names.operationOf(one).input })),
    ...operations.map((one) => ({ request: one, input: other.names.operationOf(one).input })),
  ].filter((parent) => parent.request.callbacks.includes(request.id));
  const found = compiledCallbackUrl(request, parents);
  if (!found && parents.length > 0) {
    context.report.report(
      'callback-unresolved',
      `where the callback ${quote(request.name)} is sent cannot be told by ${quote(request.expression ?? '')}`,
      request.at,
    );
  }
  return found;
}

function senderDoc(operation: OutgoingOperation, isResolved: boolean): Code {
  const { name, origin, expression } = operation.request;
  const where = isResolved && expression !== undefined ? ` to \`${expression}\` of the request that it belongs to` : '';
  return docComment({
    text: [...saidOf(operation), `Sends the ${origin} \`${name}\`${where}.`].join('\n\n'),
    deprecated: operation.deprecated,
  });
}
