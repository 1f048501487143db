/** Paths and webhooks of an OpenAPI description, and the callbacks of their operations. */
import { type Address, childAddress, quote } from '../diagnostics.js';
import type { ApiRequest, Operation, OutgoingRequest, PathPart, PathTemplate } from '../ir/api.js';
import type { Members } from './json.js';
import { isToken } from './media-types.js';
import type { PathItem } from './path-item.js';
import { followPathItem } from './path-item.js';
import { type CallbackMap, readRequest } from './read-request.js';
import type { Reading } from './reading.js';

export interface Requests {
  readonly operations: readonly Operation[];
  readonly outgoing: readonly OutgoingRequest[];
}

/** Everything that `paths` and these sections of webhooks declare, in the document's order, and all callbacks. */
export function readRequests(reading: Reading, root: Members, sections: readonly string[]): Requests {
  const callbacks = new Callbacks(reading);
  const operations = readOperations(reading, root, callbacks);
  const entries = sections.flatMap((section) => reading.entries(root, section));
  const webhooks = entries.flatMap(({ key, value, at }): readonly OutgoingRequest[] => {
    const item = followPathItem(reading, value, at);
    return (item ? requestsOf(reading, item, at, { name: key }, callbacks) : []).map((request) => ({
      ...request,
      origin: 'webhook',
      name: key,
    }));
  });
  return { operations, outgoing: [...webhooks, ...callbacks.read()] };
}

