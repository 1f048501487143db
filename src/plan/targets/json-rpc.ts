/** Target `json-rpc`: the methods of an endpoint as types, a client that calls them, and a handler that serves them. */
import { type Code, code, type Identifier, joinCode, key, literal } from '../../encode.js';
import type { SchemaId } from '../../ir/schema.js';
import type { Shape } from '../../ir/shape.js';
import { outputPath } from '../../output.js';
import { docComment } from '../doc-comment.js';
import { pascalCase } from '../identifiers.js';
import { importNames, importTypes, importValues, specifier } from '../imports.js';
import { type RpcEndpoint, type RpcMethod, rpcEndpoints, standardErrors } from '../json-rpc.js';
import { messageValidator, type RpcMessage } from '../json-rpc-messages.js';
import { documentNames, ownName } from '../own-names.js';
import { runtimeFiles } from '../runtime-imports.js';
import type { Direction, ImportView, PlanContext, PlannedFile, Target } from '../target.js';
import { inLine, TypePrinter } from '../type-text.js';
import { UsedRuntime } from '../used-runtime.js';
import { jsonRpcValidation } from './json-rpc-validation.js';

const modules = {
  client: { types: ['CallOptions', 'Client'], values: [] },
  'json-rpc': { types: ['JsonRpcError'], values: ['isJsonRpcError'] },
  'json-rpc-client': { types: ['JsonRpcClient', 'JsonRpcClientOptions'], values: ['jsonRpcClient'] },
  'json-rpc-server': {
    types: ['JsonRpcContract', 'JsonRpcHandlerOptions', 'MethodHandlers', 'PrincipalsOf'],
    values: ['jsonRpcHandler'],
  },
} as const;

type RpcRuntime = {
  [M in keyof typeof modules]: (typeof modules)[M]['types' | 'values'][number];
}[keyof typeof modules];

export interface JsonRpcView {
  readonly imports: readonly ImportView[];
  /** The specifier of the runtime's errors. */
  readonly runtime: Code;
  readonly endpoints: readonly JsonRpcEndpointView[];
}

export interface JsonRpcEndpointView extends EndpointNames {
  /** A comment with its line end. */
  readonly doc: Code;
  readonly methodTypes: readonly MessageView[];
  readonly notificationTypes: readonly MessageView[];
  readonly serverNotificationTypes: readonly MessageView[];
  readonly serverRequestTypes: readonly MessageView[];
  readonly codes: readonly { readonly name: Code; readonly value: Code }[];
  /** `readonly "io.example/version": string`, or any members. */
  readonly metaType: Code;
}

export interface MessageView {
  readonly name: Code;
  readonly params: Code;
  /** Whether its id may be null. */
  readonly hasNullId: boolean;
  readonly hasResult: boolean;
  readonly result: Code;
}

export interface JsonRpcClientView {
  readonly imports: readonly ImportView[];
  readonly endpoints: readonly (EndpointNames & { readonly spec: Code; readonly metaMember: Code })[];
}

export interface JsonRpcServerView {
  readonly imports: readonly ImportView[];
  readonly endpoints: readonly (EndpointNames & {
    readonly hasSchemes: boolean;
    readonly spec: readonly { readonly text: Code }[];
    /** The operation's key in `Handlers`. */
    readonly index: Code;
  })[];
}

interface EndpointNames {
  /** The operation's function, and what it takes. */
  readonly function: Identifier;
  readonly input: Identifier;
  /** `McpRpcMethods` */
  readonly methods: Identifier;
  readonly notifications: Identifier;
  readonly serverNotifications: Identifier;
  readonly serverRequests: Identifier;
  /** `McpRpcMeta` */
  readonly meta: Identifier;
  /** `mcpRpcErrors` */
  readonly errors: Identifier;
  /** `McpRpcError` */
  readonly error: Identifier;
  readonly isError: Identifier;
  /** `mcpRpcClient` */
  readonly client: Identifier;
  /** `mcpRpcHandler` */
  readonly handler: Identifier;
  /** `validateMcpRpcMessages` */
  readonly validateMessages: Identifier;
}

export const jsonRpcTarget: Target = {
  name: 'json-rpc',
  plan(context: PlanContext): readonly PlannedFile[] {
    const endpoints = rpcEndpoints(context);
    if (endpoints.length === 0) {
      if (!context.options.jsonRpc?.length) {
        context.report.report('nothing-to-generate', 'the configuration names no JSON-RPC endpoint (jsonRpc)');
      }
      return [];
    }
    const { targets } = context.options;
    const taken = documentNames(context);
    const named = endpoints.map((endpoint) => [endpoint, namesOf(context, endpoint, taken)] as const);
    const files = [
      template('json-rpc', 'json-rpc', typesView(context, named)),
      ...runtimeFiles(['errors.ts', 'json-rpc.ts', 'validation.ts']),
    ];
    if (targets.includes('client')) {
      files.push(
        template('json-rpc-client', 'client', clientView(context, named)),
        ...runtimeFiles(['json-rpc-client.ts']),
        ...jsonRpcValidation(context, named),
      );
    }
    if (targets.includes('server')) {
      files.push(
        template('json-rpc-server', 'server', serverView(context, named)),
        ...runtimeFiles(['json-rpc-server.ts']),
      );
    }
    return files;
  },
};

