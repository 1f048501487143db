/** One small service: a description, a server on loopback that plays it, and the program of its client that every platform runs. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const pet = {
  type: 'object',
  required: ['id', 'tags'],
  properties: { id: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } },
};
const problem = { type: 'object', required: ['title'], properties: { title: { type: 'string' } } };
const event = (name: string, data: object): object => ({
  type: 'object',
  properties: { event: { const: name }, data: { type: 'string', contentSchema: data } },
});
const json = (schema: object): object => ({ content: { 'application/json': { schema } } });

export const description = {
  openapi: '3.2.0',
  info: { title: 'Everywhere', version: '1' },
  paths: {
    '/pets/{id}': {
      get: {
        operationId: 'getPet',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'tags', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
        ],
        responses: { 200: { description: 'd', ...json(pet) }, 404: { description: 'd', ...json(problem) } },
      },
    },
    '/events': {
      get: {
        operationId: 'watch',
        responses: {
          200: {
            description: 'd',
            content: {
              'text/event-stream': {
                itemSchema: { oneOf: [event('tick', { type: 'integer' }), event('word', { type: 'string' })] },
              },
            },
          },
        },
      },
    },
    '/uploads': {
      post: {
        operationId: 'upload',
        requestBody: {
          required: true,
          content: {
            'multipart/form-data': {
              schema: {
                type: 'object',
                required: ['file'],
                properties: { file: { type: 'string', format: 'binary' }, note: { type: 'string' } },
              },
            },
          },
        },
        responses: { 201: { description: 'd', ...json({ type: 'object' }) } },
      },
    },
  },
};

/** What the program gives on every platform. */
export const expected = {
  pet: { id: 'a b/é', tags: ['x y', '&'] },
  missing: [404, 'no such pet'],
  events: [
    ['tick', 1],
    ['word', 'é'],
    ['tick', 2],
  ],
  uploaded: { name: 'hello.txt', type: 'application/x-hello', text: 'héllo', note: 'a "note"' },
  abort: 'abort',
};

/** JavaScript, so that nothing stands between it and the platform. */
export const program = `
export async function run(api, baseUrl) {
  const client = api.createClient({ baseUrl });
  const found = await api.getPet(client, { path: { id: 'a b/é' }, query: { tags: ['x y', '&'] } });
  const missing = await api.getPet(client, { path: { id: 'none' } });
  const stream = await api.watch(client);
  const events = [];
  for await (const { event, data } of stream.data) events.push([event, data]);
  const file = new File(['héllo'], 'hello.txt', { type: 'application/x-hello' });
  const uploaded = await api.upload(client, { body: { file, note: 'a "note"' } }, { timeout: 10000 });
  const controller = new AbortController();
  controller.abort();
  const abort = await api.getPet(client, { path: { id: 'x' } }, { signal: controller.signal }).catch((error) => error.fault);
  return { pet: found.data, missing: [missing.status, missing.error.title], events, uploaded: uploaded.data, abort };
}
`;

export interface Service {
  readonly origin: string;
  /** What was posted to `/results/NAME`. */
  result(name: string): Promise<unknown>;
  close(): void;
}

/** `files` are served as they are, by their path. */
export async function startService(files: ReadonlyMap<string, string | Uint8Array>): Promise<Service> {
  const settle = new Map<string, (value: unknown) => void>();
  const results = new Map<string, Promise<unknown>>();
  const result = (name: string): Promise<unknown> => {
    const known = results.get(name) ?? new Promise((resolve) => settle.set(name, resolve));
    results.set(name, known);
    return known;
  };
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const body = await textOf(request);
    const file = files.get(pathname);
    if (file !== undefined) {
      const type = pathname.endsWith('.html') ? 'text/html' : 'text/javascript';
      response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(file);
    } else if (pathname.startsWith('/results/')) {
      void result(pathname.slice('/results/'.length));
      settle.get(pathname.slice('/results/'.length))?.(JSON.parse(body));
      response.writeHead(204).end();
    } else if (pathname === '/events') await sendEvents(response);
    else if (pathname === '/uploads') answer(response, 201, uploaded(body));
    else if (pathname === '/pets/none') answer(response, 404, { title: 'no such pet' });
    else
      answer(response, 200, {
        id: decodeURIComponent(pathname.slice('/pets/'.length)),
        tags: searchParams.getAll('tags'),
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    result,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** In pieces, one of which ends inside of a character. */
async function sendEvents(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const bytes = Buffer.from('event: tick\ndata: 1\n\nevent: word\ndata: "é"\n\nevent: tick\ndata: 2\n\n');
  const middle = bytes.indexOf(0xc3) + 1;
  response.write(bytes.subarray(0, middle));
  await new Promise((resolve) => setTimeout(resolve, 20));
  response.end(bytes.subarray(middle));
}

function uploaded(body: string): object {
  const [, head = '', text = ''] = /name="file"; filename="[^"]*"\r\n(.*?)\r\n\r\n(.*?)\r\n--/s.exec(body) ?? [];
  return {
    name: /filename="([^"]*)"/.exec(body)?.[1],
    type: /content-type: (.*)/i.exec(head)?.[1],
    text,
    note: /name="note"\r\n\r\n(.*?)\r\n--/s.exec(body)?.[1],
  };
}
