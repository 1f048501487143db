// SPDX-License-Identifier: 0BSD
import type { ResponseCheck } from './client.js';
import type { Deadline } from './deadline.js';
import { CallError } from './errors.js';
import type { Answer, Connection, OperationSpec, Settings } from './operation.js';
import { discard, readAny } from './read-body.js';
import type { Sent } from './reconnection.js';

/** Turns a response into the operation's result. */
export async function receive(
  operation: OperationSpec,
  response: Response,
  deadline: Deadline,
  options: Settings,
  sent: Sent,
  checks: readonly [ofAll: ResponseCheck | undefined, ofSuccess: ResponseCheck | undefined],
): Promise<object> {
  const { status, headers } = response;
  const contentType =
    headers
      .get('content-type')
      ?.replace(/\s*;.*/, '')
      .toLowerCase() || undefined;
  let answer = select(operation.answers, status, contentType);
  let ok = response.ok && !!answer && !answer.failure;
  if (ok && answer?.type && answer.type !== (options.accept ?? answer.type)) {
    answer = undefined;
    ok = false;
  }
  const connection: Connection = { response, deadline, options, sent, contentType, answer };
  // A success without declared content has nothing to read; letting go of the body frees the connection.
  const body: unknown = await (answer?.read ?? (ok ? discard : readAny))(connection);
  if (answer?.type && !answer.events) {
    const about = { operation: operation.name, ok, status, contentType: answer.type };
    for (const check of ok ? checks : [checks[0]]) {
      const verdict = check?.(body, about);
      if (verdict && !verdict.ok) {
        throw new CallError('response', 'the body is not valid', verdict);
      }
    }
  }
  const result = {
    ok,
    status: answer ? status : 'unexpected',
    contentType: ok && !answer?.type ? undefined : contentType,
    [ok ? 'data' : 'error']: answer?.decode ? answer.decode(answer.codec, body, response) : body,
    headers: answer?.readHeaders?.(answer.headers, headers) ?? {},
    response,
  };
  return ok ? result : Object.assign(result, retryAfter(headers));
}

/** The status decides first, then the media type; in both the more exact entry goes before the wider one. */
function select(answers: readonly Answer[], status: number, contentType: string | undefined): Answer | undefined {
  for (const wanted of [status, `${`${status}`[0]}XX`, 'default']) {
    const declared = answers.filter((answer) => answer.status === wanted);
    const of = (type: string | undefined): Answer | undefined => declared.find((answer) => answer.type === type);
    if (declared[0]) return of(contentType) ?? of(contentType?.replace(/\/.*/, '/*')) ?? of('*/*') ?? of(undefined);
  }
  return undefined;
}

/** `Retry-After` is seconds or a date (RFC 9110 section 10.2.3). */
export function retryAfter(headers: Headers, now: number = Date.now()): { readonly retryAfterMs?: number } {
  const text = headers.get('retry-after') ?? '';
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(wait) ? {} : { retryAfterMs: Math.max(0, wait) };
}
