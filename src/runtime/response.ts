// SPDX-License-Identifier: 0BSD
import type { ResponseCheck } from './client.js';
import { CallError } from './errors.js';
import type { Answer, Connection, OperationSpec } from './operation.js';
import { discard, readAny } from './read-body.js';

/** Turns a response into the operation's result. */
export async function receive(
  operation: OperationSpec,
  given: Pick<Connection, 'response' | 'deadline' | 'options' | 'sent'>,
  [validateAll, validate]: readonly (ResponseCheck | undefined)[],
): Promise<object> {
  const { response, options } = given;
  const { status, headers, ok: isFine } = response;
  const { answers } = operation;
  const contentType =
    headers
      .get('content-type')
      ?.replace(/\s*;.*/, '')
      .toLowerCase() || undefined;
  let answer = select(answers, status, contentType);
  const isSuccess = isFine && !answer?.failure;
  if (isSuccess && answer?.type && answer.type !== (options.accept ?? answer.type)) answer = undefined;
  const ok = isSuccess && !!answer;
  const connection: Connection = { ...given, contentType, answer };
  // A success without declared content has nothing to read; letting go of the body frees the connection.
  const body: unknown = await (answer?.read ?? (ok ? discard : readAny))(connection);
  if (answer?.type && !answer.events) {
    const about = { operation: operation.name, ok, status, contentType: answer.type };
    for (const check of [validateAll, ok ? validate : undefined]) {
      const verdict = check?.(body, about);
      if (verdict && !verdict.ok) {
        throw new CallError('response', 'the body breaks the contract', verdict);
      }
    }
  }
  return {
    ok,
    status: answer ? status : 'unexpected',
    contentType: ok && !answer?.type ? undefined : contentType,
    [ok ? 'data' : 'error']: answer?.decode ? answer.decode(answer.codec, body, response) : body,
    headers: answer?.readHeaders?.(answer.headers, headers) ?? {},
    ...(ok ? {} : retryAfter(headers)),
    response,
  };
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
