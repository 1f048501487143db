// SPDX-License-Identifier: 0BSD
import { createEventQueue } from './event-queue.js';
import {
  isJsonRpcError,
  isOutcome,
  type JsonRpcId,
  type ParamsArguments,
  type ParamsOf,
  resultOf,
} from './json-rpc.js';
import { ContractBroken } from './server-checks.js';
import type { ContentContract, Contract, OperationContract } from './server-contract.js';
import { memberAt, mirrorIssues } from './server-mirrors.js';
import { type Context, type Fault, type FaultAnswer, type ProtocolHandler, protocol } from './server-options.js';
import { type Awaitable, ReplyValue } from './server-reply.js';
import type { Issue, Validator } from './validation.js';

type Refusal = 'headers' | 'meta' | 'version' | 'method' | 'params';

/** What the generated file says of an endpoint. */
export interface JsonRpcContract {
  /** The operation's key in the contract. */
  readonly operation: string;
  /** The requests, each with the check of the whole message. */
  readonly methods: Readonly<Record<string, Validator<unknown> | undefined>>;
  readonly notifications: Readonly<Record<string, Validator<unknown> | undefined>>;
  /** The checks of results by method: of the result, or of the whole response. */
  readonly results: Readonly<Record<string, ResultContract>>;
  /** What the server notifies, each with the check of the whole message; left out where nothing is known of that. */
  readonly serverNotifications?: Readonly<Record<string, Validator<unknown> | undefined>>;
  /** The member of `params` that every request carries. */
  readonly meta?: { readonly member: string; readonly validate?: Validator<unknown> | undefined };
  /** Where the version is, and which ones are spoken. */
  readonly version?: { readonly supported: readonly string[] } & (
    | { readonly header: string }
    | { readonly path: readonly string[] }
  );
  readonly faults?: Readonly<Partial<Record<Refusal, { readonly code?: number; readonly status?: number }>>>;
  /** The requests whose schema names null as an id. */
  readonly nullIds?: readonly string[];
  /** Leaves the id out of errors about what could not be read, where JSON-RPC says `null`. */
  readonly unknownId?: 'omit';
}

export interface ResultContract {
  readonly validate: Validator<unknown> | undefined;
  readonly isWhole?: true;
}

/** What a method's handler is given beside its parameters. `Id` is null where the schema of the request admits that as its id. */
export interface JsonRpcContext<S, P, Id = never> extends Pick<Context, 'signal' | 'raw' | 'url' | 'header'> {
  readonly id: JsonRpcId | Id;
  readonly method: string;
  /** What the security hooks returned, by scheme. */
  readonly principals: P;
  /**
   * Sends a notification before the answer: the answer becomes a stream of events. False where it is not sent, because
   * the caller accepts no stream, has gone, or is answered already. Rejects what the contract does not declare, as `validateResponses` says.
   */
  notify<K extends keyof S & string>(method: K, ...given: ParamsArguments<S[K]>): Promise<boolean>;
  /** Makes the answer a stream at once, for one that waits before it has anything to say. */
  startStream(): void;
}

export type MethodHandler<M, S, P> = M extends { readonly result: infer R }
  ? (
      params: ParamsOf<M>,
      context: JsonRpcContext<S, P, M extends { readonly id: infer Id } ? Id : never>,
    ) => Awaitable<R>
  : never;

/** A handler for each method that the server has. */
export type MethodHandlers<M, S, P> = { readonly [K in keyof M]?: MethodHandler<M[K], S, P> };

/** What is known of a notification of a client, or of a response to a request of the server. */
export type JsonRpcNotificationContext<P> = Pick<Context, 'signal' | 'raw' | 'url' | 'header'> & {
  readonly principals: P;
};

