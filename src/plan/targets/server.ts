/** Target `server`: what handlers are given and may answer, the contract as data, and an adapter per framework. */
import { quote } from '../../diagnostics.js';
import { type Code, code, type Identifier, joinCode, key, literal } from '../../encode.js';
import type { MediaType, Operation } from '../../ir/api.js';
import type { SecurityScheme } from '../../ir/security.js';
import { outputPath } from '../../output.js';
import { CodecText } from '../codec-text.js';
import { importNames, importValues } from '../imports.js';
import { indentBy } from '../indentation.js';
import { otherSide } from '../inline-schemas.js';
import { otherPrinter } from '../outgoing-operations.js';
import type { Framework, ImportView, Names, PlanContext, PlannedFile, Target } from '../target.js';
import { TypePrinter } from '../type-text.js';
import { ContractText, type LineView, type OperationContractView, schemeText } from './server/contract-text.js';
import { handlerSkeletons } from './server/handler-skeletons.js';
import { operationDoc } from './server/operation-doc.js';
import { type DeclarationText, type EmittedEvent, OperationTypes } from './server/operation-types.js';
import { isRead } from './server/parameter-values.js';
import { Projections } from './server/projections.js';
import { RuntimeNames } from './server/runtime-names.js';

export interface ServerView {
  readonly imports: readonly ImportView[];
  /** What of the runtime handlers of streams are written with. */
  readonly exports: readonly ImportView[];
  readonly hasSchemes: boolean;
  readonly schemes: readonly SchemeView[];
  readonly hasOperations: boolean;
  readonly operations: readonly ServerOperationView[];
  readonly hasStreams: boolean;
  readonly streams: readonly StreamView[];
  readonly hasProjections: boolean;
  readonly projections: readonly LineView[];
}

export interface SchemeView {
  readonly name: Code;
  /** The name as a string. */
  readonly index: Code;
  /** What a hook is given. */
  readonly credential: Code;
  /** The scheme in the contract. */
  readonly text: Code;
}

export interface ServerOperationView {
  readonly doc: Code;
  readonly name: Identifier;
  /** The name as a string. */
  readonly text: Code;
  readonly request: Identifier;
  readonly requestType: DeclarationText;
  readonly replies: Identifier;
  readonly repliesType: DeclarationText;
  /** The type of the handler's third argument. */
  readonly context: Code;
  readonly contract: OperationContractView;
}

/** A helper that makes one event. */
export interface EmittedView {
  readonly name: Code;
  readonly text: Code;
  readonly data: Code;
  /** The name of the parameter, with the mark of one that can be left out. */
  readonly options: Code;
  /** What the event must have beside its data, behind another type. */
  readonly fields: Code;
}

export interface StreamView {
  readonly operation: Identifier;
  readonly events: readonly EmittedView[];
}

export interface AdapterView {
  readonly imports: readonly ImportView[];
  readonly hasSchemes: boolean;
}

/** Exports of `server.ts` that a schema's type could be called too; the type is imported under another name then. */
const ownNames: ReadonlySet<string> = new Set(['Handlers', 'Principals', 'SecurityHooks']);

export const serverTarget: Target = {
  name: 'server',
  plan(context: PlanContext): readonly PlannedFile[] {
    const operations = servedOperations(context);
    reportUnread(context, operations);
    const schemes = usedSchemes(context, operations);
    const server: PlannedFile = {
      kind: 'template',
      path: outputPath('server.ts'),
      template: 'server/server',
      view: serverView(context, operations, schemes),
      ownership: 'generated',
      finished: true,
    };
    const frameworks = [...new Set(context.options.frameworks)];
    const adapters = frameworks.map((framework) => adapter(framework, context, schemes.length > 0));
    const dated = context.names.dated.size > 0 ? ['codec.ts'] : [];
    const sources = [
      ...coreFiles,
      ...comparing(operations),
      ...dated,
      ...frameworks.flatMap((framework) => adapterFiles[framework]),
    ];
    return [server, ...adapters, ...handlerSkeletons(context, operations), ...sources.map(runtimeFile)];
  },
};

/** What compares events or parts with each other, where a request's description speaks of all of them together. */
export function comparing(operations: readonly Pick<Operation, 'body'>[]): readonly string[] {
  const isWhole = ({ stream }: MediaType): boolean => stream?.whole !== undefined;
  return operations.some(({ body }) => body?.content.some(isWhole)) ? ['checks.ts'] : [];
}