type Named = readonly (readonly [RpcEndpoint, EndpointNames])[];

function template(path: string, name: 'json-rpc' | 'client' | 'server', view: object): PlannedFile {
  return {
    kind: 'template',
    path: outputPath(`${path}.ts`),
    template: `json-rpc/${name}`,
    view,
    ownership: 'generated',
  };
}

function namesOf({ names }: PlanContext, { operation }: RpcEndpoint, taken: ReadonlySet<string>): EndpointNames {
  const { function: name, input } = names.operationOf(operation);
  const type = (suffix: string): Identifier =>
    ownName(taken, `${pascalCase(name)}${suffix}`, `${pascalCase(name)}Rpc${suffix}`);
  const value = (suffix: string): Identifier => ownName(taken, `${name}${suffix}`, `${name}Rpc${suffix}`);
  return {
    function: name,
    input,
    methods: type('Methods'),
    notifications: type('Notifications'),
    serverNotifications: type('ServerNotifications'),
    serverRequests: type('ServerRequests'),
    meta: type('Meta'),
    errors: value('Errors'),
    error: type('Error'),
    isError: ownName(taken, `is${pascalCase(name)}Error`, `is${pascalCase(name)}RpcError`),
    client: value('Client'),
    handler: value('Handler'),
    validateMessages: ownName(taken, `validate${pascalCase(name)}Messages`, `validate${pascalCase(name)}RpcMessages`),
  };
}

function typesView(context: PlanContext, named: Named): JsonRpcView {
  const { api, names, options } = context;
  // Parameters and results travel as they are: no codec stands between.
  const printer = new TypePrinter(api, names, options, 'wire');
  const runtime = new UsedRuntime<RpcRuntime>(modules);
  runtime.use('JsonRpcError');
  runtime.use('isJsonRpcError');
  const print = (shape: Shape, direction: Direction, owner: SchemaId): Code =>
    inLine(
      printer.at(1, () => printer.print(shape, direction, owner)),
      1,
    );
  const message = (
    { method, schema, params, hasNullId = false }: RpcMessage,
    result: Code | undefined,
    direction: Direction = 'write',
  ): MessageView => ({
    name: key(method),
    params: params
      ? code`readonly params${params.required ? code`` : code`?`}: ${print(params.shape, direction, schema)}`
      : code`readonly params?: undefined`,
    hasNullId,
    hasResult: result !== undefined,
    result: result ?? code``,
  });
  const resultType = ({ result }: RpcMethod, direction: Direction): Code =>
    result ? print(result.shape, direction, result.owner) : code`unknown`;
  const endpoints = named.map(([endpoint, own]): JsonRpcEndpointView => {
    const { methods, notifications, serverNotifications, serverRequests, meta, operation } = endpoint;
    return {
      ...own,
      doc: docComment({
        text: `The methods of \`${operation.method} ${operation.path.text}\`: what each takes, and what it gives.`,
      }),
      methodTypes: methods.map((one) => message(one, resultType(one, 'read'))),
      notificationTypes: notifications.map((one) => message(one, undefined)),
      serverNotificationTypes: serverNotifications.map((one) => message(one, undefined)),
      serverRequestTypes: serverRequests.map((one) => message(one, resultType(one, 'write'), 'read')),
      codes: Object.entries({ ...standardErrors, ...endpoint.options.errors }).map(([name, value]) => ({
        name: key(name),
        value: literal(value),
      })),
      metaType:
        meta?.schema === undefined ? code`{ readonly [key: string]: unknown }` : printer.typeOf(meta.schema, 'write'),
    };
  });
  return {
    imports: [...runtime.imports(options), ...importTypes(printer.used, './types', options)],
    runtime: specifier('./runtime/json-rpc', options),
    endpoints,
  };
}

