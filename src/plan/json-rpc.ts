/** What a JSON Schema says of a JSON-RPC endpoint: its methods with their parameters and results, and its notifications. */
import { type DocumentUri, type JsonPointer, pointerSteps, quote } from '../diagnostics.js';
import type { Operation } from '../ir/api.js';
import type { SchemaId } from '../ir/schema.js';
import type { ObjectShape, PropertyShape, Shape } from '../ir/shape.js';
import type { JsonRpcEndpoint } from './json-rpc-options.js';
import type { PlanContext } from './target.js';

/** A request or a notification: an object whose `method` is a constant. */
export interface RpcMessage {
  readonly method: string;
  readonly schema: SchemaId;
  readonly params?: PropertyShape;
}

export interface RpcMethod extends RpcMessage {
  /** The schema that the result belongs to, and its shape; nothing where none describes it. Of `isWhole` it is that of the response. */
  readonly result?: { readonly owner: SchemaId; readonly shape: Shape; readonly isWhole?: true };
}

/** Where the version is: in a header, or in the message. */
export type RpcVersionPlace = { readonly header: string } | { readonly path: readonly string[] };

export interface RpcEndpoint {
  readonly operation: Operation;
  readonly options: JsonRpcEndpoint;
  readonly methods: readonly RpcMethod[];
  readonly notifications: readonly RpcMessage[];
  readonly serverNotifications: readonly RpcMessage[];
  readonly serverRequests: readonly RpcMethod[];
  readonly meta?: { readonly member: string; readonly schema?: SchemaId };
  readonly version?: { readonly place: RpcVersionPlace; readonly supported: readonly string[] };
}

/** The endpoints of the configuration that can be made. What cannot is reported as `json-rpc-unknown`. */
export function rpcEndpoints(context: PlanContext): readonly RpcEndpoint[] {
  return (context.options.jsonRpc ?? []).flatMap((options) => {
    const operation = context.api.operations.find(
      ({ operationId, method, path }) =>
        options.operation === operationId || options.operation === `${method} ${path.text}`,
    );
    if (operation) return new EndpointReader(context, operation, options).read();
    context.report.report(
      'json-rpc-unknown',
      `jsonRpc names the operation ${quote(options.operation)}, which does not exist`,
    );
    return [];
  });
}

class EndpointReader {
  readonly #context: PlanContext;
  readonly #operation: Operation;
  readonly #options: JsonRpcEndpoint;
  readonly #document: DocumentUri;
  #failed = false;

  constructor(context: PlanContext, operation: Operation, options: JsonRpcEndpoint) {
    this.#context = context;
    this.#operation = operation;
    this.#options = options;
    this.#document = options.document ?? operation.at.document;
  }

  read(): readonly RpcEndpoint[] {
    const { notifications, serverNotifications, serverRequests, meta, requests } = this.#options;
    const operation = this.#operation;
    if (!operation.body?.content.some(({ kind }) => kind === 'json')) this.#fail('the operation takes no JSON');
    const methods = this.#messages(requests, 'requests').map((message) => this.#withResult(message));
    const asked = this.#messages(serverRequests, 'serverRequests').map((message) => this.#withResult(message));
    const metaSchema = meta?.schema === undefined ? undefined : this.#find(meta.schema, 'meta.schema');
    const version = this.#version();
    for (const method of Object.keys(this.#options.results ?? {})) {
      if (![...methods, ...asked].some((one) => one.method === method))
        this.#fail(`results names the method ${quote(method)}`);
    }
    const endpoint: RpcEndpoint = {
      operation,
      options: this.#options,
      methods,
      notifications: this.#messages(notifications, 'notifications'),
      serverNotifications: this.#messages(serverNotifications, 'serverNotifications'),
      serverRequests: asked,
      ...(meta && { meta: { member: meta.member, ...(metaSchema && { schema: metaSchema }) } }),
      ...(version && { version }),
    };
    return this.#failed ? [] : [endpoint];
  }

  #fail(message: string): void {
    this.#failed = true;
    this.#context.report.report('json-rpc-unknown', `jsonRpc: ${message}`, this.#operation.at);
  }

