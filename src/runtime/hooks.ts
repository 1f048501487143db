// SPDX-License-Identifier: 0BSD
import type { Middleware, MiddlewareCall } from './client.js';

/** What hooks are told. */
export interface HookCall<Name extends string = string> {
  /** The name of the generated function. */
  readonly operation: Name;
  readonly method: string;
  /** The path as a template: `/pets/{id}`. */
  readonly path: string;
}

/** Each may be asynchronous. What one throws goes to the caller, through `onError` of those further out. */
export interface Hooks<Name extends string = string> {
  /** Gives another request to send in place of this one, or a response in place of sending; nothing to go on. */
  readonly onRequest?: (request: Request, call: HookCall<Name>) => Given<Request | Response>;
  /** Gives another response in place of this one; nothing to pass it on. Asked whatever the status is. */
  readonly onResponse?: (response: Response, request: Request, call: HookCall<Name>) => Given<Response>;
  /** Asked where there is no answer: a response to give in place of the error; nothing to pass it on. */
  readonly onError?: (error: unknown, request: Request, call: HookCall<Name>) => Given<Response>;
}

// biome-ignore lint/suspicious/noConfusingVoidType: a hook that only looks returns nothing, in a block or not
type Given<T> = T | undefined | void | PromiseLike<T | undefined | void>;

/**
 * Middleware out of three functions. Requests go through the hooks from the first to the last, those of the client before
 * those of the call; answers and errors come back the other way round. Hooks do not see the body's faults: a body is read
 * behind them.
 */
export function hooks<Name extends string = string>({ onRequest, onResponse, onError }: Hooks<Name>): Middleware<Name> {
  return async (given, next, { operation, spec }: MiddlewareCall<Name>) => {
    const call = { operation, method: spec.method, path: template(spec.path) };
    const instead = (await onRequest?.(given, call)) ?? given;
    const request = instead instanceof Request ? instead : given;
    let response: Response;
    try {
      response = instead instanceof Request ? await next(instead) : instead;
    } catch (error) {
      const rescue = await onError?.(error, request, call);
      if (!rescue) throw error;
      response = rescue;
    }
    return (await onResponse?.(response, request, call)) ?? response;
  };
}

function template(path: MiddlewareCall['spec']['path']): string {
  return path.map((part) => (typeof part === 'string' ? part : `{${part.name}}`)).join('');
}
