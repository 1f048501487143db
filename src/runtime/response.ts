// SPDX-License-Identifier: 0BSD
import type { Deadline } from './deadline.js';
import { CallError } from './errors.js';
import type { Answer, Connection, OperationSpec, Settings } from './operation.js';
import { readAny } from './read-body.js';

/** Turns a response into the operation's result. */
export async function receive(
  operation: OperationSpec,
  response: Response,
  deadline: Deadline,
  options: Settings,
): Promise<object> {
  const { status, headers, ok: isFine } = response;
  const { answers } = operation;
  const contentType =
    headers
      .get('content-type')
      ?.replace(/\s*;.*/, '')
      .toLowerCase() || undefined;
  let answer = select(answers, status, contentType);
  const isSuccess = isFine && !(answer?.status === 'default' && answers.some((one) => /^2/.test(`${one.status}`)));
  if (isSuccess && options.accept && answer?.type && answer.type !== options.accept) answer = undefined;
  const ok = isSuccess && !!answer;
  const connection: Connection = { response, contentType, answer, options, deadline };
  // A success without declared content has nothing to read; letting go of the body frees the connection.
  const body: unknown = await (answer?.read ?? (ok ? discard : readAny))(connection);
  if (answer?.type && !answer.events) {
    const about = { operation: operation.name, ok, status, contentType: answer.type };
    for (const validate of [options.validateAll, ok ? options.validate : undefined]) {
      const verdict = validate?.(body, about);
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

function discard({ response }: Connection): Promise<void> | undefined {
  return response.body?.cancel();
}

/** The status decides first, then the media type; in both the more exact entry goes before the wider one. */
function select(answers: readonly Answer[], status: number, contentType: string | undefined): Answer | undefined {
  const declared = [status, `${status}`.replace(/..$/, 'XX'), 'default']
    .map((wanted) => answers.filter((answer) => answer.status === wanted))
    .find((found) => found[0]);
  const types = [contentType, contentType?.replace(/\/.*/, '/*'), '*/*', undefined];
  return types.map((type) => declared?.find((answer) => answer.type === type)).find((found) => found);
}

/** `Retry-After` is seconds or a date (RFC 9110 section 10.2.3). */
export function retryAfter(headers: Headers, now: number = Date.now()): { readonly retryAfterMs?: number } {
  const text = headers.get('retry-after') ?? '';
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(wait) ? {} : { retryAfterMs: Math.max(0, wait) };
}
