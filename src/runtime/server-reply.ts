// SPDX-License-Identifier: 0BSD
import { type ContentContract, type OperationContract, type ResponseContract, responseOf } from './server-contract.js';
import { essenceMatches, parseMediaType } from './server-media.js';

export type Awaitable<T> = T | PromiseLike<T>;

declare const made: unique symbol;

/** The answer that `reply` made; nothing else can be returned from a handler. */
export interface Made<R> {
  readonly [made]: R;
}

/** Answers a request. `R` maps each status to the arguments that its body demands. */
export type Reply<R> = <S extends keyof R>(
  status: S,
  ...answer: R[S] extends readonly unknown[] ? R[S] : never
) => Made<R>;

export type HeaderScalar = string | number | boolean | bigint | Date;

/** Header values as a handler gives them; a list is sent as one line, except for `set-cookie`. */
export type ReplyHeaders = { readonly [name: string]: HeaderScalar | readonly HeaderScalar[] | null | undefined };

/** `H` holds the headers that the contract declares. */
export interface ReplyOptions<H = unknown> {
  readonly headers?: (H & ReplyHeaders) | undefined;
}

/** The same where the contract demands a header. */
export interface HeadedOptions<H> {
  readonly headers: H & ReplyHeaders;
}

/** Answers that the contract declares for a whole range: `A` for every status of `S` but those of `L`. */
export type Statuses<S extends number, L, A> = { [K in Exclude<S, L>]: A };

/** Handlers of which some may be missing. */
export type Some<T> = { readonly [K in keyof T]?: T[K] };

/** The body of an event stream: what comes by and by, or what is at hand, such as an array. */
export type Events<T> = AsyncIterable<T | SseComment> | Iterable<T | SseComment>;

/** The body of a sequence of JSON texts, or of parts. */
export type Items<T> = AsyncIterable<T> | Iterable<T>;

/** Bytes that are sent as they are. */
export type Bytes = Uint8Array | AsyncIterable<Uint8Array>;

interface SseFields {
  readonly id?: string | undefined;
  /** Milliseconds until the client may reconnect. */
  readonly retry?: number | undefined;
}

/** An event without a name of its own. */
export interface SseMessage<D> extends SseFields {
  readonly event?: 'message' | undefined;
  readonly data: D;
}

/** A named event. */
export interface SseNamed<N extends string, D> extends SseFields {
  readonly event: N;
  readonly data: D;
}

/** A comment line, which clients skip. */
export interface SseComment {
  readonly comment: string;
}

export type SseOptions = SseFields;

/** Makes an event; `emit.<operation>.<event>` of the generated server is built from it. */
export function sseEvent<N extends string, D, O extends SseOptions>(
  event: N,
  data: D,
  options?: O,
): SseNamed<N, D> & O {
  return { ...options, event, data } as SseNamed<N, D> & O;
}

/** What `reply` holds until the adapter writes it. */
export class ReplyValue {
  readonly status: number;
  /** The declared content that `body` is of; `undefined` where the contract declares none. */
  readonly content: ContentContract | undefined;
  /** The value of `content-type`; `undefined` where there is no body. */
  readonly type: string | undefined;
  readonly body: unknown;
  readonly headers: readonly (readonly [name: string, value: string])[];

  constructor(fields: Pick<ReplyValue, 'status' | 'content' | 'type' | 'body' | 'headers'>) {
    this.status = fields.status;
    this.content = fields.content;
    this.type = fields.type;
    this.body = fields.body;
    this.headers = fields.headers;
  }
}