/** The runtime of every server. */
export const coreFiles = [
  'encoded-stream.ts',
  'errors.ts',
  'event-queue.ts',
  'event-fields.ts',
  'event-spec.ts',
  'header-encoding.ts',
  'item-decode.ts',
  'part-decode.ts',
  'part-encode.ts',
  'random-hex.ts',
  'result.ts',
  'server-answer.ts',
  'server-body.ts',
  'server-checks.ts',
  'server-contract.ts',
  'server-dispatch.ts',
  'server-exchange.ts',
  'server-faults.ts',
  'server-media.ts',
  'server-mirrors.ts',
  'server-options.ts',
  'server-parameters.ts',
  'server-projection.ts',
  'server-querystring.ts',
  'server-reply.ts',
  'server-request.ts',
  'server-router.ts',
  'server-security.ts',
  'server-events.ts',
  'server-sequences.ts',
  'server-streams.ts',
  'server-values.ts',
  'scalar-text.ts',
  'sse-decode.ts',
  'disposition.ts',
  'sse-encode.ts',
  'stream-part.ts',
  'utf8-pieces.ts',
  'validation.ts',
] as const;

export const adapterFiles: Readonly<Record<Framework, readonly string[]>> = {
  fastify: ['server-fastify.ts', 'server-node.ts'],
  node: ['server-node.ts'],
  fetch: ['server-fetch.ts'],
};

export function runtimeFile(source: string): PlannedFile {
  return { kind: 'runtime', path: outputPath(`runtime/${source}`), source };
}

/** The operations that can be routed; two variables without text between them cannot. */
export function servedOperations({ api, report }: PlanContext): readonly Operation[] {
  return api.operations.filter(({ path, at }) => {
    const touching = path.parts.some(
      (part, index) => part.kind === 'variable' && path.parts[index + 1]?.kind === 'variable',
    );
    if (touching) {
      report.report('path-unroutable', 'the path has two variables without text between them, so it is not served', at);
    }
    return !touching;
  });
}

/** What the server hands to a handler as it comes, though the client knows how it is written. */
export function reportUnread({ api, report }: PlanContext, operations: readonly Operation[]): void {
  for (const { parameters, body } of operations) {
    for (const parameter of parameters) {
      if (isRead(api, parameter)) continue;
      const name = `the ${parameter.in} parameter ${quote(parameter.name)}`;
      report.report('not-yet-parameter', `the server does not read ${name} yet`, parameter.at);
    }
    for (const { kind, text, at } of body?.content ?? []) {
      if (kind === 'form' || kind === 'multipart')
        report.report('not-yet-media-type', `the server passes a body of the type ${quote(text)} on as bytes`, at);
    }
  }
}

function usedSchemes({ api }: PlanContext, operations: readonly Operation[]): readonly SecurityScheme[] {
  const used = new Set(operations.flatMap(({ security }) => security.flat().map(({ scheme }) => scheme)));
  return api.securitySchemes.filter(({ name }) => used.has(name));
}

/** What a server does with the operations: answer them, or take them as what a service sends. */
export function serverView(
  context: PlanContext,
  operations: readonly Operation[],
  schemes: readonly SecurityScheme[],
  received?: { readonly names: Names },
): ServerView {
  const { api, names, options } = context;
  const runtime = new RuntimeNames();
  const printer = new TypePrinter(api, steppingAside(received?.names ?? names), options);
  const types = new OperationTypes(api, received ? otherPrinter(printer) : printer, runtime);
  const projections = new Projections(api);
  const codecs = new CodecText(api, names, () => runtime.use('codec'));
  const contract = new ContractText(context, received ? otherProjections(projections) : projections, codecs, runtime);
  runtime.use('Contract');
  const views = operations.map((operation) => operationView(operation, { context, types, contract, runtime }));
  const streams = operations.flatMap((operation): readonly StreamView[] => {
    const events = types.emitted(operation);
    return events.length === 0 ? [] : [streamView(names.operationOf(operation).function, events, runtime)];
  });
  const hooks = schemes.map((scheme) => schemeView(scheme, runtime));
  const validators = [...contract.validators].sort();
  return {
    exports: operations.some(isStreaming) ? importNames(queueNames, './runtime/event-queue', options) : [],
    imports: [
      ...runtime.imports(options),
      ...typeImports(printer.used, options),
      ...importValues(codecs.used, './codecs', options),
      ...importValues(validators, './validators', options),
    ],
    hasSchemes: schemes.length > 0,
    schemes: hooks,
    hasOperations: views.length > 0,
    operations: views,
    hasStreams: streams.length > 0,
    streams,
    hasProjections: projections.lines.length > 0,
    projections: projections.lines.map((text) => ({ text })),
  };
}

