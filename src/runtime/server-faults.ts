// SPDX-License-Identifier: 0BSD

import type { ByteStream } from './encoded-stream.js';
import { type OperationContract, responseOf } from './server-contract.js';
import type { Fault, FaultAnswer, FaultKind } from './server-options.js';
import { checkedHeader } from './server-reply.js';
import type { Issue } from './validation.js';

/** What an adapter writes. Header names are in lower case; `set-cookie` may stand more than once. */
export interface Answer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | ByteStream | undefined;
}

const faults: Readonly<Record<FaultKind, readonly [status: number, title: string]>> = {
  'malformed-request': [400, 'The request cannot be read'],
  'invalid-request': [400, 'The request is not valid'],
  'mirror-mismatch': [400, 'A header contradicts the body'],
  unauthorized: [401, 'Authentication is required'],
  forbidden: [403, 'This is not allowed'],
  'not-found': [404, 'There is nothing here'],
  'method-not-allowed': [405, 'The method is not allowed here'],
  'not-acceptable': [406, 'No representation is acceptable'],
  'body-too-large': [413, 'The body is too large'],
  'target-too-long': [414, 'The URL is too long'],
  'unsupported-media-type': [415, 'The media type is not supported'],
  'headers-too-large': [431, 'The headers are too large'],
  internal: [500, 'Something went wrong'],
  'not-implemented': [501, 'This operation is not implemented'],
};

export function makeFault(
  kind: FaultKind,
  more: Partial<Pick<Fault, 'status' | 'detail' | 'issues' | 'headers' | 'cause'>> = {},
): Fault {
  const [status, title] = faults[kind];
  return {
    kind,
    title,
    ...more,
    status: more.status ?? status,
    issues: more.issues ?? [],
    headers: more.headers ?? {},
  };
}

interface ProblemDocument {
  readonly type: 'about:blank';
  readonly title: string;
  readonly status: number;
  readonly detail?: string;
  readonly errors?: readonly { readonly pointer: string; readonly keyword: string; readonly detail: string }[];
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

/** RFC 9457. Says where and which rule, never the value that was sent; bounded, because the caller chooses the keys. */
function problemOf(fault: Fault, limit: number): ProblemDocument {
  const errors = fault.issues.slice(0, limit).map((issue: Issue) => ({
    pointer: cut(issue.pointer, 120),
    keyword: issue.keyword,
    detail: cut(issue.message, 160),
  }));
  return {
    type: 'about:blank',
    title: fault.title,
    status: fault.status,
    ...(fault.detail !== undefined && { detail: cut(fault.detail, 200) }),
    ...(errors.length > 0 && { errors }),
  };
}

const problemType = 'application/problem+json';

/** The type under which the contract lets a problem document stand for this status. */
function problemTypeFor(operation: OperationContract | undefined, status: number, document: ProblemDocument): string {
  const content = operation === undefined ? [] : (responseOf(operation, status)?.content ?? []);
  if (content.some((one) => one.type === problemType)) return problemType;
  const fitting = content.find((one) => one.kind === 'json' && one.validate?.(document).ok === true);
  return fitting === undefined || fitting.type.endsWith('/*') ? problemType : fitting.type;
}

const encoder = new TextEncoder();

/** The default answer to a fault. */
export function faultAnswer(fault: Fault, operation: OperationContract | undefined, issueLimit: number): Answer {
  const document = problemOf(fault, issueLimit);
  const type = problemTypeFor(operation, fault.status, document);
  return {
    status: fault.status,
    headers: [['content-type', `${type}; charset=utf-8`], ...Object.entries(fault.headers)],
    body: encoder.encode(JSON.stringify(document)),
  };
}

/** The answer that `onFault` gave. Throws TypeError where it cannot be sent. */
export function customAnswer(given: FaultAnswer, fault: Fault): Answer {
  const status = given.status ?? fault.status;
  if (!Number.isInteger(status) || status < 200 || status > 599) throw new TypeError('onFault gave no final status');
  const headers = new Map<string, string>(Object.entries(fault.headers));
  for (const [name, value] of Object.entries(given.headers ?? {})) {
    if (value === undefined || value === null) continue;
    const [lower, text] = checkedHeader(name, Array.isArray(value) ? value.map(String).join(', ') : String(value));
    headers.set(lower, text);
  }
  if (given.body === undefined) return { status, headers: [...headers], body: undefined };
  const [, type] = checkedHeader('content-type', given.contentType ?? 'application/json; charset=utf-8');
  headers.set('content-type', type);
  const body =
    given.body instanceof Uint8Array
      ? given.body
      : encoder.encode(typeof given.body === 'string' ? given.body : JSON.stringify(given.body));
  return { status, headers: [...headers], body };
}
