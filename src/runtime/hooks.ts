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

/** What a document says of operations, by the names of their functions: the constant of `operation-table.ts`. */
export type OperationTable = Readonly<
  Record<
    string,
    {
      readonly operationId?: string;
      readonly method: string;
      readonly path: string;
      readonly tags: readonly string[];
      readonly deprecated: boolean;
    }
  >
>;

/** The same with what the table says: a union, so that the name of the operation narrows all else. */
export type DescribedCall<T extends OperationTable> = {
  readonly [Name in keyof T & string]: HookCall<Name> & T[Name];
}[keyof T & string];

/** Each may be asynchronous. What one throws goes to the caller, through `onError` of those further out. */
export interface Hooks<Name extends string = string, Call = HookCall<Name>> {
  /** Gives another request to send in place of this one, or a response in place of sending; nothing to go on. */
  readonly onRequest?: (request: Request, call: Call) => Given<Request | Response>;
  /** Gives another response in place of this one; nothing to pass it on. Asked whatever the status is. */
  readonly onResponse?: (response: Response, request: Request, call: Call) => Given<Response>;
  /**
   * Asked where there is no answer: a response to give in place of the error; nothing to pass it on. It is told, too, where
   * an answer has come and its body gives no result (it breaks off, is too large, no JSON or refused); what it gives then is
   * of no use. Faults of a stream go to who reads it.
   */
  readonly onError?: (error: unknown, request: Request, call: Call) => Given<Response>;
}

// biome-ignore lint/suspicious/noConfusingVoidType: a hook that only looks returns nothing, in a block or not
type Given<T> = T | undefined | void | PromiseLike<T | undefined | void>;

/**
 * Middleware out of three functions. Requests go through the hooks from the first to the last, those of the client before
 * those of the call; answers and errors come back the other way round. With the table of `operation-table.ts` they are told
 * what the document says of the operation: its tags, its operationId and whether it is deprecated.
 */
export function hooks<T extends OperationTable>(
  functions: Hooks<keyof T & string, DescribedCall<T>>,
  table: T,
): Middleware<keyof T & string>;
export function hooks<Name extends string = string>(functions: Hooks<Name>): Middleware<Name>;
export function hooks({ onRequest, onResponse, onError }: Hooks, table: OperationTable = {}): Middleware {
  // The last request of each call whose body is watched: another attempt must not have its fault told twice.
  const watched = new WeakMap<object, Request>();
  return async (given, next, about: MiddlewareCall) => {
    const { operation, spec } = about;
    const said = Object.hasOwn(table, operation) ? table[operation] : undefined;
    const call = { operation, method: spec.method, path: template(spec.path), ...said };
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
    if (onError) {
      const isWatched = watched.has(about);
      watched.set(about, request);
      if (!isWatched) tellFault(about, (fault) => onError(fault, watched.get(about) ?? request, call));
    }
    return (await onResponse?.(response, request, call)) ?? response;
  };
}

/** A body is read behind all middleware: hooks further in are told before those further out, as of any error. */
function tellFault(about: MiddlewareCall, tell: (fault: unknown) => unknown): void {
  const { failed } = about;
  about.failed = async (fault) => {
    await failed?.(fault);
    await tell(fault);
  };
}

function template(path: MiddlewareCall['spec']['path']): string {
  return path.map((part) => (typeof part === 'string' ? part : `{${part.name}}`)).join('');
}
