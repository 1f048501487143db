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
  const { status, headers } = response;
  const { answers } = operation;
  const contentType = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() || undefined;
  let answer = select(answers, status, contentType);
  const isSuccess =
    hundred(status) === '2' && !(answer?.status === 'default' && answers.some((one) => hundred(one.status) === '2'));
  if (isSuccess && options.accept && answer?.type && answer.type !== options.accept) answer = undefined;
  const ok = isSuccess && answer !== undefined;
  const connection: Connection = { response, contentType, answer, options, deadline };
  // A success without declared content has nothing to read; letting go of the body frees the connection.
  const body: unknown = await (answer?.read ?? (ok ? discard : readAny))(connection);
  if (answer?.type && !answer.events) {
    const about = { operation: operation.name, ok, status, contentType: answer.type };
    for (const validate of [options.validateAll, ok && options.validate]) {
      const verdict = validate ? validate(body, about) : undefined;
      if (verdict && !verdict.ok) {
        throw new CallError('response', 'the body is not what the contract declares', verdict);
      }
    }
  }
  return {
    ok,
    status: answer ? status : 'unexpected',
    contentType: ok && !answer?.type ? undefined : contentType,
    [ok ? 'data' : 'error']: answer?.decode ? answer.decode(answer.codec, body, response) : body,
    headers: answer?.readHeaders?.(answer.headers ?? [], headers) ?? {},
    ...(ok ? {} : retryAfter(headers)),
    response,
  };
}

function discard({ response }: Connection): Promise<void> | undefined {
  return response.body?.cancel();
}

function hundred(status: number | string): string | undefined {
  return `${status}`[0];
}

/** The status decides first, then the media type; in both the more exact entry goes before the wider one. */
function select(answers: readonly Answer[], status: number, contentType: string | undefined): Answer | undefined {
  for (const wanted of [status, `${hundred(status)}XX`, 'default']) {
    const declared = answers.filter((answer) => answer.status === wanted);
    if (declared.length === 0) continue;
    const types = [contentType, contentType?.replace(/\/.*/, '/*'), '*/*', undefined];
    return types.map((type) => declared.find((answer) => answer.type === type)).find((found) => found);
  }
  return undefined;
}

/** `Retry-After` is seconds or a date (RFC 9110 section 10.2.3). */
export function retryAfter(headers: Headers): { readonly retryAfterMs?: number } {
  const text = headers.get('retry-after') ?? '';
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(wait) ? {} : { retryAfterMs: Math.max(0, wait) };
}