/** Makes the `reply` of an operation. Throws TypeError on what the contract does not allow. */
export function replier(operation: OperationContract): (status: number, ...answer: unknown[]) => ReplyValue {
  return (status, ...answer) => {
    if (!Number.isInteger(status) || status < 200 || status > 599) {
      throw new TypeError(`${operation.name}: ${String(status)} is not a final status code`);
    }
    const response = responseOf(operation, status);
    if (response === undefined) {
      throw new TypeError(`${operation.name}: the contract does not declare status ${status}`);
    }
    if (response.content.length === 0) return withoutContent(response, status, answer);
    const several = response.content.length > 1;
    const [body, options] = several ? answer.slice(1) : answer;
    const content = several ? response.content.find((one) => one.type === answer[0]) : response.content[0];
    if (content === undefined) {
      throw new TypeError(`${operation.name}: the contract does not declare ${String(answer[0])} for status ${status}`);
    }
    if (body === undefined) throw new TypeError(`${operation.name}: status ${status} needs a body`);
    const { headers, type } = replyHeaders(options, response);
    return new ReplyValue({ status, content, type: bodyType(content, type), body, headers });
  };
}

function withoutContent(response: ResponseContract, status: number, answer: readonly unknown[]): ReplyValue {
  const [body, options] = status < 400 ? [undefined, answer[0]] : answer;
  const { headers, type } = replyHeaders(options, response);
  const sent = body === undefined ? undefined : (type ?? 'application/json; charset=utf-8');
  return new ReplyValue({ status, content: undefined, type: sent, body, headers });
}

/** What a range is answered with where the handler does not say. */
const typeOfKind = {
  json: 'application/json',
  text: 'text/plain',
  'event-stream': 'text/event-stream',
  jsonl: 'application/jsonl',
  'json-seq': 'application/json-seq',
  multipart: 'multipart/mixed',
  bytes: 'application/octet-stream',
} as const;

function bodyType(content: ContentContract, given: string | undefined): string {
  if (given !== undefined) {
    const essence = parseMediaType(given)?.essence;
    if (essence === undefined || !essenceMatches(content.type, essence)) {
      throw new TypeError(`the header content-type contradicts the declared ${content.type}`);
    }
    // The boundary is chosen where the parts are written.
    return content.kind === 'multipart' ? essence : given;
  }
  if (content.events) return content.type.includes('*') ? typeOfKind[content.kind] : content.type;
  const concrete = content.type.endsWith('/*') ? typeOfKind[content.kind] : content.type;
  return content.kind === 'bytes' ? concrete : `${concrete}; charset=utf-8`;
}

const tokenPattern = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const valuePattern = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;
/** The adapter's own business: a handler that sets them could break the framing of the connection. */
const framing: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Checks a header before it is sent: a token, and a value without line ends. Throws TypeError. */
export function checkedHeader(name: string, value: string): readonly [name: string, value: string] {
  const lower = name.toLowerCase();
  if (!tokenPattern.test(lower)) throw new TypeError('a header name is not a token');
  if (framing.has(lower)) throw new TypeError(`the header ${lower} is set by the server itself`);
  if (!valuePattern.test(value)) throw new TypeError(`the header ${lower} holds a character that no header may hold`);
  return [lower, value];
}

/** A date is written as HTTP writes it (RFC 9110 section 5.6.7), unless the contract says otherwise. */
function headerText(value: unknown): string {
  return value instanceof Date ? value.toUTCString() : String(value);
}

function replyHeaders(
  options: unknown,
  { headers: codecs = {} }: ResponseContract,
): {
  readonly headers: readonly (readonly [string, string])[];
  readonly type: string | undefined;
} {
  const given = (options as ReplyOptions | undefined)?.headers;
  const headers: (readonly [string, string])[] = [];
  let type: string | undefined;
  for (const [name, held] of Object.entries(given ?? {})) {
    if (held === undefined || held === null) continue;
    const lower = name.toLowerCase();
    const value = (Object.hasOwn(codecs, lower) ? codecs[lower]?.encode(held) : held) as typeof held;
    if (lower === 'set-cookie' && Array.isArray(value)) {
      for (const one of value) headers.push(checkedHeader(lower, headerText(one)));
      continue;
    }
    const header = checkedHeader(lower, Array.isArray(value) ? value.map(headerText).join(', ') : headerText(value));
    if (lower === 'content-type') type = header[1];
    else headers.push(header);
  }
  return { headers, type };
}
