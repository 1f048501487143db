// SPDX-License-Identifier: 0BSD
import { CallError } from './errors.js';
import type { Connection } from './operation.js';

/** Of no use for pieces: they may end inside of a character. */
const utf8: TextDecoder = /* @__PURE__ */ new TextDecoder();

/** The pieces of the body; throws where it is larger than the limit. */
async function readChunks({ response, options, deadline }: Connection): Promise<Uint8Array<ArrayBuffer>[]> {
  const { maxResponseBytes = 10 * 2 ** 20 } = options;
  const reader = response.body?.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  try {
    for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
      size += part.value.length;
      if (size > maxResponseBytes) {
        await reader?.cancel();
        throw new CallError('response', 'the body exceeds maxResponseBytes', { response });
      }
      chunks.push(part.value);
    }
  } catch (error) {
    throw deadline.explain(error);
  }
  return chunks;
}

export async function readBlob(connection: Connection): Promise<Blob> {
  return new Blob(await readChunks(connection), { type: connection.contentType ?? '' });
}

/** UTF-8, whatever the charset says: what JSON demands and every current server sends. */
export async function readText(connection: Connection): Promise<string> {
  const chunks = await readChunks(connection);
  return chunks[1] ? new Blob(chunks).text() : utf8.decode(chunks[0]);
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
  const { contentType = 'text' } = connection;
  // A stream may never end.
  if (contentType === 'text/event-stream') return discard(connection);
  if (!/^text|json$|xml$/.test(contentType)) return readBlob(connection);
  const text = (await readText(connection)) || undefined;
  try {
    return /json$/.test(contentType) ? JSON.parse(text as string) : text;
  } catch {
    return text;
  }
}

/** Lets go of the connection. */
export function discard({ response }: Connection): Promise<void> | undefined {
  return response.body?.cancel();
}
