/** What `server.ts` looks like, written by hand: the runtime is tested against it, and the templates print its shape. */
import { base64Header } from '../../src/runtime/header-encoding.js';
import type { Contract as $Contract } from '../../src/runtime/server-contract.js';
import type { Context as $Context, SecurityHook as $SecurityHook } from '../../src/runtime/server-options.js';
import {
  type Awaitable as $Awaitable,
  type Bytes as $Bytes,
  type Made as $Made,
  type Reply as $Reply,
  type ReplyHeaders as $ReplyHeaders,
  type ReplyOptions as $ReplyOptions,
  type SseComment as $SseComment,
  type SseMessage as $SseMessage,
  type SseNamed as $SseNamed,
  type SseOptions as $SseOptions,
  sseEvent as $sseEvent,
} from '../../src/runtime/server-reply.js';
import type { Issue, Validator } from '../../src/runtime/validation.js';

export interface Pet {
  id: string;
  name: string;
  tag?: string;
  secret?: string;
}

export interface RpcRequest {
  jsonrpc: '2.0';
  id: number;
  method: string;
  params: { [key: string]: unknown };
}

export interface RpcResponse {
  jsonrpc: '2.0';
  id?: string | number;
  result?: { [key: string]: unknown };
}

export interface Principals {
  readonly ProjectToken: unknown;
  readonly Key: unknown;
}

export interface SecurityHooks<P extends Principals = Principals> {
  readonly ProjectToken: $SecurityHook<string, P['ProjectToken']>;
  readonly Key: $SecurityHook<string, P['Key']>;
}

export interface ListPetsRequest {
  readonly query: {
    readonly limit?: number;
    readonly tags?: string[];
    readonly flag?: boolean;
    readonly where?: { [key: string]: unknown };
  };
  readonly headers: { readonly 'X-Trace'?: string };
  readonly cookies: { readonly sid?: string };
}

export interface ListPetsReplies {
  200: [body: Pet[], options?: { readonly headers?: { readonly 'x-next'?: number } & $ReplyHeaders }];
}

export interface CreatePetRequest {
  readonly body: { name: string; tag?: string };
}

export interface CreatePetReplies {
  201: [body: Pet, options?: $ReplyOptions];
  409: [body: { code: number }, options?: $ReplyOptions];
}

export interface GetPetRequest {
  readonly path: { readonly id: string };
}

export interface GetPetReplies {
  200: [body: Pet, options?: $ReplyOptions];
  404: [body: { title: string }, options?: $ReplyOptions];
}

export interface GetMyPetReplies {
  204: [options?: $ReplyOptions];
}

export interface DownloadRequest {
  readonly path: { readonly name: string; readonly ext: string };
}

export interface DownloadReplies {
  200: [body: $Bytes, options?: $ReplyOptions];
}

export interface McpRpcRequest {
  readonly headers: { readonly 'Mcp-Method': string; readonly 'Mcp-Name'?: string };
  readonly body: RpcRequest;
}

export interface McpRpcReplies {
  200:
    | [type: 'application/json', body: RpcResponse, options?: $ReplyOptions]
    | [
        type: 'text/event-stream',
        body: globalThis.AsyncIterable<$SseMessage<RpcResponse> | $SseNamed<'note', string> | $SseComment>,
        options?: $ReplyOptions,
      ];
  202: [options?: $ReplyOptions];
  429: [body?: unknown, options?: $ReplyOptions];
}

export interface Handlers<P extends Principals = Principals> {
  listPets: (
    request: ListPetsRequest,
    reply: $Reply<ListPetsReplies>,
    context: $Context,
  ) => $Awaitable<$Made<ListPetsReplies>>;
  createPet: (
    request: CreatePetRequest,
    reply: $Reply<CreatePetReplies>,
    context: $Context<{ readonly ProjectToken?: P['ProjectToken']; readonly Key?: P['Key'] }>,
  ) => $Awaitable<$Made<CreatePetReplies>>;
  getPet: (request: GetPetRequest, reply: $Reply<GetPetReplies>, context: $Context) => $Awaitable<$Made<GetPetReplies>>;
  getMyPet: (
    request: Readonly<Record<never, never>>,
    reply: $Reply<GetMyPetReplies>,
    context: $Context,
  ) => $Awaitable<$Made<GetMyPetReplies>>;
  download: (
    request: DownloadRequest,
    reply: $Reply<DownloadReplies>,
    context: $Context,
  ) => $Awaitable<$Made<DownloadReplies>>;
  mcpRpc: (
    request: McpRpcRequest,
    reply: $Reply<McpRpcReplies>,
    context: $Context<{ readonly ProjectToken: P['ProjectToken'] }>,
  ) => $Awaitable<$Made<McpRpcReplies>>;
}

export const emit: {
  readonly mcpRpc: {
    readonly message: (data: RpcResponse, options?: $SseOptions) => $SseNamed<'message', RpcResponse>;
    readonly note: (data: string, options?: $SseOptions) => $SseNamed<'note', string>;
  };
} = {
  mcpRpc: {
    message: (data, options) => $sseEvent('message', data, options),
    note: (data, options) => $sseEvent('note', data, options),
  },
};