function readOperations(reading: Reading, root: Members, callbacks: CallbackMap): readonly Operation[] {
  const operations: Operation[] = [];
  const seen = new Map<string, Address>();
  for (const { key: text, value, at } of reading.entries(root, 'paths')) {
    if (text.startsWith('x-')) continue;
    const path = readPath(reading, text, at);
    const item = followPathItem(reading, value, at);
    if (!path || !item) continue;
    const found = requestsOf(reading, item, at, { path, name: text }, callbacks).map((request) => ({
      ...request,
      path,
    }));
    const shape = path.parts.map((part) => (part.kind === 'literal' ? part.text : '{}')).join('');
    for (const operation of found) {
      const twin = seen.get(`${operation.method} ${shape}`);
      if (twin)
        reading.report.report(
          'path-conflict',
          `${quote(text)} matches the same ${operation.method} requests as another path`,
          at,
          [{ message: 'the other path', at: twin }],
        );
      else seen.set(`${operation.method} ${shape}`, at);
    }
    operations.push(...found);
  }
  return operations;
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'] as const;
const fixedMethods: ReadonlySet<string> = new Set(methods.map((method) => method.toUpperCase()));

/** Methods that fetch refuses (Fetch, section 2.2.1), so that no client can send them. */
const forbiddenMethods: ReadonlySet<string> = new Set(['CONNECT', 'TRACE', 'TRACK']);

function requestsOf(
  reading: Reading,
  item: PathItem,
  at: Address,
  { path, name }: { readonly path?: PathTemplate; readonly name?: string },
  callbacks: CallbackMap,
): readonly ApiRequest[] {
  const place = `${at.document}#${at.pointer}`;
  // A callback belongs to its operation, which was selected.
  const selected = (method: string, { object: value, at: stands }: Members): boolean =>
    name === undefined || reading.selects({ at: stands, path: name, method, value });
  const fixed = methods.flatMap((name) => {
    const owner = item.owner(name);
    const operation = owner && reading.object(owner, name);
    return operation && selected(name, operation)
      ? [{ method: name.toUpperCase(), key: name as string, operation }]
      : [];
  });
  const additional = reading.entries(item.owner('additionalOperations') ?? item.nearest, 'additionalOperations');
  const others = additional.flatMap(({ key, value, at: placed }) => {
    const found = isAdditional(reading, key, placed) ? reading.follow(value, placed) : undefined;
    const operation = found && reading.members(found);
    return operation && selected(key, operation) ? [{ method: key, key, operation }] : [];
  });
  return [...fixed, ...others].map(({ method, key, operation }) => {
    if (path !== undefined && forbiddenMethods.has(method.toUpperCase()))
      reading.report.report('method-unsendable', `no client can send ${method} by fetch`, operation.at);
    return readRequest(reading, { id: `${key} ${place}`, method, path, item, operation, callbacks });
  });
}

/** A method is sent as it is written; one that has a member of its own must be described there (OpenAPI 3.2, Path Item Object). */
function isAdditional(reading: Reading, method: string, at: Address): boolean {
  const fault = fixedMethods.has(method.toUpperCase())
    ? `${quote(method)} has a member of its own, ${quote(method.toLowerCase())}`
    : isToken(method)
      ? undefined
      : `${quote(method)} is not an HTTP token`;
  if (fault === undefined) return true;
  reading.report.report('method-invalid', fault, at);
  return false;
}

/** The callbacks of all operations. Callbacks can have callbacks, their own even: each is read once, when all else is. */
class Callbacks implements CallbackMap {
  readonly #reading: Reading;
  readonly #known = new Map<string, readonly string[]>();
  readonly #found: OutgoingRequest[] = [];
  readonly #pending: (() => void)[] = [];

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  idsOf(operation: Members): readonly string[] {
    return this.#reading.entries(operation, 'callbacks').flatMap(({ key, value, at }) => {
      if (key.startsWith('x-')) return [];
      const found = this.#reading.follow(value, at);
      return found ? this.#callback(key, this.#reading.members(found)) : [];
    });
  }

  #callback(name: string, callback: Members): readonly string[] {
    return Object.entries(callback.object).flatMap(([expression, value]) => {
      if (expression.startsWith('x-')) return [];
      const at = childAddress(callback.at, expression);
      const place = `${name} ${at.document}#${at.pointer}`;
      const known = this.#known.get(place);
      if (known) return known;
      const item = followPathItem(this.#reading, value, at);
      const ids = item
        ? methods.filter((method) => item.owner(method)).map((method) => `${method} ${at.document}#${at.pointer}`)
        : [];
      const others = Object.keys(item?.owner('additionalOperations')?.objectMember('additionalOperations') ?? {});
      const all = [...ids, ...others.map((method) => `${method} ${at.document}#${at.pointer}`)];
      this.#known.set(place, all);
      if (item) this.#pending.push(() => this.#readItem(name, expression, item, at));
      return all;
    });
  }

  #readItem(name: string, expression: string, item: PathItem, at: Address): void {
    for (const request of requestsOf(this.#reading, item, at, {}, this)) {
      this.#found.push({ ...request, origin: 'callback', name, expression });
    }
  }

  read(): readonly OutgoingRequest[] {
    // The list grows while it is walked.
    for (const step of this.#pending) step();
    return this.#found;
  }
}

/** Splits a path template; braces must be balanced and no variable may occur twice. */
function readPath(reading: Reading, text: string, at: Address): PathTemplate | undefined {
  const parts: PathPart[] = [];
  const names = new Set<string>();
  let problem = text.startsWith('/') ? undefined : 'does not start with "/"';
  for (const [index, piece] of text.split(/(\{[^{}]*\})/).entries()) {
    if (piece === '') continue;
    if (index % 2 === 0) {
      if (/[{}]/.test(piece)) problem ??= 'has unbalanced braces';
      parts.push({ kind: 'literal', text: piece });
      continue;
    }
    const name = piece.slice(1, -1);
    if (name === '') problem ??= 'has an empty variable';
    if (names.has(name)) problem ??= `has the variable ${quote(name)} twice`;
    names.add(name);
    parts.push({ kind: 'variable', name });
  }
  if (/[?#]/.test(text)) reading.report.report('path-extra', `the path ${quote(text)} holds a query or a fragment`, at);
  if (problem === undefined) return { text, parts };
  reading.report.report('path-invalid', `the path ${quote(text)} ${problem}`, at);
  return undefined;
}
