/** How an operation is a JSON-RPC endpoint, as the configuration says it. */
import type { DocumentUri } from '../diagnostics.js';

/** Why a message is refused, where a protocol has a code or a status of its own for it. */
export type JsonRpcRefusal = 'headers' | 'meta' | 'version' | 'method' | 'params';

/** Places in the schema are references into it: `#/$defs/ClientRequest`. */
export interface JsonRpcOptions {
  /** The file or URL of the JSON Schema; without it references lead into the OpenAPI description. */
  readonly schema?: string;
  /** The union of the requests: objects whose `method` is a constant. */
  readonly requests: string;
  /** The union of what clients may notify. */
  readonly notifications?: string;
  /** The union of what streams carry beside the answer. */
  readonly serverNotifications?: string;
  /** The union of what the server asks on such a stream. */
  readonly serverRequests?: string;
  /** Results by method, where they are not called by the request: `ListToolsRequest` → `ListToolsResult`. */
  readonly results?: Readonly<Record<string, string>>;
  /** The member of `params` that every request carries, and what it must be. */
  readonly meta?: { readonly member: string; readonly schema?: string };
  /** Where the protocol's version is, as an OpenAPI runtime expression, and which ones the server speaks. */
  readonly version?: { readonly from: string; readonly supported: readonly string[] };
  readonly faults?: Readonly<Partial<Record<JsonRpcRefusal, { readonly code?: number; readonly status?: number }>>>;
  /** Names of the protocol's error codes. */
  readonly errors?: Readonly<Record<string, number>>;
  /** What stands for the id of a request that could not be read: `null` (JSON-RPC 2.0, default), or nothing. */
  readonly unknownId?: 'null' | 'omit';
  /** The notification that cancels a request, and its member for the request's id; without it, closing the connection does. */
  readonly cancel?: { readonly method: string; readonly id: string };
}

export interface JsonRpcEndpoint extends JsonRpcOptions {
  /** The operationId, or `METHOD /path`. */
  readonly operation: string;
  /** What `schema` was read as; nothing where it could not be read, which has been told. */
  readonly document?: DocumentUri;
}
