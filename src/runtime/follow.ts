// SPDX-License-Identifier: 0BSD
import { CallError } from './errors.js';
import { own } from './parameters.js';

/** The answer that a link stands in, and the input of the call that it answers. */
export interface LinkOrigin {
  readonly result: { readonly response: Response; readonly data?: unknown; readonly error?: unknown };
  readonly input?: unknown;
}

/** A piece of a value: text, a header of the answer, or the path of members in the answer's body or in the input. */
export type LinkPiece =
  | string
  | { readonly header: string }
  | { readonly body: readonly string[] }
  | { readonly input: readonly string[] }
  | { readonly answer: 'url' | 'status' };

/** A value that a link gives to the next call: a constant, the value of one piece as it is, or a text of several. */
export interface LinkValue {
  /** Where it goes in the input. */
  readonly to: readonly string[];
  readonly constant?: unknown;
  readonly value?: LinkPiece;
  readonly text?: readonly LinkPiece[];
  /** Whether there is no call without it. */
  readonly required?: boolean;
}

/** An input of which `B` names, by group, the members that are there already; `true` is the whole group. They may be given all the same. */
export type Remaining<I, B> = I extends unknown
  ? Flat<
      { [G in keyof I as G extends keyof B ? never : G]: I[G] } & {
        [G in keyof I & keyof B as IsFree<I[G], B[G]> extends true ? never : G]: Left<I[G], B[G]>;
      } & { [G in keyof I & keyof B as IsFree<I[G], B[G]> extends true ? G : never]?: Left<I[G], B[G]> | undefined }
    >
  : never;

type Flat<T> = { [K in keyof T]: T[K] };
type Left<T, K> = [K] extends [true]
  ? T
  : Flat<
      Omit<NonNullable<T>, K & keyof NonNullable<T>> & {
        [N in K & keyof NonNullable<T>]?: NonNullable<T>[N] | undefined;
      }
    >;
/** Whether nothing of a group has to be given. */
type IsFree<T, K> = [K] extends [true] ? true : Record<never, never> extends Left<T, K> ? true : false;

/** The input of the next call; what the caller gives wins. Throws a `CallError` of kind `request` where a value is not there. */
export function linkedInput<I>(values: readonly LinkValue[], origin: LinkOrigin, given: object | undefined): I {
  return values.reduce<object>((input, { to, required, ...value }) => {
    if (to.reduce<unknown>(own, given) !== undefined) return input;
    const made = found(value, origin);
    if (made === undefined || made === null) {
      if (required) throw new CallError('request', `the answer gives no value for ${to.join('.')}`);
      return input;
    }
    return withMember(input, to, made) as object;
  }, given ?? {}) as I;
}

function found({ constant, value, text }: Omit<LinkValue, 'to'>, origin: LinkOrigin): unknown {
  if (value !== undefined) return pieceOf(value, origin);
  if (!text) return constant;
  const pieces = text.map((piece) => pieceOf(piece, origin));
  return pieces.includes(undefined) || pieces.includes(null) ? undefined : pieces.join('');
}

function pieceOf(piece: LinkPiece, { result, input }: LinkOrigin): unknown {
  if (typeof piece === 'string') return piece;
  const { response, data, error } = result;
  if ('header' in piece) return response.headers.get(piece.header) ?? undefined;
  if ('answer' in piece) return response[piece.answer];
  return 'body' in piece ? piece.body.reduce(own, data ?? error) : piece.input.reduce(own, input);
}

function withMember(object: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  return { ...(object as object | undefined), [name]: withMember(own(object, name), rest, value) };
}
