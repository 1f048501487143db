// SPDX-License-Identifier: 0BSD
import type { OperationContract } from './server-contract.js';
import type { Exchange } from './server-exchange.js';
import type { Awaitable, ReplyHeaders } from './server-reply.js';
import type { Issue } from './validation.js';

export interface Limits {
  /** Bytes of a request's body. */
  readonly bodyBytes: number;
  /** Characters of a request's headers, names included. */
  readonly headerBytes: number;
  /** Characters of path and query. */
  readonly targetBytes: number;
  /** Levels of a JSON body. */
  readonly jsonDepth: number;
  readonly queryPairs: number;
  /** Issues that a problem document lists. */
  readonly issues: number;
}

export const defaultLimits: Limits = {
  bodyBytes: 1_048_576,
  headerBytes: 16_384,
  targetBytes: 8_192,
  jsonDepth: 64,
  queryPairs: 1_000,
  issues: 20,
};

export type FaultKind =
  | 'malformed-request'
  | 'invalid-request'
  | 'mirror-mismatch'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'method-not-allowed'
  | 'not-acceptable'
  | 'body-too-large'
  | 'target-too-long'
  | 'headers-too-large'
  | 'unsupported-media-type'
  | 'internal'
  | 'not-implemented';

/** Why a request did not reach its handler, or why the handler's answer was not sent. */
export interface Fault {
  readonly kind: FaultKind;
  readonly status: number;
  readonly title: string;
  /** One sentence for the caller; nothing internal. */
  readonly detail?: string;
  /** What is wrong with the request; pointers start at the request: `/query/limit`, `/body/name`. */
  readonly issues: readonly Issue[];
  /** Sent with the answer unless `onFault` sets them itself: `allow`, `www-authenticate`. */
  readonly headers: Readonly<Record<string, string>>;
  /** What was thrown, where `kind` is `internal`. Never sent. */
  readonly cause?: unknown;
}

export interface FaultAnswer {
  /** The fault's own status where it is left out. */
  readonly status?: number;
  readonly headers?: ReplyHeaders;
  /** Sent as it is where it is a string or bytes, else as JSON. */
  readonly body?: unknown;
  /** `application/json` where it is left out. */
  readonly contentType?: string;
}

/** What is known of a request everywhere: in handlers, security hooks and fault hooks. */
export interface RequestContext {
  /** The handler's key; `undefined` where no operation was found. */
  readonly operation: string | undefined;
  readonly method: string;
  /** Path and query as they came. */
  readonly url: string;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
  /** The request of the framework. */
  readonly raw: unknown;
  /** A header by its name in any case; repeated ones are joined. */
  header(name: string): string | undefined;
  /** The most welcome of `types` by the Accept header, the first of equals; `undefined` where none is acceptable. */
  prefers<const T extends string>(...types: readonly T[]): T | undefined;
}

/** What a handler is given. `P` holds what the security hooks returned, by scheme. */
export interface Context<P = Readonly<Record<never, never>>> extends RequestContext {
  readonly operation: string;
  readonly principals: P;
  /** Answers 501: for an operation that nobody has written yet. */
  notImplemented(): never;
}

/** What `context.notImplemented()` throws. */
export class NotImplemented extends Error {
  constructor() {
    super('the operation is not implemented');
    this.name = 'NotImplemented';
  }
}

export interface Basic {
  readonly username: string;
  readonly password: string;
}

/** What `context.forbid()` gives: the caller is known, but may not do this. */
export class Forbidden {
  readonly detail: string | undefined;

  constructor(detail: string | undefined) {
    this.detail = detail;
  }
}

export interface SecurityContext extends RequestContext {
  readonly scheme: string;
  readonly scopes: readonly string[];
  /** To be returned or thrown: answers 403 in place of 401. */
  forbid(detail?: string): Forbidden;
}

/**
 * Checks a credential. What it returns is the principal; `undefined`, `null`, `false` and a throw refuse the caller.
 * `C` is the token of a bearer scheme, the key of an API key, a pair for basic, `undefined` for every other kind.
 */
export type SecurityHook<C, P> = (
  credential: C,
  context: SecurityContext,
) => Awaitable<P | Forbidden | false | null | undefined>;

/** A handler that checks its requests itself, and words its own faults: that of an endpoint with a protocol of its own. */
export interface ProtocolHandler {
  (
    request: object,
    reply: unknown,
    context: object,
    tell: (error: unknown) => void,
    checking: 'throw' | 'report' | false,
  ): unknown;
  readonly [protocol]: {
    /** What is left of the contract's checks before the handler is called. */
    checked(operation: OperationContract): OperationContract;
    fault(fault: Fault): FaultAnswer;
  };
}

/** Marks a `ProtocolHandler`. */
export const protocol: unique symbol = Symbol.for('oasmith.protocol');

export interface ServerOptions {
  /**
   * Asked before anything else, of every request that is not left to the host application: such as whether its `Host` and
   * `Origin` are those of this server. Whoever is not admitted gets 403.
   */
  readonly admit?: (context: RequestContext) => Awaitable<boolean>;
  /** Answers a fault in its own way; `undefined` leaves the default. */
  readonly onFault?: (fault: Fault, context: RequestContext) => Awaitable<FaultAnswer | undefined>;
  /** Is told everything that went wrong inside; the caller of the server is not. */
  readonly onError?: (error: unknown, context: RequestContext) => void;
  readonly limits?: Partial<Limits>;
  /** Lets handlers be missing; their operations answer 501. */
  readonly unimplemented?: 'respond501';
  /**
   * Checks what handlers answer: `throw` answers 500 where the contract is broken, `report` only tells `onError`.
   * `throw` is the default where NODE_ENV is known and not `production`, else `false`.
   */
  readonly validateResponses?: 'throw' | 'report' | false;
  /** Unknown paths fall through to the host application in place of 404. */
  readonly mounted?: boolean;
  /** A path in front of all paths of the contract, as a prefix that ends without a slash: `/v1`. */
  readonly basePath?: string;
  /** Sent with every answer that does not set them itself. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Members named `__proto__` (and `constructor.prototype`) in JSON bodies: refused, or kept as plain data. */
  readonly prototypeKeys?: 'refuse' | 'keep';
  /** The status of a request that is well-formed but breaks its schemas. */
  readonly invalidStatus?: 400 | 422;
  /** Milliseconds between the comments that keep an idle event stream open; 0 sends none. */
  readonly keepAliveMs?: number;
  /**
   * Says what went wrong in an event stream, whose status is sent already: the event is the last one. Without it, and
   * for `undefined`, the connection breaks, so that the client does not take the end for success.
   */
  readonly errorEvent?: (error: unknown, context: RequestContext) => StreamErrorEvent | undefined;
}

/** An event that the contract declares. */
export interface StreamErrorEvent {
  readonly event?: string;
  readonly data: unknown;
  readonly id?: string;
}

/** The options as the runtime takes them; the generated adapters type `security` by the contract. */
export interface DispatchOptions extends ServerOptions {
  readonly security?: object;
  /** Looks at a request before anything else does: gives what is dispatched in its place, or why it is refused. */
  readonly intake?: (exchange: Exchange, limits: Limits) => Promise<Exchange | Fault>;
}
