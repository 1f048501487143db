// SPDX-License-Identifier: 0BSD
import type { EventSpec } from './event-spec.js';
import type { HeaderEncoding } from './header-encoding.js';
import type { ScalarKind } from './scalar-text.js';
import type { Validator, ValueCodec } from './validation.js';

/** A whole API as plain data: what the generated `server.ts` holds and what every adapter serves. */
export interface Contract {
  readonly schemes: readonly SchemeContract[];
  readonly operations: readonly OperationContract[];
  /** What is left out of values on their way in or out; a `projection` is an index into this list. */
  readonly projections: readonly Projection[];
}

export type SchemeContract =
  | { readonly name: string; readonly kind: 'bearer' | 'basic' | 'other' }
  | {
      readonly name: string;
      readonly kind: 'apiKey';
      readonly in: 'header' | 'query' | 'cookie';
      readonly parameter: string;
    };

export interface OperationContract {
  /** The operation's key in `Handlers`. */
  readonly name: string;
  /** In the capitalisation of the wire. */
  readonly method: string;
  /** The path's parts in order: literal text, or a variable. */
  readonly path: readonly (string | { readonly variable: string })[];
  /** Alternatives of requirements that hold together; an empty list demands nothing. */
  readonly security: readonly (readonly RequirementContract[])[];
  readonly parameters: readonly ParameterContract[];
  readonly body?: BodyContract;
  readonly mirrors?: readonly MirrorContract[];
  readonly responses: readonly ResponseContract[];
}

export interface RequirementContract {
  readonly scheme: string;
  readonly scopes: readonly string[];
}

export type ParameterStyle =
  | 'matrix'
  | 'label'
  | 'simple'
  | 'form'
  | 'spaceDelimited'
  | 'pipeDelimited'
  | 'deepObject'
  | 'cookie';

export interface ParameterContract {
  readonly name: string;
  /** `querystring` is the whole query as one value. */
  readonly in: 'path' | 'query' | 'querystring' | 'header' | 'cookie';
  readonly required: boolean;
  /** Left out where it is the default of the place: `form` for query and cookie, `simple` for path and header. */
  readonly style?: ParameterStyle;
  /** Left out where it is the default of the style: true for `form` and `cookie`. */
  readonly explode?: boolean;
  /** Left out for plain text. */
  readonly read?: ValueContract;
  readonly validate?: Validator<unknown>;
  readonly codec?: ValueCodec;
}

/** What a parameter's text may stand for. */
export interface ValueContract {
  /** The parameter is one JSON text. */
  readonly json?: true;
  readonly scalar?: readonly ScalarKind[];
  /** The kinds of the items, where the value may be an array. */
  readonly items?: readonly ScalarKind[];
  /** The members, where the value may be an object. */
  readonly members?: readonly MemberContract[];
  /** The kinds of members that are not listed; without it they are not read. */
  readonly rest?: readonly ScalarKind[];
}

export interface MemberContract {
  readonly name: string;
  readonly kinds: readonly ScalarKind[];
  /** In a form: the member is an array, an item each time its name comes. */
  readonly list?: true;
  /** In a form: the member, or each item of it, is a JSON text. */
  readonly json?: true;
}

export interface BodyContract {
  readonly required: boolean;
  readonly content: readonly ContentContract[];
}

export interface ContentContract {
  /** The media type without parameters, in lower case; it may be a range. */
  readonly type: string;
  readonly kind: 'json' | 'text' | 'event-stream' | 'jsonl' | 'json-seq' | 'multipart' | 'bytes';
  readonly validate?: Validator<unknown>;
  /** Index into `Contract.projections`. */
  readonly projection?: number;
  readonly codec?: ValueCodec;
  /** The events of a stream; of a sequence of items the one `item`; of parts by position, the last for all that follow. */
  readonly events?: readonly EventContract[];
  /** The event `message` stands for those of every name. */
  readonly anyName?: true;
  /** Data that says that the stream is at its end; the first is sent by the server itself. */
  readonly sentinels?: readonly string[];
  readonly anyEnd?: true;
  /** How many items of a stream there must be, and may be; of JSON items `validate` says it, which is about all of them. */
  readonly minItems?: number;
  readonly maxItems?: number;
  /** Whether no two of them are equal, where they must not be. */
  readonly unique?: (items: readonly unknown[]) => boolean;
}

export interface EventContract extends EventSpec {
  /** Index into `Contract.projections`. */
  readonly projection?: number;
}

/** A request header that repeats a member of the body. */
export interface MirrorContract {
  readonly header: string;
  /** Paths into the body; the first that leads to a value counts. */
  readonly paths: readonly (readonly string[])[];
  /** Of values that no header can hold. */
  readonly encoding?: HeaderEncoding;
}

export interface ResponseContract {
  readonly status: number | '1XX' | '2XX' | '3XX' | '4XX' | '5XX' | 'default';
  /** Empty where the response has no declared body. */
  readonly content: readonly ContentContract[];
  /** Headers whose values are not text as programs hold them, by their names in lower case. */
  readonly headers?: Readonly<Record<string, ValueCodec>>;
}

/** What to leave out of a value, and where to go on; numbers are indices into `Contract.projections`. */
export interface Projection {
  /** Members that do not travel in this direction. */
  readonly omit?: readonly string[];
  readonly members?: readonly { readonly name: string; readonly projection: number }[];
  readonly items?: number;
  /** For the members that are neither omitted nor listed. */
  readonly rest?: number;
  /** Further projections of the same value: the branches of a composition. */
  readonly also?: readonly number[];
}

/** The response that the contract declares for a status: the exact one, else the range, else the default. */
export function responseOf(operation: OperationContract, status: number): ResponseContract | undefined {
  const range = `${Math.floor(status / 100)}XX`;
  return (
    operation.responses.find((response) => response.status === status) ??
    operation.responses.find((response) => response.status === range) ??
    operation.responses.find((response) => response.status === 'default')
  );
}
