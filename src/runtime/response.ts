// SPDX-License-Identifier: 0BSD
import type { ResponseCheck } from './client.js';
import { readAny } from './codecs.js';
import type { Deadline } from './deadline.js';
import { CallError } from './errors.js';
import type { Answer, Connection, HeaderSpec, OperationSpec, ReadOptions } from './operation.js';

/** Turns a response into the operation's result. */
export async function receive(
  operation: OperationSpec,
  response: Response,
  deadline: Deadline,
  options: ReadOptions,
): Promise<object> {
  const { status } = response;
  const contentType = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  const found = select(operation.answers, status, contentType);
  const ok = hundred(status) === '2' && (found?.status !== 'default' || !operation.answers.some(isSuccess));
  const refused = ok && found?.type && options.accept && found.type !== options.accept;
  const answer = refused ? undefined : found;
  const connection: Connection = { response, contentType, answer, options, deadline };
  const headers = readHeaders(response, answer?.headers);
  const declared = answer?.type?.includes('*') ? contentType : answer?.type;
  if (ok && answer) {
    // Without declared content there is nothing to read; letting go of the body frees the connection.
    const data = answer.read ? await answer.read(connection) : await response.body?.cancel();
    check(operation, answer, ok, status, data, options.validateAll);
    check(operation, answer, ok, status, data, options.validate);
    return { ok, status, contentType: declared, data, headers, response };
  }
  const error = await (answer?.read ?? readAny)(connection);
  if (answer) check(operation, answer, ok, status, error, options.validateAll);
  return {
    ok: false,
    status: answer ? status : 'unexpected',
    contentType: declared ?? contentType,
    error,
    headers,
    ...retryAfter(response),
    response,
  };
}

function hundred(status: number | string): string | undefined {
  return String(status)[0];
}

function isSuccess({ status }: Answer): boolean {
  return hundred(status) === '2';
}

/** The status decides first, then the media type; in both the more exact entry goes before the wider one. */
function select(answers: readonly Answer[], status: number, contentType: string | undefined): Answer | undefined {
  const declared = [status, `${hundred(status)}XX`, 'default']
    .map((wanted) => answers.filter((answer) => answer.status === wanted))
    .find((matching) => matching.length > 0);
  const types = contentType ? [contentType, `${contentType.split('/')[0]}/*`, '*/*', undefined] : [undefined];
  return types.map((type) => declared?.find((answer) => answer.type === type)).find((answer) => answer);
}

function check(
  operation: OperationSpec,
  { type, events }: Answer,
  ok: boolean,
  status: number,
  data: unknown,
  validate: ResponseCheck | undefined,
): void {
  const verdict = type && !events && validate?.(data, { operation: operation.name, ok, status, contentType: type });
  if (verdict && !verdict.ok) {
    throw new CallError('response', 'the body is not what the contract declares', { issues: verdict.issues });
  }
}

/** The declared headers; one that does not read as its type is left out. */
function readHeaders(response: Response, headers: readonly HeaderSpec[] = []): object {
  return Object.fromEntries(
    headers.flatMap(({ name, type }) => {
      const value = decodeHeader(response.headers.get(name), type);
      return value === null ? [] : [[name, value]];
    }),
  );
}

function decodeHeader(text: string | null, type: HeaderSpec['type']): string | number | boolean | null {
  if (text === null || type === undefined) return text;
  if (type === 'boolean') return text === 'true' || (text === 'false' ? false : null);
  const value = text === '' ? Number.NaN : Number(text);
  return Number.isInteger(value) || (type === 'number' && Number.isFinite(value)) ? value : null;
}

/** `Retry-After` is seconds or a date (RFC 9110 section 10.2.3). */
function retryAfter(response: Response): { readonly retryAfterMs?: number } {
  const text = response.headers.get('retry-after') ?? '';
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(wait) ? {} : { retryAfterMs: Math.max(0, wait) };
}
