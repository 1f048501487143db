import type { Api } from '../ir/api.js';

/** Whether there is anything to say in `operations.ts`. */
export function hasOperationTypes({ operations, outgoing }: Api): boolean {
  return operations.length > 0 || outgoing.some(({ body }) => body !== undefined);
}
