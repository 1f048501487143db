/** How a configuration may name an operation. */
import type { Operation } from './api.js';

/** Its operationId, where it has one, and its method with its path as the document writes it: `getPet`, `GET /pets/{id}`. */
export function operationNames({
  operationId,
  method,
  path,
}: Pick<Operation, 'operationId' | 'method' | 'path'>): readonly string[] {
  const route = `${method} ${path.text}`;
  return operationId === undefined ? [route] : [operationId, route];
}
