/** The operations that links lead to (OpenAPI, Link Object): by operationId, or by a reference to where the operation stands. */
import { type JsonPointer, pointerSteps } from '../diagnostics.js';
import type { Api, Operation } from '../ir/api.js';
import type { Link } from '../ir/details.js';

export class LinkTargets {
  readonly #operations: readonly Operation[];
  #byId: ReadonlyMap<string, Operation> | undefined;

  constructor({ operations }: Pick<Api, 'operations'>) {
    this.#operations = operations;
  }

  /** Nothing where there is no such operation. */
  of({ operationId, operationRef, at }: Link): Operation | undefined {
    if (operationId !== undefined) {
      this.#byId ??= new Map(this.#operations.map((operation) => [operation.operationId ?? '', operation]));
      return this.#byId.get(operationId);
    }
    return operationRef === undefined ? undefined : this.#referred(operationRef, at.document);
  }

  #referred(reference: string, base: string): Operation | undefined {
    const hash = reference.indexOf('#');
    const pointer = decoded(hash < 0 ? '' : reference.slice(hash + 1));
    const document = documentOf(hash < 0 ? reference : reference.slice(0, hash), base);
    if (!pointer.startsWith('/')) return undefined;
    const [section, path, method, ...rest] = pointerSteps(pointer as JsonPointer);
    // A path item can be a reference; then the operation stands elsewhere.
    const isNamed = section === 'paths' && rest.length === 0;
    return this.#operations.find(
      ({ at, ...operation }) =>
        (at.document === document && at.pointer === pointer) ||
        (isNamed && document === base && operation.path.text === path && operation.method === method?.toUpperCase()),
    );
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A document by a reference that stands in another: names of documents are URLs, or paths relative to one folder. */
function documentOf(reference: string, base: string): string {
  if (reference === '') return base;
  const root = 'oasmith-paths://root/';
  const from = URL.canParse(base) ? base : root + base;
  if (!URL.canParse(reference, from)) return reference;
  const { href } = new URL(reference, from);
  return href.startsWith(root) ? decoded(href.slice(root.length)) : href;
}
