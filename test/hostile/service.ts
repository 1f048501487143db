/** The network of a case: one server on loopback that answers for every URL of its `serve` member. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { expandValue, type Json } from './expand.js';

export interface Service {
  readonly url: string;
  close(): Promise<void>;
}

type Members = { readonly [key: string]: Json };

export async function startService(answers: Members): Promise<Service> {
  const server = createServer((request, response) => {
    const url = String(request.headers['x-original-url'] ?? '');
    const answer = Object.hasOwn(answers, url) ? answers[url] : undefined;
    if (answer === undefined) {
      response.statusCode = 404;
      response.end('not found');
      return;
    }
    respond(answer, response);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, close: () => closed(server) };
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => void server.close(() => resolve()));
}

/** An answer is a document, or says how a server misbehaves. */
function respond(answer: Json, response: ServerResponse): void {
  const told = typeof answer === 'object' && answer !== null && !Array.isArray(answer) ? answer : {};
  response.setHeader('content-type', 'application/json');
  for (const [name, value] of Object.entries((told['headers'] ?? {}) as Members))
    response.setHeader(name, String(value));
  if (typeof told['status'] === 'number') {
    response.statusCode = told['status'];
    response.end();
  } else if (told['trickle'] !== undefined) {
    const { byte, everyMs } = told['trickle'] as Members;
    const timer = setInterval(() => response.write(String(byte)), Number(everyMs));
    response.on('close', () => clearInterval(timer));
  } else if (told['gzipOf'] !== undefined) {
    repeated(told['gzipOf']).pipe(createGzip()).pipe(response);
  } else if (told['$repeat'] !== undefined) {
    repeated(answer).pipe(response);
  } else {
    response.end(JSON.stringify(expandValue(answer)));
  }
}

/** A repetition as a stream, so that a gigabyte is never held. */
function repeated(expression: Json): Readable {
  const { text, times } = ((expression as Members)['$repeat'] ?? {}) as Members;
  const piece = String(text).repeat(65_536);
  const pieces = Math.ceil(Number(times) / 65_536);
  return Readable.from(
    (function* () {
      for (let index = 0; index < pieces; index++) yield piece;
    })(),
  );
}
