/** Target `client`: one function per operation, and plain literals beside them, so that bundlers drop what is not used. */

import { type Code, code, type Identifier, joinCode, key, literal } from '../../encode.js';
import type { Api, Operation } from '../../ir/api.js';
import type { SecurityScheme } from '../../ir/security.js';
import { outputPath } from '../../output.js';
import { type PlannedAnswer, plannedAnswers } from '../answers.js';
import { type CallSignature, callDoc, callSignature, serverNames } from '../call-signature.js';
import { CodecText } from '../codec-text.js';
import { credentialOf } from '../credentials.js';
import { docComment } from '../doc-comment.js';
import { tellsJsonFromText } from '../event-data.js';
import { formFiles } from '../form-answers.js';
import { hasOperationTypes } from '../has-operation-types.js';
import { reportUnknownMirrors } from '../header-mirrors.js';
import { type ImportPlace, type IndexView, importNames, importTypes, importValues, specifier } from '../imports.js';
import { indentBy } from '../indentation.js';
import { reportNoOperation } from '../nothing-left.js';
import { operationInput } from '../operation-input.js';
import {
  type CallPlace,
  type EventValidator,
  type MemberView,
  OperationLiteral,
  serverOf,
  serverTable,
} from '../operation-literal.js';
import { documentNames, ownName } from '../own-names.js';
import { clientFiles, RuntimeImports, runtimeFiles } from '../runtime-imports.js';
import { tagFiles } from '../tag-files.js';
import type { ImportView, PlanContext, PlannedFile, Target } from '../target.js';
import { needsXmlCodec } from '../xml-values.js';
import { clientLinks, namedLinks } from './client-links.js';
import { clientOAuth, hasOAuth } from './client-oauth.js';
import { clientPages, pagedCalls } from './client-pages.js';
import { clientServers, hasServerUrls } from './client-servers.js';
import { clientValidation } from './client-validation.js';

export interface ClientView {
  readonly imports: readonly ImportView[];
  /** Whether the file makes clients: with `--layout tags` only one does. */
  readonly hasCreate: boolean;
  readonly createClient: Identifier;
  /** The type of all names of operations, and what it is. */
  readonly operationName: Identifier;
  readonly operationNames: Code;
  /** The modules with the operations, where they are not here. */
  readonly modules: readonly Code[];
  /** The type of the client's options. */
  readonly options: Code;
  /** What they are where they are left out, with the `=`; empty where they cannot be. */
  readonly optionsDefault: Code;
  readonly hasServer: boolean;
  /** The document's server, as a literal; empty where it names none. */
  readonly server: Code;
  readonly hasServers: boolean;
  /** The servers that the document names, as a literal. */
  readonly servers: Code;
  readonly operations: readonly CallView[];
}

export interface CallView extends CallSignature {
  /** A comment with its line end. */
  readonly doc: Code;
  readonly function: Identifier;
  readonly members: readonly MemberView[];
  /** The options that the call is made with. */
  readonly given: Code;
}

export const clientTarget: Target = {
  name: 'client',
  plan(context: PlanContext): readonly PlannedFile[] {
    reportUnknownMirrors(context);
    if (context.api.operations.length === 0) {
      reportNoOperation(context.options, context.report);
      const modules = [...typeModules(context), ...operationModules(context)];
      return modules.length === 0 ? [] : [template('index', { modules, exports: [] } satisfies IndexView)];
    }
    const taken = documentNames(context);
    const createClient = ownName(taken, 'createClient', 'createApiClient');
    const operationName = ownName(taken, 'OperationName', 'ApiOperationName');
    const paged = pagedCalls(context);
    const links = namedLinks(context);
    const ownNames = [createClient, operationName, ...[...paged, ...links].map(({ name }) => name)];
    return [
      ...clientTemplates(context, { createClient, operationName }),
      template('index', indexOf(context, new Set([...taken, ...ownNames]), paged.length > 0, links.length > 0)),
      ...clientValidation(context),
      ...clientServers(context),
      ...clientOAuth(context),
      ...clientPages(context, paged),
      ...clientLinks(context, links),
      ...runtimeFiles(clientFiles),
      ...(tellsJsonFromText(context.api.operations) ? runtimeFiles(['json-or-text.ts']) : []),
      ...runtimeFiles(formFiles(context.api)),
      ...(needsXmlCodec(context.api) ? runtimeFiles(['xml.ts']) : []),
      ...(context.names.dated.size > 0 ? runtimeFiles(['client-codec.ts', 'codec.ts']) : []),
    ];
  },
};

function template(name: 'client' | 'index', view: object, path: string = name): PlannedFile {
  const file = { kind: 'template', template: `client/${name}`, ownership: 'generated', finished: true } as const;
  return { ...file, path: outputPath(`${path}.ts`), view };
}