  #find(reference: string, option: string): SchemaId | undefined {
    const found = reference.startsWith('#') ? (`${this.#document}${reference}` as SchemaId) : undefined;
    if (found !== undefined && this.#context.api.schemas.has(found)) return found;
    this.#fail(`${option} names ${quote(reference)}, which is no schema of ${quote(this.#document)}`);
    return undefined;
  }

  #version(): RpcEndpoint['version'] {
    const { version } = this.#options;
    if (!version) return undefined;
    const [, header, pointer] = /^\$request\.(?:header\.(.+)|body#(\/.*))$/s.exec(version.from) ?? [];
    if (header !== undefined) return { place: { header }, supported: version.supported };
    if (pointer !== undefined)
      return { place: { path: pointerSteps(pointer as JsonPointer) }, supported: version.supported };
    this.#fail(`${quote(version.from)} is not of the form "$request.body#/member" or "$request.header.Name"`);
    return undefined;
  }

  /** The messages of a union. Each schema is looked at once. */
  #messages(reference: string | undefined, option: string): readonly RpcMessage[] {
    const start = reference === undefined ? undefined : this.#find(reference, option);
    if (start === undefined) return [];
    const found = new Map<string, RpcMessage>();
    const seen = new Set<SchemaId>();
    const pending = [start];
    for (let schema = pending.shift(); schema !== undefined; schema = pending.shift()) {
      if (seen.has(schema)) continue;
      seen.add(schema);
      const shape = this.#context.api.shapes.get(schema);
      const members = shape?.kind === 'union' ? shape.members : shape?.kind === 'ref' ? [shape] : [];
      pending.push(...members.flatMap((member) => (member.kind === 'ref' ? [member.target] : [])));
      if (shape?.kind !== 'object') continue;
      const params = propertyOf(shape, 'params');
      for (const method of this.#constants(propertyOf(shape, 'method')?.shape)) {
        if (!found.has(method)) found.set(method, { method, schema, ...(params && { params }) });
      }
    }
    if (found.size === 0) this.#fail(`${option} has no alternative whose method is a constant`);
    return [...found.values()];
  }

  #constants(shape: Shape | undefined): readonly string[] {
    const end = shape?.kind === 'ref' ? this.#context.api.shapes.get(shape.target) : shape;
    const members = end?.kind === 'union' ? end.members : end ? [end] : [];
    return members.flatMap((member) =>
      member.kind === 'literal' && typeof member.value === 'string' ? [member.value] : [],
    );
  }

  /** `ListToolsRequest` has the result of `ListToolsResultResponse`, or it is `ListToolsResult`. */
  #withResult(message: RpcMessage): RpcMethod {
    const { api, report } = this.#context;
    const { results = {} } = this.#options;
    const chosen = Object.hasOwn(results, message.method) ? results[message.method] : undefined;
    if (chosen !== undefined) {
      const owner = this.#find(chosen, 'results');
      return owner === undefined ? message : { ...message, result: { owner, shape: { kind: 'ref', target: owner } } };
    }
    const name = api.components.find(({ schema }) => schema === message.schema)?.name.replace(/Request$/, '');
    const called = (suffix: string): SchemaId | undefined =>
      api.components.find(
        (component) =>
          component.name === `${name}${suffix}` && api.schemas.get(component.schema)?.at.document === this.#document,
      )?.schema;
    const response = called('ResultResponse');
    const shape = response === undefined ? undefined : api.shapes.get(response);
    const property = shape?.kind === 'object' ? propertyOf(shape, 'result') : undefined;
    if (response !== undefined && property) {
      return { ...message, result: { owner: response, shape: property.shape, isWhole: true } };
    }
    const owner = called('Result');
    if (owner !== undefined) return { ...message, result: { owner, shape: { kind: 'ref', target: owner } } };
    report.report(
      'json-rpc-untyped',
      `no schema is called by the result of the method ${quote(message.method)}; its type is unknown`,
      api.schemas.get(message.schema)?.at,
    );
    return message;
  }
}

function propertyOf(shape: ObjectShape, name: string): PropertyShape | undefined {
  return shape.properties.find((property) => property.name === name);
}
