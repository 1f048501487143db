/**
 * The IR of one API: what the document means, without its version, its spelling or any TypeScript. Immutable; every node
 * carries the address it came from. A stand-alone JSON Schema is an Api without operations.
 */
import type { Address } from '../diagnostics.js';
import type { Example, Extensions, ExternalDocs, Info, Link, Server, Tag } from './details.js';
import type { Docs, JsonValue, Schema, SchemaId } from './schema.js';
import type { SecurityRequirement, SecurityScheme } from './security.js';
import type { Shape } from './shape.js';

export interface Api {
  readonly info: Info;
  readonly externalDocs?: ExternalDocs;
  readonly tags: readonly Tag[];
  readonly servers: readonly Server[];
  readonly operations: readonly Operation[];
  /** Webhooks, and the callbacks of operations: each once, however many operations have it. */
  readonly outgoing: readonly OutgoingRequest[];
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
  /** Of the root; those of `paths` and `components` are in `sections`. */
  readonly extensions: Extensions;
  readonly sections: { readonly paths?: Extensions; readonly components?: Extensions };
  /** Numbers that a double rounds, as the documents write them. */
  readonly exactNumbers: readonly ExactNumber[];
}

export interface ExactNumber {
  readonly at: Address;
  readonly text: string;
}

/** A schema with a name that its document gives it: a component, a definition, or the root of a JSON Schema. */
export interface Component {
  readonly name: string;
  readonly schema: SchemaId;
}

/** What a request of the API and one that the API sends have in common. */
export interface ApiRequest {
  /** The address of the operation as text: unique, not a name. */
  readonly id: string;
  readonly at: Address;
  readonly operationId?: string;
  /** As the wire has it: `GET`, `QUERY`, or an additional method in its own capitalisation. */
  readonly method: string;
  readonly summary?: string;
  readonly description?: string;
  readonly externalDocs?: ExternalDocs;
  readonly deprecated: boolean;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly body?: Body;
  readonly responses: readonly Response[];
  /** Alternatives (OR) of requirements (AND); an empty alternative allows anonymous calls, an empty list demands nothing. */
  readonly security: readonly (readonly SecurityRequirement[])[];
  /** Servers of the operation or its path, where they differ from those of the API. */
  readonly servers?: readonly Server[];
  /** What the service sends later because of this request: the ids of entries of `Api.outgoing`. */
  readonly callbacks: readonly string[];
  readonly extensions: Extensions;
  /** Of the path item, and of the map of responses. */
  readonly sections: { readonly pathItem?: Extensions; readonly responses?: Extensions };
}

export interface Operation extends ApiRequest {
  readonly path: PathTemplate;
}

