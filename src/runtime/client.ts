// SPDX-License-Identifier: 0BSD
import { hide } from './errors.js';
import type { Reconnect } from './reconnection.js';
import type { Validation } from './validation.js';

/** What middleware is told of a call. */
export interface MiddlewareCall<Name extends string = string> {
  /** The name of the generated function. */
  readonly operation: Name;
  /** What the runtime knows of the operation. */
  readonly spec: {
    readonly method: string;
    /** Percent-encoded text, and variables. */
    readonly path: readonly (string | { readonly name: string })[];
  };
  /** The body as it is handed to `fetch`: a stream can be sent only once. */
  readonly body: unknown;
  /** Told why the body of an answer gives no result, behind all middleware; who sets it calls the one that was there. */
  failed?: ((fault: unknown) => Promise<void>) | undefined;
}

/**
 * Sends a request and gives the answer. Wraps everything behind it: the other middleware, redirects, the network. Those of
 * the client are outermost, then come those of the call, then `retry`, then the renewal of tokens.
 */
export type Middleware<Name extends string = string> = {
  // A method, so that middleware for the names of one API can stand where any is taken.
  step(request: Request, next: (request: Request) => Promise<Response>, call: MiddlewareCall<Name>): Promise<Response>;
}['step'];

/**
 * Looks at the decoded body of a declared answer. A result with `ok: false` makes the call throw; everything else lets
 * the answer pass. Every generated validator is one.
 */
export type ResponseCheck = (
  data: unknown,
  answer: {
    readonly operation: string;
    readonly ok: boolean;
    readonly status: number;
    readonly contentType: string;
  },
) => Validation<unknown> | undefined;

/** What a stream does with an event that its schema refuses or whose data is no JSON. */
export type InvalidEventPolicy =
  /** It is given as `{ event: '$invalid', … }`. */
  | 'yield'
  /** The iteration throws. */
  | 'throw'
  /** It is left out. */
  | 'skip'
  /** The schema is not asked; data that is no JSON is still given as `'$invalid'`. */
  | 'off';

/** Options of a client and of a call; those of the call win. Other members of `RequestInit` are passed to `fetch`. */
interface SharedOptions extends Omit<RequestInit, 'body' | 'headers' | 'method' | 'signal'> {
  /** Further headers; they win over the ones that the operation sends. */
  readonly headers?: HeadersInit | undefined;
  /** Milliseconds for the whole call with its body; of a stream, for its start only. Default: no limit. */
  readonly timeout?: number | undefined;
  /** The largest body that is read, in bytes as decoded; default 10 MiB. Streams are not limited by it. */
  readonly maxResponseBytes?: number | undefined;
  /** The largest event of a stream, in UTF-16 code units; default 1 Mi. */
  readonly maxEventLength?: number | undefined;
  /** Default: `yield`. */
  readonly onInvalid?: InvalidEventPolicy | undefined;
  /** Sends again what failed: the result of `retry()`. By default nothing is, and `false` says so for one call. */
  readonly retry?: Middleware | false | undefined;
  /** Whether event streams connect again where they break: the result of `reconnect()`. By default they do not. */
  readonly reconnect?: Reconnect | undefined;
}

/** A server by the name that the document gives it, or an absolute http(s) URL. */
export type ServerChoice<S extends string> = [S] extends [never]
  ? string
  : S | `http://${string}` | `https://${string}`;

export interface ClientOptions<Auth extends object = object, S extends string = never, Name extends string = string>
  extends SharedOptions {
  /** Where all operations are sent, in place of the servers that the document names: an absolute http(s) URL. */
  readonly baseUrl?: string | undefined;
  /** The server of all operations that have one of this name. */
  readonly server?: S | undefined;
  /** Credentials by the name of their security scheme. */
  readonly auth?: Auth | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** The first is the outermost. */
  readonly middleware?: readonly Middleware<Name>[] | undefined;
  /** Asked for the body of every declared answer but streams, success or not. */
  readonly validate?: ResponseCheck | undefined;
}

export interface CallOptions<A extends string = never, S extends string = never> extends SharedOptions {
  readonly signal?: AbortSignal | null | undefined;
  /** Inside of that of the client; the first is the outermost. */
  readonly middleware?: readonly Middleware[] | undefined;
  /** The server of this call. */
  readonly server?: ServerChoice<S> | undefined;
  /** The media type that the caller wants, where there are several; a success of another type is unexpected. */
  readonly accept?: A | undefined;
  /** Asked for the body of a declared success other than a stream. */
  readonly validate?: ResponseCheck | undefined;
}

/** What the generated functions take as their first argument. Holds nothing but the options; cheap to make. */
export interface Client {
  readonly options: ClientOptions<object, string>;
}

export function createClient<Auth extends object, Name extends string>(
  options?: ClientOptions<Auth, string, Name>,
): Client {
  // Not enumerable: the options hold credentials, and a client that is logged must not print them.
  return hide({} as Client, 'options', { ...options });
}