function otherProjections(projections: Projections): Pick<Projections, 'indexOf'> {
  return { indexOf: (schema, direction) => projections.indexOf(schema, otherSide(direction)) };
}

/** Whoever pushes events from outside needs a queue, and finds it beside `emit`. */
const queueNames = [
  { isType: false, text: code`createEventQueue` },
  { isType: true, text: code`EventQueue` },
  { isType: true, text: code`EventQueueOptions` },
];

function isStreaming({ responses }: Operation): boolean {
  return responses.some(({ content }) => content.some(({ stream }) => stream !== undefined));
}

/** The names of types as this file calls them: one that it exports itself is imported under a private name. */
function steppingAside(names: Names): Names {
  return {
    ...names,
    typeOf: (schema, direction) => {
      const name = names.typeOf(schema, direction);
      return name !== undefined && ownNames.has(name) ? (`$${name}` as Identifier) : name;
    },
  };
}

function typeImports(used: ReadonlySet<Identifier>, options: PlanContext['options']): readonly ImportView[] {
  const names = [...used].sort().map((name) => {
    const plain = name.startsWith('$') ? name.slice(1) : name;
    return { isType: true, text: ownNames.has(plain) ? code`${plain as Code} as ${name}` : code`${name}` };
  });
  return importNames(names, './types', options);
}

interface OperationParts {
  readonly context: PlanContext;
  readonly types: OperationTypes;
  readonly contract: ContractText;
  readonly runtime: RuntimeNames;
}

function operationView(
  operation: Operation,
  { context, types, contract, runtime }: OperationParts,
): ServerOperationView {
  const given = context.names.operationOf(operation);
  for (const name of ['Awaitable', 'Made', 'Reply'] as const) runtime.use(name);
  return {
    doc: operationDoc(operation, indentBy(1)),
    name: given.function,
    text: literal(given.function),
    request: given.request,
    requestType: types.request(operation),
    replies: given.replies,
    repliesType: types.replies(operation),
    context: contextType(operation, runtime),
    contract: contract.operation(operation),
  };
}

/** A scheme that every alternative demands has always a principal, one that only some demand may have none. */
function contextType({ security }: Operation, runtime: RuntimeNames): Code {
  const context = runtime.use('Context');
  const members = [...new Set(security.flat().map(({ scheme }) => scheme))].map((scheme) => {
    const always = security.every((alternative) => alternative.some((demand) => demand.scheme === scheme));
    return code`readonly ${key(scheme)}${always ? code`` : code`?`}: $P[${literal(scheme)}]`;
  });
  return members.length === 0 ? context : code`${context}<{ ${joinCode(members, '; ')} }>`;
}

function schemeView(scheme: SecurityScheme, runtime: RuntimeNames): SchemeView {
  runtime.use('SecurityHook');
  const credential =
    scheme.kind === 'basic' ? runtime.use('Basic') : scheme.kind === 'other' ? code`undefined` : code`string`;
  return { name: key(scheme.name), index: literal(scheme.name), credential, text: schemeText(scheme) };
}

function streamView(operation: Identifier, events: readonly EmittedEvent[], runtime: RuntimeNames): StreamView {
  for (const name of ['SseNamed', 'SseOptions', 'sseEvent'] as const) runtime.use(name);
  return {
    operation,
    events: events.map(({ name, data, fields }) => ({
      name: key(name),
      text: literal(name),
      data,
      options: fields === '' ? code`options?` : code`options`,
      fields,
    })),
  };
}

function adapter(framework: Framework, { options }: PlanContext, hasSchemes: boolean): PlannedFile {
  const runtime = new RuntimeNames();
  const used = {
    fastify: ['fastifyAdapter', 'FastifyPlugin'],
    node: ['nodeAdapter', 'NodeListener'],
    fetch: ['fetchAdapter', 'FetchHandler'],
  } as const;
  for (const name of [...used[framework], 'DispatchOptions', 'ServerOptions', 'Some'] as const) runtime.use(name);
  const ownTypes = hasSchemes ? ['Handlers', 'Principals', 'SecurityHooks'] : ['Handlers'];
  const own = [
    { isType: false, text: code`contract as $contract` },
    ...ownTypes.map((name) => ({ isType: true, text: name as Code })),
  ];
  const view: AdapterView = {
    imports: [...runtime.imports(options), ...importNames(own, './server', options)],
    hasSchemes,
  };
  return {
    kind: 'template',
    path: outputPath(`server-${framework}.ts`),
    template: `server/${framework}/adapter`,
    view,
    ownership: 'generated',
  };
}