export interface JsonRpcHandlerOptions<N, P> {
  /** What is done about notifications; all are accepted. What these throw is told to `onError` and to nobody else. */
  readonly notifications?: {
    readonly [K in keyof N]?: (params: ParamsOf<N[K]>, context: JsonRpcNotificationContext<P>) => Awaitable<void>;
  };
  /** Takes responses to requests of the server, and errors with null or nothing as their id: refusals of what could not be read. Without it they are refused. */
  readonly onResponse?: (response: object, context: JsonRpcNotificationContext<P>) => Awaitable<void>;
}

/** What the security hooks of a handler return. */
export type PrincipalsOf<H> = H extends (request: never, reply: never, context: infer C) => unknown
  ? C extends { readonly principals: infer P }
    ? P
    : never
  : never;

const usual = {
  headers: { code: -32600, status: 400 },
  meta: { code: -32602, status: 400 },
  version: { code: -32600, status: 400 },
  method: { code: -32601, status: 404 },
  params: { code: -32602, status: 400 },
} as const satisfies Record<Refusal, { readonly code: number; readonly status: number }>;

interface Message {
  readonly jsonrpc: '2.0';
  readonly id?: JsonRpcId | null;
  readonly method: string;
  readonly params?: object;
}

type Tell = (error: unknown) => void;
type Checking = 'throw' | 'report' | false;
type AnyHandler = (params: unknown, context: object) => unknown;

/** The handler of an endpoint: checks each message, then calls the handler of its method. Errors of that are answers. */
export function jsonRpcHandler(
  contract: Contract,
  spec: JsonRpcContract,
  methods: object,
  options: JsonRpcHandlerOptions<object, never> = {},
): ProtocolHandler {
  const operation = contract.operations.find(({ name }) => name === spec.operation);
  if (operation === undefined) throw new TypeError(`the contract has no operation ${spec.operation}`);
  const endpoint = new Endpoint(operation, spec, methods, options);
  const handle = (request: object, _: unknown, context: object, tell: Tell, checking: Checking): Promise<ReplyValue> =>
    endpoint.handle((request as { readonly body?: unknown }).body, context as Context, { tell, checking });
  return Object.assign(handle, {
    [protocol]: { checked: () => endpoint.checked, fault: (fault: Fault) => endpoint.fault(fault) },
  });
}

/** What a handler's own side is told, and how strictly it is held to the contract. */
interface Server {
  readonly tell: Tell;
  readonly checking: Checking;
}

interface Call {
  readonly id: JsonRpcId | null;
  readonly method: string;
  readonly params: unknown;
}

class Endpoint {
  readonly #operation: OperationContract;
  readonly #spec: JsonRpcContract;
  readonly #methods: object;
  readonly #options: JsonRpcHandlerOptions<object, never>;
  /** How an answer is a stream, where the contract has one. */
  readonly #stream: ContentContract | undefined;
  /** The media type of all other answers. */
  readonly #type: string;
  readonly checked: OperationContract;

  constructor(
    operation: OperationContract,
    spec: JsonRpcContract,
    methods: object,
    options: JsonRpcHandlerOptions<object, never>,
  ) {
    this.#operation = operation;
    this.#spec = spec;
    this.#methods = methods;
    this.#options = options;
    const success = operation.responses.find(({ status }) => status === 200 || status === '2XX');
    const declared = (wanted: ContentContract['kind']): string | undefined =>
      success?.content.find(({ type, kind }) => kind === wanted && !type.includes('*'))?.type;
    const stream = declared('event-stream');
    // What the contract says of events need not hold for all messages; it may even say that they are text.
    this.#stream = stream === undefined ? undefined : { type: stream, kind: 'event-stream', events: [anyMessage] };
    this.#type = declared('json') ?? 'application/json';
    this.checked = checkedHere(operation, spec);
  }

  fault(fault: Fault): FaultAnswer {
    const code = ({ 'malformed-request': -32700, internal: -32603 } as const)[fault.kind as 'internal'] ?? -32600;
    const { status, title, detail, issues } = fault;
    const data = fault.kind === 'invalid-request' ? issuesOf(issues) : undefined;
    return {
      status,
      contentType: `${this.#type}; charset=utf-8`,
      body: this.#error(undefined, code, detail ?? title, data),
    };
  }

