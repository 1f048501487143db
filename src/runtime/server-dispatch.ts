// SPDX-License-Identifier: 0BSD
import { answerOf } from './server-answer.js';
import type { Contract, OperationContract } from './server-contract.js';
import type { Exchange } from './server-exchange.js';
import { type Answer, customAnswer, faultAnswer, makeFault } from './server-faults.js';
import { acceptable, parseAccept, preferred } from './server-media.js';
import {
  type DispatchOptions,
  defaultLimits,
  type Fault,
  type FaultAnswer,
  type Limits,
  NotImplemented,
  type ProtocolHandler,
  protocol,
  type RequestContext,
} from './server-options.js';
import { parseCookies, parseQuery } from './server-parameters.js';
import { checkedHeader, ReplyValue, replier } from './server-reply.js';
import { readRequest } from './server-request.js';
import { type PathValue, pathValues, Router } from './server-router.js';
import { Guard } from './server-security.js';

type Handler = ((request: object, reply: unknown, context: object) => unknown) | ProtocolHandler;

interface Route {
  readonly operation: OperationContract;
  /** What is checked before the handler is called. */
  readonly checked: OperationContract;
  /** `undefined` where the operation is left to answer 501. */
  readonly handler: Handler | undefined;
  readonly reply: ReturnType<typeof replier>;
  /** What its successes may be; empty where one of them could be anything. */
  readonly accepts: readonly string[];
}

type Routing =
  | { readonly kind: 'route'; readonly route: Route; readonly values: readonly PathValue[]; readonly query: string }
  | { readonly kind: 'fault'; readonly fault: Fault }
  | { readonly kind: 'elsewhere' };

/**
 * Serves one contract, whatever the adapter: the same request gives the same answer. The order is part of the contract
 * with callers: limits, route, method, security, media types, size, parameters and body, handler.
 */
export class Dispatcher {
  readonly #contract: Contract;
  readonly #options: DispatchOptions;
  readonly #limits: Limits;
  readonly #validate: 'throw' | 'report' | false;
  readonly #headers: readonly (readonly [string, string])[];
  readonly #router = new Router<Route>();
  readonly #guard: Guard;
  /** How operations with a protocol of their own word their faults. */
  readonly #wordings = new Map<OperationContract, (fault: Fault) => FaultAnswer>();

