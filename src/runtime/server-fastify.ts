// SPDX-License-Identifier: 0BSD
/// <reference types="node" />
import { Buffer } from 'node:buffer';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ByteStream } from './encoded-stream.js';
import type { Contract } from './server-contract.js';
import { Dispatcher } from './server-dispatch.js';
import { drain, groupedHeaders, nodeExchange } from './server-node.js';
import type { DispatchOptions } from './server-options.js';

/** For `app.register`: an encapsulated plugin, below a prefix where one is given. */
export type FastifyPlugin = (instance: FastifyInstance) => Promise<void>;

const alwaysRouted = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/**
 * Serves a contract as a plugin of fastify. One wildcard route takes every path, so that no text of the document becomes
 * a pattern of fastify's router; a path that the contract does not know goes to the host's not-found handler, unless
 * `mounted: false` is said. Throws TypeError where a handler or a security hook is missing.
 */
export function fastifyAdapter(contract: Contract, handlers: object, options: DispatchOptions): FastifyPlugin {
  const dispatcher = new Dispatcher(contract, handlers, { ...options, mounted: options.mounted ?? true });
  const methods = new Set<string>([...alwaysRouted, ...contract.operations.map(({ method }) => method)]);
  return (instance) => {
    const depth = instance.prefix.split('/').length - 1;
    const serve = (request: FastifyRequest, reply: FastifyReply): Promise<unknown> =>
      answer(dispatcher, depth, request, reply);
    // The body reaches the runtime unread; what it may be is the contract's matter, not that of fastify's parsers.
    instance.removeAllContentTypeParsers();
    instance.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    instance.setErrorHandler((error: { readonly code?: string }, request, reply) => {
      // Fastify refuses a malformed content type before the handler; here it is one fault among the others.
      if (error.code?.startsWith('FST_ERR_CTP_') === true) return serve(request, reply);
      throw error;
    });
    for (const method of methods) if (!instance.supportedMethods.includes(method)) addMethod(instance, method);
    const routed = [...methods].filter((method) => instance.supportedMethods.includes(method));
    instance.route({ method: routed, url: '/*', handler: serve });
    return Promise.resolve();
  };
}

/** Fastify has to be told of methods such as QUERY. What Node's parser does not know never reaches a server. */
function addMethod(instance: FastifyInstance, method: string): void {
  try {
    instance.addHttpMethod(method, { hasBody: true });
  } catch (error) {
    if ((error as { readonly code?: string }).code !== 'FST_ERR_ROUTE_METHOD_INVALID') throw error;
  }
}

async function answer(
  dispatcher: Dispatcher,
  depth: number,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { body, raw } = request;
  const stream = body instanceof Readable ? body : raw;
  const exchange = {
    ...nodeExchange(raw, reply.raw, stream),
    target: belowPrefix(raw.url ?? '/', depth),
    raw: request,
  };
  const result = await dispatcher.dispatch(exchange);
  if (result === undefined) {
    reply.callNotFound();
    return reply;
  }
  reply.code(result.status);
  for (const [name, value] of groupedHeaders(result)) reply.header(name, value);
  if (result.body === undefined || result.body instanceof Uint8Array) {
    const bytes = result.body;
    const sent = bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    reply.raw.once('finish', () => {
      if (!raw.complete) drain(raw);
    });
    return reply.send(sent);
  }
  return reply.send(readable(result.body, reply));
}

/** The target without as many segments as the prefix has; its text may be encoded in another way than the prefix. */
function belowPrefix(target: string, depth: number): string {
  let at = 0;
  for (let segment = 0; segment < depth; segment++) {
    at = target.indexOf('/', at + 1);
    if (at < 0) return '';
  }
  return target.slice(at);
}

/** A stream that asks for one chunk per read, so that fastify's back-pressure reaches the source. */
function readable(stream: ByteStream, reply: FastifyReply): Readable {
  let started = false;
  return new Readable({
    highWaterMark: 0,
    read() {
      // Fastify sends the headers with the first bytes, but a client waits for them before the first event. They are
      // on the response already unless a hook has wrapped the stream.
      if (!started && reply.raw.hasHeader('content-type') && !reply.raw.headersSent) reply.raw.flushHeaders();
      started = true;
      stream.next().then(
        (chunk) => this.push(chunk.done === true ? null : chunk.value),
        (error: Error) => this.destroy(error),
      );
    },
    destroy(error, callback) {
      stream.return();
      callback(error);
    },
  });
}
