/** HTTP servers of a test on loopback. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface TestServer {
  readonly origin: string;
  readonly seen: readonly SeenRequest[];
}

/** Answers every request by `answer`, which may look at the whole request. Closed after the test. */
export async function serve(
  answer: (request: SeenRequest, response: ServerResponse, message: IncomingMessage) => void,
): Promise<TestServer> {
  const seen: SeenRequest[] = [];
  const server = createServer(async (message, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = message;
    const request = { method, url, headers, body: Buffer.concat(chunks).toString() };
    seen.push(request);
    answer(request, response, message);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

/** A complete answer. */
export function reply(
  response: ServerResponse,
  status: number,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const type: Record<string, string> =
    body === undefined || 'content-type' in headers ? {} : { 'content-type': 'application/json' };
  response.writeHead(status, { ...type, ...headers });
  response.end(body === undefined || typeof body === 'string' ? body : JSON.stringify(body));
}