/** One file, or one that makes clients and passes on those of the tags. */
function clientTemplates(context: PlanContext, own: OwnNames): readonly PlannedFile[] {
  const { api, options } = context;
  const all = { own, operations: api.operations, place: options, module: './operations', hasCreate: true };
  if (options.layout === 'single') return [template('client', viewOf(context, all))];
  const files = tagFiles(api).filter(({ operations }) => operations.length > 0);
  const place = { ...options, below: true };
  const modules = files.map(({ name }) => specifier(`./client/${name}`, options));
  return [
    template('client', { ...viewOf(context, { ...all, operations: [] }), modules } satisfies ClientView),
    ...files.map(({ name, operations }) => {
      const module = `./operations/${name}`;
      const view = viewOf(context, { own, operations, place, module, hasCreate: false });
      return template('client', view, `client/${name}`);
    }),
  ];
}

interface OwnNames {
  readonly createClient: Identifier;
  readonly operationName: Identifier;
}

interface ClientPart {
  readonly own: OwnNames;
  readonly operations: readonly Operation[];
  readonly place: ImportPlace;
  /** Where the types of the operations are. */
  readonly module: string;
  readonly hasCreate: boolean;
}

function viewOf(context: PlanContext, { own, operations: given, place, module, hasCreate }: ClientPart): ClientView {
  const { api, names, options } = context;
  const runtime = new RuntimeImports();
  const validators = new Set<Identifier>();
  const validatorOf: EventValidator = ({ schema }) => {
    if (schema === undefined) return undefined;
    if (!options.targets.includes('validators')) {
      context.report.report('events-unchecked', 'events of streams are not checked without the target validators');
      return undefined;
    }
    const found = names.validatorOf(schema, 'read')?.validate;
    if (found !== undefined) validators.add(found);
    return found as Code | undefined;
  };
  const codecs = new CodecText(api, names, () => runtime.use('codec'));
  const literals = new OperationLiteral(context, runtime, validatorOf, codecs);
  const server = serverOf(api.servers);
  const servers = serverTable(api.servers);
  const operations = given.map((operation) => callOf(context, operation, literals, runtime));
  const types = given.map((operation) => names.operationOf(operation));
  const clientOptions = hasCreate ? optionsType(api, runtime, own) : code``;
  runtime.use('Client');
  if (hasCreate) runtime.use('createClient');
  if (given.length > 0) for (const name of ['CallOptions', 'send'] as const) runtime.use(name);
  return {
    imports: [
      ...importTypes(
        types.flatMap(({ input, result }) => [input, result]),
        module,
        place,
      ),
      ...runtime.imports(place),
      ...importValues(codecs.used, './codecs', place),
      ...importValues(validators, './validators', place),
    ],
    hasCreate,
    // Where a codec must be given, there are no options to leave out.
    optionsDefault: needsXmlCodec(api) ? code`` : code` = {}`,
    ...own,
    operationNames: joinCode(
      api.operations.map((operation) => literal(names.operationOf(operation).function)).sort(),
      ' | ',
    ),
    modules: [],
    options: clientOptions,
    hasServer: server !== undefined && given.length > 0,
    server: server === undefined ? code`` : literal(server),
    hasServers: servers !== undefined && given.length > 0,
    servers: servers ?? code``,
    operations,
  };
}

/** What a client takes: credentials by scheme, and the names of servers to choose from. */
function optionsType(api: Api, runtime: RuntimeImports, { operationName }: OwnNames): Code {
  const auth = authType(api.securitySchemes, runtime);
  const choices = serverNames([...api.servers, ...api.operations.flatMap((operation) => operation.servers ?? [])]);
  const [server = code`never`] = choices;
  const all = code`${runtime.use('ClientOptions')}<${joinCode([auth, server, operationName as string as Code], ', ')}>`;
  return needsXmlCodec(api) ? code`${all} & ${runtime.use('XmlOptions')}` : all;
}

/** What `auth` takes: a credential for each scheme that the client can send. */
function authType(schemes: readonly SecurityScheme[], runtime: RuntimeImports): Code {
  const members = schemes.flatMap((scheme) => {
    const { name, description, deprecated } = scheme;
    const credential = credentialOf(scheme);
    if (credential === undefined || credential === 'transport') return [];
    const type = runtime.use(credential.type);
    const doc = docComment({ text: description, deprecated }, indentBy(1));
    return [code`${doc}${indentBy(1)}readonly ${key(name)}?: ${type} | undefined;`];
  });
  return members.length === 0 ? code`{ readonly [key: string]: never }` : code`{\n${joinCode(members, '\n')}\n}`;
}

function callOf(
  context: PlanContext,
  operation: Operation,
  literals: OperationLiteral,
  runtime: RuntimeImports,
): CallView {
  const names = context.names.operationOf(operation);
  const input = operationInput(context, operation);
  const answers = plannedAnswers(operation, context.names);
  return {
    ...callSignature(context, operation, runtime),
    doc: callDoc(operation),
    function: names.function,
    members: literals.members(operation, input, answers, placeOf(operation, context)),
    given: couldBeCached(operation, answers) ? code`{ cache: "no-store", ...options }` : code`options`,
  };
}

