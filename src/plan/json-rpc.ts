/** What a JSON Schema says of a JSON-RPC endpoint: its methods with their parameters and results, and its notifications. */

import { type DocumentUri, type JsonPointer, pointerSteps, quote } from '../diagnostics.js';
import type { Operation } from '../ir/api.js';
import { operationNames } from '../ir/operation-names.js';
import type { SchemaId } from '../ir/schema.js';
import type { ObjectShape, PropertyShape, Shape } from '../ir/shape.js';
import { nearest } from '../nearest.js';
import { messagesOf, type RpcMessage } from './json-rpc-messages.js';
import type { JsonRpcEndpoint } from './json-rpc-options.js';
import { meantMember, pointerOf } from './pagination/expressions.js';
import { placesAt } from './shape-places.js';
import type { PlanContext } from './target.js';

export interface RpcMethod extends RpcMessage {
  /** The schema that the result belongs to, and its shape; nothing where none describes it. Of `isWhole` it is that of the response. */
  readonly result?: { readonly owner: SchemaId; readonly shape: Shape; readonly isWhole?: true };
}

/** The codes of JSON-RPC 2.0 (section 5.1), which every endpoint has. */
export const standardErrors = {
  ParseError: -32700,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
} as const;

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
  const { api, report } = context;
  const named = new Map<Operation, string>();
  return (context.options.jsonRpc ?? []).flatMap((options) => {
    const operation = api.operations.find((one) => operationNames(one).includes(options.operation));
    if (!operation) {
      const meant = meaning(options.operation, api.operations.flatMap(operationNames));
      const name = quote(options.operation);
      report.report('json-rpc-unknown', `jsonRpc names the operation ${name}, which does not exist${meant}`);
      return [];
    }
    const before = named.get(operation);
    if (before !== undefined) {
      const both = [before, options.operation].sort().map(quote).join(' and ');
      report.report('json-rpc-unknown', `jsonRpc: ${both} name the same operation`, operation.at);
      return [];
    }
    named.set(operation, options.operation);
    // A schema that could not be read is a fault that has been told; everything else would only follow from it.
    const isUnread = options.schema !== undefined && options.document === undefined;
    return isUnread ? [] : new EndpointReader(context, operation, options).read();
  });
}

function meaning(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  return meant === undefined ? '' : `; did you mean ${quote(meant)}?`;
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
    const told = this.#messages(notifications, 'notifications');
    const metaSchema = meta?.schema === undefined ? undefined : this.#find(meta.schema, 'meta.schema');
    if (meta) this.#checkMember('meta.member', methods, ['params', meta.member]);
    const version = this.#version(methods);
    this.#checkResults([...methods, ...asked]);
    this.#checkCancel([...told, ...methods]);
    this.#checkCodes();
    const endpoint: RpcEndpoint = {
      operation,
      options: this.#options,
      methods,
      notifications: told,
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

  #version(methods: readonly RpcMessage[]): RpcEndpoint['version'] {
    const { version } = this.#options;
    if (!version) return undefined;
    const { from, supported } = version;
    if (supported.length === 0) this.#fail('version.supported names no version');
    const [, header, pointer] = /^\$request\.(?:header\.(.+)|body#(\/(?:[^~]|~[01])*))$/s.exec(from) ?? [];
    if (header !== undefined) {
      const headers = this.#operation.parameters.flatMap(({ name, in: place }) => (place === 'header' ? [name] : []));
      const found = headers.find((name) => name.toLowerCase() === header.toLowerCase());
      if (found !== undefined) return { place: { header: found }, supported };
      const what = `version.from: the operation has no header parameter ${quote(header)}`;
      this.#fail(`${what}${meaning(header, headers)}`);
    } else if (pointer !== undefined) {
      const path = pointerSteps(pointer as JsonPointer);
      this.#checkMember('version.from', methods, path);
      return { place: { path }, supported };
    } else {
      this.#fail(`${quote(from)} is not of the form "$request.body#/member" or "$request.header.Name"`);
    }
    return undefined;
  }

  /** That one of the messages can have a member. What is outside of their parameters may be said by the operation alone. */
  #checkMember(
    option: string,
    messages: readonly RpcMessage[],
    path: readonly string[],
    whose = 'no request has the',
  ): void {
    const bodies = this.#operation.body?.content.filter(({ kind }) => kind === 'json') ?? [];
    const outer = path[0] === 'params' ? [] : bodies;
    if (outer.some(({ schema }) => schema === undefined)) return;
    const starts = [...messages.map((message) => message.places), ...outer.flatMap(({ schema }) => schema ?? [])];
    if (messages.length === 0 || starts.some((start) => placesAt(this.#context.api, start, path).length > 0)) return;
    const meant = meantMember(this.#context, starts, path);
    this.#fail(`${option}: ${whose} member ${quote(pointerOf(path))}${meant}`);
  }

  #checkResults(methods: readonly RpcMessage[]): void {
    const known = methods.map(({ method }) => method);
    for (const method of Object.keys(this.#options.results ?? {})) {
      if (known.includes(method)) continue;
      this.#fail(`results names the method ${quote(method)}, which no request has${meaning(method, known)}`);
    }
  }

  #checkCancel(messages: readonly RpcMessage[]): void {
    const { cancel } = this.#options;
    if (!cancel) return;
    const { method, id } = cancel;
    const found = messages.find((message) => message.method === method);
    if (found) {
      this.#checkMember('cancel.id', [found], ['params', id], `${quote(method)} has no`);
      return;
    }
    const known = messages.map((message) => message.method);
    const what = `cancel.method names ${quote(method)}, which is no method and no notification`;
    this.#fail(`${what}${meaning(method, known)}`);
  }

  /** That no standard code is given another meaning, and no refusal of what nothing checks a code. */
  #checkCodes(): void {
    const { errors = {}, faults = {} } = this.#options;
    for (const [name, code] of Object.entries(errors)) {
      const standard = Object.hasOwn(standardErrors, name) ? standardErrors[name as 'ParseError'] : code;
      if (code !== standard) this.#fail(`errors gives ${quote(name)} the code ${code}; in JSON-RPC it is ${standard}`);
    }
    for (const kind of ['meta', 'version'] as const) {
      if (faults[kind] && !this.#options[kind])
        this.#fail(`faults.${kind} is said, but nothing says what the ${kind} is (${kind})`);
    }
  }

  #messages(reference: string | undefined, option: string): readonly RpcMessage[] {
    const start = reference === undefined ? undefined : this.#find(reference, option);
    if (start === undefined) return [];
    const found = messagesOf(this.#context, start, option);
    if (found.length === 0) this.#fail(`${option} has no alternative whose method is a constant`);
    return found;
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
      name === undefined
        ? undefined
        : api.components.find(
            (component) =>
              component.name === `${name}${suffix}` &&
              api.schemas.get(component.schema)?.at.document === this.#document,
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
