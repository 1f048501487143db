// SPDX-License-Identifier: 0BSD
/// <reference types="node" />
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { ByteStream } from './encoded-stream.js';
import type { Contract } from './server-contract.js';
import { Dispatcher } from './server-dispatch.js';
import type { Exchange } from './server-exchange.js';
import type { Answer } from './server-faults.js';
import type { DispatchOptions } from './server-options.js';

/** For `http.createServer`, or for a host that hands over a `next` (Connect, Express): before its body parsers. */
export type NodeListener = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => void;

/**
 * Serves a contract on Node's own HTTP server. Mounted unless `mounted: false` is said where the host hands over a `next`.
 * Throws TypeError where a handler or a security hook is missing.
 */
export function nodeAdapter(contract: Contract, handlers: object, options: DispatchOptions): NodeListener {
  const alone = new Dispatcher(contract, handlers, options);
  const mounted = new Dispatcher(contract, handlers, { ...options, mounted: options.mounted ?? true });
  return (request, response, next) => {
    const exchange = nodeExchange(request, response, request);
    const dispatcher = next === undefined ? alone : mounted;
    dispatcher
      .dispatch(exchange)
      .then(async (answer) => {
        if (answer !== undefined) await writeAnswer(answer, request, response);
        else if (next !== undefined) next();
        else response.writeHead(404).end();
      })
      .catch(() => response.destroy());
  };
}

/** A request of Node; `body` is the stream that holds its body, which a host may have wrapped. */
export function nodeExchange(request: IncomingMessage, response: ServerResponse, body: Readable): Exchange {
  const abort = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) abort.abort(new DOMException('the client has gone', 'AbortError'));
  });
  const headers = headersOf(request.rawHeaders);
  return {
    method: request.method ?? 'GET',
    target: request.url ?? '/',
    headerBytes: request.rawHeaders.reduce((sum, text) => sum + text.length, 0),
    header: (name) => headers.get(name),
    hasBody: request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0,
    body: () => {
      // A body parser in front of this server would leave nothing to validate.
      if (body.readableDidRead) throw new Error('the body was read before; mount this server before body parsers');
      // Leaving the loop early must not destroy the connection: the answer still has to be written to it.
      return body.iterator({ destroyOnReturn: false });
    },
    signal: abort.signal,
    raw: request,
  };
}

/** Repeated headers joined by RFC 9110 section 5.3, cookies by RFC 9113 section 8.2.3: nothing is dropped silently. */
function headersOf(raw: readonly string[]): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] ?? '').toLowerCase();
    if (name.startsWith(':')) continue;
    const value = raw[index + 1] ?? '';
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}${name === 'cookie' ? '; ' : ', '}${value}`);
  }
  return headers;
}

/** The headers of an answer, with those that stand more than once as lists. */
export function groupedHeaders(answer: Answer): ReadonlyMap<string, string | string[]> {
  const grouped = new Map<string, string | string[]>();
  for (const [name, value] of answer.headers) {
    const before = grouped.get(name);
    grouped.set(name, before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value]);
  }
  return grouped;
}

/** What is thrown away of a body that nobody wants, before the connection is closed. */
const drainedBytes = 4_194_304;

async function writeAnswer(answer: Answer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { body } = answer;
  if (response.destroyed) {
    if (body !== undefined && !(body instanceof Uint8Array)) body.return();
    return;
  }
  response.statusCode = answer.status;
  for (const [name, value] of groupedHeaders(answer)) response.setHeader(name, value);
  if (body === undefined || body instanceof Uint8Array) {
    response.end(body);
    if (!request.complete) drain(request);
    return;
  }
  response.flushHeaders();
  await pump(body, response);
}

/** Lets a sender finish, so that it reads the answer rather than a broken connection; within bounds. */
export function drain(request: IncomingMessage): void {
  let length = 0;
  request.on('error', () => request.destroy());
  request.on('data', (chunk: Uint8Array) => {
    length += chunk.byteLength;
    if (length > drainedBytes) request.destroy();
  });
  request.resume();
}

/** One chunk at a time, and the next one only when the client has taken the last. */
async function pump(stream: ByteStream, response: ServerResponse): Promise<void> {
  try {
    for (let chunk = await stream.next(); chunk.done !== true; chunk = await stream.next()) {
      if (response.destroyed) break;
      if (!response.write(chunk.value)) await writable(response);
    }
    if (!response.destroyed) response.end();
  } catch {
    // The status is sent; only a broken connection tells the client that the rest is missing. What there was goes first.
    if (!response.destroyed) await flushed(response);
    response.destroy();
  } finally {
    stream.return();
  }
}

/** Resolves when everything written has left, or when the connection is gone. */
function flushed(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('close', done);
      resolve();
    };
    response.once('close', done);
    response.write('', done);
  });
}

function writable(response: ServerResponse): Promise<void> {
  if (response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.once('drain', done);
    response.once('close', done);
  });
}
