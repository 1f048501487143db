// SPDX-License-Identifier: 0BSD
import { CallError } from './errors.js';
import type { Connection } from './operation.js';
import { refuse } from './parameters.js';

export function writeJson(value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    // The platform's message may quote the value; ours does not.
  }
  return text ?? refuse('is not a JSON value');
}

export function writeText(value: unknown): string {
  return typeof value === 'string' ? value : refuse('is not text');
}

/** Sends a body as it is: `FormData`, `URLSearchParams`, a blob, bytes, a stream or text. */
export function writeRaw(value: unknown): BodyInit {
  return value as BodyInit;
}

/** The whole body; throws where it is larger than the limit. */
async function readBody({ response, options, deadline }: Connection): Promise<Uint8Array<ArrayBuffer>> {
  const limit = options.maxResponseBytes ?? 10 * 2 ** 20;
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  try {
    for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
      chunks.push(part.value);
      size += part.value.length;
      if (size > limit) {
        await reader?.cancel();
        throw new CallError('response', `the body is larger than maxResponseBytes (${limit})`, { response });
      }
    }
  } catch (error) {
    throw deadline.explain(error);
  }
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

export async function readBlob(connection: Connection): Promise<Blob> {
  return new Blob([await readBody(connection)], { type: connection.contentType ?? '' });
}

/** UTF-8, whatever the charset says: what JSON demands and every current server sends. */
export async function readText(connection: Connection): Promise<string> {
  return new TextDecoder().decode(await readBody(connection));
}

export async function readJson(connection: Connection): Promise<unknown> {
  const text = await readText(connection);
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes the text, which can hold a secret.
    throw new CallError('response', 'the body is not JSON', { response: connection.response });
  }
}

/** Decodes by the answer's own media type. What claims to be JSON and is not comes as text. */
export async function readAny(connection: Connection): Promise<unknown> {
  const { contentType = '', response } = connection;
  // It may never end.
  if (contentType === 'text/event-stream') return response.body?.cancel();
  if (!/^$|^text\/|[/+](json|xml)$/.test(contentType)) return readBlob(connection);
  const text = await readText(connection);
  try {
    return /[/+]json$/.test(contentType) ? JSON.parse(text) : text || undefined;
  } catch {
    return text || undefined;
  }
}
