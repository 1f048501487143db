// SPDX-License-Identifier: 0BSD
import { HttpHandler } from 'msw';
import { type ContentContract, type Contract, type OperationContract, responseOf } from './server-contract.js';
import { contractOf } from './server-events.js';
import { fetchAdapter } from './server-fetch.js';
import type { Context, Fault, FaultAnswer, Limits } from './server-options.js';
import { Router } from './server-router.js';

/**
 * How a mock answers: the arguments of `reply`, as in `[404, problem]`, or a handler `H` of the generated server, which gets
 * the parsed request. `R` maps each status to the arguments that its body demands.
 */
export type MockAnswer<H, R> =
  | H
  | { readonly [S in keyof R]: readonly [status: S, ...answer: Extract<R[S], readonly unknown[]>] }[keyof R];

export interface MockOptions {
  /** Where the API is: a URL, or a path for every origin. Without it, where the description's servers are. */
  readonly baseUrl?: string;
  /** Answer the first request only, then leave it to the next handler. */
  readonly once?: boolean;
  /** `false` lets answers pass that the description does not allow, `report` tells `onError`. Default: they are faults (500). */
  readonly validateResponses?: 'throw' | 'report' | false;
  readonly limits?: Partial<Limits>;
  /** Is told what goes wrong in an answer; without it, the text is in the body of the 500. */
  readonly onError?: (error: unknown) => void;
}

/** What is answered where nothing else is said: values as they travel. */
export interface DefaultAnswer {
  readonly status: number;
  readonly contents: readonly { readonly type: string; readonly body: unknown; readonly contentType?: string }[];
  readonly headers?: Readonly<Record<string, string | number | boolean>>;
}

type Handler = (request: object, reply: (...answer: readonly unknown[]) => unknown, context: Context) => unknown;

/**
 * A handler of MSW for one operation. Which requests it takes is decided as the generated server decides it, among all
 * operations of the contract; it does not ask for credentials. Throws TypeError where the base URL is none.
 */
export function mockHandler(
  contract: Contract,
  name: string,
  servers: readonly string[],
  answer: unknown,
  usual: DefaultAnswer | undefined,
  options: MockOptions = {},
): HttpHandler {
  const operation = contract.operations.find((one) => one.name === name);
  if (operation === undefined) throw new TypeError(`the contract has no operation ${name}`);
  const handler = handlerOf(operation, answer, usual);
  const bases = (options.baseUrl === undefined ? servers : [options.baseUrl]).map(baseOf);
  const served: Contract = { ...contract, schemes: [], operations: [{ ...operation, security: [] }] };
  const serve = (basePath: string) =>
    fetchAdapter(served, handler === undefined ? {} : { [name]: handler }, {
      unimplemented: 'respond501',
      mounted: true,
      basePath,
      validateResponses: options.validateResponses ?? 'throw',
      onFault,
      ...(options.limits !== undefined && { limits: options.limits }),
      ...(options.onError !== undefined && { onError: options.onError }),
    });
  const adapters = new Map(bases.map(({ path }) => [path, serve(path)]));
  const router = routerOf(contract);
  const basesOf = (request: Request): readonly Base[] => {
    const { origin, pathname } = new URL(request.url);
    return bases.filter(({ origin: own, path }) => {
      if ((own !== undefined && own !== origin) || !pathname.startsWith(`${path}/`)) return false;
      const found = router.find(pathname.slice(path.length));
      return found.kind === 'route' && found.routes.get(request.method)?.route === operation;
    });
  };
  return new HttpHandler(
    operation.method,
    ({ request }) => basesOf(request).length > 0,
    async ({ request }) => {
      const [base] = basesOf(request);
      return base && (await adapters.get(base.path)?.(request));
    },
    { once: options.once ?? false },
  );
}

interface Base {
  /** `undefined`: every origin. */
  readonly origin: string | undefined;
  /** Without a slash at its end. */
  readonly path: string;
}

function baseOf(text: string): Base {
  const path = (whole: string): string => whole.replace(/[?#].*$/s, '').replace(/\/+$/, '');
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
    if (text !== '' && !text.startsWith('/')) return baseOf(`/${text.replace(/^(?:\.{1,2}\/|\.{1,2}$)+/, '')}`);
    return { origin: undefined, path: path(text) };
  }
  const { origin, pathname } = new URL(text);
  return { origin, path: path(pathname) };
}

const routers = /* @__PURE__ */ new WeakMap<Contract, Router<OperationContract>>();

/** All operations, so that `/pets/mine` is not taken for a pet. */
function routerOf(contract: Contract): Router<OperationContract> {
  const known = routers.get(contract);
  if (known !== undefined) return known;
  const router = new Router<OperationContract>();
  for (const operation of contract.operations) router.add(operation.path, operation.method, operation);
  routers.set(contract, router);
  return router;
}

function handlerOf(
  operation: OperationContract,
  answer: unknown,
  usual: DefaultAnswer | undefined,
): Handler | undefined {
  if (typeof answer === 'function') return answer as Handler;
  if (Array.isArray(answer)) return (_, reply) => reply(...(answer as readonly unknown[]));
  if (usual === undefined) return undefined;
  const { status, contents, headers } = usual;
  const declared = responseOf(operation, status)?.content ?? [];
  const optionsOf = (contentType?: string): readonly object[] =>
    headers === undefined && contentType === undefined
      ? []
      : [{ headers: { ...headers, ...(contentType !== undefined && { 'content-type': contentType }) } }];
  return (_, reply, context) => {
    if (contents.length === 0) return reply(status, ...optionsOf());
    const type = context.prefers(...contents.map((one) => one.type)) ?? contents[0]?.type;
    const { body, contentType } = contents.find((one) => one.type === type) ?? {};
    const content = declared.find((one) => one.type === type);
    return reply(status, ...(declared.length > 1 ? [type] : []), decoded(content, body), ...optionsOf(contentType));
  };
}

/** What programs hold: handlers give dates as such where the types say so. */
function decoded(content: ContentContract | undefined, body: unknown): unknown {
  if (content?.codec) return content.codec.decode(body);
  if (content?.kind === 'bytes' && typeof body === 'string') return new TextEncoder().encode(body);
  if (!Array.isArray(body) || content?.events === undefined) return body;
  const items: readonly unknown[] = body;
  if (content.kind === 'multipart') return items.map((one, index) => partOf(content.events ?? [], one, index));
  if (content.kind !== 'event-stream') {
    const [item] = content.events;
    return items.map((one) => (item?.codec ? item.codec.decode(one) : one));
  }
  return items.map((one) => {
    const { event, data } = one as { readonly event: string; readonly data: unknown };
    const codec = contractOf(content, event, data)?.codec;
    return { ...(one as object), event, data: codec ? codec.decode(data) : data };
  });
}

/** Bytes are text in the usual answers. */
function partOf(specs: NonNullable<ContentContract['events']>, given: unknown, index: number): unknown {
  const part = given as { readonly data: unknown };
  const { data: kind, codec } = specs[Math.min(index, specs.length - 1)] ?? {};
  if (kind === 'binary' && typeof part.data === 'string') return { ...part, data: new TextEncoder().encode(part.data) };
  return codec && kind === 'json' ? { ...part, data: codec.decode(part.data) } : part;
}

/** A mock that answers wrongly says why. */
function onFault({ kind, title, status, cause }: Fault): FaultAnswer | undefined {
  if (kind !== 'internal') return undefined;
  const detail = cause instanceof Error ? cause.message : String(cause);
  return { contentType: 'application/problem+json', body: { title, status, detail } };
}