function clientView({ options }: PlanContext, named: Named): JsonRpcClientView {
  const runtime = new UsedRuntime<RpcRuntime>(modules);
  for (const name of ['Client', 'JsonRpcClient', 'JsonRpcClientOptions', 'jsonRpcClient'] as const) runtime.use(name);
  const own = named.flatMap(([, names]) => [
    ...[names.methods, names.notifications, names.serverNotifications, names.serverRequests],
    names.meta,
  ]);
  return {
    imports: [
      ...importValues(
        named.map(([, names]) => names.function),
        './client',
        options,
      ),
      ...importTypes(own, './json-rpc', options),
      ...importTypes(
        named.map(([, { input }]) => input),
        './operations',
        options,
      ),
      ...runtime.imports(options),
    ],
    endpoints: named.map(
      ([
        {
          meta,
          options: { cancel },
        },
        names,
      ]) => ({
        ...names,
        metaMember: meta ? literal(meta.member) : code`never`,
        spec: literal({
          ...(meta && { meta: meta.member }),
          ...(cancel && { cancel: { method: cancel.method, id: cancel.id } }),
        }),
      }),
    ),
  };
}

function serverView(context: PlanContext, named: Named): JsonRpcServerView {
  const { api, options } = context;
  const runtime = new UsedRuntime<RpcRuntime>(modules);
  const used = [
    'JsonRpcContract',
    'JsonRpcHandlerOptions',
    'MethodHandlers',
    'PrincipalsOf',
    'jsonRpcHandler',
  ] as const;
  for (const name of used) runtime.use(name);
  const hasSchemes = api.operations.some(({ security }) => security.flat().length > 0);
  const validators = new Set<Identifier>();
  const endpoints = named.map(([endpoint, names]) => ({
    ...names,
    hasSchemes,
    index: literal(names.function),
    spec: specLines(context, endpoint, names.function, validators).map((text) => ({ text })),
  }));
  const own = named.flatMap(([, names]) => [names.methods, names.notifications, names.serverNotifications]);
  const server = ['Handlers', ...(hasSchemes ? ['Principals'] : [])].map((name) => ({
    isType: true,
    text: name as Code,
  }));
  return {
    imports: [
      ...importTypes(own, './json-rpc', options),
      ...runtime.imports(options),
      ...importNames([{ isType: false, text: code`contract as $contract` }, ...server], './server', options),
      ...importValues(validators, './validators', options),
    ],
    endpoints,
  };
}

/** The members of the endpoint's literal. */
function specLines(
  context: PlanContext,
  endpoint: RpcEndpoint,
  name: Identifier,
  validators: Set<Identifier>,
): readonly Code[] {
  const { names, report, api } = context;
  const { meta, version, options } = endpoint;
  const checked = (validate: Identifier | undefined, schema: SchemaId, what: string): Code => {
    if (validate !== undefined) validators.add(validate);
    else
      report.report(
        'json-rpc-untyped',
        `${what} has no name in the schema and is not checked`,
        api.schemas.get(schema)?.at,
      );
    return validate === undefined ? code`undefined` : code`${validate}`;
  };
  const check = (schema: SchemaId, what: string, direction: Direction = 'write'): Code =>
    checked(names.validatorOf(schema, direction)?.validate, schema, what);
  const table = (messages: readonly RpcMessage[], direction: Direction = 'write'): Code =>
    object(
      messages.map((message) => {
        const validate = messageValidator(names, message, direction)?.validate;
        return code`${key(message.method)}: ${checked(validate, message.schema, 'a message')}`;
      }),
    );
  const results = endpoint.methods.flatMap(({ method, result }) => {
    if (result === undefined) return [];
    const isWhole = result.isWhole ? code`, isWhole: true` : code``;
    return [code`${key(method)}: { validate: ${check(result.owner, 'a result', 'read')}${isWhole} }`];
  });
  const lines = [
    code`operation: ${literal(name)},`,
    code`methods: ${table(endpoint.methods)},`,
    code`notifications: ${table(endpoint.notifications)},`,
    code`results: ${object(results)},`,
  ];
  if (endpoint.serverNotifications.length > 0) {
    lines.push(code`serverNotifications: ${table(endpoint.serverNotifications, 'read')},`);
  }
  if (meta) {
    const validate = meta.schema === undefined ? code`` : code`, validate: ${check(meta.schema, 'meta')}`;
    lines.push(code`meta: { member: ${literal(meta.member)}${validate} },`);
  }
  if (version) lines.push(code`version: ${literal({ ...version.place, supported: version.supported })},`);
  if (options.faults) {
    const faults = Object.entries(options.faults).map(([kind, { code: number, status }]) => [
      kind,
      { ...(number !== undefined && { code: number }), ...(status !== undefined && { status }) },
    ]);
    lines.push(code`faults: ${literal(Object.fromEntries(faults))},`);
  }
  const nullIds = endpoint.methods.flatMap(({ method, hasNullId }) => (hasNullId ? [method] : []));
  if (nullIds.length > 0) lines.push(code`nullIds: ${literal(nullIds)},`);
  if (options.unknownId === 'omit') lines.push(code`unknownId: "omit",`);
  return lines;
}

function object(members: readonly Code[]): Code {
  return members.length === 0 ? code`{}` : code`{\n${joinCode(members, ',\n')},\n}`;
}
