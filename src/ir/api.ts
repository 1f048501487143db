/**
 * The IR of one API: what the document means, without its version, its spelling or any TypeScript. Immutable; every node
 * carries the address it came from. A stand-alone JSON Schema is an Api without operations.
 */
import type { Address } from '../diagnostics.js';
import type { Docs, JsonValue, Schema, SchemaId } from './schema.js';
import type { Shape } from './shape.js';

export interface Api {
  readonly info: Info;
  readonly servers: readonly Server[];
  readonly operations: readonly Operation[];
  /** Every schema of every document, by its address. */
  readonly schemas: ReadonlyMap<SchemaId, Schema>;
  readonly shapes: ReadonlyMap<SchemaId, Shape>;
  /** The schemas that the documents themselves name, in the documents' order. */
  readonly components: readonly Component[];
  /** The schemas that some `$ref` leads to: each gets a name of its own. */
  readonly referenced: ReadonlySet<SchemaId>;
  /** The schemas whose read and write views differ: a readOnly or writeOnly member is reachable from them. */
  readonly directional: ReadonlySet<SchemaId>;
  readonly securitySchemes: readonly SecurityScheme[];
}

export interface Info {
  readonly title: string;
  readonly version: string;
  readonly description?: string;
  readonly at: Address;
}

/** A schema with a name that its document gives it: a component, a definition, or the root of a JSON Schema. */
export interface Component {
  readonly name: string;
  readonly schema: SchemaId;
}

export interface Server {
  /** A URL template, relative ones included; only templates whose variables all have defaults are kept. */
  readonly url: string;
  /** `url` with every variable replaced by its default. */
  readonly resolved: string;
  readonly description?: string;
  readonly at: Address;
}

export type Method = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch' | 'trace';

export interface Operation {
  /** The address of the operation as text: unique, not a name. */
  readonly id: string;
  readonly at: Address;
  readonly operationId?: string;
  readonly method: Method;
  readonly path: PathTemplate;
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated: boolean;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly body?: Body;
  readonly responses: readonly Response[];
  /** Alternatives (OR) of requirements (AND); an empty alternative allows anonymous calls, an empty list demands nothing. */
  readonly security: readonly (readonly SecurityRequirement[])[];
  /** Servers of the operation or its path, where they differ from those of the API. */
  readonly servers?: readonly Server[];
  readonly extensions: Readonly<Record<string, JsonValue>>;
}

export interface PathTemplate {
  /** As written, for documentation. */
  readonly text: string;
  /** Literal text and variables in order; literals are unencoded document text. */
  readonly parts: readonly PathPart[];
}

export type PathPart =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string };

export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie';

export interface Parameter {
  readonly name: string;
  readonly in: ParameterPlace;
  readonly required: boolean;
  readonly deprecated: boolean;
  readonly docs: Docs;
  readonly at: Address;
  /** Exactly one of `schema` and `content` is there, unless the parameter says nothing of its value. */
  readonly schema?: SchemaId;
  readonly content?: MediaType;
  readonly style: 'matrix' | 'label' | 'simple' | 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject' | 'cookie';
  readonly explode: boolean;
  readonly allowReserved: boolean;
  /** False where this version neither writes nor reads the form; it has been reported as `not-yet-parameter`. */
  readonly supported: boolean;
}

export interface Body {
  readonly required: boolean;
  readonly description?: string;
  readonly content: readonly MediaType[];
  readonly at: Address;
}

/** How a body of a media type is carried: decides which codec a target uses. */
export type BodyKind = 'json' | 'text' | 'event-stream' | 'form' | 'multipart' | 'binary';

export interface MediaType {
  /** As written, parameters included. */
  readonly text: string;
  /** Lower case, without parameters: `application/json`, `text/*`. */
  readonly essence: string;
  readonly kind: BodyKind;
  readonly schema?: SchemaId;
  /** Present where `kind` is `event-stream`. */
  readonly stream?: StreamSpec;
  readonly examples: readonly JsonValue[];
  readonly at: Address;
}

/** What a sequence of events carries. */
export interface StreamSpec {
  readonly framing: 'sse';
  readonly events: readonly StreamEvent[];
}

export interface StreamEvent {
  /** The event's name; `message` where the stream names none. */
  readonly name: string;
  /** `json`: the data is one JSON text; `text`: it is plain text. */
  readonly data: 'json' | 'text';
  readonly schema?: SchemaId;
}

export type Status =
  | { readonly kind: 'exact'; readonly code: number }
  /** `hundred` 4 is `4XX`. */
  | { readonly kind: 'range'; readonly hundred: 1 | 2 | 3 | 4 | 5 }
  | { readonly kind: 'default' };

export interface Response {
  readonly status: Status;
  readonly description?: string;
  readonly headers: readonly Header[];
  /** Empty where the response has no body. */
  readonly content: readonly MediaType[];
  readonly at: Address;
}

export interface Header {
  readonly name: string;
  readonly required: boolean;
  readonly docs: Docs;
  readonly schema?: SchemaId;
  readonly at: Address;
}

export interface SecurityRequirement {
  readonly scheme: string;
  readonly scopes: readonly string[];
}

export type SecurityScheme = {
  /** The key in `components.securitySchemes`. */
  readonly name: string;
  readonly description?: string;
  readonly at: Address;
} & (
  | { readonly kind: 'bearer'; readonly format?: string }
  | { readonly kind: 'basic' }
  | { readonly kind: 'apiKey'; readonly in: 'header' | 'query' | 'cookie'; readonly parameter: string }
  /** A scheme that this version hands to the user as it is: OAuth2, OpenID, mutual TLS, other HTTP schemes. */
  | { readonly kind: 'other'; readonly type: string }
);