/** A webhook or a callback: a request that the service sends, described as whoever gets it has to answer it. */
export interface OutgoingRequest extends ApiRequest {
  readonly origin: 'webhook' | 'callback';
  /** The key in `webhooks` or `callbacks`. */
  readonly name: string;
  /** Where a callback is sent: a URL with runtime expressions (OpenAPI, Callback Object). */
  readonly expression?: string;
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

/** `querystring` is the whole query as one value; it never stands beside `query`. */
export type ParameterPlace = 'path' | 'query' | 'querystring' | 'header' | 'cookie';

export type ParameterStyle =
  | 'matrix'
  | 'label'
  | 'simple'
  | 'form'
  | 'spaceDelimited'
  | 'pipeDelimited'
  | 'deepObject'
  | 'cookie';

export interface Parameter {
  /** Names nothing on the wire where the place is `querystring`. */
  readonly name: string;
  readonly in: ParameterPlace;
  readonly required: boolean;
  readonly deprecated: boolean;
  readonly docs: Docs;
  readonly at: Address;
  /** Exactly one of `schema` and `content` is there, unless the parameter says nothing of its value. */
  readonly schema?: SchemaId;
  readonly content?: MediaType;
  readonly style: ParameterStyle;
  readonly explode: boolean;
  readonly allowReserved: boolean;
  readonly allowEmptyValue: boolean;
  readonly examples: readonly Example[];
  readonly extensions: Extensions;
}

export interface Body {
  readonly required: boolean;
  readonly description?: string;
  readonly content: readonly MediaType[];
  readonly at: Address;
  readonly extensions: Extensions;
}

/** How a body of a media type is carried: decides which codec a target uses. `xml` is text whose schema is that of what it says. */
export type BodyKind = 'json' | 'text' | 'xml' | 'event-stream' | 'sequence' | 'form' | 'multipart' | 'binary';

export interface MediaType {
  /** As written, parameters included. */
  readonly text: string;
  /** Lower case, without parameters: `application/json`, `text/*`. */
  readonly essence: string;
  readonly kind: BodyKind;
  readonly schema?: SchemaId;
  /** The schema of each item of a sequence, such as an event or a line; `schema` is that of the whole. */
  readonly itemSchema?: SchemaId;
  /** Present where `kind` is `event-stream` or `sequence`. */
  readonly stream?: StreamSpec;
  /** How the members of a form are written, by name. */
  readonly encoding: readonly { readonly name: string; readonly encoding: Encoding }[];
  /** How the first parts of a sequence are written, one by one, and how all others. */
  readonly prefixEncoding?: readonly Encoding[];
  readonly itemEncoding?: Encoding;
  readonly examples: readonly Example[];
  /** Of XML: programs have the value that its schema describes (the option `xml`). */
  readonly decoded?: true;
  readonly at: Address;
  readonly extensions: Extensions;
}

/** How a part of a body is written (OpenAPI, Encoding Object). */
export interface Encoding {
  /** Media types of the part, as written: a list with commas. */
  readonly contentType?: string;
  readonly headers: readonly Header[];
  readonly style?: ParameterStyle;
  readonly explode?: boolean;
  readonly allowReserved?: boolean;
  /** Of the parts of this part. */
  readonly encoding: readonly { readonly name: string; readonly encoding: Encoding }[];
  readonly prefixEncoding?: readonly Encoding[];
  readonly itemEncoding?: Encoding;
  readonly at: Address;
  readonly extensions: Extensions;
}

/**
 * How the items of a sequence are told apart on the wire: server-sent events (HTML Standard), one JSON text in each line
 * (`application/jsonl`, `application/x-ndjson`), JSON texts between record separators (RFC 7464), or parts between
 * boundaries (RFC 2046 section 5.1).
 */
export type Framing = 'sse' | 'jsonl' | 'json-seq' | 'multipart';

/** What a sequence of events or items carries. */
export interface StreamSpec {
  readonly framing: Framing;
  /** By name, of which one may be JSON and one text: then the data tells; where the framing is not `sse`, the one entry `item`. Of parts by position: the last stands for all that follow. */
  readonly events: readonly StreamEvent[];
  /** Data that is no event but says that the stream is at its end, such as `[DONE]`; without it, the stream was cut short. */
  readonly sentinels: readonly string[];
  /** The sentinels are those of the configuration: they end the stream whatever the name of their event, and nothing else does. */
  readonly configuredEnd?: true;
  /** Whether `events` lists all names. Else the event `message` stands for those of every other name. */
  readonly closed: boolean;
  /** Events as the schema of one gives them as examples: objects with `event`, `data`, `id` and `retry`. */
  readonly examples?: readonly JsonValue[];
  /** The schema of all items as an array, where it says more than what each of them is: how many, for example. */
  readonly whole?: SchemaId;
}

export interface StreamEvent {
  /** The event's name; `message` where the stream names none, `item` where the framing knows no names. */
  readonly name: string;
  /** `json`: the data is one JSON text; `text`: it is plain text. Parts may be `binary`, or `any` of the three, which each says itself. */
  readonly data: 'json' | 'text' | 'binary' | 'any';
  readonly schema?: SchemaId;
  /** The schema of an object with `id` and `retry` of the event, where something is said of them. */
  readonly fields?: SchemaId;
  /** The media types and ranges that a part may be of, as its encoding lists them. */
  readonly contentTypes?: readonly string[];
  /** The headers of a part. */
  readonly headers?: readonly Header[];
}

export type Status =
  | { readonly kind: 'exact'; readonly code: number }
  /** `hundred` 4 is `4XX`. */
  | { readonly kind: 'range'; readonly hundred: 1 | 2 | 3 | 4 | 5 }
  | { readonly kind: 'default' };

export interface Response {
  readonly status: Status;
  readonly summary?: string;
  readonly description?: string;
  readonly headers: readonly Header[];
  /** Empty where the response has no body. */
  readonly content: readonly MediaType[];
  readonly links: readonly Link[];
  readonly at: Address;
  readonly extensions: Extensions;
}

export interface Header {
  readonly name: string;
  readonly required: boolean;
  readonly docs: Docs;
  readonly schema?: SchemaId;
  /** In place of `schema`. */
  readonly content?: MediaType;
  readonly explode: boolean;
  readonly examples: readonly Example[];
  readonly at: Address;
  readonly extensions: Extensions;
}