export const contract: $Contract = {
  schemes: [
    { name: 'ProjectToken', kind: 'bearer' },
    { name: 'Key', kind: 'apiKey', in: 'header', parameter: 'X-Api-Key' },
  ],
  operations: [
    {
      name: 'listPets',
      method: 'GET',
      path: ['/pets'],
      security: [],
      parameters: [
        {
          name: 'limit',
          in: 'query',
          required: false,
          read: { scalar: ['integer'] },
          validate: (value) =>
            check(value, 'maximum', 'must be at most 100', typeof value === 'number' && value <= 100),
        },
        { name: 'tags', in: 'query', required: false, explode: false, read: { items: ['string'] } },
        { name: 'flag', in: 'query', required: false, read: { scalar: ['boolean'] } },
        {
          name: 'where',
          in: 'query',
          required: false,
          style: 'deepObject',
          read: { members: [{ name: 'age', kinds: ['integer'] }] },
        },
        { name: 'X-Trace', in: 'header', required: false },
        { name: 'sid', in: 'cookie', required: false },
      ],
      responses: [{ status: 200, content: [{ type: 'application/json', kind: 'json' }] }],
    },
    {
      name: 'createPet',
      method: 'POST',
      path: ['/pets'],
      security: [
        [{ scheme: 'ProjectToken', scopes: ['write'] }],
        [
          { scheme: 'Key', scopes: [] },
          { scheme: 'ProjectToken', scopes: [] },
        ],
      ],
      parameters: [],
      body: {
        required: true,
        content: [
          {
            type: 'application/json',
            kind: 'json',
            projection: 0,
            validate: (value) => named(value, 'name', 'string'),
          },
        ],
      },
      responses: [
        { status: 201, content: [{ type: 'application/json', kind: 'json', projection: 1 }] },
        { status: 409, content: [{ type: 'application/json', kind: 'json' }] },
        {
          status: '4XX',
          content: [{ type: 'application/json', kind: 'json', validate: (v) => named(v, 'title', 'string') }],
        },
      ],
    },
    {
      name: 'getPet',
      method: 'GET',
      path: ['/pets/', { variable: 'id' }],
      security: [],
      parameters: [{ name: 'id', in: 'path', required: true }],
      responses: [
        {
          status: 200,
          content: [
            {
              type: 'application/json',
              kind: 'json',
              validate: (value) => named(value, 'id', 'string'),
              projection: 1,
            },
          ],
        },
        { status: 404, content: [{ type: 'application/problem+json', kind: 'json' }] },
      ],
    },
    {
      name: 'getMyPet',
      method: 'GET',
      path: ['/pets/mine'],
      security: [],
      parameters: [],
      responses: [{ status: 204, content: [] }],
    },
    {
      name: 'download',
      method: 'GET',
      path: ['/files/', { variable: 'name' }, '.', { variable: 'ext' }],
      security: [],
      parameters: [
        { name: 'name', in: 'path', required: true },
        { name: 'ext', in: 'path', required: true },
      ],
      responses: [{ status: 200, content: [{ type: 'application/octet-stream', kind: 'bytes' }] }],
    },
    {
      name: 'mcpRpc',
      method: 'POST',
      path: ['/mcp'],
      security: [[{ scheme: 'ProjectToken', scopes: [] }]],
      parameters: [
        { name: 'Mcp-Method', in: 'header', required: true },
        { name: 'Mcp-Name', in: 'header', required: false },
      ],
      mirrors: [
        { header: 'Mcp-Method', paths: [['method']] },
        {
          header: 'Mcp-Name',
          paths: [
            ['params', 'name'],
            ['params', 'uri'],
          ],
          encoding: base64Header,
        },
      ],
      body: {
        required: true,
        content: [{ type: 'application/json', kind: 'json', validate: (value) => named(value, 'params', 'object') }],
      },
      responses: [
        {
          status: 200,
          content: [
            { type: 'application/json', kind: 'json', validate: (value) => named(value, 'jsonrpc', 'string') },
            {
              type: 'text/event-stream',
              kind: 'event-stream',
              events: [
                { name: 'message', data: 'json', validate: (value) => named(value, 'jsonrpc', 'string') },
                { name: 'note', data: 'text' },
              ],
            },
          ],
        },
        { status: 202, content: [] },
        { status: 400, content: [] },
        { status: 429, content: [] },
      ],
    },
  ],
  projections: [{ omit: ['id'] }, { omit: ['secret'] }],
};

function check(value: unknown, keyword: string, message: string, ok: boolean): ReturnType<Validator<unknown>> {
  if (ok) return { ok: true, value };
  const issue: Issue = { pointer: '', path: [], schemaPointer: `#/${keyword}`, keyword, params: {}, message };
  return { ok: false, issues: [issue] };
}

function named(value: unknown, name: string, type: string): ReturnType<Validator<unknown>> {
  if (typeof value !== 'object' || value === null) return check(value, 'type', 'must be an object', false);
  const member: unknown = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
  if (member === undefined) return check(value, 'required', `must have the member "${name}"`, false);
  if (typeof member === type) return { ok: true, value };
  const issue: Issue = {
    pointer: `/${name}`,
    path: [name],
    schemaPointer: '#/type',
    keyword: 'type',
    params: {},
    message: `must be ${type}`,
  };
  return { ok: false, issues: [issue] };
}