  async handle(body: unknown, context: Context, server: Server): Promise<ReplyValue> {
    const { tell } = server;
    const message = messageOf(body, this.#spec.nullIds);
    if (message === undefined) return this.#other(body, context, tell);
    const { id, method, params } = message;
    const refuse = (kind: Refusal, text: string, data?: unknown): ReplyValue => {
      const { code, status } = { ...usual[kind], ...this.#spec.faults?.[kind] };
      // A notification has no answer that an error could be in.
      return this.#json(id === undefined && status < 300 ? 400 : status, this.#error(id, code, text, data));
    };
    const mirrors = mirrorIssues(this.#operation.mirrors ?? [], body, context);
    const mismatch = (unfounded: boolean): ReplyValue | undefined => {
      const [found] = mirrors.filter(({ isUnfounded }) => isUnfounded === unfounded);
      return found && refuse('headers', `the header ${found.issue.path.at(-1)} ${found.issue.message}`);
    };
    const broken = mismatch(false);
    if (broken) return broken;
    const { notifications, methods } = this.#spec;
    if (id === undefined) {
      const issues = mismatch(true) ?? invalid(notifications, message);
      if (issues instanceof ReplyValue) return issues;
      if (issues) return refuse('params', 'the notification is not valid', issuesOf(issues));
      this.#later(ownMember(this.#options.notifications, method), params, context, tell);
      return accepted();
    }
    const refused = this.#refusedMeta(params, refuse) ?? mismatch(true) ?? this.#refusedVersion(body, context, refuse);
    if (refused) return refused;
    const handler = Object.hasOwn(methods, method) ? ownMember(this.#methods, method) : undefined;
    if (handler === undefined) return refuse('method', 'there is no such method');
    const issues = invalid(methods, message);
    // What an id may be is a matter of the message's form.
    if (issues?.some(({ pointer }) => pointer === '/id')) return this.#unreadable(id, 'the id is not valid');
    if (issues) return refuse('params', 'the parameters are not valid', issuesOf(issues));
    return this.#run(handler, { id, method, params }, context, server);
  }

  /** A response to a request of the server, or no message at all. */
  #other(body: unknown, context: Context, tell: Tell): ReplyValue {
    const { onResponse } = this.#options;
    const id = memberAt(body, ['id']);
    // A client that could not read the request's id refuses it under none (JSON-RPC 2.0 section 5).
    const isRefusal = (id === null || id === undefined) && memberAt(body, ['error']) !== undefined;
    const isResponse = (isId(id) || isRefusal) && memberAt(body, ['method']) === undefined && isOutcome(body);
    if (isResponse && onResponse) {
      this.#later(onResponse as AnyHandler, body, context, tell);
      return accepted();
    }
    const what = onResponse ? 'this is no JSON-RPC request and no response' : 'this is no JSON-RPC request';
    return this.#unreadable(isId(id) ? id : undefined, what);
  }

  #unreadable(id: JsonRpcId | null | undefined, text: string): ReplyValue {
    return this.#json(400, this.#error(id, -32600, text));
  }

  #refusedMeta(
    params: object | undefined,
    refuse: (kind: Refusal, text: string, data?: unknown) => ReplyValue,
  ): ReplyValue | undefined {
    const { meta } = this.#spec;
    if (!meta) return undefined;
    const verdict = meta.validate?.(memberAt(params, [meta.member]));
    return verdict && !verdict.ok
      ? refuse('meta', `the member ${meta.member} of the parameters is not valid`, issuesOf(verdict.issues))
      : undefined;
  }

  #refusedVersion(
    body: unknown,
    context: Context,
    refuse: (kind: Refusal, text: string, data?: unknown) => ReplyValue,
  ): ReplyValue | undefined {
    const { version } = this.#spec;
    if (!version) return undefined;
    const requested = 'header' in version ? context.header(version.header)?.trim() : memberAt(body, version.path);
    // Whether there must be one is the business of the schema, or of the contract.
    if (requested === undefined || version.supported.includes(requested as string)) return undefined;
    return refuse('version', 'the version is not supported', { supported: version.supported, requested });
  }