  /** Throws TypeError where a handler or a security hook is missing. */
  constructor(contract: Contract, handlers: object, options: DispatchOptions) {
    this.#contract = contract;
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#validate = options.validateResponses ?? (inDevelopment() ? 'throw' : false);
    this.#headers = Object.entries({ 'x-content-type-options': 'nosniff', ...options.headers }).map(([name, value]) =>
      checkedHeader(name, value),
    );
    this.#guard = new Guard(contract.schemes, contract.operations, options.security, (error, context) =>
      this.#tell(error, context),
    );
    for (const operation of contract.operations) {
      const handler = handlerOf(handlers, operation.name);
      if (handler === undefined && options.unimplemented !== 'respond501') {
        throw new TypeError(`handlers.${operation.name} is missing; unimplemented: 'respond501' lets it be`);
      }
      const accepts = acceptsOf(operation);
      const own = handler !== undefined && protocol in handler ? handler[protocol] : undefined;
      const checked = own?.checked(operation) ?? operation;
      if (own) this.#wordings.set(operation, (fault) => own.fault(fault));
      this.#router.add(operation.path, operation.method, {
        ...{ operation, checked, handler, accepts },
        reply: replier(operation),
      });
    }
  }

  /** `undefined` where the request is left to the host application. Never rejects. */
  async dispatch(given: Exchange): Promise<Answer | undefined> {
    let context = requestContext(given, undefined);
    let operation: OperationContract | undefined;
    let answer: Answer;
    try {
      const taken = (await this.#options.intake?.(given, this.#limits)) ?? given;
      const exchange = 'title' in taken ? given : taken;
      const routing = this.#route(exchange);
      if (routing.kind === 'elsewhere') return undefined;
      if ('title' in taken) {
        answer = await this.#fault(taken, undefined, context);
      } else if ((await this.#options.admit?.(context)) === false) {
        answer = await this.#fault(makeFault('forbidden'), undefined, context);
      } else if (routing.kind === 'fault') {
        answer = await this.#fault(routing.fault, undefined, context);
      } else {
        operation = routing.route.operation;
        context = requestContext(exchange, operation.name);
        answer = await this.#serve(routing, exchange, context);
      }
    } catch (cause) {
      if (cause instanceof NotImplemented) {
        return this.#finish(await this.#fault(makeFault('not-implemented'), operation, context), given.method);
      }
      // What a handler does because the client has gone is not a fault of its own.
      if (!given.signal.aborted) this.#tell(cause, context);
      answer = await this.#fault(makeFault('internal', { cause }), operation, context);
    }
    return this.#finish(answer, given.method);
  }

  #route(exchange: Exchange): Routing {
    const { target } = exchange;
    const path = this.#pathOf(target);
    if (path === undefined) return this.#unknown(false);
    const found = this.#router.find(path.text);
    if (found.kind === 'unknown') return this.#unknown(found.malformed);
    if (target.length > this.#limits.targetBytes) return { kind: 'fault', fault: makeFault('target-too-long') };
    if (exchange.headerBytes > this.#limits.headerBytes)
      return { kind: 'fault', fault: makeFault('headers-too-large') };
    if (found.kind === 'malformed') return { kind: 'fault', fault: malformedUrl() };
    const { routes } = found;
    const routed = routes.get(exchange.method) ?? (exchange.method === 'HEAD' ? routes.get('GET') : undefined);
    if (routed === undefined) {
      // A host that is asked what it allows (CORS preflight) answers for itself.
      if (exchange.method === 'OPTIONS' && this.#options.mounted === true) return { kind: 'elsewhere' };
      return { kind: 'fault', fault: makeFault('method-not-allowed', { headers: { allow: allowed(routes.keys()) } }) };
    }
    const values = pathValues(routed.names, found.captured);
    return { kind: 'route', route: routed.route, values, query: path.query };
  }

  #unknown(malformed: boolean): Routing {
    if (this.#options.mounted === true) return { kind: 'elsewhere' };
    return { kind: 'fault', fault: malformed ? malformedUrl() : makeFault('not-found') };
  }

  /** The path below `basePath`, still encoded; `undefined` where it is not below it. */
  #pathOf(target: string): { readonly text: string; readonly query: string } | undefined {
    // The absolute form (RFC 9112 section 3.2.2) and a fragment, which nobody should send.
    const local = target.replace(/^https?:\/\/[^/?#]*/i, '');
    const [whole = ''] = local.split('#', 1);
    const at = whole.indexOf('?');
    const path = at < 0 ? whole : whole.slice(0, at);
    const base = this.#options.basePath ?? '';
    if (!path.startsWith(base)) return undefined;
    const text = path.slice(base.length);
    return text.startsWith('/') ? { text, query: at < 0 ? '' : whole.slice(at + 1) } : undefined;
  }

  async #serve(
    routing: { readonly route: Route; readonly values: readonly PathValue[]; readonly query: string },
    exchange: Exchange,
    context: RequestContext,
  ): Promise<Answer> {
    const { operation, checked, handler, reply, accepts } = routing.route;
    const refuse = (fault: Fault): Promise<Answer> => this.#fault(fault, operation, context);
    const query = parseQuery(routing.query, this.#limits.queryPairs);
    if (query === undefined) return refuse(malformedUrl());
    const cookies = parseCookies(exchange.header('cookie'));
    const source = {
      path: routing.values,
      query,
      queryText: routing.query,
      cookies,
      header: (name: string) => exchange.header(name),
    };

    const security = await this.#guard.check(operation, source, context);
    if (security.kind === 'unauthorized') {
      return refuse(makeFault('unauthorized', { headers: { 'www-authenticate': security.challenge } }));
    }
    if (security.kind === 'forbidden') {
      return refuse(makeFault('forbidden', security.detail === undefined ? {} : { detail: security.detail }));
    }
    if (handler === undefined) return refuse(makeFault('not-implemented'));

    const request = await readRequest(checked, exchange, source, {
      limits: this.#limits,
      prototypeKeys: this.#options.prototypeKeys ?? 'refuse',
      invalidStatus: this.#options.invalidStatus ?? 400,
      projections: this.#contract.projections,
      acceptable: () => accepts.length === 0 || acceptable(parseAccept(exchange.header('accept')), accepts),
    });
    if (request.kind === 'fault') return refuse(request.fault);

    const given = {
      ...context,
      principals: security.principals,
      notImplemented: () => {
        throw new NotImplemented();
      },
    };
    const made = await (protocol in handler
      ? handler(request.request, reply, given, (error) => this.#tell(error, context), this.#validate)
      : handler(request.request, reply, given));
    if (!(made instanceof ReplyValue)) throw new TypeError(`${operation.name}: the handler did not return reply(…)`);
    return answerOf(made, {
      contract: this.#contract,
      validate: this.#validate,
      keepAliveMs: this.#options.keepAliveMs ?? 15_000,
      signal: exchange.signal,
      onError: (error) => this.#tell(error, context),
      errorEvent: (error) => this.#options.errorEvent?.(error, context),
    });
  }

  async #fault(fault: Fault, operation: OperationContract | undefined, context: RequestContext): Promise<Answer> {
    try {
      const given = await this.#options.onFault?.(fault, context);
      const own = given ?? (operation && this.#wordings.get(operation)?.(fault));
      if (own !== undefined) return customAnswer(own, fault);
    } catch (error) {
      this.#tell(error, context);
    }
    return faultAnswer(fault, operation, this.#limits.issues);
  }

  #finish(answer: Answer, method: string): Answer {
    const given = new Set(answer.headers.map(([name]) => name));
    const headers = [...answer.headers, ...this.#headers.filter(([name]) => !given.has(name))];
    const { body } = answer;
    if (body instanceof Uint8Array) headers.push(['content-length', String(body.byteLength)]);
    if (method !== 'HEAD') return { ...answer, headers };
    if (body !== undefined && !(body instanceof Uint8Array)) body.return();
    return { ...answer, headers, body: undefined };
  }

  #tell(error: unknown, context: RequestContext): void {
    try {
      this.#options.onError?.(error, context);
    } catch {
      // The hook of last resort failed; there is nobody left to tell.
    }
  }
}

function malformedUrl(): Fault {
  return makeFault('malformed-request', { detail: 'the URL is not well-formed' });
}

function allowed(methods: Iterable<string>): string {
  const names = new Set(methods);
  if (names.has('GET')) names.add('HEAD');
  return [...names].sort().join(', ');
}

function acceptsOf(operation: OperationContract): readonly string[] {
  const successes = operation.responses.filter(({ status }) =>
    typeof status === 'number' ? status >= 200 && status < 300 : status === '2XX',
  );
  const declared = successes.length > 0 ? successes : operation.responses.filter(({ status }) => status === 'default');
  return declared.flatMap(({ content }) => content.map(({ type }) => type));
}

/** A handler by its key; what every object inherits is none. */
function handlerOf(handlers: object, name: string): Handler | undefined {
  for (let owner: object | null = handlers; owner !== null && owner !== Object.prototype; ) {
    if (Object.hasOwn(owner, name)) {
      const found = (handlers as Readonly<Record<string, unknown>>)[name];
      if (typeof found !== 'function') return undefined;
      return protocol in found ? (found as ProtocolHandler) : (found.bind(handlers) as Handler);
    }
    owner = Object.getPrototypeOf(owner) as object | null;
  }
  return undefined;
}

function requestContext(exchange: Exchange, operation: string | undefined): RequestContext {
  return {
    operation,
    method: exchange.method,
    url: exchange.target,
    signal: exchange.signal,
    raw: exchange.raw,
    header: (name) => exchange.header(name.toLowerCase()),
    prefers: (...types) => preferred(parseAccept(exchange.header('accept')), types),
  };
}

function inDevelopment(): boolean {
  const host = globalThis as { readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> } };
  return host.process?.env !== undefined && host.process.env['NODE_ENV'] !== 'production';
}