/** Events that a cache has are over (HTML Standard, server-sent events). What other methods are answered is in no cache. */
function couldBeCached({ method }: Operation, answers: readonly PlannedAnswer[]): boolean {
  return (method === 'GET' || method === 'QUERY') && answers.some(({ media }) => media?.stream?.framing === 'sse');
}

/** What the document says of the whole API is said once. */
function placeOf({ servers }: Operation, { api }: PlanContext): CallPlace {
  const shared = serverOf(api.servers);
  const own = serverOf(servers) ?? shared;
  const table = servers ? serverTable(servers) : serverTable(api.servers) && code`$servers`;
  return {
    server: own === undefined ? undefined : own === shared ? code`$server` : literal(own),
    servers: table,
  };
}

function typeModules({ names, options }: PlanContext): readonly Code[] {
  if (!options.targets.includes('types') || names.types.length === 0) return [];
  return ['./types', ...(names.codecs.length > 0 ? ['./codecs'] : [])].map((module) => specifier(module, options));
}

function operationModules({ api, options }: PlanContext): readonly Code[] {
  return options.targets.includes('operations') && hasOperationTypes(api) ? [specifier('./operations', options)] : [];
}

/** What `index` exports of our own, by module. */
const ownExports = {
  './runtime/client': {
    types: ['CallOptions', 'Client', 'ClientOptions', 'Middleware', 'MiddlewareCall', 'ResponseCheck'],
    values: [],
  },
  './runtime/errors': { types: ['CallFault'], values: ['CallError', 'isCallError'] },
  './runtime/hooks': { types: ['DescribedCall', 'HookCall', 'Hooks', 'OperationTable'], values: ['hooks'] },
  './runtime/limits': { types: ['AnswerLimits'], values: ['limitAnswers'] },
  './runtime/retry': { types: ['RetryAttempt', 'RetryOptions'], values: ['retry'] },
  './runtime/token-request': { types: ['DiscoveryOptions'], values: ['discoverTokenUrl'] },
  './runtime/tokens': {
    types: ['RefreshOptions', 'TokenOptions', 'Tokens'],
    values: ['boundTo', 'clientCredentials', 'refreshTokens'],
  },
  './runtime/reconnect': { types: ['ReconnectOptions'], values: ['reconnect'] },
  './runtime/follow-redirects': { types: [], values: ['followRedirects'] },
  './runtime/sse-events': {
    types: [
      ...(['EventStream', 'InvalidSseEvent', 'InvalidStreamItem', 'PayloadSseEvent'] as const),
      ...(['SseEvent', 'StreamItem', 'UnknownSseEvent'] as const),
    ],
    values: [],
  },
  './runtime/stream-part': { types: ['InvalidStreamPart', 'NamedPart', 'SentPart', 'StreamPart'], values: [] },
  './runtime/unwrap': { types: [], values: ['ApiError', 'isApiError', 'unwrap'] },
  './runtime/validation': { types: ['Issue', 'Validation', 'Validator'], values: [] },
} as const;

const xmlExports = { './runtime/xml': { types: ['XmlBody', 'XmlCodec', 'XmlOptions'], values: [] } } as const;

const pageExports = { './runtime/paginate': { types: ['PageOptions', 'Paginated'], values: [] } } as const;

const serverExports = { './servers': { types: ['ServerVariables'], values: ['serverUrl'] } } as const;

const oauthExports = { './oauth': { types: [], values: ['oauth'] } } as const;

/** The server is never in it. A name of our own that the document has too is left to its module. */
function indexOf(context: PlanContext, taken: ReadonlySet<string>, hasPages: boolean, hasLinks: boolean): IndexView {
  const { options } = context;
  const all = {
    ...ownExports,
    ...(hasServerUrls(context.api) && serverExports),
    ...(hasOAuth(context.api) && oauthExports),
    ...(hasPages && pageExports),
    ...(needsXmlCodec(context.api) && xmlExports),
  };
  const own = ['./client', ...(hasPages ? ['./pagination'] : []), ...(hasLinks ? ['./links'] : [])].map((module) =>
    specifier(module, options),
  );
  return {
    modules: [...typeModules(context), ...operationModules(context), ...own],
    exports: Object.entries(all).flatMap(([module, { types, values }]) => {
      const names = [
        ...types.map((name) => ({ name: name as string, isType: true })),
        ...values.map((name) => ({ name: name as string, isType: false })),
      ].filter(({ name }) => !taken.has(name));
      return importNames(
        names.map(({ name, isType }) => ({ isType, text: name as Code })),
        module,
        options,
      );
    }),
  };
}