  /** Calls a handler whose caller does not wait for it. */
  #later(handler: AnyHandler | undefined, params: unknown, context: Context, tell: Tell): void {
    const { signal, raw, url, header, principals } = context;
    if (handler) void (async () => handler(params, { signal, raw, url, header, principals }))().catch(tell);
  }

  /** The answer is one JSON text, unless the handler has something to say before: then it is a stream. */
  async #run(handler: AnyHandler, { id, method, params }: Call, context: Context, server: Server): Promise<ReplyValue> {
    const { signal, raw, url, header, principals } = context;
    const stream = this.#stream;
    const content = stream && context.prefers(stream.type) !== undefined ? stream : undefined;
    const queue = createEventQueue<{ readonly data: object }>();
    let start: () => void = () => undefined;
    const started = new Promise<'stream'>((resolve) => {
      start = () => resolve('stream');
    });
    let isAnswered = false;
    const notify = async (name: string, given?: unknown): Promise<boolean> => {
      const message = { jsonrpc: '2.0', method: name, ...(given !== undefined && { params: given }) };
      this.#checkNotification(message, server);
      if (!content || isAnswered) return false;
      start();
      return queue.push({ data: message });
    };
    const startStream = (): void => {
      if (content) start();
    };
    const given = { signal, raw, url, header, principals, id, method, notify, startStream };
    const answered = this.#answer(async () => handler(params, given), { id, method }, server).finally(() => {
      // What a handler says later has no place any more: the answer is the last message.
      isAnswered = true;
    });
    // A caller that takes nothing else gets its answer as the only event.
    if (content && context.prefers(this.#type) === undefined) start();
    const first = await Promise.race([answered, started]);
    if (first !== 'stream') return this.#json(first.status, first.body);
    void answered.then(async ({ body }) => {
      await queue.push({ data: body });
      queue.end();
    });
    return new ReplyValue({ status: 200, content, type: content?.type, body: queue, headers: [] });
  }

  async #answer(
    work: () => Promise<unknown>,
    { id, method }: Omit<Call, 'params'>,
    server: Server,
  ): Promise<{ readonly status: number; readonly body: object }> {
    const { tell } = server;
    try {
      const body = { jsonrpc: '2.0', id, result: resultOf(await work()) };
      this.#checkResult(method, body, server);
      return { status: 200, body };
    } catch (error) {
      if (isJsonRpcError(error)) {
        return { status: error.status ?? 200, body: this.#error(id, error.code, error.message, error.data) };
      }
      tell(error);
      return { status: 200, body: this.#error(id, -32603, 'something went wrong') };
    }
  }

  #checkNotification(message: { readonly method: string }, server: Server): void {
    const { serverNotifications: known } = this.#spec;
    if (!known) return;
    const what = `the notification "${message.method}"`;
    if (Object.hasOwn(known, message.method)) hold(what, known[message.method], message, server);
    else hold(what, undeclared, message, server);
  }

  #checkResult(method: string, body: { readonly result: unknown }, server: Server): void {
    const { results } = this.#spec;
    const found = Object.hasOwn(results, method) ? results[method] : undefined;
    hold(`the result of "${method}"`, found?.validate, found?.isWhole ? body : body.result, server);
  }

  #json(status: number, body: object): ReplyValue {
    const type = `${this.#type}; charset=utf-8`;
    return new ReplyValue({ status, content: undefined, type, body, headers: [] });
  }

  #error(id: JsonRpcId | null | undefined, code: number, message: string, data?: unknown): object {
    const known = id !== undefined || this.#spec.unknownId !== 'omit';
    return {
      jsonrpc: '2.0',
      ...(known && { id: id ?? null }),
      error: { code, message, ...(data !== undefined && { data }) },
    };
  }
}

/** Holds what a handler says against the contract, as it will be read. */
function hold(
  what: string,
  validate: Validator<unknown> | undefined,
  value: unknown,
  { checking, tell }: Server,
): void {
  if (checking === false || !validate) return;
  const verdict = validate(JSON.parse(JSON.stringify(value)) as unknown);
  if (verdict.ok) return;
  const broken = new ContractBroken(what, verdict.issues);
  if (checking === 'throw') throw broken;
  tell(broken);
}

const undeclared: Validator<unknown> = () => ({
  ok: false,
  issues: [
    {
      pointer: '/method',
      path: ['method'],
      schemaPointer: '',
      keyword: 'enum',
      params: {},
      message: 'is not declared',
    },
  ],
});

const anyMessage = { name: 'message', data: 'json' } as const;

/** What the contract says of the body and of mirrored headers is the messages' own business; the rest is checked as ever. */
function checkedHere(operation: OperationContract, { version }: JsonRpcContract): OperationContract {
  const judged = new Set((operation.mirrors ?? []).map(({ header }) => header.toLowerCase()));
  if (version && 'header' in version) judged.add(version.header.toLowerCase());
  const { mirrors: _, body, ...rest } = operation;
  return {
    ...rest,
    parameters: rest.parameters.filter(({ name, in: place }) => place !== 'header' || !judged.has(name.toLowerCase())),
    body: {
      required: true,
      content: (body?.content ?? []).flatMap(({ type, kind }) => (kind === 'json' ? [{ type, kind }] : [])),
    },
  };
}

/** Fractions are legal. Integers beyond 2^53 would be answered with another id, and infinity (`1e999`) with none. */
function isId(value: unknown): value is JsonRpcId {
  return (
    typeof value === 'string' || Number.isSafeInteger(value) || (Number.isFinite(value) && Number(value) % 1 !== 0)
  );
}

/** A request or a notification (JSON-RPC 2.0 section 4); batches are none. */
function messageOf(body: unknown, nullIds: readonly string[] = []): Message | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  const { jsonrpc, id, method, params } = body as Readonly<Record<string, unknown>>;
  if (jsonrpc !== '2.0' || typeof method !== 'string') return undefined;
  if (Object.hasOwn(body, 'id') && !isId(id) && !(id === null && nullIds.includes(method))) return undefined;
  if (params !== undefined && (typeof params !== 'object' || params === null)) return undefined;
  return body as Message;
}

function invalid(
  checks: Readonly<Record<string, Validator<unknown> | undefined>>,
  message: Message,
): readonly Issue[] | undefined {
  const verdict = Object.hasOwn(checks, message.method) ? checks[message.method]?.(message) : undefined;
  return verdict && !verdict.ok ? verdict.issues : undefined;
}

/** A handler by its name; what every object inherits is none. */
function ownMember(object: object | undefined, name: string): AnyHandler | undefined {
  if (object === undefined || !Object.hasOwn(object, name)) return undefined;
  const found = (object as Readonly<Record<string, unknown>>)[name];
  return typeof found === 'function' ? (found.bind(object) as AnyHandler) : undefined;
}

/** Where and which rule, never the value; bounded, because the caller chooses the keys. */
function issuesOf(issues: readonly Issue[]): object {
  const told = issues.slice(0, 20).map(({ pointer, keyword, message }) => ({
    ...{ pointer: pointer.slice(0, 120), keyword },
    detail: message.slice(0, 160),
  }));
  return { errors: told };
}

function accepted(): ReplyValue {
  return new ReplyValue({ status: 202, content: undefined, type: undefined, body: undefined, headers: [] });
}
